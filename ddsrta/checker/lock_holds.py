"""How long a lock of Fast DDS is had, or free while who was woken for it cannot run (lemmas
lock-holds and lock-waits)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.lock_users import Lock, Use, mutexes, uses
from ddsrta.checker.members import of_loads, time
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System
from ddsrta.checker.waking import waking


class Holds(NamedTuple):
    """The work of the longest and of all, and how many."""

    longest: int
    work: int
    number: int


class Kept:
    """What keeps those that have a lock, or were woken for one, from running."""

    def __init__(
        self,
        system: System,
        stages: Mapping[Key, Stage],
        streams: Streams,
        claims: Mapping[Key, Claim],
    ) -> None:
        self.system, self.stages = system, stages
        self.streams, self.claims = streams, claims
        self.neighbours = Neighbours(system, stages)
        self.of: dict[Key, list[Use]] = {}
        self.users: dict[Lock, list[Use]] = {}
        for use in uses(system, stages):
            self.of.setdefault(use.stage, []).append(use)
            self.users.setdefault(use.lock, []).append(use)
        self.lasts: dict[tuple[Key, int], int | None] = {}
        self.writing: dict[Key, int | None] = {}

    def had(
        self, lock: Lock, window: int, counted: Collection[Key], trying: Collection[Key] = ()
    ) -> int | None:
        """W: the work under a lock of all but some stages, and what keeps them from it: while one
        has it, and after a release of anyone, or one before the window, until the one that was
        woken runs."""
        supplies: dict[Key, list[tuple[Use, int]]] = {}
        looks, sender = self.looks(lock, window), None
        gaps, work = 1 + looks, 0
        for use in self.users[lock]:
            response, stream = self.claims[use.stage].response, self.streams[use.stage]
            if response is None or not stream.countable:
                return None
            units = stream.most(window + response)
            gaps += units * use.holds
            if use.stage not in counted and use.stage not in trying:
                name = self.neighbours.supply_name(self.stages[use.stage])
                supplies.setdefault(name, []).append((use, units))
                work += units * use.work
                sender = use.stage if use.stage[0] == "sample" else sender
        apart: list[int | None] = []
        while_had: list[int | None] = [0]
        longest: list[int | None] = []
        parts = [
            (
                self._kept(users, window, counted),
                min(users, key=lambda each: self.priority(each[0].stage))[0].stage,
            )
            for users in supplies.values()
        ]
        if looks and sender is not None:
            parts.append((self._looking(sender, looks, window, counted), sender))
            work += looks * EPSILON
        for (most, had), least in parts:
            gap = self._gap(least, counted)
            longest.append(gap)
            while_had.append(least_of([most, had]))
            apart.append(least_of([most, sum_of([had, _times(gaps, gap)])]))
        largest = None if None in longest else max((gap for gap in longest if gap), default=0)
        together = sum_of([*while_had, _times(gaps, largest)])
        return sum_of([work, least_of([sum_of(apart), together])])

    def _kept(
        self, users: list[tuple[Use, int]], window: int, counted: Collection[Key]
    ) -> tuple[int | None, int | None]:
        """How long threads of one supply that have a lock or are woken for it do not run, and how
        long those that have it."""
        work = pending = 0
        longer: list[int | None] = []
        for use, units in users:
            response = self.claims[use.stage].response
            assert response is not None
            work += units * use.work
            pending += units * response
            holds = Holds(use.work, units * use.work, units * use.holds)
            longer.append(least_of([units * response, self.lasting(use.stage, holds, counted)]))
        least = min(users, key=lambda each: self.priority(each[0].stage))[0].stage
        most = least_of([max(0, pending - work), self.interrupting(least, window, counted)])
        lasting = sum_of(longer)
        return most, None if lasting is None else max(0, lasting - work)

    def looks(self, lock: Lock, window: int) -> int:
        """How often a flow controller with a limit takes its queue's lock as it wakes with a period
        over, and before it sleeps again (lemma idle-looks)."""
        period = self.system.reset(lock[1]) if lock[0] == "queue" else None
        return 0 if period is None else (mutexes(self.system) + 2) * (window // period + 2)

    def vain(self, controller: str, window: int) -> int:
        """How often a flow controller with a limit has the lock of a writer for a sample that does
        not fit: it sleeps for its next period then (lemma writer-locks)."""
        limit = self.system.controllers[controller].limit
        return 0 if limit is None else window // limit.period + 2

    def _looking(
        self, sender: Key, looks: int, window: int, counted: Collection[Key]
    ) -> tuple[int | None, int | None]:
        """How long the thread of a sample does not run in such looks."""
        lasting = self.lasting(sender, Holds(EPSILON, looks * EPSILON, looks), counted)
        kept = None if lasting is None else lasting - looks * EPSILON
        return self.interrupting(sender, window, counted), kept

    def _gap(self, key: Key, counted: Collection[Key]) -> int | None:
        """From being woken to running."""
        if self.neighbours.supply(self.stages[key])[0] is not None:
            return self._elapsed(key, EPSILON)
        lasting = self.lasting(key, Holds(EPSILON, EPSILON, 1), counted)
        return None if lasting is None else lasting - EPSILON

    def priority(self, key: Key) -> int:
        return self.neighbours.place(self.stages[key]).priority

    def lasting(self, key: Key, holds: Holds, known: Collection[Key]) -> int | None:
        one = self._elapsed(key, holds.longest)
        if one is None:
            return None
        if self.neighbours.supply(self.stages[key])[0] is not None:
            return holds.number * one
        more = self._preempting(key, one, known)
        least = one - holds.longest if more is None else min(one - holds.longest, more)
        return holds.work + holds.number * least

    def _elapsed(self, key: Key, work: int) -> int | None:
        """E: work that goes on but for what is more urgent, which may be asleep when it begins."""
        if (key, work) not in self.lasts:
            self.lasts[key, work] = self._least(key, work)
        return self.lasts[key, work]

    def _least(self, key: Key, work: int) -> int | None:
        supply = self.neighbours.supply(self.stages[key])[0]

        def needed(length: int) -> int | None:
            preempting = self._preempting(key, length)
            return None if preempting is None else time(supply, work + preempting)

        return least_fixed(needed, max(1, work), self.streams.budget)

    def _preempting(self, key: Key, length: int, known: Collection[Key] = ()) -> int | None:
        """P: what more urgent threads do in a window that need not open with them asleep."""
        relations = self.neighbours.relations(self.stages[key])
        self.streams.budget.work(len(relations.preempts) + len(relations.loads))
        total = of_loads(relations.loads, length)
        for other in relations.preempts:
            if other.key in known:
                continue
            response, (spinning, _, stalled) = (
                self.claims[other.key].response,
                self.claims[other.key].waits,
            )
            if response is None or spinning is None or stalled is None:
                return None
            if not self.streams[other.key].countable:
                return None
            cost = other.cost + spinning + stalled
            total += self.streams[other.key].most(length + response) * cost
        return total

    def interrupting(self, key: Key, length: int, known: Collection[Key]) -> int | None:
        """I: what preempts a stage in a window, and the gaps of its supply."""
        supply = self.neighbours.supply(self.stages[key])[0]
        total = self._preempting(key, length, known)
        if supply is None or total is None:
            return total
        total += (length // supply.period + 2) * (supply.period - supply.budget)
        return total + waking(self.neighbours, self.stages[key]).kept(length)


def least_of(times: Iterable[int | None]) -> int | None:
    """The least of some times, unbounded where all are."""
    return min((one for one in times if one is not None), default=None)


def sum_of(times: Iterable[int | None]) -> int | None:
    """The sum of times, unbounded (None) where one of them is."""
    total = 0
    for one in times:
        if one is None:
            return None
        total += one
    return total if total < MOST else None


def _times(number: int, time: int | None) -> int | None:
    return None if time is None else number * time
