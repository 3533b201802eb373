"""Pinned threads of SCHED_OTHER, whoever of them is picked (lemma fair-threads)."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.terms.explain import explain
from tests.effort import draws

HEAD = "ddsrta: 1\nmachines: {m: {cores: [c, d]}}\n"


def fair(name, wcet, arrival, more="", core="m/c"):
    return f"  {name}: {{core: {core}, policy: other, wcet: {wcet}ns, {arrival}{more}}}\n"


def every(period):
    return f"period: {period}ns"


def bounds(text, refinements=None):
    result = ddsrta.analyze(ddsrta.loads(f"{HEAD}threads:\n{text}"), refinements=refinements)
    assert result.check.status == "confirmed", result.check
    assert not result.check.without
    return result


def responses(text, refinements=None):
    return {name: one.wcrt for name, one in bounds(text, refinements).threads.items()}


FIFO = "  f: {core: m/c, priority: 1, wcet: 2ns, period: 20ns}\n"


@pytest.mark.parametrize("refinements", [None, Refinements.none()])
def test_each_waits_for_all_that_can_come_before_its_end_and_fifo_for_none(refinements) -> None:
    # a: 5 + 2 + 7; b: 7 + 2 + 5, both before the second of f; c alone on its core
    text = FIFO + fair("a", 5, every(100)) + fair("b", 7, every(100), ", nice: -20")
    text += fair("c", 9, every(10), core="m/d")
    assert responses(text, refinements) == {"f": 2, "a": 14, "b": 14, "c": 9}


def test_what_comes_after_the_start_counts_as_well() -> None:
    # a: 10 + 2·⌈F/20⌉ + 3·⌈F/13⌉ = 10 + 2 + 6 = 18; a peer of SCHED_FIFO would count once: 15
    assert responses(FIFO + fair("a", 10, every(100)) + fair("b", 3, every(13)))["a"] == 18


def test_a_window_may_begin_with_others_and_its_second_unit_be_the_worst() -> None:
    # the level is busy for 28 = 4·4 + 2·6: the second of a comes at 7, behind b and one of its own
    text = fair("a", 4, every(7)) + fair("b", 6, every(14))
    assert responses(text)["a"] == 10
    assert responses(text)["b"] == 14


def test_a_thread_alone_is_like_one_of_the_least_priority() -> None:
    other = responses(FIFO + fair("a", 30, every(40)))
    text = (
        FIFO.replace("priority: 1", "priority: 2")
        + "  a: {core: m/c, priority: 1, wcet: 30ns, period: 40ns}\n"
    )
    assert other == responses(text)


def test_too_much_for_the_level_is_unbounded_for_it_alone() -> None:
    found = responses(FIFO + fair("a", 5, every(10)) + fair("b", 5, every(10)))
    assert found == {"f": 2, "a": None, "b": None}


def test_deadline_threads_and_jobs_that_follow_on_the_core() -> None:
    text = fair("a", 5, every(100)) + fair("b", 3, "follows: {threads: [a]}")
    text += "  s: {core: m/c, reservation: {budget: 4ns, period: 50ns}, wcet: 4ns, period: 50ns}\n"
    result = bounds(text + "chains: {way: {path: [a, b]}}\n")
    assert result.threads["a"].wcrt == 9
    assert result.chains["way"].latency == 12


EXECUTOR = "executors: {x: {core: m/c, policy: other, nice: -3, kind: KIND}}\n"


@pytest.mark.parametrize("kind", ["single_threaded", "static", "rclc"])
def test_callbacks_of_an_executor_go_before_another_only_until_it_starts(kind) -> None:
    # a starts after 3 of b and 4 of t, and takes 10; of t, a second one would preempt it
    text = EXECUTOR.replace("KIND", kind) + "callbacks:\n"
    text += (
        "  a: {executor: x, wcet: 10ns, timer: 100ns}\n  b: {executor: x, wcet: 3ns, timer: 13ns}\n"
    )
    system = ddsrta.loads(f"{HEAD}threads:\n{fair('t', 4, every(100))}{text}")
    for refinements in (Refinements.all(), Refinements.none()):
        result = ddsrta.analyze(system, refinements=refinements)
        assert result.check.status == "confirmed", result.check
        assert result.callbacks["a"].wcrt == 17
        assert [one.rule for one in result.assumptions] == ["fair-threads"]
        seen = ddsrta.simulate(system, horizon=2000, seeds=30)
        assert seen.callbacks["a"].response.max <= 17


def test_what_it_rests_on_is_said_once_with_the_number_of_cores() -> None:
    text = (
        FIFO
        + fair("a", 5, every(100))
        + fair("b", 5, every(100))
        + fair("c", 1, every(9), core="m/d")
    )
    (said,) = bounds(text).assumptions
    assert said.rule == "fair-threads"
    assert said.message.startswith("core m/c (and 1 more) has no threads of SCHED_OTHER but those")
    assert bounds(FIFO).assumptions == ()


def test_an_explanation_names_who_contends() -> None:
    text = f"{HEAD}threads:\n{fair('a', 5, every(100))}{fair('b', 7, every(100))}chains: {{x: {{path: [a]}}}}\n"
    system = ddsrta.loads(text)
    found = explain(system, "x")
    assert "preempted by thread b" in str(found)


def test_the_published_analysis_has_none() -> None:
    system = ddsrta.loads(f"{HEAD}threads:\n{fair('a', 5, every(100))}")
    with pytest.raises(ddsrta.InputError, match="the published analysis knows no SCHED_OTHER"):
        ddsrta.analyze(system, profile="published")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("policy: other, priority: 5", "a thread of SCHED_OTHER has no priority"),
        ("policy: other, partition: p", "a thread of SCHED_OTHER has no partition"),
        ("policy: other, reservation: {budget: 1ns, period: 2ns}", "has no reservation"),
        ("priority: 5, nice: 3", "'nice' is of SCHED_OTHER"),
        ("priority: 5, slice: 3ms", "'slice' is of SCHED_OTHER"),
        ("policy: other, nice: 20", "20 is not within -20 … 19"),
        ("policy: batch", "expected other, not 'batch'"),
        (
            "policy: FIFO, priority: 5",
            "expected other, not 'FIFO'; leave it out: a priority is one of SCHED_FIFO",
        ),
        ("nice: 1", "'priority' is missing"),
    ],
)
def test_what_contradicts_itself(text, message) -> None:
    with pytest.raises(ddsrta.InputError, match=message):
        ddsrta.loads(f"{HEAD}threads:\n  a: {{core: m/c, {text}, wcet: 1ns, period: 9ns}}\n")


@pytest.mark.parametrize("kind", ["multi_threaded", "events", "events_cbg"])
def test_executors_of_several_threads_are_refused(kind) -> None:
    text = EXECUTOR.replace("KIND", kind) + "callbacks: {a: {executor: x, wcet: 1ns, timer: 9ns}}\n"
    with pytest.raises(ddsrta.InputError, match=f"{kind} executors have several threads"):
        ddsrta.loads(f"{HEAD}threads: {{}}\n{text}")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            "machines: {m: {cores: {c: {reservation: {budget: 1ns, period: 2ns}}}}}\n",
            "m/c supplies",
        ),
        (
            "machines: {m: {cores: {c: {partitions: {p: {budget: 1ns, period: 2ns}}}}}}\n",
            "core m/c is partitioned",
        ),
        (
            "machines: {m: {cores: [c]}}\nflow_controllers: "
            "{F: {core: m/c, priority: 3, limit: {bytes: 9B, period: 1ms}}}\n",
            "flow controller 'F' sleeps",
        ),
        ("machines: {m: {cores: [c]}}\nmiddleware: {fastdds: '2.9'}\n", "locks of Fast DDS"),
    ],
)
def test_what_is_not_modelled_is_refused(more, message) -> None:
    text = "  a: {core: m/c, policy: other, wcet: 1ns, period: 9ns}\n"
    with pytest.raises(ddsrta.InputError, match=message):
        ddsrta.loads(f"ddsrta: 1\n{more}threads:\n{text}")


def drawn(random: Random) -> str:
    text = FIFO if random.random() < 0.5 else ""
    names = [f"t{i}" for i in range(random.randint(2, 4))]
    for place, name in enumerate(names):
        period = random.choice((20, 30, 40, 70, 150))
        arrival = f"arrival: {{period: {period}ns, jitter: {random.choice((0, 0, 7, 90))}ns}}"
        if place and random.random() < 0.3:
            arrival = f"follows: {{threads: [{random.choice(names[:place])}]}}"
        more = f", nice: {random.choice((-20, -5, 0, 0, 5, 19))}, slice: {random.choice((1, 3, 9, 50))}ns"
        text += fair(name, random.randint(1, 9), arrival, more)
    return text


@pytest.mark.parametrize("seed", range(draws(10, of=25)))
def test_no_run_under_eevdf_is_above_a_bound(seed: int) -> None:
    system = ddsrta.loads(f"{HEAD}threads:\n{drawn(Random(seed))}")
    for refinements in (Refinements.all(), Refinements.none()):
        result = ddsrta.analyze(system, refinements=refinements)
        assert result.check.status == "confirmed"
        seen = ddsrta.simulate(system, horizon=3000, seeds=20, seed=seed)
        for name, one in result.threads.items():
            if one.wcrt is not None:
                assert seen.threads[name].response.max <= one.wcrt, name
