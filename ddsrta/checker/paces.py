"""How far apart events are due, and how much sooner they may come (definition pace, lemma
token-buckets): derived from least distances, and from what enters a junction."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import TYPE_CHECKING

from ddsrta.checker.arrivals import Source

if TYPE_CHECKING:
    from ddsrta.checker.curves import Feed

Pace = tuple[int, int]  # between events, and how much sooner one may come
NO_PACE = 0, 0


def pace_of(source: Source) -> Pace:
    """Of a source.

    >>> pace_of(Source("burst", 10, apart=1, many=3))
    (3, 4)
    """
    if source.kind in ("periodic", "sporadic"):
        return source.period, source.jitter
    events, period = source.rate
    apart = period // events
    turn = len(source.distances) + events  # what is further away recurs
    return apart, max(n * apart - source.least(n + 1) for n in range(turn))


def common_pace(feeds: Sequence[Feed], joins: bool) -> Pace:
    """Of a junction, where all that enters it has one: each brings so many every so often, and all
    of them at once to begin with."""
    if any(one.paced is None or one.pace <= 0 for one in feeds):
        return NO_PACE
    early = [max(0, one.base.late + (one.paced or 0)) for one in feeds]
    if joins:
        apart = min(one.pace // one.times for one in feeds)
        sooner = zip(feeds, early, strict=True)
        return apart, max(late + (one.times - 1) * apart for one, late in sooner)
    all_of_them = lcm(*(one.pace for one in feeds))
    apart = all_of_them // sum(all_of_them // one.pace * one.times for one in feeds)
    late = (sum(one.times for one in feeds) - 1) * apart
    for one, sooner_by in zip(feeds, early, strict=True):
        late += -(-sooner_by * one.times * apart // one.pace)
    return apart, late
