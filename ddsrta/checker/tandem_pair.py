"""What two threads in tandem do by the time a unit of ours is done: what both of them serve is paid
once (lemmas tandem-window and copies-in-tandem)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import Row
from ddsrta.checker.reading import MOST
from ddsrta.checker.tandem_brought import Brought, Point, Source, There
from ddsrta.checker.windows import Origin, Window


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

    def __init__(self, first: Window, last: Window, brought: Brought, own: tuple[int, ...]) -> None:
        self.first, self.last, self.brought = first, last, brought
        self.own = own  # what of ours is among what is brought, by sum
        self.place = brought.places[last.stage.key]
        self.edge = last.stage.inputs[0]
        supplies = [window.relations.own for window in (first, last)]
        self.is_slow = any(supply is not None for supply in supplies)
        self.gaps = sum(one.period - one.budget for one in supplies if one)
        if supplies[0] and supplies[0].left:  # ended no later than by a budget that came later
            self.gaps += supplies[0].left - EPSILON
        self.scale, self.rates = rates_of(first, last)

    def row(self, origin: Origin) -> _Units | _Times:
        """All units of the first window."""
        return (_Units if self.first.relations.is_own else _Times)(self, origin)

    def finish(self, unit: int, arrival: int, since: int) -> int:
        """From the opening of the first window to the end at the last thread, for no more units and
        arrivals there than these, of which ours came no sooner than since then."""
        start, finish = self.brought.end(unit, arrival)
        point = Point(finish, arrival, unit, start)
        reach = max(EPSILON, finish + self.edge.extra - since - self.edge.link)
        few, many = (self.brought.limited(point, comes) for comes in (reach, MOST))
        finish = self._finish(point, reach, *few)
        return finish if few == many else min(finish, self._finish(point, reach, *many))

    def _finish(self, point: Point, reach: int, units: list[int], limits: list[int | None]) -> int:
        """The same with so many units of each source."""
        finish, paid = point.finish, list(zip(units, self.brought.sources, strict=True))
        # What a unit that blocks at the first thread brings to the last, if it is the one.
        blocking = [
            [(one, times) for one, times in some if one.coming.most(reach)]
            for some in self.brought.blocking
        ]
        one = max(
            (sum(there.stage.cost * times for there, times in some) for some in blocking), default=0
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

    def _in_the_long_run(self, paid: list[tuple[int, Source]], one: int, early: int) -> int:
        """What is spared where supplies take longer than the work, but for a gap of each."""
        first = self.rates[0]
        some = [
            (units, one.long, one.slow, None if one.here is None else one.here * first)
            for units, one in paid
        ]
        longest = max((one.long for units, one in paid if units), default=0)
        found = _Spared(some, one * self.scale).spared(longest, early * self.scale)
        return found // self.scale - self.gaps

    def _after(
        self, limits: list[int | None], blocking: list[list[tuple[There, int]]], reach: int
    ) -> int:
        """How long the last thread takes from the opening of its window."""
        flows, count, behind = self.brought.flows, limits[self.place], []
        assert count is not None  # the first window brings ours
        self.last.budget.curve(len(flows))
        units = [
            flow.coming.most(reach) if limit is None else limit
            for flow, limit in zip(flows, limits, strict=True)
        ]
        for number, one in enumerate(self.last.sums):
            work = one.blocks + (count - 1) * one.each - count * self.own[number]
            work += sum(flow.costs[number] * most for flow, most in zip(flows, units, strict=True))
            some = (sum(there.costs[number] * times for there, times in all_) for all_ in blocking)
            behind.append(work + max(some, default=0))
        return self.last.done(behind, (0, 0), count, 0, MOST)[1]


def rates_of(first: Window, last: Window) -> tuple[int, tuple[int, int]]:
    """Times are so many in a nanosecond, so that work on each supply takes a whole number: so long
    for each unit of it."""
    supplies = (window.relations.own for window in (first, last))
    (period, budget), (last_period, last_budget) = (
        (one.period, one.budget) if one else (1, 1) for one in supplies
    )
    return budget * last_budget, (period * last_budget, last_period * budget)


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
        unit = min(self.origin.units(left), coming, self.both.first.total)
        return self.both.finish(unit, end, begin) - since if left >= since else None
