"""Fixed points of monotone demand, searched up to an explicit horizon and in bounded steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ddsrta.bounds.unbounded import GIVEN_UP, NOT_SERVED
from ddsrta.papers.ros2.supplies import Supply


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far to look: windows up to `longest`, and at most `steps` evaluations of a demand."""

    longest: int
    steps: int = 200_000

    def __post_init__(self) -> None:
        if self.longest <= 0 or self.steps <= 0:
            raise ValueError("a horizon needs a positive length and positive steps")


@dataclass(frozen=True, slots=True)
class Unbounded:
    """No bound was found, and why: never to be read as a large number."""

    reason: str

    def __str__(self) -> str:
        return f"unbounded, because {self.reason}"


Bound = int | Unbounded


@dataclass(slots=True)
class Search:
    """One analysis: its supply, its horizon, and the evaluations that are left."""

    supply: Supply
    horizon: Horizon
    _left: int = field(init=False)

    def __post_init__(self) -> None:
        self._left = self.horizon.steps

    def least(self, demand: Callable[[int], int], offset: int = 0) -> Bound:
        """The least R with sbf(A + R) ≥ demand(R), for an offset A in the busy window.

        >>> from ddsrta.papers.ros2.supplies import Dedicated
        >>> search = Search(Dedicated(), Horizon(100))
        >>> search.least(lambda window: 3 + 2 * -(-window // 10))
        5
        >>> print(str(search.least(lambda window: window + 1)).partition(";")[0])
        unbounded, because the demand is not served within 100 ns
        """
        response = 1
        while response <= self.horizon.longest:
            if not self._step():
                return self._exhausted()
            needed = max(0, self.supply.time(demand(response)) - offset)
            if needed <= response:
                return needed
            response = needed
        return Unbounded(NOT_SERVED.of(longest=self.horizon.longest))

    def largest(self, offsets: Iterator[int], response: Callable[[int], Bound]) -> Bound:
        """The largest response over a search space of offsets; 0 where there is none."""
        worst = 0
        for offset in offsets:
            if not self._step():
                return self._exhausted()
            found = response(offset)
            if isinstance(found, Unbounded):
                return found
            worst = max(worst, found)
        return worst

    def _step(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def _exhausted(self) -> Unbounded:
        return Unbounded(GIVEN_UP.of(steps=self.horizon.steps))
