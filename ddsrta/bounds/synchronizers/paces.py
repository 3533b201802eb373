"""How often sources release, from their least distances."""

from __future__ import annotations

from fractions import Fraction

from ddsrta.models.arrivals import Arrival, Curve, Periodic, Sporadic


def events(base: Arrival, window: int) -> int:
    """The most releases in a window: the largest q with δ⁻(q) < window.

    >>> events(Periodic(10), 21)
    3
    """
    if window <= 0:
        return 0
    high = 1
    while base.least_distance(high + 1) < window:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if base.least_distance(middle) < window:
            low = middle
        else:
            high = middle
    return high if base.least_distance(high) < window else low


def mean_distance(base: Arrival) -> Fraction:
    """The time for one release in the long run, at the least.

    >>> from ddsrta.models.arrivals import Burst
    >>> mean_distance(Burst(3, 1, 100))
    Fraction(100, 3)
    """
    if isinstance(base, Periodic):
        return Fraction(base.period)
    if isinstance(base, Sporadic):
        return Fraction(base.distance)
    if isinstance(base, Curve):
        return Fraction(base.period, base.repeat)
    return Fraction(base.period, base.count)
