"""What comes only after a stage has completed, for one event (theory 12 and 18)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams


class Effects:
    """The effects of stages, found forwards along the edges of their stream."""

    def __init__(self, stages: Mapping[Key, Stage], streams: Streams) -> None:
        self.stages = stages
        self.streams = streams
        self.found: dict[Key, frozenset[Key]] = {}
        self.following: dict[Key, list[tuple[Key, Edge]]] = {}
        for key, stage in stages.items():
            if streams.continues(stage):
                for edge in stage.inputs:
                    self.following.setdefault(edge.source, []).append((key, edge))

    def of(self, key: Key) -> frozenset[Key]:
        """The stages whose units come only after that of this one, for the same event; none where
        an event brings several units of it."""
        if key not in self.found:
            self.found[key] = frozenset(self._search(key))
        return self.found[key]

    def _search(self, key: Key) -> set[Key]:
        effects: set[Key] = set()
        if self.streams[key].times > 1:
            return effects
        ahead = [
            other for other, edge in self.following.get(key, ()) if self._ends(key, other, edge)
        ]
        while ahead:
            self.streams.budget.curve()
            other = ahead.pop()
            if other not in effects:
                effects.add(other)
                ahead += [after for after, _ in self.following.get(other, ())]
        return effects

    def _ends(self, key: Key, other: Key, edge: Edge) -> bool:
        """Whether a stage releases another only by completing."""
        source = self.stages[key]
        if key[0] == "job":
            return other[0] == "job" and not edge.within
        return key[0] == "message" or source.copies == 1
