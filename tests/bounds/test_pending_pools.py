"""Callbacks of pools, seen from their own arrival (lemma pending-in-pools)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from tests.bounds.leads import Leads

MS = 1_000_000
WITHOUT = ddsrta.Refinements(pending_pools=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
executors: {E: {PLACE, priority: 5, kind: multi_threaded}}
threads:
  left: {core: m/a, priority: 9, wcet: 2ms, period: 10ms}
  right: {core: m/b, priority: 9, wcet: 2ms, period: 10ms}
callbacks:
  first: {executor: E, wcet: 9ms, HOW, timer: 100ms}
  second: {executor: E, wcet: 5ms, HOW, follows: {threads: [first]}}
  third: {executor: E, wcet: 3ms, HOW, follows: {threads: [second]}}
MORE
chains: {way: {path: [first]}, last: {path: [first, second, third]}}
"""


def pool(how="group: g", more="", place="cores: [m/a, m/b]"):
    return ddsrta.loads(TEXT.replace("HOW", how).replace("MORE", more).replace("PLACE", place))


def found(system, refinements=None):
    result = ddsrta.analyze(system, refinements=refinements)
    assert result.check.status == "confirmed" and result.check.without == ()
    return {name: callback.wcrt for name, callback in result.callbacks.items()}


def test_what_an_event_brings_later_is_not_there_and_other_cores_delay_no_longer():
    expected = {"first": 9 + 6, "second": 5 + 6, "third": 3 + 4}
    assert found(pool()) == {name: time * MS for name, time in expected.items()}
    assert set(found(pool(), WITHOUT).values()) == {29 * MS}


def test_others_of_the_group_and_of_other_groups_still_count():
    beside = found(pool(more="  other: {executor: E, wcet: 4ms, group: g, timer: 100ms}"))
    assert beside["third"] == (3 + 4 + 6) * MS
    apart = found(pool(more="  other: {executor: E, wcet: 4ms, group: h, timer: 100ms}"))
    assert apart["third"] == (3 + 4) * MS  # one other thread at most is at it


def test_where_threads_move_all_that_is_more_urgent_goes_on_to_count():
    pinned, moving = found(pool()), found(pool(place="cores: [m/a, m/b], pinned: false"))
    assert all(moving[name] >= pinned[name] for name in pinned)


def test_that_a_thread_of_a_pool_went_on_says_nothing_of_its_others():
    system = pool()
    solution, pool_server = solve(system), ("executors", "E")
    stages = solution.compiled.stages
    numbers = [n for n, stage in enumerate(stages) if stage.server == pool_server]
    known = Leads(solution, {pool_server})
    assert [known.of(numbers[0], n) for n in numbers] == [None, True, True]  # by its end


@pytest.mark.parametrize("how", ["group: g", "reentrant: true"])
def test_a_nanosecond_less_is_not_confirmed(how):
    more = "  other: {executor: E, wcet: 4ms, group: h, arrival: {period: 20ms, jitter: 20ms}}"
    claims = certificate(pool(how, more))
    assert check(claims).ok
    flagged = [n for n, stage in enumerate(claims["stages"]) if stage.get("pending")]
    assert flagged
    for number in flagged:
        for figure in ("response", "latency"):
            stage = claims["stages"][number]
            less = {**stage, figure: stage[figure] - 1}
            stages = [less if n == number else s for n, s in enumerate(claims["stages"])]
            assert not check({**claims, "stages": stages}).ok


def test_it_is_explained_term_by_term():
    others = "\n".join(
        f"  x{n}: {{executor: E, wcet: 4ms, group: h{n}, timer: 100ms}}" for n in range(3)
    )
    explanation = explain(pool(more=others), "way")
    (stage,) = explanation.stages
    assert sum(term.time for term in stage.terms) == stage.total == explanation.bound
    assert "waits for a thread" in [term.label for term in stage.terms]
