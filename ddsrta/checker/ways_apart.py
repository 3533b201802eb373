"""Closed windows that count no time on long ways, but all that comes over them (lemma ways-apart).

A window opens when nothing is pending and no short way is in use. What enters over a long way
meanwhile was on it then, or left later; or, which is more general, it left no longer ago than the
way takes, and so came since nothing was pending before that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Limit
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams

_MOST_LENGTHS = 4  # of ways, of which the longest are tried
_FAR = 1 << 45  # work that takes more than all of so long a window takes more than any
Earlier = tuple[int, int]  # windows, and time, by which one begins before another
_SAME: Earlier = (0, 0)


class Found(NamedTuple):
    """A window, the units of each stage in it and in any part of it, and what one adds: work, and
    a way that is not apart."""

    length: int
    units: Mapping[Key, int]
    within: Callable[[int], Mapping[Key, int]]
    each: Mapping[Key, int]


class _Split:
    """A closed set whose ways of some length or more are apart."""

    def __init__(self, search: WaysApart, least: int, by_spacing: bool) -> None:
        self.search, self.least, self.by_spacing = search, least, by_spacing
        self.begins: dict[Key, set[Earlier]] = {key: {_SAME} for key in search.held}
        self.behind: set[Key] = set()  # a way that is apart
        for key in reversed(search.held):
            for edge in search.stages[key].inputs:
                search.budget.curve(len(self.begins[key]))
                self.begins[edge.source] |= {self._at(edge, begin) for begin in self.begins[key]}
        self.each = dict(search.costs)
        short = dict.fromkeys(search.held, 0)
        for key in search.held:
            for edge in search.stages[key].inputs:
                if self._is_apart(edge) or edge.source in self.behind:
                    self.behind.add(key)
                if not self._is_apart(edge):
                    short[edge.source] = max(short[edge.source], edge.link)
        for key, way in short.items():
            self.each[key] += way

    def window(self) -> int | None:
        """The least length in which all of it is done."""
        if self.work(_FAR, _FAR) > _FAR:
            return None
        return least_fixed(lambda length: self.work(length, length), 1, self.search.budget)

    def work(self, length: int, between: int) -> int:
        """What is done, and on short ways, of what comes in a window, where nothing is pending at
        least once in some time."""
        units = self.units(length, between)
        return sum(units[key] * time for key, time in self.each.items())

    def units(self, length: int, between: int) -> dict[Key, int]:
        """How many of each stage come in a window."""
        found: dict[tuple[Key, Earlier], int] = {}
        for key in self.search.held:
            self.search.budget.curve(len(self.begins[key]))
            for begin in self.begins[key]:
                windows, time = begin
                found[key, begin] = self._come(key, begin, length + windows * between + time, found)
        return {key: found[key, _SAME] for key in self.search.held}

    def _come(
        self, key: Key, begin: Earlier, length: int, found: Mapping[tuple[Key, Earlier], int]
    ) -> int:
        stage = self.search.stages[key]
        if not stage.inputs:
            return self.search.streams[key].most(length)
        brought = [self._enter(edge, begin, found) for edge in stage.inputs]
        if not stage.joins:
            return sum(brought)
        limits = () if key in self.behind else self.search.limits(stage)
        return min([max(brought), *(limit.most(length) for limit in limits)])

    def _enter(self, edge: Edge, begin: Earlier, found: Mapping[tuple[Key, Earlier], int]) -> int:
        units = found[edge.source, self._at(edge, begin)] * edge.times
        if self._is_apart(edge) and self._is_spaced(edge):
            units += edge.most(edge.link + EPSILON) or 0
        return units

    def _at(self, edge: Edge, begin: Earlier) -> Earlier:
        """How much before the window what comes by an edge may have come to its source."""
        windows, time = begin
        if self._is_apart(edge) and not self._is_spaced(edge):
            return windows + 1, time + edge.link
        return begin

    def _is_apart(self, edge: Edge) -> bool:
        return edge.link >= self.least

    def _is_spaced(self, edge: Edge) -> bool:
        return self.by_spacing and edge.distance > 0


class WaysApart:
    """The least of these windows of one closed set, each stage after those that feed it."""

    def __init__(
        self,
        held: Sequence[Key],
        stages: Mapping[Key, Stage],
        streams: Streams,
        limits: Callable[[Stage], tuple[Limit, ...]],
        costs: Mapping[Key, int],
        budget: Budget,
    ) -> None:
        self.held, self.stages, self.streams = held, stages, streams
        self.limits, self.costs, self.budget = limits, costs, budget

    def least(self) -> Found | None:
        """The shortest of all that are tried, and of these the one with the fewest ways apart."""
        best: Found | None = None
        for split in self._splits():
            length = split.window()
            if length is not None and (best is None or length < best.length):
                units = split.units(length, length)
                best = Found(length, units, _within(split, length), split.each)
        return best

    def _splits(self) -> Iterator[_Split]:
        edges = [edge for key in self.held for edge in self.stages[key].inputs]
        lengths = sorted({edge.link for edge in edges} - {0})
        for least in lengths[: -_MOST_LENGTHS - 1 : -1]:
            if any(edge.distance for edge in edges if edge.link >= least):
                yield _Split(self, least, by_spacing=True)
            yield _Split(self, least, by_spacing=False)


def most_left(work: Callable[[int], int], length: int) -> int:
    """The largest work(y) - y of 0 < y <= length, where work only grows: between two of these no
    more than the work at the later is left at the earlier.

    >>> most_left(lambda time: 7 * -(-time // 20) + time // 2, 60)
    6
    """
    last = work(length)
    most = max(work(1) - 1, last - length)
    ahead = [(1, length, last)]
    while ahead:
        low, high, after = ahead.pop()
        if high - low > 1 and after - (low + 1) > most:
            middle = (low + high) // 2
            before = work(middle)
            most = max(most, before - middle)
            ahead += [(middle, high, after), (low, middle, before)]
    return most


def _within(split: _Split, between: int) -> Callable[[int], Mapping[Key, int]]:
    return lambda length: split.units(length, between)
