"""How much comes in a window: bases, what follows them, and sums of streams (lemma
jitter-propagation)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddsrta.checker.arrivals import Source
from ddsrta.checker.budget import Budget
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import Edge, Key


class Feed(NamedTuple):
    """What a junction takes from one base."""

    base: Base
    times: int
    shift: int | None  # None where only the spacing is known
    edge: Edge | None  # the one that spaces it, None where several were taken together

    @property
    def countable(self) -> bool:
        """Whether there is a curve at all."""
        return self.shift is not None or (self.edge is not None and self.edge.distance > 0)

    def most(self, length: int) -> int:
        """How many come in a window."""
        spaced = self.edge.most(length) if self.edge else None
        if self.shift is None:
            return spaced or 0
        most = self.times * self.base.most(length + self.shift)
        return most if spaced is None else min(most, spaced)


class Base:
    """A source, or a junction of other bases; unbounded where an input of it is."""

    __slots__ = (
        "bounded", "budget", "feeds", "joins", "key", "known", "leasts", "offset", "period",
        "source",
    )  # fmt: skip

    def __init__(
        self,
        key: Key,
        source: Source | None,
        feeds: tuple[Feed, ...],
        joins: bool,
        bounded: bool,
        budget: Budget,
    ) -> None:
        self.key = key
        self.source = source
        self.feeds = feeds
        self.joins = joins
        self.bounded = bounded
        self.budget = budget
        self.known: dict[int, int] = {}
        self.leasts: dict[int, int] = {}
        # Of a plain source, η is a fraction that is rounded.
        plain = source is not None and source.is_plain
        self.period = source.period if source and plain else 0
        self.offset = source.jitter - 1 if source and plain else 0

    def most(self, length: int) -> int:
        """η of the base."""
        if length <= 0:
            return 0
        if self.period:
            return (length + self.offset) // self.period + 1
        if length in self.known:
            return self.known[length]
        self.budget.curve()
        if self.source:
            return self.source.most(length)
        counts = [feed.most(length) for feed in self.feeds]
        self.known[length] = most = max(counts) if self.joins else sum(counts)
        return most

    def least(self, count: int) -> int:
        """δ⁻ of the base: the largest length in which fewer than `count` events come."""
        if self.source:
            self.budget.curve()
            if self.period:
                return max(0, (count - 1) * self.period - self.offset - 1)
            return self.source.least(count)
        if count not in self.leasts:
            self.leasts[count] = self._least(count)
        return self.leasts[count]

    def _least(self, count: int) -> int:
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


class Stream:
    """What arrives at a stage: a multiple of its base, between `best` and `before` later."""

    __slots__ = (
        "base", "before", "best", "bounded", "bunch", "countable", "distance", "edge", "offset",
        "period", "shift", "times",
    )  # fmt: skip

    def __init__(
        self, base: Base, times: int, before: int | None, best: int, edge: Edge | None = None
    ) -> None:
        self.base = base
        self.times = times
        self.before = before
        self.best = best
        self.edge = edge  # the only input, which spaces what comes
        self.distance = edge.distance if edge else 0
        # Whether it follows its base in bounded time, and the base has a curve.
        self.bounded = before is not None and base.bounded
        # Whether there is a curve at all; what one thread spaces has one, however late it is.
        self.countable = self.bounded or self.distance > 0
        # How much closer the arrivals may be than the events of the base.
        self.shift = (before or 0) - best
        # So many units at a time are as early as each other, here and all the way to here.
        self.bunch = edge.times if edge else times
        # What follows a plain source in bounded time is one fraction, too.
        is_plain = self.bounded and self.shift >= 0
        self.period = base.period if is_plain else 0
        self.offset = base.offset + self.shift

    def most(self, length: int) -> int:
        """η(length) of the stage."""
        if length <= 0:
            return 0
        spaced = None
        if self.distance and self.edge:
            spaced = self.edge.times * -(-(length + self.edge.slack) // self.distance)
            if not self.bounded:
                return spaced
        if self.period:
            most = self.times * ((length + self.offset) // self.period + 1)
        else:
            most = self.times * self.base.most(length + self.shift)
        return most if spaced is None else min(most, spaced)

    def least(self, count: int) -> int:
        """δ⁻(count) of the stage."""
        spaced = self.edge.apart(count) if self.edge else 0
        if not self.bounded:
            return max(0, spaced)
        return max(0, spaced, self.base.least(-(-count // self.times)) - self.shift)


class Curves:
    """The sum of some streams, each times a cost, in a window longer by a time of its own."""

    __slots__ = ("others", "plain", "spaced")

    def __init__(self, terms: Iterable[tuple[Stream, int, int]]) -> None:
        self.plain: list[tuple[int, int, int]] = []
        self.spaced: list[tuple[int, int, int, int, int, int, int]] = []
        self.others: list[tuple[Stream, int, int]] = []
        for stream, cost, longer in terms:
            self.add(stream, cost, longer)

    def add(self, stream: Stream, cost: int, longer: int) -> None:
        """Another stream."""
        edge, period, offset = stream.edge, stream.period, stream.offset + longer
        if not period:
            self.others.append((stream, cost, longer))
        elif edge is None or not edge.distance:
            self.plain.append((offset, period, stream.times * cost))
        else:
            slack = edge.slack + longer
            spaced = slack, edge.distance, edge.times
            self.spaced.append((offset, period, stream.times, *spaced, cost))

    @property
    def size(self) -> tuple[int, int, int]:
        """How many streams of each kind there are."""
        return len(self.plain), len(self.spaced), len(self.others)

    def first(self, size: tuple[int, int, int]) -> Curves:
        """The sum of those that were added until it had a size."""
        found = Curves(())
        found.plain, found.spaced = self.plain[: size[0]], self.spaced[: size[1]]
        found.others = self.others[: size[2]]
        return found

    def at(self, length: int) -> int:
        """The work of a window; it is longer than nothing."""
        total = 0
        for offset, period, cost in self.plain:
            total += ((length + offset) // period + 1) * cost
        for offset, period, times, slack, distance, bunch, cost in self.spaced:
            most = times * ((length + offset) // period + 1)
            total += min(most, bunch * -(-(length + slack) // distance)) * cost
        for stream, cost, longer in self.others:
            total += stream.most(length + longer) * cost
        return total
