"""Windows of listeners as ceilings of messages that they bound by less (lemma joint-outputs)."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.joint_outputs.windows import JointWindow, JointWindows
from ddsrta_kernel import UNBOUNDED, Solver


def solved_jointly(
    compiled: Compiled, solver: Solver, most_steps: int, is_over: Callable[[], bool] | None
) -> tuple[Solver, dict[int, JointWindow]]:
    """A solved problem, once more with the windows of listeners; and the messages that have one
    which is shorter than their response."""
    found = joint_windows(compiled, solver)
    if not found or (is_over is not None and is_over()):
        return solver, {}
    problem = compiled.problem
    old = problem.ceiling or array("q", [UNBOUNDED]) * len(problem)
    problem.latest = problem.latest or array("q", [UNBOUNDED]) * len(problem)
    problem.ceiling = array("q", old)
    for number, window in found.items():
        unit = compiled.unit_of[number]
        problem.ceiling[unit] = min(old[unit], window.response)
    again = Solver(problem, most_steps, is_over)
    again.solve()
    if is_over is None or not is_over():
        return again, found
    return solver, {}  # what there was time for is worth more


def joint_windows(compiled: Compiled, solver: Solver) -> dict[int, JointWindow]:
    """The messages of a solved problem with a window that is shorter than their response."""
    windows, stages = JointWindows(compiled, solver), range(len(compiled.stages))
    return {number: window for number in stages if (window := windows.of(number)) is not None}
