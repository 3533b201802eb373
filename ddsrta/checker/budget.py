"""How much work a check may take: what a hostile certificate asks for is bounded."""

from __future__ import annotations

PER_STAGE = 300_000
TOTAL = 20_000_000


class ExhaustedError(Exception):
    """More evaluations than anybody wants to wait for."""


class Budget:
    """Evaluations of work per stage, and of curves in total."""

    def __init__(self) -> None:
        self.stage = PER_STAGE
        self.total = TOTAL
        self.floor = 0

    def renew(self) -> None:
        """Another stage begins."""
        self.stage, self.floor = PER_STAGE, 0

    def renew_spare(self) -> None:
        """Another stage begins, that may do without: it takes half of what is left at most."""
        self.stage, self.floor = PER_STAGE, self.total // 2

    def work(self, terms: int = 0) -> None:
        """One evaluation of the work that delays a stage, of so many terms."""
        self.stage -= 1
        self.curve(terms)
        if self.stage < 0:
            raise ExhaustedError

    def curve(self, count: int = 1) -> None:
        """Some evaluations of curves."""
        self.total -= count
        if self.total < self.floor:
            raise ExhaustedError
