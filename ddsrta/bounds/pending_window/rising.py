"""Windows from the arrival of a unit where all others have no bound: these are found from below
(lemma pending-window)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.pending_window.pools import is_pool
from ddsrta.bounds.pending_window.windows import PendingWindow, PendingWindows
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import OVERLOAD

MOST_RISES = 24  # of all bounds together: those that come to an end mostly do so soon
MOST_STEPS = 5000  # of the windows of the kernel in between
MOST_SWEEPS = 1000  # over what such a rise makes rise
PATIENCE = 6  # rises, before two have to be less than the two before, or a small part of all
SMALL = 5


def solved_rising(
    compiled: Compiled,
    solver: Solver,
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> tuple[Solver, dict[int, PendingWindow]]:
    """A solved problem in which stages have no bound, though nothing is overloaded, solved again
    with ceilings for these. They begin with their costs alone, and rise to what the windows are
    that they lead to, until none is above its ceiling: then all hold at once."""
    rising = _rising(compiled, solver)
    if not rising:
        return solver, {}
    problem, unit_of = compiled.problem, compiled.unit_of
    before = problem.ceiling, problem.latest
    nothing = array("q", [UNBOUNDED]) * len(problem)
    problem.ceiling = ceiling = problem.ceiling[:] or nothing[:]
    problem.latest = problem.latest or nothing
    for number in rising:
        ceiling[unit_of[number]] = compiled.stages[number].cost
    rises: list[int] = []
    risen: Solver | None = None
    higher: dict[int, int] = {}
    while len(rises) < MOST_RISES:
        goes_on = risen is not None and _rises(risen, [unit_of[number] for number in higher])
        if risen is None or not goes_on:
            risen = Solver(problem, min(most_steps, MOST_STEPS), is_over)
            risen.solve()
        if max(risen.response) >= UNBOUNDED or (is_over is not None and is_over()):
            break
        windows = PendingWindows(compiled, risen)
        cut = [number for number in rising if _is_cut(compiled, risen, number)]
        found = {number: windows.outcome(number, UNBOUNDED) for number in cut}
        ends = {number: one.finish for number, one in found.items() if one is not None}
        higher = {n: end for n, end in ends.items() if end > ceiling[unit_of[n]]}
        if len(ends) == len(cut) and not higher:
            if goes_on:  # all windows hold at once, which one that is solved anew has to confirm
                continue
            met = {number: windows.met(number) for number in cut}
            return risen, {n: window for n, window in met.items() if window is not None}
        more = sum(end - ceiling[unit_of[number]] for number, end in higher.items())
        reached = sum(ceiling[unit_of[number]] for number in rising)
        rises.append(more)
        grows = sum(rises[-2:]) >= sum(rises[-4:-2]) and SMALL * more > reached
        if len(ends) < len(cut) or (len(rises) >= PATIENCE and grows):
            break
        for number, end in higher.items():
            ceiling[unit_of[number]] = end
    problem.ceiling, problem.latest = before
    return solver, {}


def _rising(compiled: Compiled, solver: Solver) -> list[int]:
    """The stages that have no bound, where nothing is overloaded, and may have such windows."""
    units = enumerate(compiled.unit_of)
    found = [number for number, unit in units if solver.response[unit] >= UNBOUNDED]
    if not found or compiled.slowest:
        return []
    if any(solver.demand(unit) > OVERLOAD for unit in compiled.unit_of):
        return []
    windows = PendingWindows(compiled, solver)
    return [n for n in found if not is_pool(compiled, n) and not windows.is_elsewhere(n)]


def _rises(solver: Solver, units: Sequence[int]) -> bool:
    """Goes on where the ceilings of units have risen, if there are any; whether all have bounds: in
    so many steps as were done before, too, one may be given up that has one."""
    if units:
        solver.rise(units, MOST_SWEEPS)
    return bool(units) and max(solver.response) < UNBOUNDED


def _is_cut(compiled: Compiled, solver: Solver, number: int) -> bool:
    """Whether its ceiling bounds a stage."""
    unit = compiled.unit_of[number]
    return bool(solver.response[unit] == compiled.problem.ceiling[unit])
