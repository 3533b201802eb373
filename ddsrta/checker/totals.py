"""From one stage to another along a path (theory 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.waits import Waits
from ddsrta.checker.windows import Point


class Totals:
    """Latencies along paths of stages, from the confirmed points of their windows."""

    def __init__(
        self,
        stages: Mapping[Key, Stage],
        streams: Streams,
        points: Mapping[Key, Sequence[Point]],
    ) -> None:
        self.stages = stages
        self.streams = streams
        self.points = points
        self.waits = Waits(stages, streams)

    def total(self, path: Sequence[Key], data: bool) -> int | None:
        """The latency from the arrival at the first stage to the completion of the last.

        With `data`, the waits at AND jobs are in it.
        """
        origin, carried = path[0], 0
        plain = not self.stages[origin].inputs  # no junction was met
        total = self._since(origin, origin)
        for before, key in pairwise(path):
            if total is None:
                return None
            stage = self.stages[key]
            edge = next(edge for edge in stage.inputs if edge.source == before)
            if len(stage.inputs) == 1:
                since = self._since(key, origin)
                total = None if since is None else total + edge.extra + since
            elif data and plain and self.streams.continues(stage):
                total = self.streams.latencies[key]
            else:
                plain = False
                wait = self._wait(stage, edge, data)
                since = self._since(key, key)
                if wait is None or since is None:
                    return None
                origin, carried = key, total + edge.extra + wait
                total = carried + since
        return total

    def _wait(self, stage: Stage, edge: Edge, data: bool) -> int | None:
        return self.waits.wait(stage, edge) if data and stage.joins else 0

    def _since(self, key: Key, origin: Key) -> int | None:
        """The largest F − max(A, δ⁻ of the origin) over the windows of a stage."""
        if key not in self.points or not self.streams[origin].bounded:
            return None
        base, shift = self.streams[key].base, self.streams[origin].shift
        return max(
            finish - max(arrival, base.least(event) - shift)
            for finish, arrival, event in self.points[key]
        )
