"""Two threads in tandem: what both of them serve is paid once (lemma tandem-window)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.groups import least
from ddsrta.checker.levels import Row
from ddsrta.checker.points import Points
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import LINK, Edge, Key, Stage
from ddsrta.checker.sums import Claim
from ddsrta.checker.windows import Origin
from ddsrta.checker.work import Sum, Terms


class Arrivals(NamedTuple):
    """Where the latency counts from, and the latest arrivals at both stages after that."""

    origin: Stream
    first: int
    last: int


class Tandems:
    """Bounds from the confirmed points of two windows."""

    def __init__(
        self,
        neighbours: Neighbours,
        stages: Mapping[Key, Stage],
        points: Points,
        claims: Mapping[Key, Claim],
    ) -> None:
        self.neighbours = neighbours
        self.windows = points.windows
        self.points = points
        self.claims = claims
        self.apart: dict[Key, bool] = {}
        self.both: dict[Key, _Both] = {}
        self.feeds: dict[tuple[Key, Key, int], dict[Key, list[tuple[Stage, Edge]]]] = {}
        for stage in stages.values():
            if len(stage.inputs) == 1:
                edge = stage.inputs[0]
                between = _thread(stages[edge.source]), _thread(stage), edge.link
                feeds = self.feeds.setdefault(between, {})
                feeds.setdefault(edge.source, []).append((stage, edge))

    def bound(
        self, last: Stage, arrivals: Arrivals, below: int | None, limit: int | None
    ) -> int | None:
        """The latency from the origin's arrival to the end of a stage of one input, if it is below
        one that is known; with a limit, that, if it is no more."""
        edge = last.inputs[0]
        is_known = edge.source in self.points and last.key in self.points
        if not is_known or not arrivals.origin.bounded:
            return None
        first = self.windows[edge.source].stage
        if last.key not in self.apart:
            self.apart[last.key] = self._are_apart(first, last)
        if not self.apart[last.key]:
            return None
        mine = Origin(arrivals.origin, self._ratio(last, arrivals))
        floor = max(0, arrivals.last - arrivals.first - edge.link)
        early = self.points.late(last.key, mine, floor)
        most = least(iter((below, limit)))
        if early is None or (most is not None and early + arrivals.last > most):
            return None
        if last.key not in self.both:
            self.both[last.key] = _Both(self, first, last)
        row = self.both[last.key].row(Origin(arrivals.origin, self._ratio(first, arrivals)))
        known = (early + arrivals.last if limit is None else limit) - arrivals.first
        until = MOST if most is None else most - arrivals.first
        late = self.points.spared(last.key, lambda: row.above(known, until)[0])
        if late is None or (most is not None and late > until):
            return None
        return late + arrivals.first

    def _ratio(self, stage: Stage, arrivals: Arrivals) -> int:
        return self.windows[stage.key].stream.times // arrivals.origin.times

    def _are_apart(self, first: Stage, last: Stage) -> bool:
        """Whether each is one thread, on a supply of its own, no link, and none has deadlines or
        weights."""
        if LINK in (first.kind, last.kind) or self.neighbours.wait(first) is not None:
            return False
        for stage in (first, last):
            relations = self.windows[stage.key].relations
            if relations.due or relations.turns or relations.contends:
                return False
        if self.neighbours.cores(first) or self.neighbours.cores(last):
            return False
        return self.neighbours.supply_name(first) != self.neighbours.supply_name(last)


class _Point(NamedTuple):
    """The last unit that counts, begun at `start`, done at `finish`."""

    finish: int
    arrival: int
    unit: int
    start: int


class _Both:
    """The windows of two threads, one behind the other."""

    def __init__(self, tandems: Tandems, first: Stage, last: Stage) -> None:
        self.first, self.last = tandems.windows[first.key], tandems.windows[last.key]
        self.claims = tandems.claims
        self.edge = last.inputs[0]
        supplies = [window.relations.supply for window in (self.first, self.last)]
        self.rates = [
            Fraction(one.period if one else 1, one.budget if one else 1) for one in supplies
        ]
        self.gaps = sum(one.period - one.budget for one in supplies if one)
        ahead = {last.key, *(other.key for other in self.last.relations.ahead)}
        given = self.first.relations
        waits = (*given.ahead, *given.overtakes, *given.alternates, *given.precedes)
        self.counted = {first.key, *(other.key for other in waits)}
        feeds = tandems.feeds[_thread(first), _thread(last), self.edge.link]
        self.found: dict[tuple[int, int], tuple[int, int]] = {}  # of the first window
        self.feeds = [
            (source, [feed for feed in some if feed[0].key in ahead])
            for source, some in feeds.items()
        ]

    def row(self, origin: Origin) -> _Units | _Times:
        """All units of the first window."""
        return (_Units if self.first.relations.is_own else _Times)(self, origin)

    def finish(self, unit: int, arrival: int, since: int) -> int:
        """From the opening of the first window to the end at the last thread, for no more units and
        arrivals there than these, of which ours came no sooner than since then."""
        found = self.found.get((unit, arrival))
        if found is None:
            found = self.found[unit, arrival] = self.first.finish((0, 0), unit, arrival)
        start, finish = found
        point = _Point(finish, arrival, unit, start)
        reach = max(EPSILON, finish + self.edge.extra - since - self.edge.link)
        limits: dict[Key, int] = {}
        blocking: list[list[tuple[Stage, int]]] = []
        saved = most = 0
        rated: list[tuple[int, Fraction]] = []
        for source, feeds in self.feeds:
            if source in {other.key for other in self.first.relations.blocked_by}:
                blocking.append(list(self._blocking(feeds, reach, limits)))
                continue
            if source not in self.counted:
                continue
            units, here, there = self._shared(source, feeds, point, reach, limits)
            if units:
                cost = min(here, there)
                saved += units * cost
                most = max(most, cost)
                rated.append((units, min(here * self.rates[0], there * self.rates[1])))
        after = self._after(limits, blocking, reach)
        one = max(
            (sum(stage.cost * times for stage, times in some) for some in blocking), default=0
        )
        spared = max(saved - max(0, most - one), self._in_the_long_run(rated, one))
        return finish + self.edge.link + after - spared

    def _in_the_long_run(self, rated: list[tuple[int, Fraction]], one: int) -> int:
        """What is spared where supplies take longer than the work, but for a gap of each."""
        found, longest = Fraction(0), Fraction(one)
        for units, each in rated:
            found += units * each
            longest = max(longest, each)
        return floor(found + one - longest) - self.gaps

    def _blocking(
        self, feeds: list[tuple[Stage, Edge]], reach: int, limits: dict[Key, int]
    ) -> Iterator[tuple[Stage, int]]:
        """What a unit that blocks at the first thread brings to the last, if it is the one."""
        for stage, edge in feeds:
            if _in_order(edge):
                limits[stage.key] = 0
                if self._arriving(stage, reach):
                    yield stage, edge.times

    def _shared(
        self,
        source: Key,
        feeds: list[tuple[Stage, Edge]],
        point: _Point,
        reach: int,
        limits: dict[Key, int],
    ) -> tuple[int, int, int]:
        """How many units of a source are paid on one thread only, and how much of each on each."""
        counted, cost, paid = self._counted(source, point), 0, []
        relations = self.first.relations
        in_turn = source in {k.key for k in (*relations.alternates, *relations.precedes)}
        stream, own = self._source(source)
        for stage, edge in feeds:
            in_order = _in_order(edge) or stage.key == self.last.stage.key
            if in_turn and not in_order:
                continue
            extra = 0
            if not in_order:
                length = point.finish + edge.link - edge.least + EPSILON
                extra = max(0, stream.most(length) - counted)
            limit = min(self._arriving(stage, reach), edge.times * (counted + extra))
            limits[stage.key] = limit
            paid.append(max(0, limit // edge.times - extra))
            cost += edge.times * stage.cost
        return min(paid, default=0), own, cost

    def _source(self, key: Key) -> tuple[Stream, int]:
        """The stream and the cost of a stage of the first thread."""
        if key == self.first.stage.key:
            return self.first.stream, self.first.stage.cost
        relations = self.first.relations
        in_turn = [*relations.alternates, *relations.precedes]
        everyone = [*relations.ahead, *relations.overtakes, *in_turn]
        cost = next(other.cost for other in everyone if other.key == key)
        terms = self.first.streams
        return terms[key], cost

    def _counted(self, key: Key, point: _Point) -> int:
        """How many units of a stage the window of the first thread counts."""
        relations, one = self.first.relations, self.first.sums[0]
        if key == self.first.stage.key:
            return point.unit
        for other, term in zip(relations.ahead, one.ahead, strict=True):
            if other.key == key:
                return term.most(point.arrival + EPSILON)
        stream = self.first.streams[key]
        if any(other.key == key for other in relations.overtakes):
            return stream.most(point.start + EPSILON)
        most = point.unit + any(other.key == key for other in relations.precedes)
        for term in [*one.alternates, *one.precedes]:
            if term.stream is stream:
                return int(term.in_turn(point.start, point.unit, most))
        return most  # without a bound of its own

    def _arriving(self, stage: Stage, reach: int) -> int:
        return self.last.streams[stage.key].most(reach)

    def _after(
        self, limits: dict[Key, int], blocking: list[list[tuple[Stage, int]]], reach: int
    ) -> int:
        """How long the last thread takes from the opening of its window."""
        relations = self.last.relations
        sums: list[Sum] = []
        for one in self.last.sums:
            costs = {
                other.key: term.cost for other, term in zip(relations.ahead, one.ahead, strict=True)
            }
            work = one.blocks
            for other in relations.ahead:
                count = limits.get(other.key)
                count = self._arriving(other, reach) if count is None else count
                work += count * costs[other.key]
            work += max(
                (sum(costs[stage.key] * times for stage, times in some) for some in blocking),
                default=0,
            )
            sums.append(one._replace(ahead=Terms(), blocks=work))
        window = self.last.with_sums(sums)
        return window.finish((0, 0), limits[self.last.stage.key], 0)[1]


class _Units(Row):
    """Those of a first window that opens with the first of them, by number."""

    def __init__(self, both: _Both, origin: Origin) -> None:
        self.both, self.origin = both, origin
        self.first, self.last = 1, both.first.total

    def left(self, at: int) -> int:
        return self.origin.left(at)

    def finish(self, begin: int, end: int, latest: int) -> int:
        return self.both.finish(end, 0, self.both.first.stream.least(begin))


class _Times(NamedTuple):
    """Those of a first window of their level, by when they arrive there and when they leave."""

    both: _Both
    origin: Origin

    def above(self, most: int, until: int) -> tuple[int, int]:
        """The largest time that one takes, if it is above `most`, and when it left; or one above
        `until`. All that arrive between two times, and leave between two others, are tried at once,
        then by halves."""
        last, at = self.both.first.length - 1, 0
        ahead = [(0, last, 0, max(last, self.origin.left(self.both.first.total)))]
        while ahead and most <= until:
            begin, end, since, left = ahead.pop()
            since = max(since, begin)
            found = self._most(begin, end, since, left)
            if found is None or found <= most:
                continue
            one = self._most(begin, begin, since, since)
            if one is not None and one > most:
                most, at = one, since
            if found <= most:
                continue
            few, many = self.origin.units(since), self.origin.units(left)
            window = self.both.first
            if (end - begin) * window.total > (many - few) * window.length:
                middle = (begin + end) // 2
                ahead += (middle + 1, end, since, left), (begin, middle, since, left)
            else:
                more = self._when((few + many + 1) // 2, since, left)
                ahead += (begin, end, more, left), (begin, end, since, more - 1)
        return most, at

    def _when(self, units: int, since: int, left: int) -> int:
        """When so many may have left, between a time when fewer may and one when they may. Of all
        times until the next one may, this is the worst: halves would go on down to it for each
        arrival."""
        while since + EPSILON < left:
            middle = (since + left) // 2
            since, left = (since, middle) if self.origin.units(middle) >= units else (middle, left)
        return left

    def _most(self, begin: int, end: int, since: int, left: int) -> int | None:
        """No less than any of them takes; None where there is none."""
        coming = self.both.first.stream.most(end + EPSILON)
        if end < since and coming <= self.origin.units(since - EPSILON):
            return None
        unit = min(self.origin.units(left), coming)
        return self.both.finish(unit, end, begin) - since if left >= since else None


def _in_order(edge: Edge) -> bool:
    """Whether what is served later comes later."""
    return edge.least > edge.link


def _thread(stage: Stage) -> Key:
    return (stage.kind, stage.runner)
