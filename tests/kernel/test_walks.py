"""Walks along paths are the same compiled and interpreted, and steps say by which window."""

from __future__ import annotations

from collections import Counter

import pytest

from ddsrta.bounds.paths import Step
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.paths.latency import segments
from ddsrta.bounds.paths.steps import steps_of
from ddsrta.bounds.pending_window.windows import PendingWindows
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta_kernel import solver
from ddsrta_kernel.problem import BY_NOTHING, BY_WINDOW, STEP, STEP_BY
from tests.soundness.draw import drawn

pytest.importorskip("ddsrta_kernel.compiled", reason="no compiled kernel was built here")
STEPS = 2000
# Systems of each draw that take little where they are interpreted.
SEEDS = {"ros2": range(9), "synchronized": range(9), "chains": (2, 3, 5, 7), "shared": (0, 2, 6, 8)}
KINDS = list(SEEDS)


def interpreted(solution: Solution) -> Solution:
    """The same, solved by the interpreted kernel."""
    compiled = solution.compiled
    plain = solver.Solver(compiled.problem, STEPS)
    plain.solve()
    known = solution.added, solution.lost, solution.ceilings, solution.pendings, solution.joint
    other = Solution(compiled, plain, *known)
    other.synchronizers = solution.synchronizers
    return other


@pytest.mark.parametrize("kind", KINDS)
def test_walks_are_equal_compiled_and_interpreted(kind: str) -> None:
    by: Counter[int] = Counter()
    for seed in SEEDS[kind]:
        solution = solve(drawn(seed, kind), most_steps=STEPS)
        other = interpreted(solution)
        for path in named_paths(solution.system)[0]:
            found, same = (segments(one, path.start, path.hops) for one in (solution, other))
            for one, two in zip(found, same, strict=True):
                for walk, again in ((one.last, two.last), (one.every, two.every)):
                    assert walk.totals == again.totals, (seed, path.name)
                    assert walk.path == again.path, (seed, path.name)
                    by.update(walk.path[STEP_BY::STEP])
    assert by.keys() - {BY_NOTHING, BY_WINDOW}


def ends(solution: Solution, step: Step) -> bool:
    """Whether a step has a bound; that is what its window says."""
    if step.outcome is None or step.total is None:
        return False
    whole = step.group, step.end_to_end, step.closed, step.last, step.alone
    if step.pending is not None:
        assert step.total == step.carried + step.before + step.pending.response
    elif step.due is not None:
        assert step.total == step.due + (solution.paced(step.stage) or 0)
    elif whole == (None,) * len(whole):
        assert step.total == step.carried + step.outcome.latency
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_ends_when_its_window_does(kind: str) -> None:
    steps = 0
    for seed in SEEDS[kind]:
        solution = solve(drawn(seed, kind), most_steps=STEPS)
        for path in named_paths(solution.system)[0]:
            for part in segments(solution, path.start, path.hops):
                for walk in (part.last, part.every):
                    found = steps_of(walk)
                    assert [step.total for step in found] == walk.totals
                    assert [step.stage for step in found] == walk.way
                    steps += sum(ends(solution, step) for step in found)
    assert steps


@pytest.mark.parametrize("kind", KINDS)
def test_windows_from_the_arrival_are_equal_compiled_and_interpreted(kind: str) -> None:
    found = 0
    without = Refinements(pending_windows=False)
    for seed in SEEDS[kind]:
        solution = solve(drawn(seed, kind), without, most_steps=STEPS)
        other = interpreted(solution)
        one, two = (PendingWindows(each.compiled, each.solver) for each in (solution, other))
        for stage in range(len(solution.compiled.stages)):
            window = one.of(stage)
            assert window == two.of(stage), (seed, stage)
            found += window is not None
        assert one.left == two.left
    assert found
