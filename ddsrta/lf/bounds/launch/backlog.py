"""Work left over from earlier tags when a tag may start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import NamedTuple

_MOST_STEPS = 1000
_SCALE = 1 << 64


class Load(NamedTuple):
    """Work that comes `nearest` before a tag at the latest, and each `period` before that; below 0
    it starts later than the tag may."""

    cost: int
    period: int | None
    nearest: int


def rate(loads: Iterable[Load]) -> Fraction:
    """The part of all time that the loads need.

    >>> rate([Load(4, 10, 10), Load(3, 20, 1), Load(7, None, 0)])
    Fraction(11, 20)
    """
    return sum((Fraction(load.cost, load.period) for load in loads if load.period), Fraction(0))


def backlog(loads: Sequence[Load], needed: Fraction | None = None) -> int:
    """The most work that can be left: the largest of work in the last Δ less Δ, over all Δ.

    `needed` is the rate of the loads, or more; it must not be above 1.

    >>> backlog([Load(4, 10, 10)]), backlog([Load(4, 10, 10), Load(3, 20, 1)])
    (0, 2)
    """
    needed = rate(loads) if needed is None else needed
    assert needed <= 1
    spare = int((1 - needed) * _SCALE)  # rounded down: the search is longer, never shorter
    everything = sum(load.cost for load in loads)
    steps = [(load.nearest, index) for index, load in enumerate(loads)]
    heapify(steps)
    most = work = 0
    last = _last(everything, most, spare)
    for _ in range(_MOST_STEPS):
        if not steps:
            return most
        time, index = heappop(steps)
        if last is not None and time >= last:
            return most
        load = loads[index]
        work += load.cost
        if work - time > most:
            most = work - time
            last = _last(everything, most, spare)
        if load.period:
            heappush(steps, (time + load.period, index))
    return everything


def _last(everything: int, most: int, spare: int) -> int | None:
    """From here on nothing is above `most`: at most everything + needed · Δ has come in Δ."""
    if everything <= most:
        return 0
    return None if not spare else -(-(everything - most) * _SCALE // spare)
