"""Windows of fair shares as ceilings of the stages that they bound by less (lemma fair-share)."""

from __future__ import annotations

from collections.abc import Callable

from ddsrta.bounds.compiled import Compiled, solved_with
from ddsrta.bounds.fair_shares.windows import FairWindow, FairWindows
from ddsrta_kernel import Solver

MOST_ROUNDS = 20  # in which bounds get lower


def solved_by_shares(
    compiled: Compiled, solver: Solver, most_steps: int, is_over: Callable[[], bool] | None
) -> tuple[Solver, dict[int, FairWindow]]:
    """A solved problem, again with the windows of fair shares as long as these get shorter; and the
    stages that have one which is shorter than their response."""
    found: dict[int, FairWindow] = {}
    for _ in range(MOST_ROUNDS):
        windows, stages = FairWindows(compiled, solver), range(len(compiled.stages))
        lower = {number: window for number in stages if (window := windows.of(number))}
        if not lower or (is_over is not None and is_over()):
            break
        again = solved_with(compiled, lower, most_steps, is_over)
        if again is None:
            break
        solver, found = again, {**found, **lower}
    return solver, found
