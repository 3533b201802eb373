"""Units of an own window that repeat what others before them took (lemma repeated-units)."""

from __future__ import annotations

from math import lcm
from typing import Protocol

from ddsrta.checker.budget import Budget
from ddsrta.checker.curves import Stream
from ddsrta.checker.related import Relations
from ddsrta.checker.stages import Stage
from ddsrta.checker.work import Sum


class Origin(Protocol):
    """Where what units take counts from."""

    @property
    def curve(self) -> object:
        """Of its events."""

    def left(self, unit: int) -> int:
        """The least time from the first of the units to this one."""


class Window(Protocol):
    """An own window of a stage."""

    stage: Stage
    stream: Stream
    relations: Relations
    sums: list[Sum]
    budget: Budget
    total: int
    rounds: int


def enough(window: Window, origin: Origin) -> int:
    """So many of the first units of an own window: none of the others takes longer than all of
    these, from such an origin."""
    total, stream = window.total, window.stream
    if not _is_plain(window):
        return total
    times, period = stream.times, stream.base.period
    whole = _whole(window, period * (total // times))
    count = times * (whole // period)
    if not whole or count >= total or not _is_served(window, whole, count):
        return total
    late = _late(stream, origin)
    first = times * max(0, -(-late // period))
    last = first + count
    if last >= total:
        return total
    repeats = (
        origin.left(unit) <= (-(-unit // times) - 1) * period - late
        for unit in range(first + 1, last + 1)
    )
    return last if all(repeats) else total


def _is_plain(window: Window) -> bool:
    """Whether only what preempts comes first, on a whole core, and its units come with a period."""
    given, stream = window.relations, window.stream
    others = given.alternates or given.precedes or given.moves or given.threads > 1
    alone = given.own is None and not others and not window.rounds
    return alone and stream.bounded and min(stream.base.period, window.stage.cost) > 0


def _whole(window: Window, most: int) -> int:
    """A multiple of all periods; 0 where there is none up to the most."""
    whole = window.stream.base.period
    for one in window.sums:
        window.budget.curve(one.looks)
        rates = one.rates()
        if rates is None:
            return 0
        for period, _ in rates:
            whole = lcm(whole, period)
            if whole > most:
                return 0
    return whole


def _is_served(window: Window, whole: int, count: int) -> bool:
    """Whether what comes in a whole period takes no longer, by each of the sums."""
    return all(
        count * one.own + sum(whole // period * work for period, work in one.rates() or ()) <= whole
        for one in window.sums
    )


def _late(stream: Stream, origin: Origin) -> int:
    """How much sooner than by the periods before it any event may leave the origin."""
    base, curve = stream.base, origin.curve
    if curve is stream:
        return base.offset + 1 + min(stream.early, stream.shift)
    return base.offset + 1 if curve is base else 0
