"""How long a token waits at an AND job for the others (lemma join-wait)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.curves import Base, Input
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams

Pace = tuple[int, int]  # (T, offset): the n-th event comes no later, or earlier, than o + (n-1)·T


class Waits:
    """Waits at the AND jobs of a system."""

    def __init__(self, stages: Mapping[Key, Stage], streams: Streams) -> None:
        self.stages = stages
        self.streams = streams
        self.latest: dict[Key, Pace | None] = {}
        self.earliest: dict[Key, Pace | None] = {}

    def wait(self, stage: Stage, edge: Edge) -> int | None:
        """The longest wait behind one input, None where there is no bound."""
        mine = self.streams.input(edge)
        longest = 0
        for other in stage.inputs:
            if other != edge and stage.anew:
                return None  # tokens may overtake each other: some that came later may be first
            if other != edge:  # what comes by both together makes no wait
                wait = self._wait(mine, self.streams.input(other))
                if wait is None:
                    return None
                longest = max(longest, wait)
        return longest

    def _wait(self, mine: Input, other: Input) -> int | None:
        if other.arrival is None:
            return None
        if other.base is mine.base and other.times == mine.times:
            return max(0, other.arrival - mine.best)
        if other.times != mine.times:
            return None
        late, early = self.latest_pace(other.base), self.earliest_pace(mine.base)
        if late is None or early is None or late[0] > early[0]:
            return None
        return max(0, late[1] + (other.paced or 0) - early[1] - mine.best)

    def _inputs(self, base: Base) -> list[Input]:
        return [self.streams.input(edge) for edge in self.stages[base.key].inputs]

    def _has_numbers(self, base: Base) -> bool:
        """Whether it is an AND by number: a synchronizer leaves messages out (lemma
        set-latency)."""
        return base.joins and self.stages[base.key].synchronizer is None

    def latest_pace(self, base: Base) -> Pace | None:
        """(T, E) of a base."""
        if base.key not in self.latest:
            self.latest[base.key] = self._find_latest(base)
        return self.latest[base.key]

    def _find_latest(self, base: Base) -> Pace | None:
        if base.source:
            source = base.source
            if source.kind != "periodic":
                return None if source.gap is None else (source.gap, source.gap)
            after = 0 if source.offset is None else self.streams.clocks.after[base.key]
            return source.period, source.period + after + source.jitter
        if not self._has_numbers(base):
            return None
        if self.stages[base.key].anew:
            return None
        largest, latest = 0, 0
        for given in self._inputs(base):
            pace = self.latest_pace(given.base)
            if pace is None or given.times != 1 or given.paced is None:
                return None
            largest, latest = max(largest, pace[0]), max(latest, pace[1] + given.paced)
        return largest, latest

    def earliest_pace(self, base: Base) -> Pace | None:
        """(T, e) of a base."""
        if base.key not in self.earliest:
            self.earliest[base.key] = self._find_earliest(base)
        return self.earliest[base.key]

    def _find_earliest(self, base: Base) -> Pace | None:
        if base.source:
            known = base.source.kind in ("periodic", "sporadic")
            return (base.source.period, -self.streams.clocks.early(base)) if known else None
        if not self._has_numbers(base):
            return None
        paces: list[Pace] = []
        if self.stages[base.key].anew:
            return None
        for given in self._inputs(base):
            pace = self.earliest_pace(given.base)
            if pace is not None and given.times == 1:
                paces.append((pace[0], pace[1] + given.best))
        return max(paces, default=None)
