"""Sums of streams (lemma jitter-propagation). Of a long sum what is the same is counted together:
equal streams, and all that come with one period."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from ddsrta.checker.curves import Stream

_REMEMBERED = 500  # lengths of a sum
_MANY = 24  # streams that are worth the time to put equal ones together
_Plain = tuple[int, int, int]  # the offset and the period of one, and its work
_Spaced = tuple[int, int, int, int, int, int, int]
_Other = tuple[Stream, int, int]
Rates = list[tuple[int, int]]


class Steps(NamedTuple):
    """What comes with one period: each offset is so many whole periods and a rest. One whose rest
    and that of a window are a period or more brings one unit more than the whole periods say."""

    period: int
    each: int  # the work of one unit of all
    whole: int  # the work of whole periods of the offsets, and of a first unit
    rests: list[int]  # they rise
    more: list[int]  # the work of one unit of those from each place on

    def at(self, length: int) -> int:
        """The work of a window.

        >>> steps_of(10, [(0, 3), (25, 1)]).at(5)  # 1 unit of 3, and 4 of 1
        7
        """
        count, rest = divmod(length, self.period)
        place = bisect_left(self.rests, self.period - rest)
        return count * self.each + self.whole + self.more[place]


def steps_of(period: int, terms: Iterable[tuple[int, int]]) -> Steps:
    """The steps of offsets, each with the work of a unit."""
    rests: dict[int, int] = {}
    each = whole = 0
    for offset, work in terms:
        count, rest = divmod(offset, period)
        rests[rest] = rests.get(rest, 0) + work
        each += work
        whole += (count + 1) * work
    order = sorted(rests, reverse=True)
    more = [0, *accumulate(rests[rest] for rest in order)]
    return Steps(period, each, whole, order[::-1], more[::-1])


def is_plain(spaced: _Spaced) -> bool:
    """Whether the spacing of a stream never limits it: no more comes at once than its period says,
    and it never says that one more comes before the spacing lets it. Where spacings are shorter
    than the period, that is so from then on if it is the first time.

    >>> [is_plain((offset, 100, 1, 9, 10, 1, 1)) for offset in (98, 99)]
    [True, False]
    """
    offset, period, times, slack, distance, bunch, _ = spaced
    first = (1 + offset) // period + 1
    early = first * (period - distance) <= offset - slack
    return (
        times <= bunch and distance <= period and first <= -(-(1 + slack) // distance) and not early
    )


class Curves:
    """The sum of some streams, each times a cost, in a window longer by a time of its own."""

    __slots__ = ("count", "known", "others", "plain", "spaced", "steps")

    def __init__(self, terms: Iterable[tuple[Stream, int, int]]) -> None:
        self.known: dict[int, int] = {}  # by length
        self.plain: list[_Plain] = []
        self.spaced: list[_Spaced] = []
        self.others: list[_Other] = []
        self.steps: list[Steps] = []
        self.count = -1  # of what is evaluated, once anything was asked
        for stream, cost, longer in terms:
            self.add(stream, cost, longer)

    def add(self, stream: Stream, cost: int, longer: int) -> None:
        """Another stream; not after anything was asked."""
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

    @property
    def looks(self) -> int:
        """How many curves are evaluated for a window."""
        if self.count < 0:
            self._put_together()
        return self.count

    def rates(self) -> Rates | None:
        """Periods, and the work that comes in each: of a window that is so much longer, whatever
        its length, just so much more. None where there are no such."""
        if self.others or not all(map(is_plain, self.spaced)):
            return None
        return [
            *((steps.period, steps.each) for steps in self.steps),
            *((period, work) for _, period, work in self.plain),
            *((one[1], one[2] * one[-1]) for one in self.spaced),
        ]

    def first(self, size: tuple[int, int, int]) -> Curves:
        """The sum of those that were added until it had a size."""
        found = Curves(())
        found.plain, found.spaced = self.plain[: size[0]], self.spaced[: size[1]]
        found.others = self.others[: size[2]]
        return found

    def at(self, length: int) -> int:
        """The work of a window; it is longer than nothing."""
        found = self.known.get(length)
        if found is None:
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            found = self.known[length] = self._at(length)
        return found

    def _at(self, length: int) -> int:
        if self.count < 0:
            self._put_together()
        total = 0
        for steps in self.steps:
            total += steps.at(length)
        for offset, period, cost in self.plain:
            total += ((length + offset) // period + 1) * cost
        for offset, period, times, slack, distance, bunch, cost in self.spaced:
            most = times * ((length + offset) // period + 1)
            total += min(most, bunch * -(-(length + slack) // distance)) * cost
        for stream, cost, longer in self.others:
            total += stream.most(length + longer) * cost
        return total

    def _put_together(self) -> None:
        """What is the same, where there are many."""
        if sum(self.size) >= _MANY:
            self._gather()
        self.count = sum(self.size) + len(self.steps)

    def _gather(self) -> None:
        periods: dict[int, list[tuple[int, int]]] = {}
        for offset, period, work in self.plain:
            periods.setdefault(period, []).append((offset, work))
        spaced: dict[tuple[int, ...], int] = {}
        for one in self.spaced:
            if is_plain(one):
                periods.setdefault(one[1], []).append((one[0], one[2] * one[-1]))
            else:
                spaced[one[:-1]] = spaced.get(one[:-1], 0) + one[-1]
        others: dict[object, _Other] = {}
        for stream, cost, longer in self.others:
            equal = stream.shape, longer
            _, before, _ = others.get(equal, (stream, 0, longer))
            others[equal] = stream, before + cost, longer
        self.plain, self.others = [], list(others.values())
        self.spaced = [(*what, cost) for what, cost in spaced.items()]  # type: ignore[misc]
        self.steps = [steps_of(period, terms) for period, terms in periods.items()]
