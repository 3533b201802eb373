"""From one stage to another along a path (lemma path-latency)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ddsrta.checker.alone import Alone
from ddsrta.checker.claimed import claimed
from ddsrta.checker.closed import Closed
from ddsrta.checker.end_to_end import EndToEnd
from ddsrta.checker.groups import Groups, least
from ddsrta.checker.matching import Synchronizers
from ddsrta.checker.pending import Pending
from ddsrta.checker.points import Points
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.tandem import Arrivals, Tandems
from ddsrta.checker.waits import Waits
from ddsrta.checker.walks import NOTHING, Asked, Effort, Known, Step, Walk, is_within, less, plainly
from ddsrta.checker.windows import Origin

if TYPE_CHECKING:
    from ddsrta.checker.numbers import Numbers


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
        end_to_end: EndToEnd,
        closed: Closed,
        pending: Pending,
        claims: Mapping[Key, Claim],
    ) -> None:
        self.claims, self.pending = claims, pending
        self.synchronizers = synchronizers
        self.stages = stages
        self.streams = streams
        self.points = points
        self.groups = groups
        self.tandems = tandems
        self.end_to_end = end_to_end
        self.closed = closed
        self.alone = Alone(stages, streams, closed, groups.hold)
        self.waits = Waits(stages, streams)
        self.lost: frozenset[Key] = frozenset()  # what full queues may lose
        self.needed = [0, 0]  # of what messages and longer paths needed
        self.walks: dict[tuple[Key, Asked], Walk] = {}
        self.known: Known = {}  # how long paths take that do what they did (lemma out-of-reach)

    def total(
        self,
        path: Sequence[Key],
        effort: Effort,
        data: bool,
        renews: bool = False,
        limit: int | None = None,
    ) -> int | None:
        """The latency from the arrival at the first stage to the completion of the last.

        With `data`, the waits at AND jobs are in it; with `renews` it is up to the first set with
        this message or a newer one, where a synchronizer leaves messages out. How far it looks:
        at what is claimed of its stages, at its way stage by stage, or also at the windows of
        whole stretches without a wait; the last of them for the least total only where no limit
        is given, which need not be undercut.
        """
        if effort == Effort.CLAIMS:
            return claimed(self, path, data)[-1]
        if effort == Effort.LEAST:
            self._forget()
        whole, limit = effort >= Effort.WHOLE, None if effort == Effort.LEAST else limit
        if all(len(self.stages[key].inputs) == 1 for key in path[1:]):  # nothing waits
            total = self._total(self._walked(path, plainly(effort)), limit)
            total = self._end_to_end(path, 0, total, limit) if whole else total
            return self._alone(path, total, limit) if whole else total
        last = self._walked(path, (data, renews, effort))
        if not whole:
            return self._total(last, limit)
        found = self._end_to_end(path[last.start :], last.begun, self._total(last, limit), limit)
        found = self._by_last_token(path, found, limit) if data else found
        return self._alone(path, found, limit)

    def _forget(self) -> None:
        """What is known of paths is no least of them."""
        if self.known or self.points.quiet:
            self.known, self.points.quiet = {}, frozenset()
            self.walks.clear()

    def ways(
        self, path: Sequence[Key], effort: Effort, limits: Sequence[int | None]
    ) -> list[int | None]:
        """The latency of every event to the completion of each stage of the path; the least ones
        only as far as what is claimed of them asks for."""
        if effort == Effort.CLAIMS:
            return claimed(self, path, data=True)
        if effort == Effort.LEAST:
            self._forget()
        whole = effort >= Effort.WHOLE
        waits = [self._may_wait(self.stages[key], data=True) for key in path[1:]]
        walks = list(self._walks(path, (True, False, effort) if any(waits) else plainly(effort)))
        if effort == Effort.LEAST:
            limits = [None] * len(path)
        totals = [self._total(walk, limit) for walk, limit in zip(walks, limits, strict=False)]
        if whole:
            for place, settles in enumerate([*waits, True]):
                if settles:
                    stretch, limit = path[walks[place].start : place + 1], limits[place]
                    begun, total = walks[place].begun, totals[place]
                    found = self._end_to_end(stretch, begun, total, limit)
                    found = self._by_last_token(path[: place + 1], found, limit)
                    totals[place] = self._alone(path[: place + 1], found, limit)
        return totals

    @cached_property
    def numbers(self) -> Numbers:
        """What numbers say of paths through joins."""
        from ddsrta.checker.numbers import Numbers

        return Numbers(self.stages, self.streams, self.waits)

    def around(self, path: Sequence[Key]) -> set[Key]:
        """All stages whose windows say something of every event of a path."""
        if all(len(self.stages[key].inputs) == 1 for key in path[1:]):
            return set(path)
        return {key for way in (path, *self.numbers.ways(path)) for key in way}

    def _by_last_token(
        self, path: Sequence[Key], total: int | None, limit: int | None = None
    ) -> int | None:
        """The least of a total of every event and the longest of the ways by which the last token
        may have come (lemma last-token)."""
        if not self.groups.hold or is_within(total, limit):
            return total
        ways = self.numbers.ways(path)
        if len(ways) < 2:
            return total
        totals = [(self.total(way, Effort.WHOLE, data=False), begun) for way, begun in ways.items()]
        bounds = [begun + one for one, begun in totals if one is not None]
        return least(iter((total, max(bounds)))) if len(bounds) == len(ways) else total

    def _walked(self, path: Sequence[Key], asked: Asked) -> Walk:
        return deque(self._walks(path, asked), maxlen=1).pop()

    def _walks(self, path: Sequence[Key], asked: Asked) -> Iterator[Walk]:
        first = (path[0], asked)
        if first not in self.walks or self.walks[first].is_before(self.points):
            steps = [Step(path[0], path[0], 0, 0)]
            way = self.groups.ways.to(path[0])
            walk = Walk(steps, 1, way, not self.stages[path[0]].inputs)
            walk.has_points = path[0] in self.points
            late = self._lateness(path[0])
            walk.due = less(late, self.streams[path[0]].best)
            walk.total = self._least(walk)
            self.walks[first] = walk
        walk, known = self.walks[first], {} if asked[1] else self.known
        yield walk
        known = known.get(path[0], NOTHING)[1]
        for place in range(1, len(path)):
            after = walk.after.get(path[place])
            since, known = known.get(path[place], NOTHING)
            if after is None or after.is_before(self.points):
                after = walk.after[path[place]] = self._on(walk, path, place, asked, since)
            walk = after
            yield walk

    def _on(
        self,
        walk: Walk,
        path: Sequence[Key],
        place: int,
        asked: Asked,
        known: int | None = None,
    ) -> Walk:
        data, renews, effort = asked
        key, total = path[place], self._total(walk)
        before, stage = walk.last, self.stages[path[place]]
        waits = self._may_wait(stage, data)
        if effort >= Effort.WHOLE and waits:
            total = self._end_to_end(path[walk.start : place], walk.begun, total)
            total = self._by_last_token(path[:place], total) if data else total
            total = self._alone(path[:place], total)
        edge = stage.entered_from(before.key)
        arrival = None if total is None else total + edge.extra - before.carried
        fixed, plain, others = None, walk.plain, list[Walk]()
        if len(stage.inputs) == 1 and not (stage.anew or self.stages[before.key].swaps):
            step = Step(key, before.origin, before.carried, arrival)
            others = walk.beginning(effort == Effort.LEAST)
            if walk.of_path and arrival is not None:  # a new stretch, too
                step = Step(key, key, before.carried + arrival, 0)
        elif data and plain and self.streams.continues(stage):
            early = self.streams[before.origin].best  # from the base to the path's first release
            arrival = less(self.streams[key].before, early)
            step = Step(key, before.origin, before.carried, arrival)
            fixed = less(self.streams.latencies[key], early), True
        else:
            released = None
            if total is not None:
                given = data, renews, plain
                released = self._released(path[0], stage, edge, total + edge.extra, given)
            plain = False
            step = Step(key, key, released or 0, None if released is None else 0)
        found = walk.on(step, self.groups.ways.on(walk.way, key), plain)
        found.has_points = key in self.points
        found.due = self._due(walk, edge, stage, step, data)
        if waits:
            found.start = place
            found.begun = None if step.arrival is None else step.carried + step.arrival
        if known is not None and step.origin == path[0] and step.arrival is not None:
            fixed = known, True
        found.total, found.is_least = fixed or (self._least(found), False)
        found.beside(self._on(other, path, place, asked) for other in others)
        return found

    def _lateness(self, key: Key) -> int | None:
        """How much later than it comes an event of a stage's base may be due, if that has a pace
        (definition pace)."""
        stream = self.streams[key]
        has_pace = self.groups.hold and stream.bounded and stream.base.pace > 0
        has_pace = has_pace and not self.stages[key].swaps
        return stream.base.late if has_pace else None

    def _due(self, walk: Walk, edge: Edge, stage: Stage, step: Step, data: bool) -> int | None:
        """When the event that a stage follows is due at the latest, since the start of the path
        (lemma paced-path)."""
        late, mine = self._lateness(stage.key), self.streams.input(edge)
        if late is None or step.arrival is None:
            return None
        if mine.base is self.streams[stage.key].base and not self.stages[edge.source].swaps:
            return walk.due
        came = step.carried
        if mine.base is self.streams[stage.key].base:
            return came + late
        if data and (due := self._due_at(walk.steps[0].key, stage)) is not None:
            return min(due, came + late)
        if walk.due is None or mine.paced is None or not self.streams.keeps_turns(stage, edge):
            return came + late
        latest = max(came, walk.due + mine.paced)
        for other in stage.inputs:
            if other != edge:
                given = self.streams.input(other)
                latest = max(latest, came + given.base.late + (given.paced or 0) - given.best)
        return min(came + late, latest)

    def _due_at(self, first: Key, stage: Stage) -> int | None:
        """When the event of the path's number is due at a junction, whose ever token is the last
        (lemma due-at-joins)."""
        if not self.groups.hold or self.stages[first].inputs:
            return None
        return self.numbers.due(first, self._lateness(first), self.streams[stage.key].base)

    def _may_wait(self, stage: Stage, data: bool) -> bool:
        """Whether a token may wait at a stage for those of other inputs, and that counts; mtd and
        approximate_time keep also what came last (lemma set-latency)."""
        if len(stage.inputs) < 2:
            return False
        if stage.synchronizer is None or self.streams.continues(stage):
            return data and stage.joins
        return data or stage.synchronizer.policy in ("approximate_time", "mtd")

    def _released(
        self, first: Key, stage: Stage, edge: Edge, arrived: int, asked: tuple[bool, bool, bool]
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
        waited = None if wait is None else arrived + wait
        due = self._due_at(first, stage)
        if due is not None and self.streams.continues(stage):  # it comes later than the event
            late = self.streams[stage.key].paced
            due = None if late is None else due + late
        return least(iter((waited, due)))

    def _end_to_end(
        self, stretch: Sequence[Key], begun: int | None, total: int | None, limit: int | None = None
    ) -> int | None:
        """The least of a total and what the windows of a whole stretch give (lemmas
        end-to-end-window and closed-window); or the limit, where it is more."""
        if begun is None:
            return total
        if total is not None and limit is not None:
            if total <= limit:
                return total
            if self.end_to_end.is_within(stretch, limit - begun):
                return limit
        bounds = [None if total is None else self.end_to_end.bound(stretch)]
        bounds.append(self.closed.window(stretch[-1]))
        since = least(iter(bounds))
        return total if since is None else least(iter((total, begun + since)))

    def _alone(
        self, path: Sequence[Key], total: int | None, limit: int | None = None
    ) -> int | None:
        """A total, or what the path takes at most where each event is done before the next (lemma
        event-alone)."""
        if total is not None and limit is not None and total <= limit:
            return total
        return least(iter((total, self.alone.bound(path))))

    def _total(self, walk: Walk, limit: int | None = None) -> int | None:
        """The least of all bounds of the way to the last step, or one that is within a limit."""
        total = walk.total
        if walk.is_least or (limit is not None and total is not None and total <= limit):
            return total
        in_tandem = self._in_tandem(walk, limit)
        if in_tandem is not None and (total is None or in_tandem < total):
            total, walk.of_path = in_tandem, walk.of_path and limit is not None
        for other in (self._total(other, limit) for other in walk.others):
            if other is not None and (total is None or other < total):
                total, walk.of_path = other, walk.of_path or limit is None
        if limit is None:
            walk.total, walk.is_least = total, True
        return total

    def _least(self, walk: Walk) -> int | None:
        """The least of them but for that of two threads in tandem, which takes longer."""
        last = walk.last
        bounds = [last.until(self._since(last.key, last.origin))]
        of_path: list[int | None] = []  # behind a junction, of units of this path alone
        is_first = last.origin == walk.steps[0].key
        behind = walk.way.depth - walk.count + 1  # so many stages lie before the path
        for group, head in self.groups.of_message(walk.way):
            if head.depth < behind:
                first = self.streams[group.first]
                reached = first.best - self.streams[walk.steps[0].key].best
                since = group.since(first, 0)
                found = None if since is None else since + reached
                (bounds if is_first else of_path).append(found)
                continue
            step = walk.steps[head.depth - behind]
            if step.arrival is not None:
                since = group.since(self.streams[step.origin], step.arrival)
                found = None if since is None else step.carried + since
                (bounds if step.origin == last.origin else of_path).append(found)
        paced = self.streams.paced.get(last.key)
        if walk.due is not None and paced is not None and last.arrival is not None:
            (bounds if is_first else of_path).append(walk.due + paced)
        claim, swaps = self.claims[last.key], self.stages[last.key].swaps
        if claim.pending or claim.joint or claim.fair or claim.sharing:
            of_message = self.pending.of_message
            bounds.append(last.until(of_message(last.key) if swaps else claim.response))
        if claim.closed:
            bounds.append(last.until(self.closed.since_arrival(last.key)))
        (bounds if is_first else of_path).extend(self._within(walk, claim))
        every, some = least(iter(bounds)), least(iter(of_path))
        walk.every, walk.anew = every, some is not None
        walk.of_path = some is not None and (every is None or some < every)
        return some if walk.of_path else every

    def _within(self, walk: Walk, claim: Claim) -> Iterator[int | None]:
        """What bounds a stage from when nothing was there, or from the event of its base, bounds a
        path, too: from where that last waited (lemma closed-window), and from its begin."""
        since = self.closed.window(walk.last.key) if claim.closed else None
        yield None if walk.begun is None or since is None else walk.begun + since
        if walk.plain and not self.stages[walk.last.key].swaps:
            yield less(claim.latency, self.streams[walk.steps[0].key].best)

    def _in_tandem(self, walk: Walk, limit: int | None) -> int | None:
        """What the last two threads give together (lemma tandem-window), if it is less than is
        known, and within a limit if there is one."""
        last, stage = walk.last, self.stages[walk.last.key]
        if not self.groups.hold or walk.count < 2 or len(stage.inputs) != 1 or last.arrival is None:
            return None
        if last.origin == last.key or any(edge.loose or edge.part for edge in stage.inputs):
            return None
        before = walk.steps[walk.count - 2].arrival
        if before is None:
            return None
        arrivals = Arrivals(self.streams[last.origin], before, last.arrival)
        since = self.tandems.bound(
            stage, arrivals, less(walk.total, last.carried), less(limit, last.carried)
        )
        return None if since is None else last.carried + since

    def _since(self, key: Key, origin: Key) -> int | None:
        start = self.streams[origin]
        if key not in self.points or not start.bounded:
            return None
        return self.points.late(key, Origin(start, self.streams[key].times // start.times))
