"""Windows from the arrival of a unit where all others have no bound: these are found from below
(lemma pending-window)."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.pending_window.pools import is_pool
from ddsrta.bounds.pending_window.windows import PendingWindow, PendingWindows
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import OVERLOAD

MOST_RISES = 24  # of all bounds together: those that come to an end mostly do so soon


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
    for _ in range(MOST_RISES):
        risen = Solver(problem, most_steps, is_over)
        risen.solve()
        if is_over is not None and is_over():
            break
        higher = _higher(compiled, risen, rising)
        if not higher:
            windows = PendingWindows(compiled, risen)
            met = {n: windows.met(n) for n in rising if _is_cut(compiled, risen, n)}
            return risen, {n: window for n, window in met.items() if window is not None}
        for number, finish in higher.items():
            ceiling[unit_of[number]] = finish
        rising = [number for number in rising if ceiling[unit_of[number]] < UNBOUNDED]
    problem.ceiling, problem.latest = before
    return solver, {}


def _rising(compiled: Compiled, solver: Solver) -> list[int]:
    """The stages that have no bound, where nothing is overloaded."""
    units = enumerate(compiled.unit_of)
    found = [number for number, unit in units if solver.response[unit] >= UNBOUNDED]
    if not found or compiled.slowest:
        return []
    if any(solver.demand(unit) > OVERLOAD for unit in compiled.unit_of):
        return []
    return [number for number in found if not is_pool(compiled, number)]


def _higher(compiled: Compiled, solver: Solver, rising: list[int]) -> dict[int, int]:
    """The stages whose ceilings are too low for their windows, with the length of these; UNBOUNDED
    where they have none."""
    windows, found = PendingWindows(compiled, solver), dict[int, int]()
    for number in rising:
        if _is_cut(compiled, solver, number):
            outcome = windows.outcome(number, UNBOUNDED)
            finish = UNBOUNDED if outcome is None else outcome.finish
            if finish > solver.response[compiled.unit_of[number]]:
                found[number] = finish
    return found


def _is_cut(compiled: Compiled, solver: Solver, number: int) -> bool:
    """Whether its ceiling bounds a stage."""
    unit = compiled.unit_of[number]
    return bool(solver.response[unit] == compiled.problem.ceiling[unit])
