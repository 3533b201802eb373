"""What a thread of SCHED_DEADLINE that sleeps with work leaves to others of its core (lemma
waking-budgets)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ddsrta.checker.members import budgets
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Stage
from ddsrta.checker.things import Reservation


class Waking:
    """The reservations of a core; that of a thread, if it has one of its own, and the others."""

    def __init__(self, promised: Iterable[Reservation], own: Reservation | None = None) -> None:
        self.all = list(promised)
        self.own = own
        self.others = [] if own is None else list(self.all)
        if own is not None:
            self.others.remove(own)
        self.share = sum((Fraction(*one) for one in self.all), Fraction())

    def late(self, times: int) -> int:
        """The work that its supply does in the time which others may have when it wakes, so often:
        whole periods, if that is less than all of it."""
        if self.own is None:
            return 0
        time = self._wait(self.own) * times
        return min(time, -(-time // self.own.period) * self.own.budget)

    def kept(self, length: int) -> int:
        """What the others take of any window."""
        return self.taken(self.others, length)

    def taken(self, some: Iterable[Reservation], length: int) -> int:
        """What some of them take: a budget that may be late, and then as they are due."""
        return sum(budgets(one, length + self._wait(one)) for one in some)

    def _wait(self, one: Reservation) -> int:
        """How long others may have the core when a thread wakes."""
        return -(-(self.share - Fraction(*one)) * one.period // 1)


def waking(neighbours: Neighbours, stage: Stage) -> Waking:
    """Of the core of a stage."""
    place = neighbours.place(stage)
    core = neighbours.system.cores.get(place.core)
    if core is None:  # a link
        return Waking(())
    promised = [*neighbours.promised.get(place.core, ()), *core.partitions.values()]
    return Waking(promised, place.reservation)
