"""From one stage to another along a path (theory 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ddsrta.checker.groups import Groups, least
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.tandem import Arrivals, Tandems
from ddsrta.checker.waits import Waits
from ddsrta.checker.windows import Point


@dataclass(frozen=True)
class Step:
    """A stage of a path: its stretch, and the latest arrival at it after the origin's."""

    key: Key
    origin: Key
    carried: int
    arrival: int | None  # None where what comes before is unbounded


class Totals:
    """Latencies along paths of stages, from the confirmed points of their windows."""

    def __init__(
        self,
        stages: Mapping[Key, Stage],
        streams: Streams,
        points: Mapping[Key, Sequence[Point]],
        groups: Groups,
        tandems: Tandems,
    ) -> None:
        self.stages = stages
        self.streams = streams
        self.points = points
        self.groups = groups
        self.tandems = tandems
        self.waits = Waits(stages, streams)

    def total(self, path: Sequence[Key], data: bool) -> int | None:
        """The latency from the arrival at the first stage to the completion of the last.

        With `data`, the waits at AND jobs are in it.
        """
        origin, carried = path[0], 0
        plain = not self.stages[origin].inputs  # no junction was met
        steps = [Step(origin, origin, 0, 0)]
        total = self._least(path, steps)
        for key in path[1:]:
            before, stage = steps[-1].key, self.stages[key]
            edge = stage.entered_from(before)
            arrival = None if total is None else total + edge.extra - carried
            if len(stage.inputs) == 1:
                steps.append(Step(key, origin, carried, arrival))
                total = self._least(path, steps)
            elif data and plain and self.streams.continues(stage):
                early = self.streams[origin].best  # from the base to the path's first release
                steps.append(Step(key, origin, carried, _less(self.streams[key].before, early)))
                total = _less(self.streams.latencies[key], early)
            else:
                plain = False
                wait = self._wait(stage, edge, data)
                if wait is None or total is None:
                    origin, carried = key, 0
                    steps.append(Step(key, key, 0, None))
                else:
                    origin, carried = key, total + edge.extra + wait
                    steps.append(Step(key, key, carried, 0))
                total = self._least(path, steps)
        return total

    def _wait(self, stage: Stage, edge: Edge, data: bool) -> int | None:
        return self.waits.wait(stage, edge) if data and stage.joins else 0

    def _least(self, path: Sequence[Key], steps: list[Step]) -> int | None:
        """The least of all bounds of the way to the last step."""
        last = steps[-1]
        bounds = [self._sum(last, self._since(last.key, last.origin))]
        way = [step.key for step in steps]
        behind = self.groups.behind(path[0])[:-1]
        for group in self.groups.along([*behind, *way]):
            first = self.streams[group.first]
            if group.first in behind:
                reached = first.best - self.streams[path[0]].best
                bounds.append(group.since(first, 0) + reached)
                continue
            step = steps[way.index(group.first)]
            if step.arrival is not None:
                since = group.since(self.streams[step.origin], step.arrival)
                bounds.append(step.carried + since)
        bounds.append(self._in_tandem(steps))
        return least(iter(bounds))

    def _in_tandem(self, steps: list[Step]) -> int | None:
        """What the last two threads give together (theory 17)."""
        last, stage = steps[-1], self.stages[steps[-1].key]
        if len(steps) < 2 or len(stage.inputs) != 1 or last.arrival is None:
            return None
        before = steps[-2].arrival
        if before is None:
            return None
        arrivals = Arrivals(self.streams[last.origin], before, last.arrival)
        since = self.tandems.bound(stage, arrivals)
        return None if since is None else last.carried + since

    def _sum(self, step: Step, since: int | None) -> int | None:
        if step.arrival is None or since is None:
            return None
        return step.carried + step.arrival + since

    def _since(self, key: Key, origin: Key) -> int | None:
        """The largest F − max(A, δ⁻ of the origin) over the windows of a stage."""
        if key not in self.points or not self.streams[origin].bounded:
            return None
        stream, start = self.streams[key], self.streams[origin]
        ratio = stream.times // start.times
        return max(
            finish - max(arrival, start.least(-(-unit // ratio)))
            for finish, arrival, unit, _ in self.points[key]
        )


def _less(time: int | None, early: int) -> int | None:
    """A time that counts from a later moment; None where it is unbounded."""
    return None if time is None else time - early
