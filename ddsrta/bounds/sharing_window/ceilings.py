"""Windows of what shares locks as ceilings of the stages that they bound by less (lemma
sharing-window)."""

from __future__ import annotations

from collections.abc import Callable

from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.compiled import Compiled, solved_while_lower
from ddsrta.bounds.sharing_window.windows import SharingSets, SharingWindows
from ddsrta_kernel import Solver

MOST_ROUNDS = 20  # in which bounds get lower


def solved_by_sharing(
    known: dict[int, SharingSets],
    compiled: Compiled,
    solver: Solver,
    most_steps: int,
    is_over: Callable[[], bool] | None,
) -> tuple[Solver, dict[int, ClosedWindow]]:
    """A solved problem, again with these windows as long as they get shorter; and the stages that
    have one which is shorter than their response. What shares locks is known of the same stages."""
    sets = known.get(id(compiled.stages)) or SharingSets(compiled)
    known[id(compiled.stages)] = sets

    def lower(one: Solver) -> dict[int, ClosedWindow]:
        windows, stages = SharingWindows(sets, compiled, one), range(len(compiled.stages))
        return {number: window for number in stages if (window := windows.of(number))}

    return solved_while_lower(compiled, solver, lower, MOST_ROUNDS, most_steps, is_over)
