"""Pending windows as ceilings of the stages that they bound by less (lemma pending-window)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ddsrta.bounds.compiled import Compiled, solved_while_lower
from ddsrta.bounds.pending_window.windows import PendingWindow, PendingWindows
from ddsrta_kernel import UNBOUNDED, Solver

if TYPE_CHECKING:
    from ddsrta.bounds.closed_window.windows import ClosedWindows

MOST_ROUNDS = 3  # in which bounds get lower


def solved_again(
    compiled: Compiled,
    solver: Solver,
    closed: ClosedWindows | None,
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> tuple[Solver, dict[int, PendingWindow]]:
    """A solved problem, again with what its bounds make of the windows of units that are seen from
    their arrival, as long as these get shorter; and those that count."""
    closed = closed if compiled.closed_counts else None
    lower = partial(_lower, compiled, closed)
    return solved_while_lower(compiled, solver, lower, MOST_ROUNDS, most_steps, is_over)


def _lower(
    compiled: Compiled, closed: ClosedWindows | None, solver: Solver
) -> dict[int, PendingWindow]:
    """The stages that have a window which is shorter than what is known of them."""
    windows = PendingWindows(compiled, solver, closed)
    found: dict[int, PendingWindow] = {}
    for number, stage in enumerate(compiled.stages):
        unit = compiled.unit_of[number]
        has_more = stage.cost < solver.response[unit] < UNBOUNDED
        if has_more and (window := windows.of(number)) is not None:
            found[number] = window
    return found
