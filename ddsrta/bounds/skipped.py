"""What timers release that may leave releases out (lemma timer-skips)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.models.arrivals import Arrival, Sporadic


@frozen
class Skipping(Sporadic):
    """A periodic timer that may leave releases out: no denser than without that.

    >>> Skipping(10, gap=30, min_distance=2).least_distance(2)
    10
    """

    min_distance: int = 0
    offset: int | None = None

    def least_distance(self, count: int) -> int:
        """That of the timer."""
        gaps = max(0, count - 1)
        return max(0, gaps * self.distance - self.jitter, gaps * self.min_distance)


class Skip(NamedTuple):
    """How long after its time the call of a timer may come (None: at any time), and what it
    releases at the least."""

    late: int | None
    arrival: Arrival


Skips = Mapping[str, Skip]
