"""What leads to stages, as it is found for a solution."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.bounds.pending_window.leading import find_leading
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Server
from ddsrta_kernel.problem import ROW, SET_BITS


class Leads:
    """Which stages come before others of an event, and the rows of all."""

    def __init__(self, solution: Solution, pools: Collection[Server] = ()) -> None:
        stages, streams = solution.compiled.stages, solution.compiled.streams
        self.size, self.words = len(stages), len(stages) // SET_BITS + 1
        self.found = find_leading(stages, streams, solution.solver, pools)
        self.rows = self.found[-ROW * self.size :]

    def of(self, first: int, last: int) -> bool | None:
        """Whether the first is done when the last arrives; None where it does not lead to it."""
        return self._has(self.size + last, first) if self._has(last, first) else None

    def _has(self, row: int, stage: int) -> bool:
        return bool(self.found[row * self.words + stage // SET_BITS] >> stage % SET_BITS & 1)
