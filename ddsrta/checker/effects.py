"""What comes only after a stage has completed, for one event (definition later-effect, lemma
effects-behind-joins)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ddsrta.checker.curves import Base
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams

_WORD = 64  # stages that take one unit of work together


class Effects:
    """The effects of stages, found along the edges of their stream: a bit for each stage of it."""

    def __init__(self, stages: Mapping[Key, Stage], streams: Streams) -> None:
        self.stages = stages
        self.streams = streams
        self.sizes: dict[Base, int] = {}
        self.found: dict[Key, int] = {}

    def comes_after(self, key: Key, other: Key) -> bool:
        """Whether units of another stage come only after that of this one, for the same event;
        never where an event brings several units of it."""
        return bool(self.after(key, self.streams[other].base) >> self.bits[other] & 1)

    def after(self, key: Key, base: Base) -> int:
        """The same for all stages of a base, as bits."""
        stream = self.streams[key]
        if stream.base is not base or stream.times > 1 or key not in self.stages:
            return 0
        if key not in self.found:
            found = 0
            for after, edge in self.following.get(key, ()):
                if self.ends(key, after, edge):
                    found |= self.behind[after] | 1 << self.bits[after]
            self.found[key] = found
        return self.found[key]

    @cached_property
    def bits(self) -> dict[Key, int]:
        """A number for each stage of a base, from the one that comes latest."""
        found: dict[Key, int] = {}
        streams, sizes = self.streams.streams, self.sizes
        for key in sorted(streams, key=lambda key: -(streams[key].before or 0)):
            found[key] = sizes.get(streams[key].base, 0)
            sizes[streams[key].base] = found[key] + 1
        return found

    @cached_property
    def following(self) -> dict[Key, list[tuple[Key, Edge]]]:
        """The stages of the same base behind each, and by which edge."""
        found: dict[Key, list[tuple[Key, Edge]]] = {}
        for key, stage in self.stages.items():
            if self.streams.continues(stage):
                for edge in stage.inputs:
                    found.setdefault(edge.source, []).append((key, edge))
        return found

    @cached_property
    def behind(self) -> dict[Key, int]:
        """Whatever comes after each stage or beside it, as bits."""
        found: dict[Key, int] = {}
        bits, streams = self.bits, self.streams
        for key in reversed(streams.streams):  # effects come before causes
            behind = 0
            for after, _ in self.following.get(key, ()):
                streams.budget.curve(self.words(streams[key].base))
                behind |= found[after] | 1 << bits[after]
            found[key] = behind
        return found

    def words(self, base: Base) -> int:
        """The work of an operation with all stages of a base."""
        return 1 + self.sizes.get(base, 0) // _WORD

    def ends(self, key: Key, other: Key, edge: Edge) -> bool:
        """Whether a stage releases another only by completing."""
        source = self.stages[key]
        if key[0] == "job":
            return other[0] == "job" and not edge.within
        return key[0] == "message" or (key[0] == "sample" and source.copies == 1)
