"""Which stages of an event come before others of it (definition leads-to)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ddsrta.checker.effects import Effects
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams


class Precedence:
    """Of stages of one base."""

    def __init__(self, streams: Streams, neighbours: Neighbours, effects: Effects) -> None:
        self.streams, self.neighbours, self.effects = streams, neighbours, effects
        self.budget = streams.budget
        self.over: dict[tuple[Key, Key], bool] = {}

    @cached_property
    def depths(self) -> dict[Key, int]:
        """How many stages in a row are before each at most; before a shadow, none."""
        found: dict[Key, int] = {}
        for key in self.streams.streams:
            inputs = self.streams.stages[key].inputs if key[0] != SHADOW else ()
            found[key] = 1 + max((found.get(edge.source, 0) for edge in inputs), default=-1)
        return found

    def depth(self, stage: Stage) -> int:
        return self.depths[stage.key]

    def precedes(self, one: Stage, other: Stage) -> bool:
        """Whether it is over when another of its base comes."""
        return self.leads(one, other) and self.is_over(one, other)

    def leads(self, one: Stage, other: Stage) -> bool:
        """Whether for each event the other comes only when the one has begun (definition
        leads-to)."""
        if self.streams[one.key].times > 1:
            return False
        return bool(self.effects.behind[one.key] >> self.effects.bits[other.key] & 1)

    def is_over(self, one: Stage, other: Stage) -> bool:
        """Whether what leads to another is done when that comes: it had to end, or its thread has
        begun with what follows it."""
        pair = one.key, other.key
        if pair not in self.over:
            self.over[pair] = self._is_over(one, other)
        return self.over[pair]

    def _is_over(self, one: Stage, other: Stage) -> bool:
        if self.effects.comes_after(one.key, other.key):
            return True
        if self.neighbours.is_pool(one):  # its threads may be at several units
            return False
        base, bits, behind = self.streams[one.key].base, self.effects.bits, self.effects.behind
        for between in self.of_thread(one):
            self.budget.curve()
            if between.key == one.key or self.streams[between.key].base is not base:
                continue
            after = behind[one.key] >> bits[between.key] & 1
            if after and behind[between.key] >> bits[other.key] & 1:
                return True
        return False

    def of_thread(self, stage: Stage) -> Iterator[Stage]:
        """The stages of its thread."""
        for other in self.neighbours.supplies[self.neighbours.supply_name(stage)]:
            if (other.kind, other.runner) == (stage.kind, stage.runner):
                yield other
