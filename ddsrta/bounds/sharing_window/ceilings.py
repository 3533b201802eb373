"""Windows of what shares locks as ceilings of the stages that they bound by less (lemma
sharing-window)."""

from __future__ import annotations

from collections.abc import Callable

from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.compiled import Compiled, solved_with
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
    found: dict[int, ClosedWindow] = {}
    for _ in range(MOST_ROUNDS):
        windows, stages = SharingWindows(sets, compiled, solver), range(len(compiled.stages))
        lower = {number: window for number in stages if (window := windows.of(number))}
        if not lower or (is_over is not None and is_over()):
            break
        again = solved_with(compiled, lower, most_steps, is_over)
        if again is None:
            break
        solver, found = again, {**found, **lower}
    return solver, found
