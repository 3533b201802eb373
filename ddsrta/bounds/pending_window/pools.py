"""The window of a callback of a pool from its own arrival on (lemma pending-in-pools)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.models.groups import group_of
from ddsrta.models.system import System
from ddsrta.policies.relation import Delay

Cores = frozenset[str]


class Guest(NamedTuple):
    """A stage that delays a callback of a pool, by its relation; how many of its units are pending
    when one of that arrives, or come up to so long after; and the cores that it may be on."""

    kind: Delay
    stage: int
    cost: int
    most: Callable[[int], int]
    cores: Cores


def is_pool(compiled: Compiled, stage: int) -> bool:
    """Whether a stage is a callback of a pool."""
    kind, name = compiled.stages[stage].server
    return kind == "executors" and compiled.system.executors[name].is_pool


def cores_of(system: System, server: tuple[str, str]) -> Cores:
    """The cores that a thread may be on."""
    kind, name = server
    place = getattr(system, kind)[name]
    return frozenset(getattr(place, "cores", ()) or (place.core,))


class PoolWindow:
    """What goes before a callback of a pool that starts so long after it came: others of its `own`,
    and guests."""

    def __init__(
        self,
        compiled: Compiled,
        stage: int,
        own: Callable[[int], int],
        guests: list[Guest],
        backlog: int | None = None,
    ) -> None:
        found, threads = compiled.stages[stage], compiled.system.threads
        executor = compiled.system.executors[found.server[1]]
        self.threads = len(executor.places)
        one_by_one = [frozenset((core,)) for core in executor.cores]
        # what moves may be kept from going on by whatever is more urgent on any core
        self.moves = executor.moves
        self.cores = [frozenset(executor.cores)] if self.moves else one_by_one
        self.cost, self.own = found.cost, own
        unit = compiled.unit_of[stage]
        own_kinds = {
            relation.kind
            for relation in compiled.placement.relations[unit]
            if relation.first <= unit < relation.last
        }
        self.overlaps = Delay.OVERLAPS in own_kinds
        self.urgent = [guest for guest in guests if guest.kind == Delay.PREEMPTS]
        self.mates = [guest for guest in guests if guest.kind == Delay.OVERTAKES]
        self.jobs = [guest for guest in guests if guest.kind == Delay.OVERLAPS]
        groups: dict[str | None, list[Guest]] = defaultdict(list)
        for guest in guests:
            if guest.kind == Delay.SHARES:
                groups[group_of(threads[compiled.stages[guest.stage].key[1]])].append(guest)
        self.groups = list(groups.values())
        self.most = None  # for how long all threads may be at others (lemma side-by-side)
        if backlog is not None and not executor.moves:
            self.most = max(0, backlog - found.cost) // (self.threads - 1)

    def before(self, start: int) -> int:
        """All that goes before a unit that starts so long after its arrival."""
        return _work(self.urgent, start) + self._inside(start)

    def _inside(self, start: int) -> int:
        own = 0 if self.overlaps else self.own(start) * self.cost
        return own + _work(self.mates, start) + self.crowd(start)

    def crowd(self, start: int) -> int:
        """The longest time for which all threads are at others than its group."""
        busy = self.found(start)
        return busy if self.most is None else min(busy, self.most)

    def found(self, start: int) -> int:
        """The same by what others have to do, one by one."""
        groups = [_work(members, start) for members in self.groups]
        jobs = [(guest.cost, guest.most(start)) for guest in self.jobs]
        if self.overlaps:
            jobs.append((self.cost, self.own(start)))
        busy = (sum(groups) + sum(cost * units for cost, units in jobs)) // self.threads
        while True:
            work = sum(min(group, busy) for group in groups)
            work += sum(min(cost, busy) * units for cost, units in jobs)
            if work >= self.threads * busy:
                return busy
            busy = work // self.threads

    def done(self, start: int, time: int, core: Cores) -> int:
        """All that is done by so long after its arrival, if it started by then on a core."""
        here, away = self.by_place(core)
        return self.cost + self._inside(start) + _work(away, start) + _work(here, time - 1)

    def by_place(self, core: Cores) -> tuple[list[Guest], list[Guest]]:
        """What is more urgent on a core, and elsewhere alone."""
        here = [guest for guest in self.urgent if guest.cores & core]
        return here, [guest for guest in self.urgent if not guest.cores & core]


def _work(guests: Iterable[Guest], after: int) -> int:
    return sum(guest.cost * guest.most(after) for guest in guests)
