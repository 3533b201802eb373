"""Windows of fair shares as ceilings of the stages that they bound by less (lemma fair-share)."""

from __future__ import annotations

from collections.abc import Callable

from ddsrta.bounds.compiled import Compiled, solved_while_lower
from ddsrta.bounds.fair_shares.windows import FairWindow, FairWindows
from ddsrta_kernel import Solver

MOST_ROUNDS = 20  # in which bounds get lower


def solved_by_shares(
    compiled: Compiled, solver: Solver, most_steps: int, is_over: Callable[[], bool] | None
) -> tuple[Solver, dict[int, FairWindow]]:
    """A solved problem, again with the windows of fair shares as long as these get shorter; and the
    stages that have one which is shorter than their response."""

    def lower(known: Solver) -> dict[int, FairWindow]:
        windows, stages = FairWindows(compiled, known), range(len(compiled.stages))
        return {number: window for number in stages if (window := windows.of(number))}

    return solved_while_lower(compiled, solver, lower, MOST_ROUNDS, most_steps, is_over)
