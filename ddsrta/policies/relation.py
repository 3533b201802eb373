"""What a policy is: an order of the stages of a thread and their relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from ddsrta_simulator.program import ANY, ARRIVAL, RESERVED, ROUNDS, TURNS, URGENCY

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
    "Policy",
    "Relation",
    "span",
]


class Relation(NamedTuple):
    """The stages numbered first … last - 1 stand in this relation to the one in question."""

    kind: int
    first: int
    last: int


class Policy(NamedTuple):
    """`relate` takes the priorities of a thread's stages, the most urgent first, and gives each its
    relations to the others, numbered from 0; `peers` is how other threads of the same priority on
    the core delay them. For the simulator: `serves` is the order in which the thread takes what
    waits, and stages of the same `rank` (of a topic's priority and the place of the stage in the
    file) share a queue."""

    relate: Callable[[Sequence[int]], list[list[Relation]]]
    peers: int
    serves: int
    rank: Callable[[int, int], int]


def span(kind: int, first: int, last: int) -> list[Relation]:
    """A relation, or none where the range is empty.

    >>> span(AHEAD, 2, 2)
    []
    """
    return [Relation(kind, first, last)] if first < last else []
