"""Request-bound functions: the execution time that may be asked for in a window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddsrta.papers.ros2.arrivals import ArrivalCurve, rising
from ddsrta.papers.ros2.costs import Cost


@dataclass(frozen=True, slots=True)
class Demand:
    """rbf(Δ) of one callback or of one chain: the cost of η(Δ) activations.

    >>> from ddsrta.models.arrivals import Periodic
    >>> from ddsrta.papers.ros2 import Constant, Stream
    >>> Demand(Stream(Periodic(10)), Constant(3)).of(11)
    6
    """

    arrival: ArrivalCurve
    cost: Cost

    def of(self, window: int) -> int:
        """rbf(Δ)."""
        return self.cost.of(self.arrival.events(window))

    def least(self, window: int) -> int:
        """The least cost of one activation in the window."""
        return self.cost.least(self.arrival.events(window))

    def windows(self, longest: int) -> Iterator[int]:
        """Where rbf may rise."""
        return self.arrival.windows(longest)


@dataclass(frozen=True, slots=True)
class Total:
    """The demand of several callbacks or chains.

    >>> Total(()).of(100)
    0
    """

    parts: tuple[Demand, ...]

    def of(self, window: int) -> int:
        """The sum."""
        return sum(part.of(window) for part in self.parts)

    def windows(self, longest: int) -> Iterator[int]:
        """Wherever one of them may rise."""
        return rising([part.windows(longest) for part in self.parts])
