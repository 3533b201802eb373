"""ROUND_ROBIN: a queue for each writer, one sample a turn; the cursor stays while idle."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies.relation import ALTERNATES, LINGERS, TURNS, Policy, Relation, span


def relate(priorities: Sequence[int]) -> list[list[Relation]]:
    """Every other queue gets at most one turn for each of one's own.

    >>> relate([0, 0, 0])[1]
    [Relation(kind=4, first=0, last=1), Relation(kind=4, first=2, last=3)]
    """
    count = len(priorities)
    return [span(ALTERNATES, 0, i) + span(ALTERNATES, i + 1, count) for i in range(count)]


POLICY = Policy(relate, peers=LINGERS, serves=TURNS, rank=lambda priority, place: place)
