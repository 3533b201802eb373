"""How far apart the events of a junction are due (definition pace, lemma token-buckets)."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from ddsrta.bounds.streams import Entry, Node

NO_PACE, OF_SETS = 0, -1
PACE = 5  # its place in the row of a node


def junction_pace(node: Node, rows: Sequence[Sequence[int]], by_buckets: bool) -> int:
    """The pace of a junction, by the rows of the nodes before it; by token buckets also where its
    events do not take one of each input.

    >>> either = Node(None, "or", [Entry(0, 1), Entry(1, 1)])
    >>> junction_pace(either, [(0, 10, 0, 0, 0, 10), (0, 20, 0, 0, 0, 20)], by_buckets=True)
    6
    """
    if node.sets:
        return OF_SETS  # what a set allows for counts from the event itself (lemma set-curves)
    apart = [(_apart(entry, rows[entry.node][PACE]), entry.multiplicity) for entry in node.entries]
    may_have = node.takes_each or (by_buckets and node.in_order)
    if not may_have or any(pace <= 0 for pace, _ in apart):
        return NO_PACE
    if node.activation == "or":
        whole = lcm(*(pace for pace, _ in apart))
        return whole // sum(whole // pace * times for pace, times in apart)
    return min(pace // times for pace, times in apart)


def _apart(entry: Entry, pace: int) -> int:
    """How far apart what comes by an entry is due."""
    return pace * entry.part.of if entry.part and entry.part.most == 1 else pace
