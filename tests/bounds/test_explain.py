"""An explanation adds up exactly: terms to stages, stages to the bound."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from ddsrta.bounds.assemble import present
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.paths.latency import segments
from ddsrta.bounds.present import chain_result, message_keys
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain, explain_path
from ddsrta.bounds.terms.explanation import Explanation
from ddsrta.bounds.terms.things import explain_message, explain_thread
from ddsrta.models.reader import loads
from ddsrta.models.system import System
from tests.checker.executors import executor_system
from tests.effort import draws
from tests.soundness.generator import random_system

NEGATIVE = {
    "came later than the window opened",
    "sent before the job ends",
    "sent before the last copy",
    "before the path begins",
    "less, seen from the source",
    "less, by other windows of the same event",
    "paid on one of both threads only",
}


def adds_up(explanation: Explanation) -> None:
    """Terms, kinds and causes add up to stages, stages to the bound; only what is less is negative."""
    assert explanation.bound is not None
    assert sum(stage.total for stage in explanation.stages) == explanation.bound
    assert sum(cause.time for cause in explanation.causes) == explanation.bound
    for stage in explanation.stages:
        assert sum(term.time for term in stage.terms) == stage.total, stage
        assert sum(stage.shares.values()) == sum(term.time for term in stage.kinds) == stage.total
        for term in stage.terms:
            assert (term.time < 0) == (term.kind == "less"), term
            assert 0 <= term.own <= max(0, term.time), term


def no_rest_is_hidden(system: System, explanation: Explanation) -> None:
    """What is left of a window has a reason: a reservation, or a delay of `follows`."""
    for stage in explanation.stages:
        for term in stage.terms:
            assert term.time > 0 or term.label in NEGATIVE, (stage, term)
            if term.label == "waits for supply":
                assert has_reservation(system, stage.where.rsplit(" ", 1)[-1]), stage
            if term.label == "until the value is handed over":
                assert term.time in {t.follows.delay for t in system.threads.values() if t.follows}


def has_reservation(system: System, core: str) -> bool:
    servers = (system.threads, system.executors, system.listeners, system.flow_controllers)
    own = (s.reservation for kind in servers for s in kind.values() if s.core == core)
    return bool(system.cores[core].reservation or system.cores[core].partitions or any(own))


def test_explanations_of_executors_add_up() -> None:
    explained = 0
    for seed in range(draws(10, of=30)):
        system = executor_system(seed)
        solution = solve(system)
        for path in named_paths(system)[0]:
            explanation = explain_path(solution, path)
            if explanation.bound is not None:
                explained += 1
                adds_up(explanation)
                no_rest_is_hidden(system, explanation)
    assert explained > 30


def test_windows_of_executors_are_explained_by_name() -> None:
    notes = []
    for seed in range(draws(10, of=30)):
        solution = solve(executor_system(seed))
        for path in named_paths(solution.system)[0]:
            notes += [stage.note for stage in explain_path(solution, path).stages]
    assert sum("window for executor e" in note for note in notes) > 3


def test_explanations_of_random_systems_add_up() -> None:
    explained = crossing = 0
    notes: Counter[str] = Counter()
    for seed in range(draws(30, of=60)):
        system = random_system(seed)
        solution = solve(system)
        for path in named_paths(system)[0]:
            result = chain_result(solution, path)
            explanation = explain_path(solution, path)
            if explanation.bound is None:
                assert explanation.reason == result.unbounded_because
                assert explanation.reason, (seed, path.name)
                continue
            explained += 1
            crossing += len(segments(solution, path.start, path.hops)) > 1
            adds_up(explanation)
            for stage in explanation.stages:
                notes[stage.note.split(maxsplit=2)[0] if stage.note else ""] += 1
            no_rest_is_hidden(system, explanation)
    assert explained > 30
    assert crossing > 3
    assert notes["one"] > 8  # windows of a group
    assert notes["more"] > 3  # windows in which more urgent work is coupled


@pytest.mark.parametrize("draw", [random_system, executor_system])
def test_responses_and_deliveries_are_explained_and_add_up(draw) -> None:
    explained = 0
    for seed in range(20):
        solution = solve(draw(seed))
        result = present(solution, Refinements.all())
        found = {
            name: one.wcrt for name, one in (*result.threads.items(), *result.callbacks.items())
        }
        rows = [(explain_thread(solution, name), wcrt) for name, wcrt in found.items()]
        keys = zip(message_keys(solution.compiled), result.messages, strict=True)
        rows += [(explain_message(solution, each), message.ddl) for each, message in keys]
        for explanation, bound in rows:
            assert explanation.bound == bound
            if bound is None:
                assert explanation.reason, (seed, explanation)
                continue
            adds_up(explanation)
            explained += 1
    assert explained > 30


def test_the_wait_at_a_join_names_the_input_that_is_late() -> None:
    solution = solve(loads(JOIN), replace(Refinements.all(), last_tokens=False))
    (path,) = named_paths(solution.system)[0]
    explanation = explain_path(solution, path)
    adds_up(explanation)
    (tokens,) = [stage for stage in explanation.stages if stage.stage == "tokens"]
    assert [(term.label, term.time, term.kind) for term in tokens.terms] == [
        ("thread both waits for thread right", 40_000_000, "waits")
    ]
    assert explanation.causes[0] == ("thread both waits for thread right", "waits", 40_000_000)


JOIN = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
threads:
  left: {core: m/a, priority: 50, wcet: 1ms, bcet: 1ms, period: 10ms}
  slow: {core: m/b, priority: 50, wcet: 5ms, bcet: 0ms, period: 10ms}
  right: {core: m/c, priority: 50, wcet: 1ms, bcet: 0ms, follows: {threads: [slow], delay: 25ms, best: 25ms}}
  both: {core: m/d, priority: 50, wcet: 2ms, follows: {threads: [left, right], activation: and}}
chains:
  left: {path: [left, both]}
"""


def test_a_token_waits_for_its_number_not_for_the_next_arrival() -> None:
    """The other branch takes 25 to 31 ms and may start a period late: its first token comes at up to
    10 + 31 = 41 ms, ours at the earliest after 1 ms. Its arrivals are at most 16 ms apart, and that
    does not bound the wait: every later token waits as long as the first."""
    result = solve(loads(JOIN))
    chain = chain_result(result, named_paths(result.system)[0][0])
    assert chain.trigger_latency == 3_000_000
    assert chain.latency == 1_000_000 + 40_000_000 + 2_000_000


def test_a_slower_partner_never_catches_up() -> None:
    text = JOIN.replace("wcet: 5ms, bcet: 0ms, period: 10ms", "wcet: 5ms, period: 11ms")
    solution = solve(loads(text))
    chain = chain_result(solution, named_paths(solution.system)[0][0])
    assert chain.trigger_latency is not None
    assert chain.latency is None
    assert "keep pace" in (chain.unbounded_because or "")


REGISTER = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  sensor: {core: m/a, priority: 50, wcet: 2ms, period: 7ms}
  filter: {core: m/b, priority: 50, wcet: 3ms, arrival: {period: 10ms, jitter: 1ms}, follows: {threads: [sensor]}}
  actor: {core: m/c, priority: 50, wcet: 4ms, period: 25ms, follows: {threads: [filter]}}
chains:
  age: {path: [sensor, filter, actor], deadline: 27ms, constraint: data_age}
  reaction: {path: [sensor, filter, actor], deadline: 51ms, constraint: reaction_time}
"""


def test_age_and_reaction_across_registers_of_unrelated_periods() -> None:
    """Age: 2 + 7 until the next value is there, 3 + 11, and 4. Reaction: a stimulus just missed waits
    7, is read and there after 2, waits for a release for 11, 3, 25, and 4."""
    solution = solve(loads(REGISTER))
    age, reaction = (chain_result(solution, path) for path in named_paths(solution.system)[0])
    assert age.latency is None
    assert age.data_age == (2 + 7 + 3 + 11 + 4) * 1_000_000
    assert age.met
    assert reaction.reaction_time == (7 + 2 + 11 + 3 + 25 + 4) * 1_000_000
    assert not reaction.met


ONE_CORE = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
listeners: {L: {core: m/a, priority: 60}}
threads:
  first: {core: m/a, priority: 50, wcet: 2ms, period: 20ms, publishes: [{topic: t, mode: sync}]}
  other: {core: m/a, priority: 50, wcet: 1ms, period: 20ms}
  rare: {core: m/a, priority: 10, wcet: 3ms, period: 20ms, publishes: [{topic: u, mode: sync}]}
  second: {core: m/a, priority: 40, wcet: 4ms, subscribes: {listener: L, topics: [t]}}
  third: {core: m/b, priority: 40, wcet: 1ms, subscribes: {listener: L, topics: [u]}}
topics: {t: {size: 1kB}, u: {size: 1kB}}
delays: {flow_controller: {1kB: 10us}, listener: {1kB: 100us}, publisher: {1kB: 500us}}
chains:
  both: {path: [first, t, second]}
"""


def test_a_chain_on_one_core_is_one_window() -> None:
    """By hand: 2 + 0.5 of first, 0.1 of the message, 4 of second; 1 of other; and the message of rare,
    which may have been sent just before: 0.1."""
    explanation = explain(loads(ONE_CORE), "both")
    (window,) = explanation.stages
    assert window.note == (
        "one window for thread first, listener L and thread second on core m/a: "
        "it opens with the arrival of thread first or before"
    )
    assert [(term.label, term.time, term.detail) for term in window.terms] == [
        ("own work of thread first", 2_500_000, ""),
        ("own work of message 't' from first to second", 100_000, ""),
        ("own work of thread second", 4_000_000, ""),
        ("behind thread other", 1_000_000, "1 × 1 ms"),
        ("released by thread rare just before", 100_000, "less urgent"),
    ]
    assert explanation.bound == 7_700_000


def test_publications_leave_before_the_sends_that_follow() -> None:
    """Each send takes 0.5 ms. What is sent first is not held up by what the job sends after it."""
    text = ONE_CORE.replace(
        "{topic: t, mode: sync}", "{topic: t, mode: sync}, {topic: u, mode: sync}"
    )
    text = text.replace("listener: L, topics: [t]", "listener: M, topics: [t]").replace(
        "listeners: {", "listeners: {M: {core: m/b, priority: 60}, "
    )
    system = loads(text)
    stage_by_stage = replace(Refinements.all(), end_to_end_windows=False)
    path = next(path for path in named_paths(system)[0] if path.name == "both")
    found = explain_path(solve(system, stage_by_stage), path)
    first, message = found.stages[0], found.stages[1]
    assert first.terms[0].time == 3_000_000
    assert ("sent before the job ends", -500_000) in [(t.label, t.time) for t in message.terms]
    assert sum(stage.total for stage in found.stages) == found.bound
