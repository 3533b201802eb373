"""How far apart events are due, and how much sooner they may come (definition pace, lemma
token-buckets): derived from least distances, and from what enters a junction."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from ddsrta.checker.arrivals import Source

Pace = tuple[int, int]  # between events, and how much sooner one may come
NO_PACE = 0, 0


def pace_of(source: Source) -> Pace:
    """Of a burst or a curve.

    >>> pace_of(Source("burst", 10, apart=1, many=3))
    (3, 4)
    """
    events, period = source.rate
    apart = period // events
    turn = len(source.distances) + events  # what is further away recurs
    return apart, max(n * apart - source.least(n + 1) for n in range(turn))


def common_pace(entering: Sequence[tuple[int, int, int]], joins: bool) -> Pace:
    """Of a junction, where all that enters it has one: how far apart events are due there, how many
    units each brings, and how late. Each brings so many every so often, and all of them at once to
    begin with.

    >>> common_pace([(10, 1, 18), (10, 1, 4)], joins=False)
    (5, 16)
    """
    if any(every <= 0 for every, _, _ in entering):
        return NO_PACE
    if joins:
        apart = min(every // times for every, times, _ in entering)
        return apart, max(max(0, late) + (times - 1) * apart for _, times, late in entering)
    whole = lcm(*(every for every, _, _ in entering))
    apart = whole // sum(whole // every * times for every, times, _ in entering)
    found = (sum(times for _, times, _ in entering) - 1) * apart
    for every, times, late in entering:
        found += -(-max(0, late) * times * apart // every)
    return apart, found
