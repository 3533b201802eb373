"""What threads of SCHED_DEADLINE that sleep with work leave to others of their core (lemma
waking-budgets)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any, NamedTuple

from ddsrta.bounds.stages import Server, Stage
from ddsrta.models.reservations import share_of
from ddsrta.models.system import Reservation, System


class Promised(NamedTuple):
    """A budget each period, and for how long others of the core may have that each time that its
    thread wakes."""

    budget: int
    period: int
    wait: int = 0

    def most(self, length: int) -> int:
        """What it takes of any window: late in its period, as it may, and then as soon as it can.

        >>> [Promised(2, 10, wait=5).most(length) for length in (7, 8)]
        [4, 6]
        """
        return -(-(length + self.late) // self.period) * self.budget

    @property
    def late(self) -> int:
        """For how long it may have nothing of a budget that began as another ended."""
        return self.period - self.budget + self.wait

    def waking(self, times: int) -> int:
        """What others may have, so many times, as work that takes its supply as long.

        >>> Promised(2, 10, wait=8).waking(3)
        6
        """
        time = times * self.wait
        return min(time, -(-time // self.period) * self.budget)


class Beside(NamedTuple):
    """What a thread is promised, and others of its core."""

    own: Promised = Promised(1, 1)
    others: tuple[Promised, ...] = ()

    def most(self, length: int) -> int:
        """What the others take of any window."""
        return sum(other.most(length) for other in self.others)


def beside(system: System, stages: Sequence[Stage], server: Server) -> Beside:
    """That of a thread with a reservation of its own, and of those that have anything to do; of all
    else nothing is asked."""
    own = _reservation(system, server)
    if own is None:
        return Beside()
    core = _thing(system, server).core
    there = {one: _reservation(system, one) for one in (stage.server for stage in stages)}
    promised = [
        *(each for one, each in there.items() if each and _thing(system, one).core == core),
        *system.cores[core].partitions.values(),
    ]
    total = sum(map(share_of, promised))

    def of(one: Reservation) -> Promised:
        return Promised(one.budget, one.period, ceil(one.period * (total - share_of(one))))

    promised.remove(own)
    return Beside(of(own), tuple(map(of, promised)))


def _reservation(system: System, server: Server) -> Reservation | None:
    return getattr(_thing(system, server), "reservation", None)


def _thing(system: System, server: Server) -> Any:
    kind, name = server
    return getattr(system, kind)[name]
