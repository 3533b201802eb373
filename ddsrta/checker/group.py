"""When a group ends, looked at only as far as somebody asks (lemmas group-window and
phase-window)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property, partial

from ddsrta.checker.curves import Stream
from ddsrta.checker.levels import Level, least_fixed
from ddsrta.checker.members import time
from ddsrta.checker.phases import STORED, Head, Phases, piece_phases, root_phases
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import Key

_MOST_UNITS = 20_000
_LOOKS = 4  # curves that are evaluated for each unit


class Group:
    """Stages of one path in one level; the bounds of it count from an origin of the stream."""

    def __init__(self, first: Key, level: Level) -> None:
        self.first = first
        self.level = level
        self.found: dict[tuple[Stream, int], int | None] = {}

    def since(self, origin: Stream, arrival: int) -> int | None:
        """The least bound, if there is one; the first stage gets it `arrival` later."""
        asked = origin, arrival
        if asked not in self.found:
            self.found[asked] = self._since(*asked)
        return self.found[asked]

    def _since(self, origin: Stream, arrival: int) -> int | None:
        longest = self._longest(origin, arrival)
        by_phase = self.phases.longest(origin, arrival) if self.phases else None
        return min((bound for bound in (longest, by_phase) if bound is not None), default=None)

    def fits(self, origin: Stream, arrival: int, limit: int) -> bool:
        """Whether all that the group may do fits within a limit, or all up to each of its units
        into the time that it has: so no bound is looked for."""
        left = limit - arrival
        if 0 < left <= MOST and self._is_done(left):
            return True
        return self._units_end(origin, arrival, limit)

    def ends_within(self, origin: Stream, arrival: int, limit: int) -> bool:
        """Whether a bound is within a limit."""
        longest = self._longest(origin, arrival)
        if longest is not None and longest <= limit:
            return True
        return self.phases is not None and self.phases.end_within(origin, arrival, limit)

    @abstractmethod
    def _longest(self, origin: Stream, arrival: int) -> int | None:
        """The bound whatever the phase, if there is one."""

    def _units_end(self, origin: Stream, arrival: int, limit: int) -> bool:
        """Whether all up to each unit of a window fits into its time; false where none is one."""
        return False

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
        ratio = self._ratio(origin)
        return arrival + max(end - origin.least(-(-unit // ratio)) for unit, end in self.units)

    def _is_done(self, length: int) -> bool:
        return self.level.is_done(length)

    @cached_property
    def units(self) -> tuple[tuple[int, int], ...] | None:
        """All units q in a window, with their F(q)."""
        window, finish = self.level.window(), 0
        if window is None:
            return None
        units: list[tuple[int, int]] = []
        for unit in self._in(window):
            self.level.budget.curve(STORED)
            found = least_fixed(partial(self._needed, unit), finish, self.level.budget)
            if found is None or len(units) >= _MOST_UNITS:
                self._cut(len(units))
                return None
            finish = found
            units.append((unit, finish))
        return tuple(units)

    def _units_end(self, origin: Stream, arrival: int, limit: int) -> bool:
        window = self.level.window()
        return window is not None and self._end_in(window, origin, arrival, limit)

    def _end_in(self, window: int, origin: Stream, arrival: int, limit: int) -> bool:
        ratio = self._ratio(origin)
        for number, unit in enumerate(self._in(window)):
            length = limit - arrival + origin.least(-(-unit // ratio))
            if not 0 < length <= MOST or self._needed(unit, length) > length:
                return False
            if number >= _MOST_UNITS:
                self._cut(number)
                return False
        return True

    def _cut(self, count: int) -> None:
        if count >= _MOST_UNITS:
            self.level.budget.cut_short("a window of many units")

    def _in(self, window: int) -> Iterator[int]:
        """The last of those units that are as early as each other, in a window."""
        stream, unit = self.head.stream, 0
        while stream.least(unit + 1) < window:
            self.level.budget.curve(_LOOKS)
            unit += stream.bunch
            yield unit

    def _needed(self, unit: int, length: int) -> int:
        """How long all takes until so many units have ended, in a window of such a length."""
        head, count = self.head, self.head.stream.most(length)
        own = head.enters + unit * head.cost + max(0, count - unit) * head.later
        return time(self.level.supply, own + self.level.of_roots(length) - count * head.cost)

    def _ratio(self, origin: Stream) -> int:
        return max(1, self.head.stream.times // origin.times)

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
