"""How long one event keeps each stage busy, if it is alone (lemma event-alone)."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from ddsrta.bounds.event_alone.order import Order, TooManyError
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import MOST_ALONE, MOST_PARTS

NOT_TOLD = -1


class Span(NamedTuple):
    """The longest time from a moment to the end of a node's units, as a sum: its first window opens
    `begun` after that moment, when units of `opener` have come, and `parts` run from there on."""

    begun: int
    opener: int
    parts: tuple[tuple[int, int], ...]


class Spans:
    """The spans of all nodes from the arrival of one event's only unit at an anchor: the source, or
    a node that it comes to within what is known since then."""

    def __init__(
        self, order: Order, anchor: int, solver: Solver, since: Spans | None = None
    ) -> None:
        self.order, self.anchor, self.solver = order, anchor, solver
        self.row = array("q", [UNBOUNDED]) * (2 * MOST_ALONE)
        for one, time in enumerate(since.row[:MOST_ALONE] if since else ()):
            if time < UNBOUNDED:
                self.row[one] = max(0, time - order.nodes[anchor].best)
        self.known = self.row[:]
        if solver.alone(order.words, anchor, self.row, NOT_TOLD, array("q", [0])) < 0:
            raise TooManyError

    def length(self, one: int) -> int:
        """How long after that moment the units of a node are done."""
        return self.row[MOST_ALONE + one]

    @property
    def longest(self) -> int:
        """The same of all."""
        return max(map(self.length, range(len(self.order.nodes))))

    def span(self, one: int) -> Span:
        """What that is made of."""
        told = array("q", bytes(16 * MOST_PARTS))
        count = self.solver.alone(self.order.words, self.anchor, self.known[:], one, told)
        parts = zip(told[2 : 2 + 2 * count : 2], told[3 : 3 + 2 * count : 2], strict=True)
        return Span(told[0], told[1], tuple(parts))
