"""What a unit brings comes after it, also through sets (lemma counts-before)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.closed_window import before
from ddsrta.bounds.closed_window.before import counts_before
from ddsrta.bounds.solve import solve
from tests.soundness.draw import drawn

MS = 1_000_000
WITHOUT = ddsrta.Refinements(counts_before=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/a, priority: 9}}
executors: {E: {core: m/b, priority: 1, kind: events}}
threads:
  other: {core: m/a, priority: 5, wcet: 1ms, period: 40ms, publishes: [{topic: y, mode: sync}]}
  fuse: {core: m/a, priority: 2, wcet: 2ms,
         subscribes: {topics: [x, y], listener: L, activation: and, synchronize: POLICY}}
callbacks:
  look: {executor: E, timer: 40ms, wcet: 3ms, publishes: [{topic: x, mode: sync, count: COUNT}]}
  act: {executor: E, wcet: 5ms, follows: {threads: [fuse]}}
"""


def system_of(policy="latest", count=1):
    return ddsrta.loads(TEXT.replace("POLICY", policy).replace("COUNT", str(count)))


def look(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return result.callbacks["look"].wcrt


def test_what_a_job_sends_makes_no_set_before_it_begins():
    assert look(system_of()) == (4 + 5) * MS
    assert look(system_of(), WITHOUT) == (4 + 2 * 5) * MS


def test_each_of_its_messages_makes_a_set_less():
    assert look(system_of(count=2)) == (5 + 5) * MS
    assert look(system_of(count=2), WITHOUT) == (5 + 3 * 5) * MS


def test_a_set_of_the_other_message_needs_none_of_ours():
    assert look(system_of("mtd")) == look(system_of("mtd"), WITHOUT)  # x may be kept


def test_only_what_a_stage_brings_is_counted_anew():
    solution = solve(system_of())
    stages, number = solution.compiled.stages, solution.number
    window = solution.closed_windows.of(number(("job", "look")))
    found = counts_before(solution.compiled, window, number(("job", "look")))
    assert {stages[n].key[1]: units for n, units in found.items()} == {
        "look": 0,  # its message
        "fuse": 1,
        "act": 1,
    }
    assert counts_before(solution.compiled, window, number(("job", "act"))) == {}


def test_what_preempts_counts_in_full():
    urgent = TEXT.replace("act: {executor: E", "act: {executor: U").replace(
        "executors: {", "executors: {U: {core: m/b, priority: 7, kind: events}, "
    )
    system = ddsrta.loads(urgent.replace("POLICY", "latest").replace("COUNT", "1"))
    assert look(system) == look(system, WITHOUT) == (4 + 2 * 5) * MS


@pytest.mark.parametrize("seed", (102, 103, 135))
def test_no_bound_is_higher_by_it(seed):
    system = drawn(seed)
    by_it, without = (
        {name: one.wcrt for name, one in (result.threads | result.callbacks).items()}
        for result in (ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT))
    )
    assert all(by_it[name] <= old for name, old in without.items())


def test_the_checker_refutes_one_less_than_there_can_be(monkeypatch):
    def fewer(compiled, window, stage):
        return {n: max(0, units - 1) for n, units in counts(compiled, window, stage).items()}

    counts = before.counts_before
    monkeypatch.setattr(before, "counts_before", fewer)
    assert "counts before" in ddsrta.analyze(system_of()).check.without
