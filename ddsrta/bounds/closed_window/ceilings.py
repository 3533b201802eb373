"""Closed windows as ceilings of stages that have no bound otherwise (lemma closed-window)."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from ddsrta.bounds.closed_window.windows import ClosedWindow, ClosedWindows
from ddsrta.bounds.compiled import Compiled
from ddsrta_kernel import UNBOUNDED, Solver


def solved_below(
    compiled: Compiled, solver: Solver, most_steps: int, is_over: Callable[[], bool] | None
) -> tuple[Solver, dict[int, ClosedWindow]]:
    """A solved problem, again with ceilings where these help; and the stages that have one."""
    problem, windows = compiled.problem, ClosedWindows(compiled, solver)
    ceilings: dict[int, ClosedWindow] = {}
    for number, unit in enumerate(compiled.unit_of):
        if solver.latency[unit] >= UNBOUNDED and (window := windows.of(number)) is not None:
            ceilings[number] = window
    if not ceilings:
        return solver, ceilings
    problem.ceiling = array("q", [UNBOUNDED]) * len(problem)
    problem.latest = array("q", [UNBOUNDED]) * len(problem)
    starts = _starts(compiled, solver)
    for number, window in ceilings.items():
        unit = compiled.unit_of[number]
        problem.ceiling[unit] = window.length
        problem.latest[unit] = starts[number] + window.length
    below = Solver(problem, most_steps, is_over)
    below.solve()
    if is_over is not None and is_over():  # what there was time for is worth more
        return solver, {}
    return below, ceilings


def _starts(compiled: Compiled, solver: Solver) -> list[int]:
    """How long after the event of its base what releases each stage may be released by time (lemma
    known-offsets)."""
    starts: list[int] = []
    for number, stage in enumerate(compiled.stages):
        if not stage.inputs:
            starts.append(solver.before(compiled.unit_of[number]))
        elif compiled.streams.of[number].entries[0] is None:
            starts.append(max(starts[edge.source] for edge in stage.inputs))
        else:
            starts.append(0)
    return starts
