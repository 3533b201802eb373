"""How often a source thread is released: arrival models and the least distances they allow.

An arrival model answers one question for the analysis, `least_distance(q)`: the least time between
the first and the q-th of q consecutive releases (the pseudo-inverse of the event curve η). Models
that also know that a release comes within some time of the one before it, and of the start, say so
in `largest_gap`; of the others nobody can bound how long their next release takes.
"""

from __future__ import annotations

from dataclasses import field
from itertools import pairwise
from typing import ClassVar

from ddsrta.base.frozen import frozen, part
from ddsrta.base.units import format_duration


@frozen
class Periodic:
    """Released every `period`, each release up to `jitter` late, never closer than `min_distance`.

    With an `offset`, release n = 0, 1, … is at t0 + offset + n·period, up to `jitter` late. t0 is
    the same for all threads of a machine that have an offset; without one the phase is unknown.
    `rounded`: the file says a rate, and this period is the next shorter whole number of ns.

    >>> [Periodic(10, jitter=13, min_distance=2).least_distance(q) for q in (1, 2, 3, 4)]
    [0, 2, 7, 17]
    """

    kind: ClassVar = "periodic"
    period: int
    jitter: int = 0
    min_distance: int = 0
    offset: int | None = part(default=None, sparse=True)
    rounded: bool = part(default=False, sparse=True)

    def __post_init__(self) -> None:
        if self.period <= 0:
            raise ValueError("the period must be positive")
        if self.jitter < 0 or self.min_distance < 0:
            raise ValueError("jitter and min_distance must not be negative")
        if self.min_distance > self.period:
            raise ValueError("min_distance must not exceed the period")
        if self.offset is not None and not 0 <= self.offset < self.period:
            raise ValueError("an offset is within the period: at least 0 and less than the period")

    def least_distance(self, count: int) -> int:
        """max(0, (q-1)·T - J, (q-1)·d)."""
        gaps = max(0, count - 1)
        return max(0, gaps * self.period - self.jitter, gaps * self.min_distance)

    @property
    def largest_gap(self) -> int | None:
        """Two neighbours are at most a period and a jitter apart."""
        return self.period + self.jitter


@frozen
class Sporadic:
    """Released at most once every `distance`, up to `jitter` late, and perhaps never.

    >>> Sporadic(10).least_distance(3)
    20
    """

    kind: ClassVar = "sporadic"
    distance: int
    jitter: int = 0
    gap: int | None = part(default=None, sparse=True)

    def __post_init__(self) -> None:
        if self.distance <= 0:
            raise ValueError("the distance of sporadic releases must be positive")
        if self.jitter < 0:
            raise ValueError("jitter must not be negative")
        _check_gap(self.gap, self.distance)

    def least_distance(self, count: int) -> int:
        """max(0, (q-1)·T - J)."""
        return max(0, max(0, count - 1) * self.distance - self.jitter)

    @property
    def largest_gap(self) -> int | None:
        """A sporadic source may stay silent, unless it is known not to."""
        return self.gap


@frozen
class Curve:
    """Explicit least distances of 1, 2, … n releases; the last `repeat` recur each `period`.

    Beyond the prefix δ⁻(q) = δ⁻(q - repeat) + period.

    >>> Curve((0, 1, 10), repeat=2, period=10).least_distance(5)
    20
    """

    kind: ClassVar = "curve"
    distances: tuple[int, ...]
    repeat: int
    period: int
    gap: int | None = None
    recorded: bool = field(default=False, compare=False)  # the least distances of some record

    def __post_init__(self) -> None:
        _check_distances(self.distances)
        if not 1 <= self.repeat <= len(self.distances):
            raise ValueError("a curve repeats at least one and at most all of its distances")
        if self.period <= 0:
            raise ValueError("a curve needs a positive period, or it would be unbounded")
        first_repeated = self.distances[len(self.distances) - self.repeat]
        if first_repeated + self.period < self.distances[-1]:
            raise ValueError("the period is shorter than the part of the curve that recurs with it")
        turn = first_repeated + self.period - self.distances[-1]
        _check_gap(self.gap, max(turn, *(b - a for a, b in pairwise((0, *self.distances)))))

    def least_distance(self, count: int) -> int:
        """The prefix, then its last `repeat` values shifted by whole periods."""
        index = max(1, count) - 1
        if index < len(self.distances):
            return self.distances[index]
        turns = -((len(self.distances) - 1 - index) // self.repeat)
        return self.distances[index - turns * self.repeat] + turns * self.period

    @property
    def largest_gap(self) -> int | None:
        """Least distances alone say nothing of it, nor does a record."""
        return self.gap


@frozen
class Burst:
    """Bursts of up to `count` releases, `distance` apart, that start at least a `period` apart.

    >>> [Burst(3, 1, 100).least_distance(q) for q in (1, 2, 3, 4)]
    [0, 1, 2, 100]
    """

    kind: ClassVar = "burst"
    count: int
    distance: int
    period: int
    gap: int | None = part(default=None, sparse=True)

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError("a burst has at least one release")
        if self.distance < 0 or self.period <= 0:
            raise ValueError("a burst needs a positive period and no negative distance")
        if self.count * self.distance > self.period:
            # else the last release of a burst and the first of the next would be closer
            raise ValueError("count · distance of a burst exceeds its period")
        _check_gap(self.gap, self.period - (self.count - 1) * self.distance)

    def least_distance(self, count: int) -> int:
        """Whole bursts first, then the rest of one."""
        bursts, rest = divmod(max(0, count - 1), self.count)
        return bursts * self.period + rest * self.distance

    @property
    def curve(self) -> Curve:
        """The same, distance by distance."""
        return Curve(tuple([i * self.distance for i in range(self.count)]), self.count, self.period)

    @property
    def largest_gap(self) -> int | None:
        """A burst may leave releases out, and may not come."""
        return self.gap


def _check_gap(gap: int | None, least: int) -> None:
    """A largest distance must leave room for the pause after the densest releases."""
    if gap is not None and gap < least:
        raise ValueError(
            "max_distance is too short: the next of the densest releases that are allowed is "
            f"{format_duration(least)} later"
        )


def _check_distances(distances: tuple[int, ...]) -> None:
    if not distances or distances[0] != 0:
        raise ValueError("a curve starts with 0 ms: the distance of one release to itself")
    if any(a > b for a, b in pairwise(distances)):
        raise ValueError("the distances of a curve must not decrease")


Arrival = Periodic | Sporadic | Burst | Curve


def superadditive(
    distances: tuple[int, ...], gap: int | None = None, recorded: bool = False
) -> Curve:
    """The curve of every stream whose any n neighbours keep these n distances.

    n releases span at least δ⁻(n), so k·(n-1) + r + 1 of them span at least k·δ⁻(n) + δ⁻(r+1):
    the whole list recurs with its own last distance as the period.

    >>> superadditive((0, 1, 10)).least_distance(5)
    20
    """
    if len(distances) < 2:
        raise ValueError("a curve without a period needs at least two distances")
    _check_distances(distances)
    if distances[-1] == 0:
        raise ValueError("the last distance of a curve without a period must be more than zero")
    return Curve(distances[:-1], len(distances) - 1, distances[-1], gap, recorded)
