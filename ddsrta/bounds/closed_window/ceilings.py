"""Closed windows as ceilings of stages that have no bound otherwise, or a larger one (lemma
closed-window)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ddsrta.bounds.closed_window.windows import ClosedWindow, ClosedWindows
from ddsrta.bounds.compiled import Compiled, open_ceilings
from ddsrta_kernel import UNBOUNDED, Solver


def solved_below(
    windows: ClosedWindows,
    loose: Sequence[int],
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> tuple[Solver, dict[int, ClosedWindow]]:
    """A solved problem, again with ceilings where these help some stages that are loose; and those
    that have one."""
    compiled, solver, starts = windows.compiled, windows.solver, windows.starts
    problem, unit_of = compiled.problem, compiled.unit_of
    given = problem.ceiling, problem.latest
    ceilings: dict[int, ClosedWindow] = {}
    for number in loose:
        windows.of(number)  # that of another one may be of what has none by itself
    for number in loose:
        if (window := windows.of(number)) is not None:
            latest = UNBOUNDED if window.apart else starts[number] + window.length
            unit = unit_of[number]
            if window.length < solver.response[unit] or latest < solver.latency[unit]:
                ceilings[number] = window
    if not ceilings:
        return solver, ceilings
    while True:
        problem.ceiling, problem.latest = given[0][:], given[1][:]
        below = _below(windows, ceilings, most_steps, is_over)
        if is_over is not None and is_over():  # what there was time for is worth more
            return solver, {}
        uncounted = [number for number in ceilings if not _is_counted(compiled, below, number)]
        if not uncounted:
            break
        for number in uncounted:
            del ceilings[number]
    reached = {
        number: window
        for number, window in ceilings.items()
        if below.response[unit := unit_of[number]] == problem.ceiling[unit]
        or below.latency[unit] == problem.latest[unit]
    }
    return below, reached


def _below(
    windows: ClosedWindows,
    ceilings: Mapping[int, ClosedWindow],
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> Solver:
    """The problem, solved with these ceilings, too."""
    compiled, starts = windows.compiled, windows.starts
    problem, unit_of = compiled.problem, compiled.unit_of
    open_ceilings(problem)
    for number, window in ceilings.items():
        unit = unit_of[number]
        problem.ceiling[unit] = min(problem.ceiling[unit], window.length)
        if not window.apart:
            latest = starts[number] + window.length
            problem.latest[unit] = min(problem.latest[unit], latest)
    if compiled.slowest:
        from ddsrta.bounds.slowest_input.waits import solved_by_slowest

        return solved_by_slowest(compiled, most_steps, is_over)
    below = Solver(problem, most_steps, is_over)
    below.solve()
    return below


def _is_counted(compiled: Compiled, solver: Solver, number: int) -> bool:
    """Whether the events that bring a stage have a curve: sets may have none."""
    if not compiled.closed_sets:
        return True
    return solver.node_count(compiled.streams.of[number].node, 1) < UNBOUNDED
