"""Event curves of the published analysis: sums and maxima of shifted source curves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from ddsrta.base.frozen import frozen
from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic

MOST_TERMS = 4096  # a curve of more paths than this is not followed: it counts as unbounded
DEEPEST_JOIN = 64  # the same for AND activations of AND activations


def events(arrival: Arrival, window: int) -> int:
    """η: the most releases of a source in a half-open window, the largest q with δ⁻(q) < Δ.

    >>> [events(Periodic(10, jitter=3), window) for window in (0, 1, 7, 8)]
    [0, 1, 1, 2]
    """
    return count_of(arrival)(arrival, window)


def count_of(base: Arrival | Join) -> Callable[[Any, int], int]:
    """The function that says how many come: by the type itself, as it is asked for millions of
    windows."""
    return _COUNTS[type(base)]


def _periodic(arrival: Periodic, window: int) -> int:
    if window <= 0:
        return 0
    paced = -((-window - arrival.jitter) // arrival.period)
    apart = arrival.min_distance
    return min(paced, -(-window // apart)) if apart else paced


def _sporadic(arrival: Sporadic, window: int) -> int:
    if window <= 0:
        return 0
    return -((-window - arrival.jitter) // arrival.distance)


def _bursts(arrival: Burst, window: int) -> int:
    if window <= 0:
        return 0
    full, rest = divmod(window - 1, arrival.period)
    begun = rest // arrival.distance + 1 if arrival.distance else arrival.count
    return full * arrival.count + min(arrival.count, begun)


def _listed(arrival: Curve, window: int) -> int:
    if window <= 0:
        return 0
    turns = max(0, (window - 1 - arrival.distances[-1]) // arrival.period)
    window -= turns * arrival.period
    known = bisect_left(arrival.distances, window)
    return turns * arrival.repeat + known + _repeated(arrival, window)


def pace_of(base: Arrival | Join) -> tuple[int, int] | None:
    """Period and jitter, where these alone say how many come.

    >>> pace_of(Periodic(10, jitter=3)), pace_of(Burst(3, 1, 100))
    ((10, 3), None)
    """
    if isinstance(base, Periodic) and not base.min_distance:
        return base.period, base.jitter
    return (base.distance, base.jitter) if isinstance(base, Sporadic) else None


def _repeated(arrival: Curve, window: int) -> int:
    """Releases of the first turn after those that are listed."""
    listed = arrival.distances[-arrival.repeat :]
    return bisect_left(listed, window - arrival.period)


def rate(arrival: Arrival) -> Fraction:
    """Releases in a nanosecond in the long run.

    >>> rate(Burst(3, 1, 100))
    Fraction(3, 100)
    """
    match arrival:
        case Periodic():
            return Fraction(1, arrival.period)
        case Sporadic():
            return Fraction(1, arrival.distance)
        case Burst():
            return Fraction(arrival.count, arrival.period)
        case Curve():
            return Fraction(arrival.repeat, arrival.period)


@frozen
class Join:
    """The pointwise maximum of several curves: AND activation (Eq. 27)."""

    curves: tuple[EventCurve, ...]


def _joined(join: Join, window: int) -> int:
    return max([curve.events(window) for curve in join.curves])


_COUNTS: dict[type, Callable[[Any, int], int]] = {
    Periodic: _periodic,
    Sporadic: _sporadic,
    Burst: _bursts,
    Curve: _listed,
    Join: _joined,
}


@frozen
class Term:
    """`multiplicity` events for each one of the base in a window that is `shift` longer."""

    base: Arrival | Join
    multiplicity: int = 1
    shift: int = 0

    def events(self, window: int) -> int:
        """m · η(Δ + shift)."""
        return self.multiplicity * count_of(self.base)(self.base, window + self.shift)

    def next_step(self, offset: int) -> int:
        """The least A' > A at which the events in [0, A'] may be more than those in [0, A]."""
        offset += self.shift
        if isinstance(self.base, Join):
            return min(curve.next_step(offset) for curve in self.base.curves) - self.shift
        return self.base.least_distance(events(self.base, offset + 1) + 1) - self.shift

    def rate(self) -> Fraction:
        """Events in a nanosecond in the long run."""
        if isinstance(self.base, Join):
            return self.multiplicity * max(curve.rate() for curve in self.base.curves)
        return self.multiplicity * rate(self.base)


@frozen
class EventCurve:
    """A sum of terms; `weight` and `depth` say what an evaluation costs."""

    terms: tuple[Term, ...]
    weight: int = 1
    depth: int = 0

    def events(self, window: int) -> int:
        """η(Δ); nothing happens in no time."""
        return sum([term.events(window) for term in self.terms]) if window > 0 else 0

    def next_step(self, offset: int) -> int:
        """The next arrival after one at `offset`, or earlier."""
        return min([term.next_step(offset) for term in self.terms])

    def rate(self) -> Fraction:
        """Events in a nanosecond in the long run."""
        return sum((term.rate() for term in self.terms), Fraction(0))

    def through(self, jitter: int, count: int = 1) -> EventCurve:
        """count · η(Δ + jitter): the curve after a stage, Eqs. 24 and 25."""
        terms = tuple(Term(t.base, t.multiplicity * count, t.shift + jitter) for t in self.terms)
        return EventCurve(terms, self.weight, self.depth)


def source(arrival: Arrival) -> EventCurve:
    """The curve of a thread that is released by time."""
    return EventCurve((Term(arrival),))


def any_of(inputs: Iterable[EventCurve]) -> EventCurve | None:
    """The sum of curves, Eq. 26; None where it has too many terms to follow.

    >>> tick = source(Periodic(10))
    >>> any_of([tick, tick.through(5)]).events(6)
    3
    """
    curves = list(inputs)
    merged: dict[tuple[Arrival | Join, int], int] = {}
    for curve in curves:
        for term in curve.terms:
            key = (term.base, term.shift)
            merged[key] = merged.get(key, 0) + term.multiplicity
    terms = tuple(Term(base, count, shift) for (base, shift), count in merged.items())
    return _followed(terms, max((curve.depth for curve in curves), default=0))


def all_of(inputs: Iterable[EventCurve]) -> EventCurve | None:
    """The pointwise maximum of curves, Eq. 27; None where it is too deep to follow.

    A term below another of the same base everywhere is left out, which changes no value.

    >>> tick = source(Periodic(10))
    >>> all_of([tick, tick.through(5)]).events(6)
    2
    """
    curves = list(dict.fromkeys(inputs))
    single = [curve.terms[0] for curve in curves if len(curve.terms) == 1]
    kept = [
        curve
        for curve in curves
        if len(curve.terms) > 1 or not any(_below(curve.terms[0], other) for other in single)
    ]
    if len(kept) == 1:
        return kept[0]
    return _followed((Term(Join(tuple(kept))),), max(curve.depth for curve in kept) + 1)


def _below(term: Term, other: Term) -> bool:
    return (
        term != other
        and term.base == other.base
        and term.multiplicity <= other.multiplicity
        and term.shift <= other.shift
    )


def _followed(terms: tuple[Term, ...], depth: int) -> EventCurve | None:
    weight = sum(
        sum(curve.weight for curve in term.base.curves) if isinstance(term.base, Join) else 1
        for term in terms
    )
    too_much = weight > MOST_TERMS or depth > DEEPEST_JOIN
    return None if too_much else EventCurve(terms, weight, depth)
