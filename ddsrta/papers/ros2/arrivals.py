"""Arrival curves as the papers use them: how many activations in a window, and where that rises.

`events(Δ)` is η(Δ), the most activations in any half-open window of length Δ; `windows(longest)`
yields every Δ ≤ longest with η(Δ - 1) < η(Δ), rising.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from typing import Protocol

from ddsrta.models.arrivals import Arrival
from ddsrta.papers.ros2.prefix import Prefix


class ArrivalCurve(Protocol):
    """Anything that bounds activations."""

    def events(self, window: int) -> int:
        """η(Δ)."""

    def windows(self, longest: int) -> Iterator[int]:
        """Where η rises."""


@dataclass(frozen=True, slots=True)
class Never:
    """No activation at all.

    >>> Never().events(1000), list(Never().windows(1000))
    (0, [])
    """

    def events(self, window: int) -> int:
        """None."""
        return 0

    def windows(self, longest: int) -> Iterator[int]:
        """Nowhere."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Stream:
    """The activations of an arrival model: η(Δ) = the largest q with δ⁻(q) < Δ.

    >>> from ddsrta.models.arrivals import Sporadic
    >>> stream = Stream(Sporadic(10, jitter=3))
    >>> [stream.events(window) for window in (0, 1, 7, 8)], list(stream.windows(30))
    ([0, 1, 1, 2], [1, 8, 18, 28])
    """

    arrival: Arrival | Prefix

    def events(self, window: int) -> int:
        """By doubling, then halving."""
        if window <= 0:
            return 0
        least, most = 1, 2
        while self.arrival.least_distance(most) < window:
            least, most = most, 2 * most
        while most - least > 1:
            middle = (least + most) // 2
            if self.arrival.least_distance(middle) < window:
                least = middle
            else:
                most = middle
        return least

    def windows(self, longest: int) -> Iterator[int]:
        """δ⁻(q) + 1 of the first q beyond each; those at the same distance are skipped at once."""
        window = 0
        while True:
            window = self.arrival.least_distance(self.events(window) + 1) + 1
            if window > longest:
                return
            yield window


@dataclass(frozen=True, slots=True)
class Sum:
    """Activations of several independent sources.

    >>> from ddsrta.models.arrivals import Periodic
    >>> both = Sum((Stream(Periodic(5)), Stream(Periodic(3))))
    >>> [both.events(window) for window in (1, 4, 6)], list(both.windows(7))
    ([2, 3, 4], [1, 4, 6, 7])
    """

    parts: tuple[ArrivalCurve, ...]

    def events(self, window: int) -> int:
        """All of them together."""
        return sum(part.events(window) for part in self.parts)

    def windows(self, longest: int) -> Iterator[int]:
        """Wherever one of them rises."""
        return rising(part.windows(longest) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Delayed:
    """What a predecessor of these activations and this response time sends on: η(Δ + R).

    >>> from ddsrta.models.arrivals import Periodic
    >>> late = Delayed(Stream(Periodic(10)), 4)
    >>> [late.events(window) for window in (0, 1, 6, 7)], list(late.windows(20))
    ([0, 1, 1, 2], [1, 7, 17])
    """

    source: ArrivalCurve
    response: int

    def __post_init__(self) -> None:
        if self.response < 0:
            raise ValueError("a response time must not be negative")

    def events(self, window: int) -> int:
        """Activations of a window that is longer by the response time."""
        return self.source.events(window + self.response) if window > 0 else 0

    def windows(self, longest: int) -> Iterator[int]:
        """Those of the source, earlier; all that fall below 1 are one."""
        early = (
            max(1, window - self.response)
            for window in self.source.windows(longest + self.response)
        )
        return rising([early])


def rising(streams: Iterable[Iterator[int]]) -> Iterator[int]:
    """Rising numbers of several streams merged, each once.

    >>> list(rising([iter([1, 4]), iter([1, 2])]))
    [1, 2, 4]
    """
    last: int | None = None
    for number in merge(*streams):
        if number != last:
            yield number
        last = number
