"""How long flow controllers sleep for their limits of bytes, and what that delays (lemmas
byte-limit and limit-carry-in)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.reading import MOST, CertificateError, shown
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import Limit, System
from ddsrta.checker.waking import waking

HEADERS = 256
_FRAGMENT = 64_000


class Sleeping:
    """What the claims make it; refuses systems without bounds."""

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
        self.largest: dict[str, int] = {}
        for key, stage in stages.items():
            limit = self._limit(stage)
            if limit is None:
                continue
            size = self._bytes(key)
            if size > limit.bytes or size - HEADERS > _FRAGMENT:
                what = f"system: {shown(stage.runner)} has a limit, and no sample of {size} B fits"
                raise CertificateError(what)
            self.largest[stage.runner] = max(size, self.largest.get(stage.runner, 0))
        if system.is_limited:
            _refuse(system)

    def of(self, key: Key) -> int | None:
        """What comes once in the windows of a stage; None: unbounded."""
        relations, stage = self.neighbours.relations(self.stages[key]), self.stages[key]
        total = 0
        for other in [*relations.preempts, *relations.overtakes]:
            mine = (other.kind, other.runner) == (stage.kind, stage.runner)
            if mine or self._limit(other) is None:
                continue
            pending, spinning = self._most(other.key, 0), self.claims[other.key].waits[0]
            if pending is None or spinning is None:
                return None
            total += pending * (other.cost + spinning)
        limit = self._limit(stage)
        if limit is None:
            return total
        begun = self._begun(stage)
        if begun is None:
            return None
        largest = self.largest[stage.runner]
        full = sum(units * size for units, size in begun) // (limit.bytes - largest + 1)
        full = min(full, sum(units for units, _ in begun) // (limit.bytes // largest))
        total += (full + 1) * limit.period
        total += waking(self.neighbours, stage).late(full + 1)
        return total if total < MOST else None

    def _begun(self, stage: Stage) -> list[tuple[int, int]] | None:
        """How many samples, of how many bytes each, its flow controller begins in a window."""
        relations, window = self.neighbours.relations(stage), self.claims[stage.key].window
        if window is None or not self.streams[stage.key].countable:
            return None
        found = [(self.streams[stage.key].most(window) - 1, self._bytes(stage.key))]  # not itself
        due = (other for other, _ in relations.due)
        for other in [*relations.ahead, *relations.overtakes, *due]:
            if other.runner == stage.runner and other.kind == stage.kind:
                if not self.streams[other.key].countable:
                    return None
                found.append((self.streams[other.key].most(window), self._bytes(other.key)))
        for other in [*relations.alternates, *relations.lingers]:
            if other.runner == stage.runner and other.kind == stage.kind:
                units = self._most(other.key, window)
                if units is None:
                    return None
                found.append((units, self._bytes(other.key)))
        blocking = [self._bytes(other.key) for other in relations.blocked_by]
        return [*found, (1, max(blocking))] if blocking else found

    def _most(self, key: Key, window: int) -> int | None:
        """The units of a stage that are pending in a window."""
        response, stream = self.claims[key].response, self.streams[key]
        if response is None or not stream.countable:
            return None
        return stream.most(window + response)

    def _limit(self, stage: Stage) -> Limit | None:
        if stage.key[0] != "sample":
            return None
        return self.system.controllers[stage.runner].limit

    def _bytes(self, key: Key) -> int:
        return self.system.sizes[key[2]] + HEADERS


def _refuse(system: System) -> None:
    """No executor or thread is on several cores."""
    moves = any(thread.place.cores for thread in system.threads.values())
    if moves or any(executor.is_pool for executor in system.executors.values()):
        raise CertificateError("system: threads on several cores, and a limit (lemma byte-limit)")
