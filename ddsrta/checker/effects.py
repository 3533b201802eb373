"""What comes only after a stage has completed, for one event (definition later-effect, lemma
effects-behind-joins)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddsrta.checker.curves import Base
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams

_WORD = 64  # stages that take one unit of work together


class Effects:
    """The effects of stages, found along the edges of their stream: a bit for each stage of it."""

    def __init__(self, stages: Mapping[Key, Stage], streams: Streams) -> None:
        self.stages = stages
        self.streams = streams
        self.following: dict[Key, list[tuple[Key, Edge]]] | None = None
        self.bits: dict[Key, int] = {}
        self.behind: dict[Key, int] = {}  # whatever comes after a stage or beside it, as bits
        self.found: dict[Key, int] = {}

    def comes_after(self, key: Key, other: Key) -> bool:
        """Whether units of another stage come only after that of this one, for the same event;
        never where an event brings several units of it."""
        if other not in self.stages or not self._same_base(key, other):
            return False
        return bool(self._after(key) >> self.bits.get(other, 0) & 1)

    def after(self, key: Key, others: Sequence[Key]) -> list[Key]:
        """Which of some stages of one base that holds for."""
        others = [other for other in others if other in self.stages]
        if not others or not self._same_base(key, others[0]):
            return []
        found, bits = self._after(key), self.bits
        return [other for other in others if found >> bits.get(other, 0) & 1] if found else []

    def _after(self, key: Key) -> int:
        """The same for all stages, as bits."""
        if self.streams[key].times > 1 or key not in self.stages:
            return 0
        if self.following is None:
            self.following = self._find()
        if key not in self.found:
            found = 0
            for after, edge in self.following.get(key, ()):
                if self._ends(key, after, edge):
                    found |= self.behind[after] | 1 << self.bits[after]
            self.found[key] = found
        return self.found[key]

    def _same_base(self, key: Key, other: Key) -> bool:
        """Bits are numbered anew for each stream."""
        return self.streams[key].base is self.streams[other].base

    def _find(self) -> dict[Key, list[tuple[Key, Edge]]]:
        following: dict[Key, list[tuple[Key, Edge]]] = {}
        sizes: dict[Base, int] = {}
        for key, stage in self.stages.items():
            base = self.streams[key].base
            self.bits[key] = sizes.get(base, 0)
            sizes[base] = self.bits[key] + 1
            if self.streams.continues(stage):
                for edge in stage.inputs:
                    following.setdefault(edge.source, []).append((key, edge))
        for key in reversed(self.streams.streams):  # effects come before causes
            behind = 0
            for after, _ in following.get(key, ()):
                self.streams.budget.curve(1 + sizes[self.streams[key].base] // _WORD)
                behind |= self.behind[after] | 1 << self.bits[after]
            self.behind[key] = behind
        return following

    def _ends(self, key: Key, other: Key, edge: Edge) -> bool:
        """Whether a stage releases another only by completing."""
        source = self.stages[key]
        if key[0] == "job":
            return other[0] == "job" and not edge.within
        return key[0] == "message" or (key[0] == "sample" and source.copies == 1)
