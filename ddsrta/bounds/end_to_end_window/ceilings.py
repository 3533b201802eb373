"""Windows of whole paths as ceilings of latencies (lemma latest-by-path)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ddsrta.bounds.compiled import Compiled, open_ceilings
from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow, EndToEndWindows, Way
from ddsrta.bounds.pending_window.ceilings import solved_again
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import MOST_BACK, MOST_LATEST

if TYPE_CHECKING:
    from ddsrta.bounds.closed_window.windows import ClosedWindows
    from ddsrta.bounds.pending_window.windows import PendingWindow


def solved_by_paths(
    compiled: Compiled,
    ways: dict[int, Way],
    solver: Solver,
    closed: ClosedWindows | None,
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> tuple[Solver, dict[int, EndToEndWindow], dict[int, PendingWindow]]:
    """A solved problem, again with the latencies that windows of these ways to stages give, and
    what these make of the windows of units that are seen from their arrival, as long as that is
    less; and the windows of both kinds."""
    found: dict[int, EndToEndWindow] = {}
    pendings: dict[int, PendingWindow] = {}
    problem = compiled.problem
    for _ in range(MOST_LATEST):
        lower = _lower(compiled, solver, ways)
        if not lower:
            break
        open_ceilings(problem)
        for number, window in lower.items():
            unit, latest = compiled.unit_of[number], solver.before(window.units[0]) + window.finish
            problem.latest[unit] = min(problem.latest[unit], latest)
        again = Solver(problem, most_steps, is_over)
        again.solve()
        more: dict[int, PendingWindow] = {}
        if compiled.pending_windows:
            again, more = solved_again(compiled, again, closed, most_steps, is_over)
        ended = is_over is not None and is_over()
        if ended or _unbounded(again) > _unbounded(solver):  # what there was time for is worth more
            break
        solver, found, pendings = again, {**found, **lower}, {**pendings, **more}
    return solver, found, pendings


def _unbounded(solver: Solver) -> int:
    """How many stages have no bound: some that took nearly too many steps may take too many."""
    return sum(response >= UNBOUNDED for response in solver.response)


def _lower(compiled: Compiled, solver: Solver, ways: dict[int, Way]) -> dict[int, EndToEndWindow]:
    """The stages that are done sooner by the windows of the ways to them, or of what is left of
    these behind some stages, each with the one that says the least."""
    windows, found = EndToEndWindows(compiled, solver), dict[int, EndToEndWindow]()
    for number, way in ways.items():
        latest = solver.latency[compiled.unit_of[number]]
        if latest >= UNBOUNDED:
            continue
        for first in starts(len(way)):
            before = solver.before(compiled.unit_of[way[first][0]])
            window = windows.find(way[first:], latest - before)
            if window is not None:
                found[number], latest = window, before + window.finish
    return found


def starts(length: int) -> Iterator[int]:
    """Where windows on a way of so many stages begin: with the first, and with the last ones.

    >>> list(starts(3))
    [0, 1]
    """
    yield 0
    yield from range(max(1, length - MOST_BACK), length - 1)
