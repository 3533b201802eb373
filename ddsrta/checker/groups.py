"""Bounds from the windows of a group: stages of one path that do one event's work (theory 9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddsrta.checker.effects import Effects
from ddsrta.checker.levels import Level, Levels, least_fixed
from ddsrta.checker.phases import STORED, Head, Phase, piece_phases, root_phases
from ddsrta.checker.relations import time
from ddsrta.checker.stages import Key
from ddsrta.checker.streams import Stream, Streams
from ddsrta.checker.ways import Way, Ways

_MOST_UNITS = 20_000


@dataclass(frozen=True)
class Group:
    """When a group ends: by unit of a root, by phase, or the longest time from its first stage."""

    first: Key
    times: int  # its multiplicity
    units: tuple[tuple[int, int], ...] | None  # q and F(q) of a root
    phases: tuple[Phase, ...] | None
    most: int | None  # of a group that is no root

    def since(self, origin: Stream, arrival: int) -> int:
        """The least bound from an origin of the stream; the first stage gets it `arrival` later."""
        bounds = [] if self.most is None else [self.most + arrival]
        if self.units:
            ratio = max(1, self.times // origin.times)
            bounds.append(
                arrival + max(end - origin.least(-(-unit // ratio)) for unit, end in self.units)
            )
        if self.phases:
            bounds.append(max(end - max(x + origin.best, -arrival) for x, end in self.phases))
        return min(bounds)


class Groups:
    """Groups along paths, and behind single stages."""

    def __init__(self, levels: Levels, streams: Streams, hold: bool = True) -> None:
        self.hold = hold  # not where threads wait for locks (theory 21)
        self.levels = levels
        self.streams = streams
        self.stages = levels.stages
        self.found: dict[tuple[object, ...], Group | None] = {}
        self.effects = Effects(self.stages if hold else {}, streams)
        self.ways = Ways(levels)

    def confirms_response(self, key: Key, claimed: int) -> bool:
        """Whether a group ends in time, counted from the arrival at a stage."""
        best = self.streams[key].best
        for group, _ in self.along(self.ways.to(key)):
            first = self.streams[group.first]
            if group.since(first, 0) - (best - first.best) <= claimed:
                return True
        return False

    def confirms_latency(self, key: Key, claimed: int) -> bool:
        """Whether a group ends in time, counted from the event of the base of a stage."""
        start = Stream(self.streams[key].base, 1, 0, 0)
        for group, _ in self.along(self.ways.to(key)):
            before = self.streams[group.first].before
            if before is not None and group.since(start, before) <= claimed:
                return True
        return False

    def along(self, way: Way) -> Iterator[tuple[Group, Way]]:
        """Every group that ends with the last stage of a way, and where it begins, the longest
        first."""
        if not self.hold or self.levels.neighbours.is_pool(self.stages[way.key]):
            return
        for head, priority in self.ways.heads(way):
            before = None if head.joined is None else head.joined.key
            times = way.times // head.times
            name = (head.key, way.key, times, priority, before)
            if name not in self.found:
                self.found[name] = self._find(*name)
            if group := self.found[name]:
                yield group, head

    def _late(self, key: Key, level: Level, stream: Stream) -> frozenset[int]:
        """The streams of all effects of a stage among the roots of a level."""
        roots = level.keys_of_base(stream.base)
        return frozenset(
            id(self.streams[other]) for other in roots if self.effects.comes_after(key, other)
        )

    def _find(
        self, first: Key, last: Key, times: int, priority: int, before: Key | None
    ) -> Group | None:
        level, stream = self.levels.level(last, priority), self.streams[first]
        if not level.bounded:
            return None
        ends = self.levels.ends(self.stages[last], level)
        if not self.levels.joined[first]:
            if not stream.bounded:
                return None
            cost = level.costs[first]
            later = cost - times * level.costs[last]
            late = self._late(last, level, stream)
            return _of_root(level, first, Head(stream, level.enters - ends, cost, later, late))
        inputs = [edge.source for edge in self.stages[first].inputs]
        sources = [before] if before is not None else inputs
        bounds, phases = [], None
        if all(self.levels.priority(source) < priority for source in sources):
            piece = max(level.pieces[source] for source in sources) - ends
            bounds.append(
                least_fixed(
                    lambda length: time(level.supply, piece + level.of_roots(length)),
                    1,
                    level.budget,
                )
            )
            if stream.bounded:
                late = self._late(last, level, stream)
                phases = piece_phases(level, Head(stream, piece, 0, 0, late))
        if before is None and len(inputs) > 1:
            bounds.append(level.window())
        return _group(first, stream, None, phases, least(iter(bounds)))


def _of_root(level: Level, first: Key, head: Head) -> Group | None:
    return _group(first, head.stream, _units(level, head), root_phases(level, head), None)


def _group(
    first: Key,
    stream: Stream,
    units: tuple[tuple[int, int], ...] | None,
    phases: tuple[Phase, ...] | None,
    most: int | None,
) -> Group | None:
    """A group, None where nothing bounds it."""
    if not units and not phases and most is None:
        return None
    return Group(first, stream.times, units, phases, most)


def _units(level: Level, head: Head) -> tuple[tuple[int, int], ...] | None:
    """All units q of a root in a window, with their F(q)."""
    window, stream = level.window(), head.stream
    if window is None:
        return None
    units: list[tuple[int, int]] = []
    finish = unit = 0
    while stream.least(unit + 1) < window:
        unit += stream.bunch
        level.budget.curve(STORED)

        def needed(length: int, unit: int = unit) -> int:
            count = stream.most(length)
            own = head.enters + unit * head.cost + max(0, count - unit) * head.later
            return time(level.supply, own + level.of_roots(length) - count * head.cost)

        found = least_fixed(needed, finish, level.budget)
        if len(units) >= _MOST_UNITS:
            level.budget.cut_short("a window of many units")
            return None
        if found is None:
            return None
        finish = found
        units.append((unit, finish))
    return tuple(units)


def least(bounds: Iterator[int | None]) -> int | None:
    """The least of all bounds, None where there is none."""
    return min((bound for bound in bounds if bound is not None), default=None)
