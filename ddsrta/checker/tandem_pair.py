"""What two threads in tandem do by the time a unit of ours is done: what both of them serve is paid
once (lemmas tandem-window and copies-in-tandem)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.levels import Row
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.windows import Origin, Window
from ddsrta.checker.work import Term

Feeds = dict[Key, list[tuple[Stage, Edge]]]  # what stages of one thread bring to another, by source


class _Point(NamedTuple):
    """The last unit that counts, begun at `start`, done at `finish`."""

    finish: int
    arrival: int
    unit: int
    start: int


_Count = Callable[[_Point], int]


class _Source(NamedTuple):
    """A stage of the first thread that feeds the last, as the window of the first counts it."""

    stream: Stream
    counted: _Count
    feeds: list[tuple[Key, Stream, Edge, bool]]  # and whether what is served later comes later
    cost: int  # of a unit, on the thread where it is less
    rest: int  # what is left of that for the unit that is on both
    long: int  # how long that takes, where supplies take longer than the work
    there: int  # of a unit on the last thread, or `cost` where one served later may come sooner
    slow: int  # how long that takes
    here: int | None  # and on the first, of the source that brings ours


class _Spared:
    """What is paid on one of two threads only (lemmas tandem-window and early-in-tandem). Of each
    source so many units: the less of its two costs, that of the last thread, and that of the first
    if it brings ours. `blocking`: what a unit that blocks brings."""

    def __init__(self, paid: list[tuple[int, int, int, int | None]], blocking: int) -> None:
        self.blocking = blocking
        self.saved = sum(units * less for units, less, _, _ in paid)
        self.before = sum(units * there for units, _, there, _ in paid)  # on the last thread
        self.behind = 0
        for units, _, there, here in paid:
            if here is not None:
                self.behind = max(0, here - there)
                self.before -= there if units else 0

    def spared(self, both: int, early: int) -> int:
        """Where the unit that is on both threads takes so much there, or, if it is ours, leaves the
        first so much sooner: all else was done before it. Behind another one, ours is on the first
        thread alone."""
        another = self.saved - max(0, both - self.blocking) + self.behind
        return min(another, self.before + self.blocking + early)


class Pair:
    """The windows of two threads, one behind the other: what feeds the last, source by source."""

    def __init__(self, first: Window, last: Window, feeds: Feeds) -> None:
        self.first, self.last = first, last
        self.edge = last.stage.inputs[0]
        supplies = [window.relations.own for window in (first, last)]
        self.is_slow = any(supply is not None for supply in supplies)
        self.gaps = sum(one.period - one.budget for one in supplies if one)
        if supplies[0] and supplies[0].left:  # ended no later than by a budget that came later
            self.gaps += supplies[0].left - EPSILON
        # Times are so many in a nanosecond, so that work on each supply takes a whole number.
        (period, budget), (last_period, last_budget) = (
            (one.period, one.budget) if one else (1, 1) for one in supplies
        )
        self.scale = budget * last_budget
        self.rates = period * last_budget, last_period * budget
        self.found: dict[tuple[int, int], tuple[int, int]] = {}  # of the first window
        ahead = last.relations.ahead
        self.streams = {stage.key: last.streams[stage.key] for stage in (last.stage, *ahead)}
        self.coming: dict[Key, Stream | Term] = {last.stage.key: self.streams[last.stage.key]}
        for other, term in zip(ahead, last.sums[0].ahead, strict=True):
            self.coming[other.key] = term
        self.ahead = [
            {other.key: term.cost for other, term in zip(ahead, one.ahead, strict=True)}
            for one in last.sums
        ]
        blocking = {other.key for other in first.relations.blocked_by}
        self.blocking: list[list[tuple[Stage, int]]] = []
        for source in blocking & feeds.keys():
            some = [one for one in feeds[source] if one[0].key in self.streams]
            self.blocking.append([(stage, edge.times) for stage, edge in some if _in_order(edge)])
        self.sources = [
            self._source(stage, counted, feeds[stage.key])
            for stage, counted in self._counted().values()
            if stage.key in feeds and stage.key not in blocking
        ]
        self.sources = [source for source in self.sources if source.feeds]

    def _source(self, stage: Stage, counted: _Count, feeds: list[tuple[Stage, Edge]]) -> _Source:
        """What it brings to the last thread; by turns, only what keeps its order counts."""
        ours, given = self.last.stage.key, self.first.relations
        in_turn = stage.key in {other.key for other in (*given.alternates, *given.precedes)}
        found, there = [], 0
        for one, edge in feeds:
            keeps = one.key == ours or _in_order(edge)
            if one.key in self.streams and (keeps or not in_turn):
                found.append((one.key, self.streams[one.key], edge, keeps))
                there += edge.times * one.cost
        long = min(stage.cost * self.rates[0], there * self.rates[1])
        stream = self.first.streams[stage.key]
        cost = min(stage.cost, there)
        is_whole = self.first.relations.own is None
        rest = cost - apart(feeds) if is_whole and len(found) == len(feeds) else cost
        slow = there * self.rates[1]
        here = stage.cost if stage.key == self.first.stage.key else None
        if here is None and not all(keeps for *_, keeps in found):
            there, slow = cost, long
        return _Source(stream, counted, found, cost, rest, long, there, slow, here)

    def _counted(self) -> dict[Key, tuple[Stage, _Count]]:
        """How many units of each stage the window of the first thread counts."""
        given, streams, one = self.first.relations, self.first.streams, self.first.sums[0]
        found: dict[Key, tuple[Stage, _Count]] = {}

        def add(stage: Stage, counted: _Count) -> None:
            found.setdefault(stage.key, (stage, counted))

        add(self.first.stage, lambda point: point.unit)
        for other, term in zip(given.ahead, one.ahead, strict=True):
            add(other, _arrived(term))
        for other in given.overtakes:
            add(other, _started(streams[other.key]))
        terms = {id(term.stream): term for term in (*one.precedes, *one.alternates)}
        first = {other.key for other in given.precedes}
        for other in (*given.alternates, *given.precedes):
            add(other, _in_turn(terms.get(id(streams[other.key])), other.key in first))
        return found

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
        few, many = (self._limited(point, comes) for comes in (reach, MOST))
        finish = self._finish(point, reach, *few)
        return finish if few == many else min(finish, self._finish(point, reach, *many))

    def _limited(self, point: _Point, comes: int) -> tuple[list[int], dict[Key, int]]:
        """How many units of each source are paid on one thread only, and what all of them bring to
        the last thread, with what comes there for so long: of a unit whose copies come to different
        times, those that take little there may count in full, as those that take long."""
        limits = dict[Key, int]()
        return [self._paid(source, point, comes, limits) for source in self.sources], limits

    def _finish(self, point: _Point, reach: int, units: list[int], limits: dict[Key, int]) -> int:
        """The same with so many units of each source."""
        finish, paid = point.finish, list(zip(units, self.sources, strict=True))
        blocking = [list(self._coming(feeds, reach, limits)) for feeds in self.blocking]
        one = max(
            (sum(stage.cost * times for stage, times in some) for some in blocking), default=0
        )
        plain = _Spared([(units, one.cost, one.there, one.here) for units, one in paid], one)
        early = self.edge.link - self.edge.extra
        copies = max((one.rest for units, one in paid if units), default=0)
        ours = next(
            (one.cost - one.rest for units, one in paid if units and one.here is not None), 0
        )
        longest = max((one.cost for units, one in paid if units), default=0)
        spared = max(plain.spared(longest, early), plain.spared(copies, ours))
        if self.is_slow:
            spared = max(spared, self._in_the_long_run(paid, one, early))
        return finish + self.edge.link + self._after(limits, blocking, reach) - spared

    def _in_the_long_run(self, paid: list[tuple[int, _Source]], one: int, early: int) -> int:
        """What is spared where supplies take longer than the work, but for a gap of each."""
        first = self.rates[0]
        some = [
            (units, one.long, one.slow, None if one.here is None else one.here * first)
            for units, one in paid
        ]
        longest = max((one.long for units, one in paid if units), default=0)
        found = _Spared(some, one * self.scale).spared(longest, early * self.scale)
        return found // self.scale - self.gaps

    def _coming(
        self, feeds: list[tuple[Stage, int]], reach: int, limits: dict[Key, int]
    ) -> Iterator[tuple[Stage, int]]:
        """What a unit that blocks at the first thread brings to the last, if it is the one."""
        for stage, times in feeds:
            limits[stage.key] = 0
            if self.coming[stage.key].most(reach):
                yield stage, times

    def _paid(self, source: _Source, point: _Point, comes: int, limits: dict[Key, int]) -> int:
        """How many units of a source are paid on one thread only."""
        counted, least = source.counted(point), MOST
        for key, _, edge, keeps in source.feeds:
            extra = 0
            if not keeps:
                length = point.finish + edge.link - edge.least + EPSILON
                extra = max(0, source.stream.most(length) - counted)
            limit = edge.times * (counted + extra)
            if comes < MOST:
                limit = min(limit, self.coming[key].most(comes))
            limits[key] = limit
            least = min(least, max(0, limit // edge.times - extra))
        return least

    def _after(
        self, limits: dict[Key, int], blocking: list[list[tuple[Stage, int]]], reach: int
    ) -> int:
        """How long the last thread takes from the opening of its window."""
        count, behind = limits[self.last.stage.key], []
        self.last.budget.curve(self.last.ahead)
        for one, costs in zip(self.last.sums, self.ahead, strict=True):
            work = one.blocks + (count - 1) * one.each
            for key, cost in costs.items():
                limit = limits.get(key)
                work += cost * (self.coming[key].most(reach) if limit is None else limit)
            some = (sum(costs[stage.key] * times for stage, times in some) for some in blocking)
            behind.append(work + max(some, default=0))
        return self.last.done(behind, (0, 0), count, 0, MOST)[1]


class _Units(Row):
    """Those of a first window that opens with the first of them, by number."""

    def __init__(self, both: Pair, origin: Origin) -> None:
        self.both, self.origin = both, origin
        self.first, self.last = 1, both.first.total

    def left(self, at: int) -> int:
        return self.origin.left(at)

    def finish(self, begin: int, end: int, latest: int) -> int:
        return self.both.finish(end, 0, self.both.first.stream.least(begin))


class _Times(NamedTuple):
    """Those of a first window of their level, by when they arrive there and when they leave."""

    both: Pair
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


def apart(feeds: list[tuple[Stage, Edge]]) -> int:
    """How much less a unit takes that is on both threads, wherever the first of its copies that the
    last one has yet to serve stands: what is left to send, and what is gone (lemma
    copies-in-tandem)."""
    sent: dict[str, list[int]] = {}  # by topic: what the copies of a message take
    edges: dict[str, Edge] = {}
    for stage, edge in feeds:
        if not edge.copies:
            return 0
        sent.setdefault(stage.key[2], []).append(stage.cost)
        edges[stage.key[2]] = edge
    rows = [
        (edges[topic], sorted((0,) * (edges[topic].copies - len(costs)) + (*costs,)))
        for topic, costs in sent.items()
    ]
    found = []  # of equal messages in a row, the first and the last: those between lie between
    for number, (edge, costs) in enumerate(rows):
        before = sum(one.times * sum(each) for one, each in rows[:number])
        after = sum(one.times * one.copies * one.each for one, _ in rows[number + 1 :])
        total = sum(costs)
        for place, here in enumerate(accumulate(costs[:-1], initial=0)):
            left = (edge.copies - place - 1) * edge.each
            for first in (0, edge.times - 1):
                rest = (edge.times - 1 - first) * edge.copies * edge.each
                found.append(before + first * total + here + left + rest + after)
    return min(found)


def _arrived(term: Term) -> _Count:
    """Of what is ahead."""
    return lambda point: term.most(point.arrival + EPSILON)


def _started(stream: Stream) -> _Count:
    """Of what overtakes."""
    return lambda point: stream.most(point.start + EPSILON)


def _in_turn(term: Term | None, more: int) -> _Count:
    """Of what takes turns, with one more where it comes first; it may have no bound of its own."""
    if term is None:
        return lambda point: point.unit + more
    return lambda point: term.in_turn(point.start, point.unit, point.unit + more)


def _in_order(edge: Edge) -> bool:
    """Whether what is served later comes later."""
    return edge.least > edge.link
