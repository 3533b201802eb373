"""What one thread brings to another, source by source (lemmas tandem-window and copies-in-tandem);
what comes alike there counts together, and is found once for all that waits in one queue."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.windows import Window
from ddsrta.checker.work import Term

Feeds = dict[Key, list[tuple[Stage, Edge]]]  # what stages of one thread bring to another, by source


class Point(NamedTuple):
    """The last unit that counts, begun at `start`, done at `finish`."""

    finish: int
    arrival: int
    unit: int
    start: int


_Count = Callable[[Point], int]
Coming = Stream | Term


class There(NamedTuple):
    """A stage of the last thread: how much of it comes there in a window, ahead of ours, and what a
    unit costs in each of the sums of ours."""

    stage: Stage
    coming: Coming
    costs: tuple[int, ...]


class Source(NamedTuple):
    """A stage of the first thread that feeds the last, as the window of the first counts it."""

    stream: Stream
    counted: _Count
    cost: int  # of a unit, on the thread where it is less
    rest: int  # what is left of that for the unit that is on both
    long: int  # how long that takes, where supplies take longer than the work
    there: int  # of a unit on the last thread, or `cost` where one served later may come sooner
    slow: int  # how long that takes
    here: int | None  # and on the first, of the source that brings ours


class Flow(NamedTuple):
    """Stages of the last thread that come alike, and what a unit of each costs in all, by sum."""

    coming: Coming
    costs: list[int]
    source: int | None  # the number of the one that brings it, if it is one
    edge: Edge | None  # by which that comes
    keeps: bool  # whether what is served later comes later
    is_apart: bool  # a unit that blocks brings it; or nothing does (lemma silent-senders)


class Brought:
    """All that counts in the windows of two threads, one behind the other: of ours, or of each that
    waits in a queue."""

    def __init__(
        self,
        first: Window,
        feeds: Feeds,
        there: Iterable[There],
        ours: Key,
        rates: tuple[int, int],
        silent: frozenset[Key],
    ) -> None:
        self.first, self.ours, self.rates = first, ours, rates
        self.there = {one.stage.key: one for one in there}
        self.ends: dict[tuple[int, int], tuple[int, int]] = {}  # of the first window
        blocking = {other.key for other in first.relations.blocked_by} & feeds.keys()
        self.blocking: list[list[tuple[There, int]]] = []
        for source in blocking:
            some = [one for one in feeds[source] if one[0].key in self.there]
            self.blocking.append(
                [(self.there[one.key], edge.times) for one, edge in some if in_order(edge)]
            )
        self.sources: list[Source] = []
        self.comes: dict[Key, tuple[int, Edge, bool]] = {}
        for stage, counted in self._counted().values():
            if stage.key in feeds and stage.key not in blocking:
                self._add(stage, counted, feeds[stage.key])
        self.flows: list[Flow] = []
        self.places: dict[Key, int] = {}  # of each stage among the flows
        self._put_together({one.stage.key for some in self.blocking for one, _ in some} | silent)

    def end(self, unit: int, arrival: int) -> tuple[int, int]:
        """S and F of a unit of the first window."""
        found = self.ends.get((unit, arrival))
        if found is None:
            found = self.ends[unit, arrival] = self.first.finish((0, 0), unit, arrival)
        return found

    def _put_together(self, apart: set[Key]) -> None:
        """What comes alike; `apart` is what counts by its unit that blocks, or not at all."""
        numbers: dict[object, int] = {}
        for key, one in self.there.items():
            source, edge, keeps = self.comes.get(key, (None, None, True))
            late = None if edge is None or keeps else edge.link - edge.least
            times = edge.times if edge else 0
            alike = _shape(one.coming), source, times, late, keeps, key in apart
            place = self.places[key] = numbers.setdefault(alike, len(numbers))
            if place == len(self.flows):
                nothing = [0] * len(one.costs)
                self.flows.append(Flow(one.coming, nothing, source, edge, keeps, key in apart))
            costs = self.flows[place].costs
            costs[:] = map(sum, zip(costs, one.costs, strict=True))

    def _add(self, stage: Stage, counted: _Count, feeds: list[tuple[Stage, Edge]]) -> None:
        """A source, if it brings anything to the last thread; by turns, only what keeps its order
        counts."""
        given, number = self.first.relations, len(self.sources)
        in_turn = stage.key in {other.key for other in (*given.alternates, *given.precedes)}
        there = found = 0
        keep = True
        for one, edge in feeds:
            keeps = one.key == self.ours or in_order(edge)
            if one.key in self.there and (keeps or not in_turn):
                self.comes[one.key] = number, edge, keeps
                there += edge.times * one.cost
                found += 1
                keep = keep and keeps
        if not found:
            return
        long = min(stage.cost * self.rates[0], there * self.rates[1])
        cost = min(stage.cost, there)
        is_whole = given.own is None and found == len(feeds)
        rest = cost - apart(feeds) if is_whole else cost
        slow = there * self.rates[1]
        here = stage.cost if stage.key == self.first.stage.key else None
        if here is None and not keep:
            there, slow = cost, long
        stream = self.first.streams[stage.key]
        self.sources.append(Source(stream, counted, cost, rest, long, there, slow, here))

    def _counted(self) -> dict[Key, tuple[Stage, _Count]]:
        """How many units of each stage the window of the first thread counts."""
        given, streams, one = self.first.relations, self.first.streams, self.first.sums[0]
        found: dict[Key, tuple[Stage, _Count]] = {}

        def add(stage: Stage, counted: _Count) -> None:
            found.setdefault(stage.key, (stage, counted))

        add(self.first.stage, lambda point: point.unit)
        for other, term in zip(given.ahead, one.ahead, strict=True):
            add(other, _arrived(term))
        for other, term in zip(given.overtakes, one.overtakes, strict=True):
            add(other, _started(streams[other.key], term.brought))
        terms = {id(term.stream): term for term in (*one.precedes, *one.alternates)}
        first = {other.key for other in given.precedes}
        for other in (*given.alternates, *given.precedes):
            add(other, _in_turn(terms.get(id(streams[other.key])), other.key in first))
        return found

    def limited(self, point: Point, comes: int) -> tuple[list[int], list[int | None]]:
        """How many units of each source are paid on one thread only, and what all of them bring to
        the last thread, with what comes there for so long: of a unit whose copies come to different
        times, those that take little there may count in full, as those that take long."""
        counted = [source.counted(point) for source in self.sources]
        units = [MOST] * len(counted)
        limits: list[int | None] = []
        for flow in self.flows:
            limit = 0 if flow.is_apart else None
            if flow.source is not None and flow.edge is not None:
                count, edge, extra = counted[flow.source], flow.edge, 0
                if not flow.keeps:
                    length = point.finish + edge.link - edge.least + EPSILON
                    extra = max(0, self.sources[flow.source].stream.most(length) - count)
                limit = edge.times * (count + extra)
                if comes < MOST:
                    limit = min(limit, flow.coming.most(comes))
                paid = max(0, limit // edge.times - extra)
                units[flow.source] = min(units[flow.source], paid)
            limits.append(limit)
        return units, limits


def _shape(coming: Coming) -> object:
    """What comes alike has the same; where not all is ahead of ours nothing else has."""
    if isinstance(coming, Stream):
        return coming.shape
    return id(coming) if coming.is_late else coming.stream.shape


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


def _started(stream: Stream, brought: int | None) -> _Count:
    """Of what overtakes."""
    most = MOST if brought is None else brought
    return lambda point: min(most, stream.most(point.start + EPSILON))


def _in_turn(term: Term | None, more: int) -> _Count:
    """Of what takes turns, with one more where it comes first; it may have no bound of its own."""
    if term is None:
        return lambda point: point.unit + more
    return lambda point: term.in_turn(point.start, point.unit, point.unit + more)


def in_order(edge: Edge) -> bool:
    """Whether what is served later comes later."""
    return edge.least > edge.link
