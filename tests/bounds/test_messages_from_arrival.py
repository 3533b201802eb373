"""A message that others may be taken before is done within a closed window, and within one from its
arrival on (lemma turns-in-order)."""

from __future__ import annotations

import copy

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import claims
from ddsrta.bounds.result import Result
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import MOST_CLOSED, solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from tests.bounds.test_several_publishers import runs

JOB = ("job", "r")
# What comes of a message comes back 20 ms later: two are not there at once.
ECHO = """ddsrta: 1
machines: {m: {cores: [a, b, c, l]}}
delays: {listener: {1kB: 1us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB, history: 9}}
listeners: {L: {core: m/l, priority: 9, queue: 9}}
threads:
  p: {core: m/a, priority: 5, wcet: 1us, period: 100ms, publishes: [{topic: x, mode: sync}]}
  q: {core: m/b, priority: 5, wcet: 1us, period: 100ms, publishes: [{topic: x, mode: sync}]}
  r: {core: m/c, priority: 5, wcet: 3ms, bcet: 3ms, subscribes: {topics: [x], listener: L}}
  back: {core: m/c, priority: 9, wcet: 6ms, follows: {threads: [r], delay: DELAY, best: DELAY}}
chains: {way: {path: [q, x, r]}, on: {path: [q, x, r, back]}}
"""
LATE = ECHO.replace("DELAY", "20ms")
SOON = ECHO.replace("DELAY", "10ms").replace("bcet: 3ms, ", "")
# All that an executor does, and what it sends to itself.
QUEUE = """ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {listener: {1kB: 2us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB, history: 99}}
listeners: {L: {core: m/b, priority: 9, queue: 99}}
executors: {E: {core: m/a, priority: 5, kind: events}}
threads:
  p: {core: m/a, priority: 2, wcet: 2us, period: 40us, publishes: [{topic: x, mode: sync}]}
callbacks:
  q: {executor: E, wcet: 1us, timer: 120us, publishes: [{topic: x, mode: sync}]}
  s: {executor: E, wcet: 2us, arrival: {period: 100us, jitter: 196us}, publishes: [{topic: x, mode: sync}]}
  r: {executor: E, wcet: 7us, subscribes: {topics: [x], listener: L}}
chains: {way: {path: [p, x, r]}, own: {path: [s, x, r]}}
"""
BY_LEVEL = ddsrta.Refinements(pending_windows=False, closed_windows=False)
BY_CLOSED = ddsrta.Refinements(pending_windows=False)


def solved(text: str, some: ddsrta.Refinements | None = None) -> tuple[Solution, Result]:
    solution = solve(ddsrta.loads(text), some)
    return solution, present(solution)


def row_of(certificate: dict) -> dict:
    return next(one for one in certificate["stages"] if one["stage"] == list(JOB))


def only(solution: Solution, result: Result, hint: str) -> dict:
    """The certificate, where it has this hint of the reader."""
    found = claims(solution, result)
    assert check(found).status == "confirmed"
    assert row_of(found)[hint] is True
    return found


def falls(certificate: dict, hint: str) -> None:
    """Neither a nanosecond less is confirmed, nor the same without the hint."""
    lower = copy.deepcopy(certificate)
    row_of(lower)["taken"] -= 1
    assert "job r" in check(lower).failure
    without = copy.deepcopy(certificate)
    del row_of(without)[hint]
    assert "job r" in check(without).failure


def test_what_comes_of_turns_is_not_there_twice():
    _, plain = solved(LATE, BY_CLOSED)
    solution, result = solved(LATE)
    assert (plain.threads["r"].wcrt, result.threads["r"].wcrt) == (18_000_000, 12_000_000)
    assert result.chains["way"].latency == 12_004_000
    assert solution.taken(JOB) == solution.response(JOB) == 12_000_000
    falls(only(solution, result, "pending"), "pending")


def test_what_comes_of_turns_with_later_numbers_counts():
    """Ours may be taken at the second turn, behind the one that its own number brings something."""
    solution, result = solved(SOON)
    assert solution.response(JOB) == 12_000_000
    assert result.threads["r"].wcrt == 18_000_000
    found = claims(solution, result)
    row_of(found)["pending"] = True
    assert check(found).status == "confirmed"
    row_of(found)["taken"] -= 1
    assert "job r: taken: up to 18 ms" in check(found).failure


def test_all_that_closed_stages_do_is_done_within_their_window():
    _, plain = solved(QUEUE, BY_LEVEL)
    solution, result = solved(QUEUE, BY_CLOSED)
    least = solution.closed_windows.of(solution.number(JOB)).length
    assert result.callbacks["r"].wcrt == least < plain.callbacks["r"].wcrt
    assert solution.response(JOB) < least
    found = claims(solution, result)
    assert check(found).status == "confirmed"
    row_of(found)["taken"] -= 1
    assert "job r" in check(found).failure
    both, seen = solved(QUEUE)
    assert seen.callbacks["r"].wcrt < least
    falls(only(both, seen, "pending"), "pending")
    assert seen.callbacks["r"].by == "pending window"


@pytest.mark.parametrize("text", [LATE, SOON, QUEUE])
def test_no_run_is_above_it(text):
    system = ddsrta.loads(text)
    for some in (BY_CLOSED, None):
        for name, chain in ddsrta.analyze(system, refinements=some).chains.items():
            assert 0 < runs(system, name, 60) <= chain.latency


def test_it_is_looked_at_in_small_systems_alone():
    system = ddsrta.loads(LATE)
    large = solve(system, beside=MOST_CLOSED)
    assert large.taken(JOB) == 18_000_000
    assert not large.of_messages


@pytest.mark.parametrize(
    ("text", "note"), [(LATE, "seen from its arrival"), (QUEUE, "all that is done on m/a, m/b")]
)
def test_the_terms_of_it_add_up(text, note):
    found = explain(ddsrta.loads(text), "way")
    assert sum(stage.total for stage in found.stages) == found.bound
    for stage in found.stages:
        assert sum(term.time for term in stage.terms) == stage.total
    assert found.stages[-1].note.startswith(note)
    labels = [term.label for stage in found.stages for term in stage.terms]
    assert ("behind its own others" in labels) is note.startswith("seen")
