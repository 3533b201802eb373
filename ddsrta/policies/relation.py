"""Relations: how the units of one stage delay those of another."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    LINGERS,
    OVERTAKES,
    PRECEDES,
    PREEMPTS,
    SHARES,
)
from ddsrta_simulator.orders import ANY, ARRIVAL, RESERVED, ROUNDS, TURNS, URGENCY

__all__ = [
    "AHEAD",
    "ALTERNATES",
    "ANY",
    "ARRIVAL",
    "BLOCKS",
    "LINGERS",
    "OVERTAKES",
    "PRECEDES",
    "PREEMPTS",
    "RESERVED",
    "ROUNDS",
    "SHARES",
    "TURNS",
    "URGENCY",
    "Relation",
    "span",
]


class Relation(NamedTuple):
    """The stages numbered first … last - 1 stand in this relation to the one in question."""

    kind: int
    first: int
    last: int


def span(kind: int, first: int, last: int) -> list[Relation]:
    """A relation, or none where the range is empty.

    >>> span(AHEAD, 2, 2)
    []
    """
    return [Relation(kind, first, last)] if first < last else []
