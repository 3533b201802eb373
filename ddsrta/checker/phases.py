"""Bounds of a group phase by phase: what shares its base comes in step with it (theory 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Base, Stream
from ddsrta.checker.levels import Level, least_fixed
from ddsrta.checker.relations import time

MOST_PHASES = 20_000
STORED = 20  # what a phase that is kept takes of the budget, so that memory is bounded


class Phase(NamedTuple):
    """The event of the base comes `shift` after the window opens, the group ends at `finish`."""

    shift: int
    finish: int


class Head(NamedTuple):
    """The first stage of a group: what it enters a window with, and what its units cost."""

    stream: Stream
    enters: int  # what was released at the opening, less what the last stage releases at its end
    cost: int  # of each unit up to ours, 0 where the head is no root
    later: int  # of each unit after ours
    effects: Callable[[], frozenset[int]]  # streams (by id) that come only after the group


def root_phases(level: Level, head: Head) -> tuple[Phase, ...] | None:
    """Every phase of a group that begins with a root; None where there are too many."""
    window = level.window()
    if window is None:
        return None
    return _phases(level, head, window - head.stream.best)


def piece_phases(level: Level, head: Head) -> tuple[Phase, ...] | None:
    """Every phase of a group whose window opens with the arrival at its head."""
    return _phases(level, head, EPSILON - head.stream.best)


def _phases(level: Level, head: Head, end: int) -> tuple[Phase, ...] | None:
    shifts = _shifts(level, head.stream, end)
    if shifts is None:
        return None
    phases = []
    for shift in shifts:
        level.budget.curve(STORED)
        finish = _finish(level, head, shift)
        if finish is None:
            return None
        phases.append(Phase(shift, finish))
    return tuple(phases)


def _shifts(level: Level, head: Stream, end: int) -> list[int] | None:
    """−before of the head, and where another event up to ours comes in, before `end`."""
    base, begin = head.base, -(head.before or 0)
    found = {begin}
    for stream in {head, *(one for one, _ in level.of_base(base))}:
        before = stream.before or 0
        shift = _next(base, begin, before)
        while shift < end:
            found.add(shift)
            if len(found) > MOST_PHASES:
                level.budget.cut_short("a group of many phases")
                return None
            shift = _next(base, shift, before)
    return sorted(found)


def _next(base: Base, shift: int, before: int) -> int:
    """The first phase after one in which one more event counts."""
    return base.least(base.most(shift + before + EPSILON) + 1) - before


def _finish(level: Level, head: Head, shift: int) -> int | None:
    base, first = head.stream.base, head.stream
    same = level.of_base(base)
    events = [base.most(shift + (one.before or 0) + EPSILON) for one, _ in same]
    units = first.times * base.most(shift + (first.before or 0) + EPSILON)
    own = head.enters + units * head.cost
    effects = head.effects() if any(one is not first for one, _ in same) else ()

    def later(stream: Stream, length: int) -> int:
        """The units after ours, as far as their events tell."""
        return stream.times * max(0, base.most(length - shift - stream.best) - 1)

    def needed(length: int) -> int:
        level.budget.curve(len(same))
        work = own + level.of_roots(length)
        for (one, cost), before in zip(same, events, strict=True):
            most = one.most(length)
            if one is first:
                work += max(0, min(most - units, later(one, length))) * head.later
                work -= most * cost
            else:
                # our own event's
                too_late = before > 0 and (length <= shift + one.best or id(one) in effects)
                some = one.times * (before - too_late) + later(one, length)
                work -= max(0, most - some) * cost
        return time(level.supply, work)

    return least_fixed(needed, 1, level.budget)
