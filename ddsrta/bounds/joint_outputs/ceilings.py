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
    windows, units = JointWindows(compiled, solver), list(enumerate(compiled.unit_of))
    found = {number: window for number, _ in units if (window := windows.of(number)) is not None}
    if not found or (is_over is not None and is_over()):
        return solver, {}
    problem = compiled.problem
    old = problem.ceiling or array("q", [UNBOUNDED]) * len(problem)
    problem.latest = problem.latest or array("q", [UNBOUNDED]) * len(problem)
    problem.ceiling = array("q", old)
    for number, unit in units:
        if number in found:
            problem.ceiling[unit] = min(old[unit], found[number].response)
    again = Solver(problem, most_steps, is_over)
    again.solve()
    if is_over is None or not is_over():
        return again, found
    return solver, {}  # what there was time for is worth more
