"""Bounds of a group phase by phase: what shares its base comes in step with it (lemma
phase-window)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.effects import Effects
from ddsrta.checker.in_step import Alike
from ddsrta.checker.levels import Level, least_fixed
from ddsrta.checker.members import time
from ddsrta.checker.reading import MOST
from ddsrta.checker.stages import Key

STORED = 20  # what is kept takes so much of the budget, so that memory is bounded


class Head(NamedTuple):
    """The first stage of a group: what it enters a window with, and what its units cost."""

    stream: Stream
    enters: int  # what was released at the opening, less what the last stage releases at its end
    cost: int  # of each unit up to ours, 0 where the head is no root
    later: int  # of each unit after ours
    last: Key  # of the group
    effects: Effects


class Phases:
    """All phases of a group: our event of the base comes some shift after the window opens.

    Phases in a row are looked at as one, which counts whatever any of them counts: the events up to
    ours of the last of them, the later ones of the first. Only where that is too much, one by one.
    """

    def __init__(self, level: Level, head: Head, shifts: Sequence[int]) -> None:
        self.level = level
        self.head = head
        self.shifts = shifts
        self.step = level.in_step(head.stream.base, head.effects)
        level.budget.curve(head.effects.words(head.stream.base))
        own = self.step.bits.get(id(head.stream))
        late, mine = self.step.mask & self._late(), 0 if own is None else 1 << own
        self.late = self.step.firsts(late)  # so many come only after the group
        self.own = None if own is None else self.step.place(own)
        self.left = self.step.mask & ~(late | mine)  # whatever was not looked at, as bits
        self.members: list[Alike] = []
        self.earliest: list[int] = []  # shifts from which members count
        self.once = [0]  # the work of one event of the first of them
        base = head.stream.base
        self.second = base.least(2) if base.most(EPSILON) else 0  # up to that there is one event
        self.finishes: dict[int, int | None] = {}

    def longest(self, origin: Stream, arrival: int) -> int | None:
        """The longest time from an origin to the end; the head gets it `arrival` later."""
        place = max(0, bisect_right(self.shifts, -arrival - origin.best) - 1)
        finish = self._finish(place)  # up to there the time counts from the same moment
        if finish is None:
            return None
        since = max(self.shifts[place] + origin.best, -arrival)
        return self._search(origin, arrival, finish - since, None)

    def end_within(self, origin: Stream, arrival: int, limit: int) -> bool:
        """Whether none takes longer than that."""
        longest = self._search(origin, arrival, limit, limit)
        return longest is not None and longest <= limit

    def _search(self, origin: Stream, arrival: int, found: int, limit: int | None) -> int | None:
        """The longest time, if it is above what was found; with a limit, the first above it."""
        place, size, shifts = 0, 1, self.shifts
        while place < len(shifts):
            last = min(place + size, len(shifts)) - 1
            since = max(shifts[place] + origin.best, -arrival)
            if self._are_done(place, last, found + since):
                place, size = last + 1, 2 * size
            elif place < last:
                size = (last - place + 1) // 2
            else:
                finish = self._finish(place)
                if finish is None:
                    return None
                found = max(found, finish - since)
                if limit is not None and found > limit:
                    return found
                place += 1
        return found

    def _are_done(self, first: int, last: int, length: int) -> bool:
        """Whether a window of such a length is enough for phases in a row."""
        if length <= 0 or length > MOST:
            return False
        begin, end = self.shifts[first], self.shifts[last]
        step = self.step
        if end + step.before < self.second and length - begin - step.best <= self.second:
            work = self._own(begin, end, length) + step.of_others(length)  # one event counts
            if (once := self._once(end)) is None:
                self._look(end)
                once = self.once[bisect_left(self.earliest, end + EPSILON)]
            work += once
            if time(self.level.supply, work) <= length:
                return True
        return self._needed(begin, end, length) <= length

    def _finish(self, place: int) -> int | None:
        """F of a phase, None where it is no number."""
        if place not in self.finishes:
            self.level.budget.curve(STORED)
            shift = self.shifts[place]
            self.finishes[place] = least_fixed(
                lambda length: self._needed(shift, shift, length), 1, self.level.budget
            )
        return self.finishes[place]

    def _needed(self, first: int, last: int, length: int) -> int:
        """How long all work takes that counts in a window, in any phase from one to another."""
        work = self._own(first, last, length) + self.step.of_others(length)
        if length - first - self.step.best > self.second:
            self._look(MOST)
            work += self._of(self.members, first, last, length, 0)
            work += self._of(self.effects, first, last, length, 1)
        elif (once := self._in_line(first, last, length)) is not None:
            work += once
        else:  # no later event brings anything
            self._look(last)
            few = self.members[: bisect_left(self.earliest, last + EPSILON)]
            work += self._of(few, first, last, length, 0)
            if last + self.step.before + EPSILON > self.second:
                work += self._of(self.effects, first, last, length, 1)
        return time(self.level.supply, work)

    def _once(self, last: int, after: int = 0) -> int | None:
        """The work of one event of all members that count in a phase up to one, but for the first
        so many, without a look at each; None where what comes after the group is not first."""
        if self.late is None:
            return None
        self.level.budget.curve()
        step, first = self.step, max(after, self.late)
        count = bisect_left(step.earliest, last + EPSILON)
        work = step.once[count] - step.once[first] if first < count else 0
        if self.own is not None and first <= self.own < count:
            work -= step.once[self.own + 1] - step.once[self.own]
        return work

    def _in_line(self, first: int, last: int, length: int) -> int | None:
        """The same where one event counts, and no unit that comes too late for the window; None
        where these are not the first."""
        bests = self.step.bests
        if bests is None or last + self.step.before + EPSILON > self.second:
            return None
        return self._once(last, bisect_right(bests, first - length))

    def _look(self, last: int) -> None:
        """Finds all members that count in a phase up to one, but for those that come only after the
        group."""
        step = self.step
        end = step.bit(bisect_left(step.earliest, last + EPSILON))
        while self.left and (low := self.left & -self.left).bit_length() <= end:
            one = step.alike[low.bit_length() - 1]
            less = one.mask & ~self.left
            self.left &= ~(one.mask or low)
            self.level.budget.curve(1 + less.bit_count())
            cost = one.cost - step.cost_of(less)
            self.members.append(one._replace(cost=cost) if less else one)
            self.earliest.append(-one.before)
            self.once.append(self.once[-1] + cost * one.stream.times)

    @cached_property
    def effects(self) -> list[Alike]:
        """The members that come only after the group."""
        found, late = [], self.step.mask & self._late()
        while late:
            low = late & -late
            one = self.step.alike[low.bit_length() - 1]
            some = late & (one.mask or low)
            late ^= some
            found.append(one._replace(cost=self.step.cost_of(some)) if one.mask else one)
        return found

    def _late(self) -> int:
        return self.head.effects.after(self.head.last, self.head.stream.base)

    def _own(self, first: int, last: int, length: int) -> int:
        """The work of the group's own root, if it has one, and what it enters the window with."""
        head = self.head
        if not head.cost:
            return head.enters
        stream, base = head.stream, head.stream.base
        units = stream.times * base.most(last + (stream.before or 0) + EPSILON)
        later = stream.times * max(0, base.most(length - first - stream.best) - 1)
        more = max(0, min(stream.most(length) - units, later))
        return head.enters + units * head.cost + more * head.later

    def _of(self, members: Sequence[Alike], first: int, last: int, length: int, less: int) -> int:
        """The work of some roots of the base; of events up to ours, so many fewer are in time."""
        self.level.budget.curve(1 + len(members))
        most, second, work = self.step.base.most, self.second, 0
        until, rest = last + EPSILON, length - first
        for stream, cost, before, least, _ in members:
            reach = until + before
            count = 0
            if reach > 0:
                count = 1 if reach <= second else most(reach)
                if count and (less or stream.best >= rest):  # our own event's come too late
                    count -= 1
            left = rest - stream.best
            if left > second:
                count += max(0, most(left) - 1)
            count *= stream.times
            if count > least:
                count = min(count, stream.most(length))
            work += count * cost
        return work


def root_phases(level: Level, head: Head) -> Phases | None:
    """Every phase of a group that begins with a root; None where there are too many."""
    window = level.window()
    if window is None:
        return None
    return _phases(level, head, window - head.stream.best)


def piece_phases(level: Level, head: Head) -> Phases | None:
    """Every phase of a group whose window opens with the arrival at its head."""
    return _phases(level, head, EPSILON - head.stream.best)


def _phases(level: Level, head: Head, end: int) -> Phases | None:
    shifts = level.in_step(head.stream.base, head.effects).shifts(head.stream, end)
    return None if shifts is None else Phases(level, head, shifts)
