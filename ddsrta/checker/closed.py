"""All work of a closed set of stages, from when none of it was there (lemmas closed-window,
closed-counts, lock-windows, slowest-release, fork-overlap and ways-apart)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Limit
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System

if TYPE_CHECKING:
    from ddsrta.checker.asleep import Asleep
    from ddsrta.checker.lock_gaps import LockGaps
    from ddsrta.checker.lock_sets import LockSets
    from ddsrta.checker.ways_apart import Found


class Closed:
    """The windows of closed sets; what was found of one is known of each stage in it."""

    def __init__(
        self,
        stages: Mapping[Key, Stage],
        streams: Streams,
        neighbours: Neighbours,
        budget: Budget,
        system: System,
        locks: LockSets | None = None,
    ) -> None:
        self.system = system
        self.locks = locks
        self.stages = stages
        self.streams = streams
        self.neighbours = neighbours
        self.budget = budget
        self.sets: dict[Key, frozenset[Key] | None] = {}
        self.known: dict[frozenset[Key] | None, int | None] = {None: None}
        self.most: dict[frozenset[Key], Mapping[Key, int]] = {}
        self.fewer: dict[Key, dict[Key, int]] = {}
        self.parts: dict[frozenset[Key], Found] = {}
        self.known_apart: dict[frozenset[Key], Found | None] = {}
        self.left: dict[frozenset[Key], int | None] = {}
        self.around: dict[Key, int] | None = None  # by stages of larger sets
        self.starts: dict[Key, int] = {}
        self.limits: dict[Key, tuple[Limit, ...]] = {}

    def window(self, key: Key) -> int | None:
        """The window of the least closed set with a stage."""
        held = self.held(key)
        if held is not None and held not in self.known:
            self.known[held] = self._length(held)
        return self.known[held]

    def since_arrival(self, key: Key) -> int | None:
        """The window that bounds a unit of it from its arrival on."""
        window = self.window(key)
        apart = self.apart(key) if window is None else None
        return apart.length if apart else window

    def counts(self, key: Key) -> Mapping[Key, int]:
        """How much there is of each stage of that set in its window; nothing without one."""
        length, members = self.window(key), self.held(key)
        if length is None or members is None:
            apart = self.apart(key)
            return apart.units if apart else {}
        if members not in self.most:
            held = self._in_order(members)
            self.budget.curve(len(held))
            self.most[members] = self._units(held, length)
        return self.most[members]

    def before(self, key: Key) -> Mapping[Key, int]:
        """How much there is in that window of each stage before the last of its own units begins,
        where one of them brings it (lemma counts-before); not with ways apart, nor where messages
        go round. Where nothing makes sets, events say it."""
        members = self.held(key)
        if members is None or self.window(key) is None or self._goes_round(members):
            return {}
        if not any(self._makes_sets(self.stages[one]) for one in members):
            return {}
        if key not in self.fewer:
            self.fewer[key] = self._fewer(self._in_order(members), key, self.counts(key))
        return self.fewer[key]

    def _fewer(self, held: list[Key], key: Key, counts: Mapping[Key, int]) -> dict[Key, int]:
        self.budget.curve(len(held))
        left = {key: counts[key] - 1}
        for one in held[held.index(key) + 1 :]:
            stage = self.stages[one]
            if all(edge.source not in left for edge in stage.inputs):
                continue
            units = [left.get(edge.source, counts[edge.source]) for edge in stage.inputs]
            brought = [edge.times * n for edge, n in zip(stage.inputs, units, strict=True)]
            if self._makes_sets(stage):
                most = self.streams.set_rule(stage).most(brought)
            else:
                most = max(brought) if stage.joins else sum(brought)
            left[one] = min(counts[one], most)
        del left[key]
        return left

    def apart(self, key: Key) -> Found | None:
        """The window of that set with long ways apart; none where messages go round, threads wait
        for locks and supplies have gaps, for limits, or there are sets of synchronizers."""
        members = self._plain(key)
        if members is None or self.system.is_limited:
            return None
        if (gaps := self._gaps(members)) and gaps.any:
            return None
        if members not in self.known_apart:
            from ddsrta.checker.ways_apart import WaysApart

            held, costs = self._in_order(members), {key: self._cost(key) for key in members}
            search = WaysApart(held, self.stages, self.streams, self._limits, costs, self.budget)
            self.known_apart[members] = search.least()
        return self.known_apart[members]

    def _plain(self, key: Key) -> frozenset[Key] | None:
        """That set, if nothing in it goes round, or makes sets."""
        members = self.held(key)
        if members is None or self._goes_round(members):
            return None
        return None if any(self._makes_sets(self.stages[one]) for one in members) else members

    def part(self, key: Key) -> Found | None:
        """The window of that set, and what comes of all that is released in a part of it."""
        if self.system.sleeps:
            return None
        members, length = self._plain(key), self.window(key)
        if members is None or length is None:
            return self.apart(key)
        if members not in self.parts:
            from ddsrta.checker.ways_apart import Found

            held = self._in_order(members)

            def within(time: int) -> Mapping[Key, int]:
                self.budget.curve(len(held))
                return self._units(held, time)

            self.parts[members] = Found(length, self.counts(key), within, self._each(held))
        return self.parts[members]

    def backlog(self, key: Key) -> int | None:
        """How much of what is released in the window of that set may be left at once (lemma
        side-by-side)."""
        found, members = self.part(key), self.held(key)
        if found is None or members is None:
            return None
        if members not in self.left:
            from ddsrta.checker.ways_apart import most_left

            self.left[members] = most_left(partial(_work, found), found.length)
        return self.left[members]

    def _in_order(self, members: frozenset[Key]) -> list[Key]:
        return [one for one in self.streams.streams if one in members]

    def held(self, key: Key) -> frozenset[Key] | None:
        """The least closed set with a stage, if it is countable."""
        if key not in self.sets:
            self.sets[key] = self._held(key)
        return self.sets[key]

    def unconfirmed(self, key: Key, claim: Claim) -> Claim:
        """What of a claim no closed window confirms, where it says that one may."""
        counted = claim.closed and self.streams[key].base.bounded  # not sets without a curve
        window = self._around(key) if counted else None
        if window is not None:
            if claim.response is not None and window <= claim.response:
                claim = claim._replace(response=None)
            if claim.latency is not None and window <= claim.latency - self._start(key):
                claim = claim._replace(latency=None)
        return self._unconfirmed_apart(key, claim) if claim.closed else claim

    def _around(self, key: Key) -> int | None:
        """The window of the least set with a stage, or the least of larger ones: with locks, some
        budgets may go to what only these hold."""
        window = self.window(key)
        if window is not None or self.locks is None:
            return window
        if self.around is None:
            self.around = {}
            for other in self.stages:
                length, members = self.window(other), self.held(other)
                if length is not None and members is not None:
                    for one in members:
                        self.around[one] = min(length, self.around.get(one, length))
        return self.around.get(key)

    def _unconfirmed_apart(self, key: Key, claim: Claim) -> Claim:
        """The same by a window with ways apart: from the arrival of a unit."""
        if claim.response is None and claim.latency is None:
            return claim
        window, before = self.apart(key), self.streams[key].before
        if window is None:
            return claim
        if claim.response is not None and window.length <= claim.response:
            claim = claim._replace(response=None)
        late = None if before is None else before + window.length
        if claim.latency is not None and late is not None and late <= claim.latency:
            claim = claim._replace(latency=None)
        return claim

    def _start(self, key: Key) -> int:
        """How long after the event of its base what releases a stage may be released by time."""
        if key not in self.starts:
            stage, late = self.stages[key], 0
            if not stage.inputs:
                late = self.streams[key].before or 0
            elif self.streams.continues(stage):
                late = max(self._start(edge.source) for edge in stage.inputs)
            self.starts[key] = late
        return self.starts[key]

    def _held(self, key: Key) -> frozenset[Key] | None:
        """A stage, with all that releases or delays what is held (definition closed-stages). What a
        stage in it holds is in it, too, and is all of it where that holds this stage."""
        held, ahead = {key}, [key]
        while ahead:
            one = ahead.pop()
            if one in self.sets:
                known = self.sets[one]
                if known is None or key in known:
                    return known
                held |= known
                ahead = [other for other in ahead if other not in known]
                continue
            stage = self.stages[one]
            if stage.kind == LINK:
                return None
            if self._makes_sets(stage) and self.system.sleeps:
                return None
            self.budget.curve(self.neighbours.peers(stage))
            if self.locks is None and self.neighbours.supply(stage) != (None, ()):
                return None
            if stage.key in self.neighbours.waits or not self.neighbours.fits(stage):
                return None
            given = self.neighbours.relations(stage)
            beside = *given.all(), *given.shares, *self.neighbours.as_urgent(stage)
            needs = [one.key[1:] if one.key[0] == SHADOW else one.key for one in beside]
            needs += [edge.source for edge in stage.comes_from]
            if self.locks is not None:
                if stage.key[0] == "sample" and stage.runner in self.locks.endless:
                    return None
                needs += self.locks.beside(stage.key)
            new = [one for one in needs if one not in held]
            held.update(new)
            ahead += dict.fromkeys(new)
        if self._goes_round(held) and any(self._makes_sets(self.stages[one]) for one in held):
            return None
        return frozenset(held)

    def _goes_round(self, held: Iterable[Key]) -> bool:
        """Whether a circle begins with any of them."""
        return any(self.stages[key].comes_back is not None for key in held)

    def _gaps(self, held: Iterable[Key]) -> LockGaps | None:
        """What supplies may leave to locks, where there are any."""
        if self.locks is None:
            return None
        from ddsrta.checker.lock_gaps import LockGaps

        return LockGaps(held, self.neighbours, self.locks)

    def _asleep(self, held: frozenset[Key]) -> Asleep | None:
        """What sleeps for limits, where there are any."""
        if not self.system.is_limited and not self.system.resets:
            return None
        from ddsrta.checker.asleep import Asleep

        return Asleep(self.system, self.stages, held)

    def _length(self, members: frozenset[Key]) -> int | None:
        """The least window in which all is done that is released in it."""
        held = self._in_order(members)
        each = self._each(held)
        saved = 0  # lemma fork-overlap
        goes_round = self._goes_round(held)
        if not goes_round and not self.system.sleeps:
            from ddsrta.checker.forks import fork_overlap

            self.budget.curve(len(held))
            saved = fork_overlap(held, self.stages, self.neighbours)

        gaps, asleep = self._gaps(held), self._asleep(members)
        if asleep and not asleep.is_whole:
            return None

        def work(length: int) -> int:
            self.budget.curve(len(held))
            units = self._units(held, length)
            total = sum(units[key] * each[key] for key in held) - saved
            total += 0 if asleep is None else asleep.most(units)
            return total if gaps is None else total + gaps.most(units, length)

        return least_fixed(work, 1, self.budget)

    def _each(self, held: Sequence[Key]) -> dict[Key, int]:
        """What a unit of each stage adds: its cost, and the longest way behind it."""
        ways = dict.fromkeys(held, 0)
        for key in held:
            for edge in self.stages[key].comes_from:
                ways[edge.source] = max(ways[edge.source], edge.link)
        return {key: self._cost(key) + way for key, way in ways.items()}

    def _cost(self, key: Key) -> int:
        return self.stages[key].cost if self.locks is None else self.locks.costs[key]

    def _units(self, held: list[Key], length: int) -> dict[Key, int]:
        """How much what is released in a window makes of each stage: a join has no more jobs than
        the input has tokens that brings most, or than one of its sources lets it."""
        units: dict[Key, int] = {}
        goes_round = self._goes_round(held)
        for key in held:
            stage = self.stages[key]
            brought = [units[edge.source] * edge.times for edge in stage.inputs]
            if not brought:
                units[key] = self.streams[key].most(length)
            elif self._makes_sets(stage):
                units[key] = self._sets(stage, brought, length)
                continue
            else:
                units[key] = max(brought) if stage.joins else sum(brought)
            for limit in self._limits(stage) if stage.joins and not goes_round else ():
                units[key] = min(units[key], limit.most(length))
        return units

    def _makes_sets(self, stage: Stage) -> bool:
        """Whether its jobs need not have the n-th message of each topic."""
        return stage.synchronizer is not None and not self.streams.by_number(stage)

    def _sets(self, stage: Stage, brought: Sequence[int], length: int) -> int:
        """How many sets are made of so many messages of each topic, with what was kept before; no
        more than come in that time anyway (lemma closed-sets)."""
        stream = self.streams[stage.key]
        most = stream.most(length + EPSILON) if stream.bounded else MOST
        return min(most, self.streams.set_rule(stage).most(brought))

    def _limits(self, stage: Stage) -> tuple[Limit, ...]:
        """How often all that a join waits for is released, where nothing sleeps."""
        if self.system.sleeps or self.streams.continues(stage):
            return ()
        if stage.key not in self.limits:
            from ddsrta.checker.slowest import limits_of_releases

            self.limits[stage.key] = limits_of_releases(self.streams, stage, self._start)
        return self.limits[stage.key]


def _work(found: Found, time: int) -> int:
    """All that has to be done, and the ways, of what is released in a part of a window."""
    return sum(units * found.each[key] for key, units in found.within(time).items())
