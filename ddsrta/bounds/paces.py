"""How far apart the events of a base are due (definition pace, lemma token-buckets)."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

from ddsrta.bounds.streams import Entry, Node
from ddsrta_kernel.problem import PERIODIC

NO_PACE, OF_SETS = 0, -1
PACE = 5  # its place in the row of a node


class Paces(NamedTuple):
    """Whether bases have a pace, and also bursts, curves and what several bring."""

    used: bool
    by_buckets: bool


def source_pace(row: Sequence[int], paces: Paces) -> int:
    """The pace of a source, by the row of its node.

    >>> source_pace((PERIODIC, 10, 4), Paces(True, False))
    10
    """
    kind, period, repeat = row[:3]
    if kind != PERIODIC:
        return period // repeat if paces.used and paces.by_buckets else NO_PACE
    return period if paces.used else NO_PACE


def junction_pace(node: Node, rows: Sequence[Sequence[int]], paces: Paces) -> int:
    """The pace of a junction, by the rows of the nodes before it."""
    if not paces.used:
        return NO_PACE
    if node.sets:
        return OF_SETS  # what a set allows for counts from the event itself (lemma set-curves)
    apart = [(_apart(entry, rows[entry.node][PACE]), entry.multiplicity) for entry in node.entries]
    may_have = node.takes_each or (paces.by_buckets and node.in_order)
    if not may_have or any(pace <= 0 for pace, _ in apart):
        return NO_PACE
    if node.activation == "or":
        whole = lcm(*(pace for pace, _ in apart))
        return whole // sum(whole // pace * times for pace, times in apart)
    return min(pace // times for pace, times in apart)


def _apart(entry: Entry, pace: int) -> int:
    """How far apart what comes by an entry is due."""
    return pace * entry.part.of if entry.part and entry.part.most == 1 else pace
