"""Arrival curves of all stages from claimed latencies (theory 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ddsrta.checker.arrivals import Source
from ddsrta.checker.budget import Budget
from ddsrta.checker.reading import MOST, CertificateError
from ddsrta.checker.stages import Edge, Key, Stage


@dataclass(frozen=True)
class Feed:
    """What a junction takes from one base."""

    base: Base
    times: int
    shift: int


@dataclass(frozen=True, eq=False)
class Base:
    """A source, or a junction of other bases; unbounded where an input of it is."""

    key: Key
    source: Source | None
    feeds: tuple[Feed, ...]
    joins: bool
    bounded: bool
    budget: Budget = field(repr=False)
    known: dict[int, int] = field(default_factory=dict, repr=False)

    def most(self, length: int) -> int:
        """η of the base."""
        if length <= 0:
            return 0
        self.budget.curve()
        if self.source:
            return self.source.most(length)
        if length not in self.known:
            counts = [feed.times * feed.base.most(length + feed.shift) for feed in self.feeds]
            self.known[length] = max(counts) if self.joins else sum(counts)
        return self.known[length]

    def least(self, count: int) -> int:
        """δ⁻ of the base: the largest length in which fewer than `count` events come."""
        if self.source:
            self.budget.curve()
            return self.source.least(count)
        if self.most(1) >= count:
            return 0
        low, high = 0, 1  # most(low + 1) < count
        while self.most(high + 1) < count:
            low, high = high, 2 * high
            if high > MOST:
                return MOST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.most(middle + 1) < count else (low, middle)
        return high


@dataclass(frozen=True)
class Stream:
    """What arrives at a stage: a multiple of its base, between `best` and `before` later."""

    base: Base
    times: int
    before: int | None
    best: int

    @property
    def bounded(self) -> bool:
        """Whether there is a curve at all."""
        return self.before is not None and self.base.bounded

    @property
    def shift(self) -> int:
        """How much closer the arrivals may be than the events of the base."""
        return (self.before or 0) - self.best

    def most(self, length: int) -> int:
        """η(length) of the stage."""
        return self.times * self.base.most(length + self.shift) if length > 0 else 0

    def least(self, count: int) -> int:
        """δ⁻(count) of the stage."""
        return max(0, self.base.least(-(-count // self.times)) - self.shift)


@dataclass(frozen=True)
class Input:
    """One input of a stage as it arrives there, counted from its base."""

    base: Base
    times: int
    arrival: int | None  # at the latest
    best: int  # at the earliest


class Streams:
    """The streams of all stages, by key, and the inputs of each."""

    def __init__(
        self, stages: Mapping[Key, Stage], latencies: Mapping[Key, int | None], budget: Budget
    ) -> None:
        self.budget = budget
        self.latencies = latencies
        self.streams: dict[Key, Stream] = {}
        for key in _in_order(stages):
            self.streams[key] = self._stream(stages[key])

    def __getitem__(self, key: Key) -> Stream:
        return self.streams[key]

    def input(self, edge: Edge) -> Input:
        """What comes along an edge."""
        stream, latency = self.streams[edge.source], self.latencies[edge.source]
        arrival = None if latency is None or not stream.bounded else latency + edge.extra
        return Input(stream.base, stream.times * edge.times, arrival, stream.best + edge.least)

    def continues(self, stage: Stage) -> bool:
        """Whether a stage continues the stream of its inputs."""
        if len(stage.inputs) == 1:
            return True
        kinds = {(id(i.base), i.times) for i in map(self.input, stage.inputs)}
        return stage.joins and len(kinds) == 1

    def _stream(self, stage: Stage) -> Stream:
        if stage.arrival:
            return Stream(Base(stage.key, stage.arrival, (), False, True, self.budget), 1, 0, 0)
        inputs = [self.input(edge) for edge in stage.inputs]
        arrivals = [i.arrival for i in inputs if i.arrival is not None]
        bounded = len(arrivals) == len(inputs)
        if self.continues(stage):
            before = max(arrivals) if bounded else None
            return Stream(inputs[0].base, inputs[0].times, before, max(i.best for i in inputs))
        feeds = tuple(_feeds(inputs, stage.joins)) if bounded else ()
        return Stream(Base(stage.key, None, feeds, stage.joins, bounded, self.budget), 1, 0, 0)


def _feeds(inputs: list[Input], joins: bool) -> list[Feed]:
    feeds = [Feed(i.base, i.times, (i.arrival or 0) - i.best) for i in inputs]
    if not joins:
        return feeds
    together: dict[int, Feed] = {}  # so that no base counts twice
    for feed in feeds:
        same = together.get(id(feed.base), feed)
        together[id(feed.base)] = Feed(
            feed.base, max(feed.times, same.times), max(feed.shift, same.shift)
        )
    return list(together.values())


def _in_order(stages: Mapping[Key, Stage]) -> list[Key]:
    """Every stage after its inputs; threads that release each other in a circle have no order."""
    waiting = {key: len(stage.inputs) for key, stage in stages.items()}
    after: dict[Key, list[Key]] = {}
    for key, stage in stages.items():
        for edge in stage.inputs:
            after.setdefault(edge.source, []).append(key)
    order = [key for key, count in waiting.items() if not count]
    for key in order:
        for other in after.get(key, ()):
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    if len(order) < len(stages):
        raise CertificateError("system: threads release each other in a circle")
    return order
