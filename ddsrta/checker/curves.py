"""How much comes in a window: bases, and what follows them (lemma jitter-propagation)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ddsrta.checker.arrivals import Source
from ddsrta.checker.budget import Budget
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import Edge, Key

_REMEMBERED = 500  # lengths of a stream


class Feed(NamedTuple):
    """What a junction takes from one base."""

    base: Base
    times: int
    shift: int | None  # None where only the spacing is known
    edge: Edge | None  # the one that spaces it, None where several were taken together
    paced: int | None = None  # the shift at the pace of that base
    part: tuple[int, int] | None = None  # of so many events in a row so many bring something

    @property
    def countable(self) -> bool:
        """Whether there is a curve at all."""
        return self.shift is not None or (self.edge is not None and self.edge.distance > 0)

    def most(self, length: int) -> int:
        """How many come in a window."""
        spaced = self.edge.most(length) if self.edge else None
        if self.shift is None:
            return spaced or 0
        most = self.base.most(length + self.shift)
        if self.base.pace and self.paced is not None and self.paced < self.shift:
            most = min(most, self.base.most_at_pace(length + self.paced))
        if self.part is not None:
            whole, rest = divmod(most, self.part[1])
            most = whole * self.part[0] + min(rest, self.part[0])
        most *= self.times
        return most if spaced is None else min(most, spaced)

    @property
    def pace(self) -> int:
        """How far apart what it takes is due."""
        single = self.part is not None and self.part[0] == 1
        return self.base.pace * (self.part[1] if self.part and single else 1)

    @property
    def entering(self) -> tuple[int, int, int]:
        """The same, how many each event brings, and how late these are."""
        pace = 0 if self.paced is None else self.pace
        return pace, self.times, self.base.late + (self.paced or 0)


class Input(NamedTuple):
    """One input of a stage as it arrives there, counted from its base."""

    base: Base
    times: int
    arrival: int | None  # at the latest
    best: int  # at the earliest
    paced: int | None  # at the latest, at the pace of its base
    part: tuple[int, int] | None = None  # of so many events in a row so many bring something


class Limit(NamedTuple):
    """A source that says how often a join has all that it waits for: so many times for each of its
    events, in a window that is so much longer (lemma slowest-input)."""

    base: Base
    times: int
    longer: int

    def most(self, length: int) -> int:
        """How often in a window."""
        return self.times * self.base.most(length + self.longer)


class SetRule(NamedTuple):
    """How many sets are made of so many messages of each topic (lemma set-counts): as many as of
    the one that brings most, or, of `any_of`, of all together, and so many above; and as of each
    with so many that were kept. None: nothing says so. `own`: no two sets share a message."""

    own: bool
    any_of: bool = False
    above: int | None = 0
    kept: int | None = None

    def most(self, brought: Sequence[int]) -> int:
        """The most sets; what is not known of a topic is MOST."""
        most = MOST
        if self.above is not None:
            most = min(most, self.above + (sum(brought) if self.any_of else max(brought)))
        return most if self.kept is None else min(most, self.kept + min(brought))


class Base:
    """A source, or a junction of other bases; unbounded where an input of it is. At its pace, an
    event comes no sooner than so long after the one before, `late` after it comes at most."""

    __slots__ = (
        "bounded", "budget", "counts", "feeds", "froms", "joins", "key", "late", "leasts", "limits",
        "offset", "pace", "period", "rule", "source", "takes_each", "untils",
    )  # fmt: skip

    def __init__(
        self,
        key: Key,
        source: Source | None,
        feeds: tuple[Feed, ...],
        joins: bool,
        bounded: bool,
        budget: Budget,
        in_order: bool = False,  # it may have a pace: what it releases is served as it comes
        limits: tuple[Limit, ...] = (),
        rule: SetRule | None = None,  # its events are sets
    ) -> None:
        self.key = key
        self.rule = rule
        self.limits = limits
        self.source = source
        self.feeds = feeds
        self.pace = self.late = 0  # no pace
        if source and source.kind in ("periodic", "sporadic"):
            self.pace, self.late = source.period, source.jitter
        elif source or in_order:
            from ddsrta.checker.paces import common_pace, pace_of

            entering = [one.entering for one in feeds]
            found = pace_of(source) if source else common_pace(entering, joins)
            self.pace, self.late = found
        # Each event takes one of each feed, and no other does.
        self.takes_each = (joins or len(feeds) == 1) and all(one.times == 1 for one in feeds)
        self.joins = joins
        self.bounded = bounded
        self.budget = budget
        # What is known of η: from a length to another it is one count; it never falls.
        self.froms: list[int] = []
        self.untils: list[int] = []
        self.counts: list[int] = []
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
        place = bisect_right(self.froms, length)
        if place and length <= self.untils[place - 1]:
            return self.counts[place - 1]
        self.budget.curve()
        if self.source:
            return self.source.most(length)
        counts = [feed.most(length) if feed.countable else MOST for feed in self.feeds]
        if self.rule is not None:
            most = self.rule.most(counts)
        else:
            most = max(counts) if self.joins else sum(counts)
        if self.pace:
            most = min(most, self.most_at_pace(length))
        for limit in self.limits:
            most = min(most, limit.most(length))
        self._keep(length, most, place)
        return most

    def _keep(self, length: int, count: int, place: int) -> None:
        """Remembers a count, with those of lengths between."""
        until = length
        if place < len(self.counts) and self.counts[place] == count:
            until = self.untils[place]
            del self.froms[place], self.untils[place], self.counts[place]
        if place and self.counts[place - 1] == count:
            self.untils[place - 1] = until
            return
        self.froms.insert(place, length)
        self.untils.insert(place, until)
        self.counts.insert(place, count)

    def most_at_pace(self, length: int) -> int:
        """What comes at its pace, where each may be early by as much as it is late."""
        return -(-(length + self.late) // self.pace)

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
        "base", "before", "best", "bounded", "bunch", "countable", "counts", "distance", "early",
        "edge", "offset", "paced", "period", "shift", "times",
    )  # fmt: skip

    def __init__(
        self,
        base: Base,
        times: int,
        before: int | None,
        best: int,
        edge: Edge | None = None,
        paced: int | None = None,
    ) -> None:
        self.base = base
        self.times = times
        self.before = before
        # The same from when an event comes at the pace of its base (lemma bursts-once).
        self.paced = before if paced is None or not base.pace else paced
        self.best = best
        self.edge = edge  # the only input, which spaces what comes
        self.distance = edge.distance if edge else 0
        # Whether it follows its base in bounded time, and the base has a curve.
        self.bounded = before is not None and base.bounded
        # Whether there is a curve at all; what one thread spaces has one, however late it is.
        self.countable = self.bounded or self.distance > 0
        # How much closer the arrivals may be than the events of the base.
        self.shift = (before or 0) - best
        self.early = (self.paced or 0) - best  # and at the pace of the base
        # So many units at a time are as early as each other, here and all the way to here.
        self.bunch = edge.times if edge else times
        # What follows a plain source in bounded time is one fraction, too.
        is_plain = self.bounded and self.shift >= 0
        self.period = base.period if is_plain else 0
        self.offset = base.offset + self.early
        self.counts: dict[int, int] = {}  # of lengths that were asked for

    @property
    def shape(self) -> tuple[object, ...]:
        """All that its curve depends on: streams of one shape bring as much in any window."""
        edge = self.edge if self.distance else None
        spaced = (edge.times, edge.slack, edge.distance) if edge else None
        return self.base, self.times, self.shift, self.early, self.bounded, spaced

    def most(self, length: int) -> int:
        """η(length) of the stage."""
        if length <= 0:
            return 0
        found = self.counts.get(length)
        if found is None:
            if len(self.counts) >= _REMEMBERED:
                self.counts.clear()
            found = self.counts[length] = self._most(length)
        return found

    def _most(self, length: int) -> int:
        spaced = None
        if self.distance and self.edge:
            spaced = self.edge.times * -(-(length + self.edge.slack) // self.distance)
            if not self.bounded:
                return spaced
        if self.period:
            most = self.times * ((length + self.offset) // self.period + 1)
        else:
            most = self.base.most(length + self.shift)
            if self.early < self.shift:
                most = min(most, self.base.most_at_pace(length + self.early))
            most *= self.times
        return most if spaced is None else min(most, spaced)

    def least(self, count: int) -> int:
        """δ⁻(count) of the stage."""
        spaced = self.edge.apart(count) if self.edge else 0
        if not self.bounded:
            return max(0, spaced)
        event, base = -(-count // self.times), self.base
        if self.early < self.shift:
            spaced = max(spaced, (event - 1) * base.pace - base.late - self.early)
        return max(0, spaced, base.least(event) - self.shift)
