"""From one stage to another along a path (theory 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ddsrta.checker.accounts import Accounts
from ddsrta.checker.groups import Groups, least
from ddsrta.checker.matching import Synchronizers
from ddsrta.checker.points import Points
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.tandem import Arrivals, Tandems
from ddsrta.checker.waits import Waits


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
        points: Points,
        groups: Groups,
        tandems: Tandems,
        synchronizers: Synchronizers,
        accounts: Accounts,
    ) -> None:
        self.synchronizers = synchronizers
        self.stages = stages
        self.streams = streams
        self.points = points
        self.groups = groups
        self.tandems = tandems
        self.accounts = accounts
        self.waits = Waits(stages, streams)

    def total(
        self, path: Sequence[Key], data: bool, renews: bool = False, whole: bool = False
    ) -> int | None:
        """The latency from the arrival at the first stage to the completion of the last.

        With `data`, the waits at AND jobs are in it; with `renews` it is up to the first set with
        this message or a newer one, where a synchronizer leaves messages out. With `whole`,
        accounts of whole stretches without a wait are looked at, too.
        """
        origin, carried = path[0], 0
        start = 0  # where the path last waited
        begun: int | None = 0  # and when it came there
        plain = not self.stages[origin].inputs  # no junction was met
        steps = [Step(origin, origin, 0, 0)]
        total = self._least(path, steps)
        for key in path[1:]:
            before, stage = steps[-1].key, self.stages[key]
            waits = self._may_wait(stage, data)
            if whole and waits:
                total = self._in_account(path[start : len(steps)], begun, total)
            edge = stage.entered_from(before)
            arrival = None if total is None else total + edge.extra - carried
            if len(stage.inputs) == 1 and not stage.anew:
                steps.append(Step(key, origin, carried, arrival))
                total = self._least(path, steps)
            elif data and plain and self.streams.continues(stage):
                early = self.streams[origin].best  # from the base to the path's first release
                steps.append(Step(key, origin, carried, _less(self.streams[key].before, early)))
                total = _less(self.streams.latencies[key], early)
            else:
                since = plain
                plain = False
                released = None
                if total is not None:
                    released = self._released(
                        stage, edge, total + edge.extra, (data, renews, since)
                    )
                origin, carried = key, released or 0
                steps.append(Step(key, key, carried, None if released is None else 0))
                total = self._least(path, steps)
            if waits:
                last = steps[-1]
                start = len(steps) - 1
                begun = None if last.arrival is None else last.carried + last.arrival
        if whole:
            total = self._in_account(path[start:], begun, total)
        return total

    def _may_wait(self, stage: Stage, data: bool) -> bool:
        """Whether a token may wait at a stage for those of other inputs, and that counts; mtd and
        approximate_time keep also what came last (theory 19)."""
        if len(stage.inputs) < 2:
            return False
        if stage.synchronizer is None or self.streams.continues(stage):
            return data and stage.joins
        return data or stage.synchronizer.policy in ("approximate_time", "mtd")

    def _released(
        self, stage: Stage, edge: Edge, arrived: int, asked: tuple[bool, bool, bool]
    ) -> int | None:
        """When a junction releases its job, from the start of the path; None where that is not
        bounded. Asked: with waits, with renewals, and whether the path begins at the base."""
        data, renews, from_base = asked
        if stage.synchronizer is not None and not self.streams.continues(stage):
            if not data and stage.synchronizer.policy in ("exact_time", "latest"):
                return arrived
            kept = self.synchronizers.kept(stage, edge, renews)
            if kept is None:
                return None
            return kept[0] if from_base else arrived + kept[1]
        if not data or not stage.joins:
            return arrived
        wait = self.waits.wait(stage, edge)
        return None if wait is None else arrived + wait

    def _in_account(
        self, stretch: Sequence[Key], begun: int | None, total: int | None
    ) -> int | None:
        """The least of a total and what the account of a stretch gives (theory 18)."""
        if begun is None or total is None:
            return total
        since = self.accounts.bound(stretch)
        return total if since is None else min(total, begun + since)

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
        if not self.groups.hold or len(steps) < 2 or len(stage.inputs) != 1 or last.arrival is None:
            return None
        if any(edge.loose for edge in stage.inputs):
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
