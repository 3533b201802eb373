"""Stages are done no later than the way to them takes (lemma latest-by-path)."""

from __future__ import annotations

from ddsrta.checker.end_to_end import EndToEnd
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.sums import Claim


class Latest:
    """The ways to stages, as they are claimed to be what bounds them."""

    def __init__(self, end_to_end: EndToEnd) -> None:
        self.windows, self.streams = end_to_end, end_to_end.streams

    def unconfirmed(self, stage: Stage, claim: Claim) -> Claim:
        """What of a claim no window of the way confirms, nor of a later part of it, where it says
        that these may. What is claimed may be more than the least, and then no window itself."""
        way = self._way(stage) if claim.path and claim.latency is not None else None
        for is_done in (self._is_within, self._is_done):
            for first in range(len(way) - 1 if way else 0):
                if way and is_done(way[first:], claim.latency or 0):
                    return claim._replace(latency=None)
        return claim

    def _is_within(self, way: list[Key], latency: int) -> bool:
        """Whether that long after the event is a window of a way behind its arrival there."""
        before = self.streams[way[0]].before
        return before is not None and self.windows.is_within(way, latency - before)

    def _is_done(self, way: list[Key], latency: int) -> bool:
        """Whether the least window is over by then."""
        before, length = self.streams[way[0]].before, self.windows.bound(way)
        return before is not None and length is not None and before + length <= latency

    def _way(self, stage: Stage) -> list[Key] | None:
        """The stages from where its stream begins, if each is fed by the one before it alone."""
        way, base = [stage.key], self.streams[stage.key].base
        while inputs := self.windows.stages[way[-1]].inputs:
            if all(self.streams[edge.source].base is not base for edge in inputs):
                break
            if len(inputs) > 1 or inputs[0].loose or inputs[0].again:
                return None
            way.append(inputs[0].source)
        return way[::-1]
