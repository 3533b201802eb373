"""Constant-bandwidth servers, from their definition."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ddsrta_simulator import Program


@dataclass
class Budget:
    """What a server has, and up to when."""

    budget: int
    period: int
    left: int = 0
    due: int = -1
    waits: bool = False

    def wakes(self, now: int) -> None:
        """It keeps what it has, unless that is more than its share."""
        share = Fraction(self.budget, self.period)
        if not self.waits and (self.due <= now or Fraction(self.left, self.due - now) > share):
            self.left, self.due = self.budget, now + self.period

    def turns(self, now: int, works: bool) -> bool:
        """Whether its budget ends at this moment, or comes again."""
        if self.waits and self.due <= now:
            self.left, self.due = self.budget, now + self.period
        elif self.waits or self.left or not works:
            return False
        self.waits = not self.waits
        return True

    def next_time(self, now: int, runs: bool) -> list[int]:
        """When that is, as things are."""
        if self.waits:
            return [max(now, self.due)]
        return [now + self.left] if runs else []


def budgets(program: Program) -> dict[int, Budget]:
    """By supply."""
    given = zip(program.supply_budget, program.supply_period, program.supply_serves, strict=True)
    return {
        supply: Budget(budget, period)
        for supply, (budget, period, serves) in enumerate(given)
        if serves
    }
