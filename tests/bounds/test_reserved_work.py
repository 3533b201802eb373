"""What threads of SCHED_DEADLINE take of their core: what they have to do (lemma reserved-work)."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.terms.explain import explain
from ddsrta.models.system import System
from tests.bounds.deadline_runs import Reserved, drawn, worst_of
from tests.bounds.no_less import confirms_no_less

PLAIN = Refinements(reserved_work=False)
SPARE = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1B: 1ns}, listener: {1B: 2ns}}
topics: {t: {size: 1B}}
listeners: {L: {core: m/b, reservation: {budget: 9ns, period: 20ns}}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ns, arrival: {ARRIVAL}, publishes: [{topic: t, mode: sync}]}
  z: {core: m/b, priority: 5, wcet: 30ns, period: 1us}
  y: {core: m/b, priority: 4, wcet: 1ns, follows: {threads: [z]}}
  s: {core: m/c, priority: 1, wcet: 1ns, subscribes: {topics: [t], listener: L}}
chains: {alone: {path: [z]}, way: {path: [z, y]}}
"""


def spare(arrival: str = "period: 25ns") -> System:
    return ddsrta.loads(SPARE.replace("ARRIVAL", arrival))


@pytest.mark.parametrize(
    ("arrival", "expected"),
    [
        ("sporadic: 100ns", 32),  # one message
        ("period: 25ns", 34),  # a second one, though not both at once
        ("period: 100ns, jitter: 300ns", 38),  # four at once: 8 of a budget
        ("period: 100ns, jitter: 3us", 66),  # more than its budgets: four of these
    ],
)
def test_no_more_counts_than_there_is_to_do_or_budgets(arrival: str, expected: int) -> None:
    result = ddsrta.analyze(spare(arrival))
    assert result.threads["z"].wcrt == expected
    assert result.check.status == "confirmed"
    assert not result.check.without
    assert ddsrta.analyze(spare(arrival), refinements=PLAIN).threads["z"].wcrt == 66


def test_what_was_not_done_as_a_window_opens_counts_too() -> None:
    """Two messages come in 48 ns, and one of before may wait for its second budget."""
    text = SPARE.replace("ARRIVAL", "period: 25ns").replace("wcet: 30ns", "wcet: 44ns")
    system = ddsrta.loads(text.replace("budget: 9ns, period: 20ns", "budget: 1ns, period: 6ns"))
    assert ddsrta.analyze(system).threads["z"].wcrt == 44 + 3 * 2


def test_one_of_a_nanosecond_that_ends_as_a_window_opens_counts_too() -> None:
    """Else one could come as the window is over, to a thread that has not slept and keeps what is
    left of its budget."""
    text = SPARE.replace("ARRIVAL", "period: 31ns").replace(
        "listener: {1B: 2ns}", "listener: {1B: 1ns}"
    )
    system = ddsrta.loads(text)
    assert ddsrta.analyze(system).threads["z"].wcrt == 30 + 2
    confirms_no_less(certificate(system), "deadline-servers")


def test_the_checker_confirms_no_less() -> None:
    confirms_no_less(certificate(spare()), "deadline-servers")


def test_it_is_explained() -> None:
    (stage,) = explain(spare(), "alone").stages
    terms = {term.label: (term.time, term.detail) for term in stage.terms}
    load = "preempted by a SCHED_DEADLINE reservation"
    assert terms == {
        "own work": (30, ""),
        load: (4, "budgets, or its work where that is less"),
    }


@pytest.mark.parametrize(
    "more",
    ["middleware: {fastdds: 2.9}\n", "flow_controllers: {F: {core: m/c, priority: 1, LIMIT}}"],
)
def test_nothing_is_known_where_threads_wait_for_locks_or_limits(more: str) -> None:
    text = SPARE.replace("ARRIVAL", "sporadic: 100ns")
    limit = "limit: {bytes: 300B, period: 1us}"
    text = text.replace("mode: sync", "flow_controller: F, delay: 1ns") if "LIMIT" in more else text
    system = ddsrta.loads(text + more.replace("LIMIT", limit))
    bounds = [ddsrta.analyze(system, refinements=each).threads["z"] for each in (None, PLAIN)]
    assert bounds[0] == bounds[1]


@pytest.mark.parametrize("seed", range(6))
def test_no_run_is_above_a_bound(seed: int) -> None:
    random, lower = Random(f"reserved work {seed}"), 0
    for _ in range(6):
        threads = drawn(random, 0.8, 20)
        for one in threads.values():
            one.apart = max(one.apart, random.randint(1, 60))
        load = sum(one.work / one.apart for one in threads.values())
        work = random.randint(1, 25)
        threads["z"] = Reserved(work, int(work / (0.95 - load)) + random.randint(1, 20))
        bound, plain = (_response(threads, each) for each in (None, PLAIN))
        if bound is None or bound == plain:
            continue
        lower += 1
        end = 6 * max(one.apart for one in threads.values())
        for _ in range(12):
            assert worst_of(threads, random, end)["z"] <= bound, threads
    assert lower


def _response(threads: dict[str, Reserved], refinements: Refinements | None) -> int | None:
    head, text = "ddsrta: 1\nmachines: {m: {cores: [c]}}\nthreads:\n", ""
    for name, one in threads.items():
        place = f"reservation: {{budget: {one.budget}ns, period: {one.period}ns}}"
        place = place if one.period else "priority: 5"
        times = f"wcet: {one.work}ns, arrival: {{sporadic: {one.apart}ns}}"
        text += f"  {name}: {{core: m/c, {place}, {times}}}\n"
    result = ddsrta.analyze(ddsrta.loads(head + text), refinements=refinements)
    assert result.check.status == "confirmed"
    assert not result.check.without
    return result.threads["z"].wcrt
