"""What is pending came since nothing was there (lemma closed-counts)."""

from __future__ import annotations

from array import array

import pytest

import ddsrta
from ddsrta.bounds.pending_window.windows import PendingWindows
from ddsrta.bounds.terms.explain import explain
from tests.bounds.circular_systems import circular

MS = 1_000_000
WITHOUT = ddsrta.Refinements(closed_counts=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {cores: [m/a, m/b], priority: 5, kind: multi_threaded}}
threads:
  sense: {core: m/b, priority: 1, wcet: 1ms, period: SENSE}
  guard:
    {core: m/b, priority: 9, wcet: 4ms, bcet: 1ms,
     follows: {threads: [sense], delay: 3ms, best: 2ms}}
callbacks:
  filter: {executor: E, wcet: 2ms, bcet: 1ms, follows: {threads: [sense]}, group: h}
  tick: {executor: E, wcet: 6ms, bcet: 5ms, timer: TIMER, group: h}
chains: {way: {path: [sense]}}
"""


def beside_a_pool(sense="20ms", timer="20ms"):
    return ddsrta.loads(TEXT.replace("SENSE", sense).replace("TIMER", timer))


def found(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return {name: one.wcrt for name, one in (result.threads | result.callbacks).items()}


def test_what_comes_once_while_cores_are_busy_is_there_once():
    expected = {"sense": 1 + 6, "guard": 4, "filter": 6 + 2 + 4, "tick": 6 + 2 + 4}
    assert found(beside_a_pool()) == {name: time * MS for name, time in expected.items()}
    assert found(beside_a_pool(), WITHOUT)["sense"] == (1 + 2 * 6) * MS


def test_what_comes_twice_in_a_closed_window_is_there_twice():
    system = beside_a_pool("100ms", "14ms")  # 1 + 4 + 3 + 2 + 2 * 6 in 22 ms
    assert found(system)["sense"] == (1 + 2 * 6) * MS


def test_each_of_two_chains_that_go_to_and_fro_meets_each_stage_of_the_other_once():
    stages = [("p", i, "ab"[i % 2]) for i in range(6)] + [("q", i, "ba"[i % 2]) for i in range(6)]
    threads = "".join(
        f"  {chain}{i}: {{core: m/{core}, priority: {i + 1}, wcet: 1ms, bcet: 1us, "
        + (f"follows: {{threads: [{chain}{i - 1}]}}}}\n" if i else "period: 14ms}\n")
        for chain, i, core in stages
    )
    system = ddsrta.loads(f"ddsrta: 1\nmachines: {{m: {{cores: [a, b]}}}}\nthreads:\n{threads}")
    assert found(system)["p0"] == (1 + 3) * MS  # its own next ones come later
    assert found(system, WITHOUT)["p0"] == (1 + 5) * MS


def test_an_explanation_says_since_when_all_that_counts_came():
    (stage,) = explain(beside_a_pool(), "way").stages
    assert "no more of each than came since nothing was there, 16 ms ago at most" in stage.note
    assert [term.time for term in stage.terms] == [1 * MS, 6 * MS]


@pytest.mark.parametrize("seed", range(12))
def test_no_bound_is_higher_by_it_and_all_are_confirmed(seed):
    try:
        system = ddsrta.loads(circular(seed))
    except ddsrta.InputError:
        return
    by_it, without = found(system), found(system, WITHOUT)
    assert all(old is None or by_it[name] <= old for name, old in without.items())


def test_the_checker_refutes_one_less_than_there_can_be(monkeypatch):
    def fewer(windows, stage):
        return array("q", [max(0, units - 1) for units in most(windows, stage)])

    most = PendingWindows._most
    monkeypatch.setattr(PendingWindows, "_most", fewer)
    assert "closed counts" in ddsrta.analyze(beside_a_pool()).check.without
