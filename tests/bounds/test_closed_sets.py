"""How many sets are made of what came since nothing was there (lemma closed-sets)."""

from __future__ import annotations

import copy

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain_path
from ddsrta.checker import check
from tests.soundness.synchronized import synchronized_system

MS = 1_000_000
WITHOUT = ddsrta.Refinements(closed_sets=False)
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  left: {core: m/a, priority: 2, wcet: 2ms, LEFT, publishes: [{topic: x, mode: sync}]}
  right: {core: m/a, priority: 1, wcet: 2ms, RIGHT, publishes: [{topic: y, mode: sync}]}
  fuse:
    {core: m/b, priority: 5, wcet: 3ms,
     subscribes: {topics: [x, y], listener: L, activation: and, synchronize: POLICY}}
  act: {core: m/a, priority: 9, wcet: 4ms, follows: {threads: [fuse]}}
chains: {way: {path: [act]}}
"""
EVERY_50 = "period: 50ms"
EVERY_24 = "period: 24ms"
EVERY_16 = "period: 16ms"
OVER = "arrival: {sporadic: 40ms}"
ONE_SOURCE = "follows: {threads: [left]}"


def fused(policy, left=EVERY_50, right=EVERY_50):
    return ddsrta.loads(
        TEXT.replace("LEFT", left).replace("RIGHT", right).replace("POLICY", policy)
    )


def window(system):
    solution = solve(system)
    found = solution.closed_windows.of(solution.number(("job", "left")))
    return found and found.length


@pytest.mark.parametrize(
    ("policy", "right", "expected"),
    [
        ("mtd", EVERY_50, 4 + 4 + 7),  # a set of the one message of each
        ("mtd", "period: 8ms", 4 + 5 * 4 + 2 * 7),  # after the first each has a new one of both
        ("latest", EVERY_50, 4 + 4 + 2 * 7),  # one at each arrival
        ("approximate_time", EVERY_50, 4 + 4 + 2 * 7),  # one of what was kept
        ("approximate_time, queue: 1", "period: 12ms", 4 + 3 * 4 + 2 * 7),
        ("exact_time, queue: 1", ONE_SOURCE, 4 + 4 + 7),
    ],
)
def test_a_closed_window_counts_the_sets_of_what_comes_in_it(policy, right, expected):
    assert window(fused(policy, right=right)) == expected * MS
    assert ddsrta.analyze(fused(policy, right=right)).check.status == "confirmed"


def test_what_sets_release_is_in_the_way_once():
    often = fused("mtd", left=EVERY_24, right=EVERY_24)
    result = ddsrta.analyze(often)
    found = {name: one.wcrt for name, one in result.threads.items()}
    assert found == {"left": 7 * MS, "right": 10 * MS, "fuse": 5 * MS, "act": 4 * MS}
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert ddsrta.analyze(often, refinements=WITHOUT).threads["right"].wcrt == 14 * MS


@pytest.mark.parametrize(("least", "sets"), [(0, None), (1, 2 + 2 - 1)])
def test_of_stamps_that_may_be_the_same_any_number_may_be_kept(least, sets):
    burst = f"arrival: {{burst: {{count: 2, distance: {least}ns, period: 100ms}}}}"
    solution = solve(fused("approximate_time", left=burst))
    found = solution.closed_windows.of(solution.number(("job", "left")))
    assert (found and found.counts[solution.number(("job", "fuse"))][0]) == sets


def test_without_stamps_and_a_queue_nothing_bounds_how_many_come():
    text = TEXT.replace("LEFT", EVERY_50).replace("POLICY", "approximate_time")
    either = "follows: {threads: [one, other]}"
    more = "".join(
        f"  {name}: {{core: m/a, priority: {urgency}, wcet: 1ms, period: 70ms}}\n"
        for name, urgency in (("one", 3), ("other", 4))
    )
    system = ddsrta.loads(text.replace("RIGHT", either).replace("  fuse:\n", more + "  fuse:\n"))
    solution = solve(system)
    assert solution.closed_windows.of(solution.number(("job", "left"))) is None
    because = solution.closed_windows.because[solution.number(("job", "left"))]
    assert because == "nothing bounds how many sets of fuse come at once"


def test_what_sets_release_has_no_bound_where_they_have_no_curve():
    """Of a sporadic source no next message need come, so a set may have messages of any age."""
    system = fused("approximate_time, queue: 2", left="arrival: {sporadic: 50ms}", right=OVER)
    result = ddsrta.analyze(system, refinements=ddsrta.Refinements(set_counts=False))
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert result.threads["act"].wcrt is None and result.threads["act"].unbounded_because
    assert result.threads["right"].wcrt is not None
    by_counts = ddsrta.analyze(system)  # what comes makes no more than so many
    assert by_counts.threads["act"].wcrt is not None and by_counts.check.status == "confirmed"


def test_an_explanation_says_that_sets_count():
    text = TEXT.replace("LEFT", EVERY_16).replace("RIGHT", EVERY_16).replace("POLICY", "mtd")
    system = ddsrta.loads(text.replace("path: [act]", "path: [right]"))
    (path,), _ = named_paths(system)
    solution = solve(system, ddsrta.Refinements(pending_windows=False))
    (stage,) = explain_path(solution, path).stages
    assert [term.detail for term in stage.terms if term.label.startswith("thread fuse")] == [
        "1 × 3 ms, no more sets of fuse than its messages make"
    ]


def test_the_checker_finds_the_window_by_itself():
    often = fused("mtd", left=EVERY_16, right=EVERY_16)
    claims = certificate(often, ddsrta.Refinements(pending_windows=False))
    assert check(claims).ok
    (number,) = [n for n, one in enumerate(claims["stages"]) if one["stage"] == ["job", "right"]]
    assert claims["stages"][number]["response"] == 15 * MS
    less = copy.deepcopy(claims)
    for figure in ("response", "latency"):
        less["stages"][number][figure] -= 1
    assert not check(less).ok


@pytest.mark.parametrize("seed", [4, 29, 52])
def test_no_response_is_higher_by_it_and_all_are_confirmed(seed):
    system = synchronized_system(seed)
    by_it, without = ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT)
    assert (by_it.check.status, by_it.check.without) == ("confirmed", ())
    for name, one in without.threads.items():
        now = by_it.threads[name].wcrt
        assert one.wcrt is None or (now is not None and now <= one.wcrt)
