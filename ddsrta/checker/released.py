"""What a core cannot have been at when something on it released a unit (lemma released-here)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.effects import Effects
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Edge, Stage
from ddsrta.checker.streams import Streams

_ROW = 6  # stages behind each other that are gone back through


class Released:
    """A stage, by what is on its core and releases it."""

    def __init__(
        self, stage: Stage, streams: Streams, neighbours: Neighbours, effects: Effects
    ) -> None:
        self.stage = stage
        self.streams = streams
        self.neighbours = neighbours
        self.effects = effects
        self.priority = neighbours.place(stage).priority
        self.is_here = self._is_here(stage)
        self.bringers = {edge.source for edge in stage.inputs}
        self.from_below = self.is_here and not any(map(self._competes, self._sources(stage)))

    def may_block(self, other: Stage) -> bool:
        """Whether what is no more urgent may be in progress when a unit comes: not from below, nor
        in its own thread if that released it, but for what goes on when it has."""
        if self.from_below:
            return False
        thread = self.stage.kind, self.stage.runner
        if not self.is_here or (other.kind, other.runner) != thread:
            return True
        if any((one.kind, one.runner) != thread for one in self._sources(self.stage)):
            return True
        return any(
            edge.source == other.key and not self.effects.ends(other.key, self.stage.key, edge)
            for edge in self.stage.inputs
        )

    def beside(self) -> int:
        """How many units of it, from below, come together with one and before it."""
        sums: dict[object, int] = {}
        for edge in self.stage.inputs:
            sums[edge.source] = sums.get(edge.source, 0) + edge.times
        return max(sums.values()) - 1

    def most(self, other: Stage, after: int, row: int = _ROW) -> int:
        """How many units of another stage come together with one from below, or up to so long
        after it."""
        stream = self.streams[other.key]
        most = stream.most(after + EPSILON) if after >= 0 else 0
        self.streams.budget.curve()
        if row == 0 or most == 0 or not self._is_here(other):
            return most
        each = [edge.times * self._of(edge, after, row - 1) for edge in other.inputs]
        return min(most, max(each) if other.joins else sum(each))

    def _of(self, edge: Edge, after: int, row: int) -> int:
        source = self.streams.stages[edge.source]
        if self._competes(source):
            return self.most(source, after, row)
        return 1 if edge.source in self.bringers else 0

    def _competes(self, other: Stage) -> bool:
        """Whether it is as urgent, or more."""
        return self.neighbours.place(other).priority >= self.priority

    def _is_here(self, stage: Stage) -> bool:
        """Whether something on this core brings its units, without any way."""
        if not stage.inputs or stage.arrival or stage.synchronizer or stage.comes_back:
            return False
        if not all(edge.is_direct and not edge.again for edge in stage.inputs):
            return False
        core = self.neighbours.supply_name(self.stage)
        return all(self.neighbours.supply_name(one) == core for one in self._sources(stage))

    def _sources(self, stage: Stage) -> Iterator[Stage]:
        for edge in stage.inputs:
            yield self.streams.stages[edge.source]
