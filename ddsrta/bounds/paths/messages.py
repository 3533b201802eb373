"""How long messages take where others may be taken in their turn (lemma turns-in-order)."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.bounds.paths.walk import along
from ddsrta.bounds.solution import Solution
from ddsrta_kernel import UNBOUNDED


def tell(solution: Solution, looks: bool) -> None:
    """Notes it of each stage whose messages do, and how much more that is than its response, as
    windows of paths count it. Looks also at closed windows, and at those from their arrival."""
    asked = [n for n, stage in enumerate(solution.compiled.stages) if stage.tells_apart]
    _note(solution, asked)
    if looks and _lower(solution, asked):
        solution.forget_walks()
        _note(solution, asked)


def _note(solution: Solution, asked: Iterable[int]) -> None:
    compiled = solution.compiled
    for number in asked:
        total = along(solution, [compiled.stages[number].key]).total
        response, more = solution.response(number), UNBOUNDED
        if total is not None and response is not None:
            more = max(0, total - response)
        solution.messages[number] = total
        compiled.problem.excess[compiled.unit_of[number]] = more


def _lower(solution: Solution, asked: Iterable[int]) -> bool:
    """Whether there are windows that say less, which it notes."""
    from ddsrta.bounds.pending_window.windows import PendingWindows

    compiled = solution.compiled
    closed = solution.closed_windows if compiled.closed_windows else None
    counts = closed if compiled.closed_counts else None
    windows = PendingWindows(compiled, solution.solver, counts, of_messages=True)
    is_less = False
    for number in asked:
        total, unit = solution.messages[number], compiled.unit_of[number]
        known = UNBOUNDED if total is None else total
        window = closed.of(number) if closed and known > solution.once(unit) else None
        if window is not None and window.length < known:
            known, solution.ceilings[number], is_less = window.length, window, True
        pending = windows.below(number, known) if compiled.pending_windows else None
        if pending is not None:
            solution.of_messages[number], is_less = pending, True
    return is_less
