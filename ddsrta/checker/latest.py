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
        """What of a claim the window of the way does not confirm, where it says that this may."""
        way = self._way(stage) if claim.path and claim.latency is not None else None
        before = self.streams[way[0]].before if way else None
        if way is None or before is None or claim.latency is None:
            return claim
        if self.windows.is_within(way, claim.latency - before):
            return claim._replace(latency=None)
        return claim

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
