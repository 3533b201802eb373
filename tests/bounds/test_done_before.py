"""What was done before a callback of a pool came is not left (lemma done-before)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.pending_window.done_before import DoneBefore
from ddsrta.bounds.terms.explain import explain
from tests.soundness.pools import pool_system

pytestmark = pytest.mark.usefixtures("soon_over")

MS = 1_000_000
WITHOUT = ddsrta.Refinements(done_before=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {cores: [m/a, m/b], priority: 5, kind: multi_threaded}}
threads:
  sense: {core: m/a, priority: 1, wcet: SENSE, period: 20ms}
  urgent: {core: m/b, priority: 9, wcet: URGENT, period: 50ms}
callbacks:
  left: {executor: E, wcet: 7ms, group: g, follows: {threads: [sense]}}
  right: {executor: E, wcet: 7ms, group: h, follows: {threads: [sense]}}
  tick: {executor: E, wcet: 10ms, timer: 100ms, GROUP}
chains: {way: {path: [tick]}}
"""


def pool(group="group: i", sense="2ms", urgent="1us"):
    text = TEXT.replace("GROUP", group).replace("SENSE", sense).replace("URGENT", urgent)
    return ddsrta.loads(text)


def found(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return {name: one.wcrt for name, one in (result.threads | result.callbacks).items()}


def test_what_others_had_before_it_came_is_not_left():
    """10 ms after nothing was there sense can have had 2 of them: of 28 ms 20 are left."""
    assert 20 * MS <= found(pool())["tick"] < 20.01 * MS < found(pool(), WITHOUT)["tick"]


def test_more_of_what_does_not_delay_it_leaves_more():
    """9 ms after nothing was there sense can have had 3 of them: of 28 ms 22 are left."""
    assert 21 * MS <= found(pool(sense="3ms"))["tick"] < 21.01 * MS


def test_what_is_more_urgent_comes_on_top_while_it_runs():
    before, after = (found(pool(urgent=time))["tick"] for time in ("1us", "2ms"))
    assert before + 2 * MS <= after <= before + 4 * MS


@pytest.mark.parametrize("group", ("group: g", "group: i", "reentrant: true"))
def test_each_kind_of_group_is_confirmed_and_no_bound_is_higher(group):
    by_it, without = found(pool(group)), found(pool(group), WITHOUT)
    assert all(by_it[name] <= old for name, old in without.items()) and by_it != without


@pytest.mark.parametrize("group", ("group: g", "group: i", "reentrant: true"))
def test_an_explanation_adds_up(group):
    (stage,) = explain(pool(group), "way").stages
    assert "after nothing was there" in stage.note
    assert all(term.label != "until the value is handed over" for term in stage.terms)


@pytest.mark.parametrize("seed", (3, 32, 49, 64, 80, 128))
def test_drawn_pools_have_no_bound_that_is_higher(seed):
    system = pool_system(seed)
    by_it, without = found(system), found(system, WITHOUT)
    assert all(old is None or by_it[name] <= old for name, old in without.items())


def test_the_checker_refutes_that_more_was_done(monkeypatch):
    def all_of_it(done, begin, end, start):
        crowd, late = split(done, begin, end, start)
        return crowd, late + begin // 10

    split = DoneBefore._split
    monkeypatch.setattr(DoneBefore, "_split", all_of_it)
    assert ddsrta.analyze(pool("group: g")).check.without != ()


def test_without_looks_there_is_no_such_window(monkeypatch):
    monkeypatch.setattr("ddsrta.bounds.pending_window.done_before.MOST_TRIED", 0)
    assert found(pool()) == found(pool(), WITHOUT)
