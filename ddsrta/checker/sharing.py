"""All that shares locks or a core with a stage, by what arrives from when none of it was pending
(lemma sharing-window)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.asleep import Asleep
from ddsrta.checker.closed import Closed
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.lock_gaps import LockGaps
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.sums import Claim


class Sharing:
    """The windows of these stages, by the streams that are claimed."""

    def __init__(self, closed: Closed) -> None:
        self.locks, self.neighbours = closed.locks, closed.neighbours
        self.system, self.stages, self.streams = closed.system, closed.stages, closed.streams
        self.budget = closed.budget
        self.found: dict[Key, int | None] = {}

    def unconfirmed(self, stage: Stage, claim: Claim) -> Claim:
        """What of a claim the window does not confirm, where it says that this may."""
        if not claim.sharing or claim.response is None or not self.system.sleeps:
            return claim
        if stage.key not in self.found:
            members = self._members(stage.key)
            self.found[stage.key] = None if members is None else self._length(members)
        window, before = self.found[stage.key], self.streams[stage.key].before
        if window is None or window > claim.response:
            return claim
        late = None if before is None else before + claim.response
        if claim.latency is not None and late is not None and late <= claim.latency:
            claim = claim._replace(latency=None)
        return claim._replace(response=None)

    def _members(self, key: Key) -> frozenset[Key] | None:
        """The stage with all that may keep what is in the set from being done."""
        members, left = {key}, {key}
        while left:
            stage = self.stages[left.pop()]
            self.budget.curve(self.neighbours.peers(stage))
            if not self._counts(stage):
                return None
            new = set(self._beside(stage)) - members
            members |= new
            left |= new
        return frozenset(members)

    def _counts(self, stage: Stage) -> bool:
        """Whether its supply serves it as far as it counts, and arrivals are known."""
        if stage.kind == LINK or stage.key in self.neighbours.waits:
            return False
        if stage.synchronizer is not None and not self.streams.by_number(stage):
            return False
        if stage.comes_back is not None or not self.streams[stage.key].countable:
            return False
        if self.locks is None:
            return self.neighbours.supply(stage) == (None, ()) and self.neighbours.fits(stage)
        tries = stage.key[0] == "sample" and stage.runner in self.locks.endless
        return not tries and self.neighbours.fits(stage)

    def _beside(self, stage: Stage) -> Iterator[Key]:
        """What may run, or have a lock, while a stage waits."""
        given, thread = self.neighbours.relations(stage), (stage.kind, stage.runner)
        for other in (*given.all(), *given.shares):
            yield other.key[1:] if other.key[0] == SHADOW else other.key
        for other in self.neighbours.as_urgent(stage):
            if (other.kind, other.runner) != thread:  # of its own, relations say which count
                yield other.key[1:] if other.key[0] == SHADOW else other.key
        if self.locks is not None:
            yield from self.locks.beside(stage.key)

    def _length(self, members: frozenset[Key]) -> int | None:
        """The least window in which all is done that arrives in it."""
        asleep = Asleep(self.system, self.stages, members)
        if not asleep.is_whole:
            return None
        gaps = None if self.locks is None else LockGaps(members, self.neighbours, self.locks)
        costs = {key: self.stages[key].cost for key in members}
        if self.locks is not None:
            costs = {key: self.locks.costs[key] for key in members}

        def needed(length: int) -> int:
            self.budget.curve(len(members))
            units = {key: self.streams[key].most(length) for key in members}
            total = sum(units[key] * cost for key, cost in costs.items()) + asleep.most(units)
            return total if gaps is None else total + gaps.most(units, length)

        return least_fixed(needed, 1, self.budget)
