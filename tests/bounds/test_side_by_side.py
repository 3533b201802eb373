"""What threads of a pool do at the same time leaves the less to do (lemma side-by-side)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.closed_window.backlog import most_left
from ddsrta.bounds.closed_window.windows import ClosedWindows
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain_path
from tests.soundness.pools import pool_system

pytestmark = pytest.mark.usefixtures("soon_over")

MS = 1_000_000
ALONE = ddsrta.Refinements(done_before=False)  # which bounds these by less
WITHOUT = ddsrta.Refinements(side_by_side=False, done_before=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
executors: {E: {cores: CORES, priority: 5, kind: multi_threaded}}
threads:
  sense: {core: m/a, priority: 1, wcet: 2ms, period: 20ms}
callbacks:
  left: {executor: E, wcet: 5ms, group: g, follows: {threads: [sense]}}
  right: {executor: E, wcet: 5ms, group: h, follows: {threads: [sense]}}
  both: {executor: E, wcet: 5ms, reentrant: true, follows: {threads: [sense]}}
  tick: {executor: E, wcet: 10ms, group: i, timer: 100ms}
chains: {way: {path: [tick]}}
"""


def pool(cores="[m/a, m/b]"):
    return ddsrta.loads(TEXT.replace("CORES", cores))


def found(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return {name: one.wcrt for name, one in (result.threads | result.callbacks).items()}


def test_all_threads_are_at_others_for_no_longer_than_what_is_left_lets_them():
    assert found(pool(), ALONE)["tick"] == 10 * MS + (17 + 10 - 10) * MS - 1
    assert found(pool(), WITHOUT)["tick"] == 10 * MS + 60 * MS // 2


def test_three_threads_leave_twice_as_much_less():
    assert found(pool("[m/a, m/b, m/c]"), ALONE)["tick"] <= 10 * MS + 17 * MS // 2


def test_an_explanation_says_so():
    solution = solve(pool(), ALONE)
    (path,), _ = named_paths(solution.system)
    (stage,) = explain_path(solution, path).stages
    assert any("so much can be left to do" in term.detail for term in stage.terms)


def test_the_most_that_is_left_is_that_of_all_lengths():
    def work(time):
        return 5 * -(-time // 10) + 9 * -(-(time + 7) // 40)

    for longest in (1, 2, 55, 400):
        expected = max(work(time) - time for time in range(1, longest + 1))
        assert most_left(work, longest) == expected


@pytest.mark.parametrize("seed", (0, 1, 2, 3, 32, 80))
def test_no_bound_is_higher_by_it_and_all_are_confirmed(seed):
    system = pool_system(seed)
    by_it, without = found(system), found(system, WITHOUT)
    assert all(old is None or by_it[name] <= old for name, old in without.items())


def test_the_checker_refutes_that_less_is_left(monkeypatch):
    monkeypatch.setattr(ClosedWindows, "backlog", lambda windows, stage: 12 * MS)
    assert ddsrta.analyze(pool()).check.without != ()
