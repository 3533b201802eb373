"""FIFO: whatever arrived no later is ahead. Every listener, and flow controllers that say so."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies.relation import AHEAD, ARRIVAL, OVERTAKES, Policy, Relation


def relate(priorities: Sequence[int]) -> list[list[Relation]]:
    """All stages of the thread are ahead of each other, by arrival.

    >>> relate([0, 0])[1]
    [Relation(kind=2, first=0, last=2)]
    """
    if len(priorities) == 1:
        return [[]]
    everyone = [Relation(AHEAD, 0, len(priorities))]
    return [everyone for _ in priorities]


POLICY = Policy(relate, peers=OVERTAKES, serves=ARRIVAL, rank=lambda priority, place: 0)
