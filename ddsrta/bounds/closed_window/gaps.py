"""How long the supplies of closed stages serve others, or nobody, while one of these waits there
(lemmas gaps-of-supplies and limit-gaps)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ddsrta.base.frozen import frozen
from ddsrta.bounds.closed_window.released import Released
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.locks.beside import Beside, Promised, beside
from ddsrta.bounds.locks.sharing import LockSharing
from ddsrta.bounds.stages import Server


@frozen
class Gap:
    """Of one supply: its budget each period (0: a whole core), the SCHED_DEADLINE threads before
    it, those that may execute what is not of these stages, and those beside it; what a unit of
    each stage adds to its work, and how often it may come to have some; and the periods in which
    flow controllers wake, each with how often that may make it have some."""

    budget: int
    period: int
    loads: tuple[Promised, ...]
    others: tuple[Promised, ...]
    beside: Beside
    work: Mapping[int, int]
    begins: Mapping[int, int]
    wakes: tuple[tuple[int, int], ...]

    def inside(self, released: Released) -> Callable[[int], int]:
        """In a window, with what is released in it."""
        work, begins = released.work(self.work), released.work(self.begins)
        without = self.period - self.budget

        def inside(length: int) -> int:
            first = _demand(self.others, length)
            if not self.budget:
                return first
            done = work(length) + _demand(self.loads, length)
            woken = sum((length // period + 2) * times for period, times in self.wakes)
            served = (2 * (begins(length) + woken) + done // self.budget) * without
            most = (length // self.period + 2) * without + self.beside.most(length)
            return first + min(served, most)

        return inside

    def rate(self, rates: Sequence[float]) -> float:
        """In the long run."""
        first = sum(map(_rate, self.others))
        if not self.budget:
            return first
        work = sum(rates[number] * each for number, each in self.work.items())
        work += sum(map(_rate, self.loads))
        begins = sum(rates[number] * each for number, each in self.begins.items())
        begins += sum(times / period for period, times in self.wakes)
        without = self.period - self.budget
        served = (2 * begins + work / self.budget) * without
        return first + min(served, without / self.period + sum(map(_rate, self.beside.others)))


def _demand(loads: tuple[Promised, ...], length: int) -> int:
    return sum(load.most(length) for load in loads)


def _rate(one: Promised) -> float:
    return one.budget / one.period


def _known(compiled: Compiled, held: Sequence[int], trying: Collection[int]) -> set[Server]:
    """The threads that execute nothing but these stages, and do not try for locks meanwhile as
    flow controllers with some samples do."""
    members, stages = set(held), compiled.stages
    others = {stage.server for number, stage in enumerate(stages) if number not in members}
    return {stages[number].server for number in members.difference(trying)} - others


class Gaps:
    """Of all supplies of closed stages that share locks."""

    def __init__(self, compiled: Compiled, held: Sequence[int], locks: LockSharing) -> None:
        placement, stages = compiled.placement, compiled.stages
        on: dict[int, list[int]] = {}
        for number in held:
            on.setdefault(placement.supply_of[compiled.unit_of[number]], []).append(number)
        samples = [number for number in held if compiled.stages[number].key[0] == "sample"]
        on_core = _known(compiled, held, locks.endless_in_budgets)
        in_reservation = _known(compiled, held, samples)
        self.each: list[Gap] = []
        for supply, members in on.items():
            found = placement.supplies[supply]
            units = range(found.first, found.last)
            loads = [unit for unit in units if unit in placement.load_of]
            if found.reservation is None and not loads:
                continue
            part = found.reservation
            known = in_reservation if part else on_core
            servers = [placement.loaded_by[unit] for unit in loads]
            promised = {one: beside(compiled.system, stages, one).own for one in servers}
            self.each.append(
                Gap(
                    part.budget if part else 0,
                    part.period if part else 0,
                    tuple(promised[one] for one in servers),
                    tuple(promised[one] for one in servers if one not in known),
                    beside(compiled.system, stages, stages[members[0]].server),
                    {number: compiled.stages[number].cost for number in members},
                    locks.begins(members),
                    locks.wakes(members) if part else (),
                )
            )

    def inside(self, released: Released) -> Callable[[int], int]:
        """In a window, with what is released in it."""
        each = [one.inside(released) for one in self.each]
        return lambda length: sum(one(length) for one in each)

    def rate(self, rates: Sequence[float]) -> float:
        """In the long run."""
        return sum(one.rate(rates) for one in self.each)
