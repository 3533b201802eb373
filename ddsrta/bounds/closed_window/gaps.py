"""How long the supplies of closed stages serve others, or nobody, while one of these waits there
(lemma gaps-of-supplies)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddsrta.base.frozen import frozen
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.locks.sharing import LockSharing


@frozen
class _Gaps:
    """Of one supply: its budget each period (0: a whole core), the SCHED_DEADLINE threads before
    it, and what a unit of each stage adds to its work, and how often it may come to have some."""

    budget: int
    period: int
    loads: tuple[tuple[int, int], ...]
    work: Mapping[int, int]
    begins: Mapping[int, int]

    def most(self, counts: Mapping[int, int], length: int) -> int:
        """In a window, with so many units of each stage."""
        first = sum(-(-(length + period) // period) * budget for budget, period in self.loads)
        if not self.budget:
            return first
        work = first + sum(counts[number] * each for number, each in self.work.items())
        begins = sum(counts[number] * each for number, each in self.begins.items())
        without = self.period - self.budget
        served = (2 * begins + work // self.budget) * without
        return first + min(served, (length // self.period + 2) * without)

    def rate(self, rates: Sequence[float]) -> float:
        """In the long run."""
        first = sum(budget / period for budget, period in self.loads)
        if not self.budget:
            return first
        work = first + sum(rates[number] * each for number, each in self.work.items())
        begins = sum(rates[number] * each for number, each in self.begins.items())
        without = self.period - self.budget
        served = (2 * begins + work / self.budget) * without
        return first + min(served, without / self.period)


class Gaps:
    """Of all supplies of closed stages that share locks."""

    def __init__(self, compiled: Compiled, held: Sequence[int], locks: LockSharing) -> None:
        placement = compiled.placement
        on: dict[int, list[int]] = {}
        for number in held:
            on.setdefault(placement.supply_of[compiled.unit_of[number]], []).append(number)
        self.each: list[_Gaps] = []
        for supply, members in on.items():
            found = placement.supplies[supply]
            units = range(found.first, found.last)
            loads = [placement.load_of[unit] for unit in units if unit in placement.load_of]
            if found.reservation is None and not loads:
                continue
            part = found.reservation
            self.each.append(
                _Gaps(
                    part.budget if part else 0,
                    part.period if part else 0,
                    tuple((load.budget, load.period) for load in loads),
                    {number: compiled.stages[number].cost for number in members},
                    locks.begins(members),
                )
            )

    def at(self, counts: Mapping[int, int], length: int) -> int:
        """In a window, with so many units of each stage."""
        return sum(one.most(counts, length) for one in self.each)

    def rate(self, rates: Sequence[float]) -> float:
        """In the long run."""
        return sum(one.rate(rates) for one in self.each)
