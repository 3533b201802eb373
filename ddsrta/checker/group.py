"""When a group ends, looked at only as far as somebody asks (lemmas group-window and
phase-window)."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property

from ddsrta.checker.curves import Stream
from ddsrta.checker.levels import Level, least_fixed
from ddsrta.checker.phases import STORED, Head, Phases, piece_phases, root_phases
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import time
from ddsrta.checker.stages import Key

_MOST_UNITS = 20_000


class Group:
    """Stages of one path in one level; the bounds of it count from an origin of the stream."""

    def __init__(self, first: Key, level: Level) -> None:
        self.first = first
        self.level = level

    def since(self, origin: Stream, arrival: int) -> int | None:
        """The least bound, if there is one; the first stage gets it `arrival` later."""
        longest = self._longest(origin, arrival)
        by_phase = self.phases.longest(origin, arrival) if self.phases else None
        return min((bound for bound in (longest, by_phase) if bound is not None), default=None)

    def ends_within(self, origin: Stream, arrival: int, limit: int) -> bool:
        """Whether a bound is within a limit: if all that the group may do fits, none is looked for.

        The work of a window that ends in time needs no more than its length: so no later window
        is the longest.
        """
        left = limit - arrival
        if 0 < left <= MOST and self._is_done(left):
            return True
        longest = self._longest(origin, arrival)
        if longest is not None and longest <= limit:
            return True
        return self.phases is not None and self.phases.end_within(origin, arrival, limit)

    @abstractmethod
    def _longest(self, origin: Stream, arrival: int) -> int | None:
        """The bound whatever the phase, if there is one."""

    @abstractmethod
    def _is_done(self, length: int) -> bool:
        """Whether all ends before a window is so long."""

    @cached_property
    @abstractmethod
    def phases(self) -> Phases | None:
        """All phases, where they are not too many."""


class Root(Group):
    """A group that begins with a root of its level."""

    def __init__(self, first: Key, level: Level, head: Head) -> None:
        super().__init__(first, level)
        self.head = head

    def _longest(self, origin: Stream, arrival: int) -> int | None:
        if not self.units:
            return None
        ratio = max(1, self.head.stream.times // origin.times)
        return arrival + max(end - origin.least(-(-unit // ratio)) for unit, end in self.units)

    def _is_done(self, length: int) -> bool:
        return self.level.is_done(length)

    @cached_property
    def units(self) -> tuple[tuple[int, int], ...] | None:
        """All units q in a window, with their F(q)."""
        level, head = self.level, self.head
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

    @cached_property
    def phases(self) -> Phases | None:
        """All phases of what comes in step, where they are not too many."""
        return root_phases(self.level, self.head) if self.head.stream.bounded else None


class Piece(Group):
    """A group behind something less urgent, or where several come together."""

    def __init__(self, first: Key, level: Level, head: Head | None, anyhow: bool) -> None:
        super().__init__(first, level)
        self.head = head  # behind what is less urgent
        self.anyhow = anyhow  # behind whatever comes there

    def _longest(self, origin: Stream, arrival: int) -> int | None:
        return None if self.most is None else self.most + arrival

    def _is_done(self, length: int) -> bool:
        if self.head and self._needed(length) <= length:
            return True
        return self.anyhow and self.level.is_done(length)

    def _needed(self, length: int) -> int:
        enters = self.head.enters if self.head else 0
        return time(self.level.supply, enters + self.level.of_roots(length))

    @cached_property
    def most(self) -> int | None:
        """The longest time from the first stage to the end."""
        found = []
        if self.head:
            found.append(least_fixed(self._needed, 1, self.level.budget))
        if self.anyhow:
            found.append(self.level.window())
        return min((length for length in found if length is not None), default=None)

    @cached_property
    def phases(self) -> Phases | None:
        """All phases of what arrives with the first stage."""
        if self.head is None or not self.head.stream.bounded:
            return None
        return piece_phases(self.level, self.head)
