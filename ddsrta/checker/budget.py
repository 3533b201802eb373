"""How much work a check may take: what a hostile certificate asks for is bounded."""

from __future__ import annotations

from collections.abc import Callable

PER_STAGE = 300_000
TOTAL = 40_000_000
ASKED = 20_000  # evaluations after which it is asked again whether time is over


class ExhaustedError(Exception):
    """More evaluations than anybody wants to wait for."""


class Budget:
    """Evaluations of work per stage, and of curves in total, until time `is_over`."""

    def __init__(self, total: int | None = None, is_over: Callable[[], bool] | None = None) -> None:
        self.given = TOTAL if total is None else total
        self.total = self.given
        self.most = max(PER_STAGE, PER_STAGE * self.given // TOTAL)  # of a stage
        self.stage = self.most
        self.floor = 0
        self.is_over = is_over
        self.mark = 0  # below it there is something to do: the floor is reached, or it is asked
        self.cut: str | None = None  # what was left out, and might have confirmed a claim

    @property
    def spent(self) -> int:
        """What was used up of the total."""
        return self.given - self.total

    def renew(self) -> None:
        """Another stage begins."""
        self._begin(self.most, 0)

    def renew_spare(self, most: int | None = None) -> None:
        """Another stage begins, that may do without: it takes half of what is left at most, and
        no more than so many evaluations."""
        self._begin(self.most if most is None else most, self.total // 2)

    def cut_short(self, what: str) -> None:
        """A search ends at a limit of its own: a claim that fails after that is undecided."""
        self.cut = self.cut or what

    def work(self, terms: int = 0) -> None:
        """One evaluation of the work that delays a stage, of so many terms."""
        self.stage -= 1
        self.curve(terms)
        if self.stage < 0:
            raise ExhaustedError

    def curve(self, count: int = 1) -> None:
        """Some evaluations of curves."""
        self.total -= count
        if self.total < self.mark:
            if self.total < self.floor:
                raise ExhaustedError
            self._ask()

    def _begin(self, stage: int, floor: int) -> None:
        self.stage, self.floor, self.mark = stage, floor, floor
        self._ask()

    def _ask(self) -> None:
        if self.is_over is not None:
            if self.is_over():
                raise ExhaustedError
            self.mark = max(self.floor, self.total - ASKED)
