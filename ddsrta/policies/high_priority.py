"""HIGH_PRIORITY: the most urgent topic first, equals by arrival; a sample in progress ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ddsrta.policies.relation import (
    AHEAD,
    BLOCKS,
    LINGERS,
    OVERTAKES,
    URGENCY,
    Policy,
    Relation,
    span,
)


def relate(priorities: Sequence[int]) -> list[list[Relation]]:
    """More urgent topics overtake, equal ones are ahead, less urgent ones block once.

    >>> [r.kind == OVERTAKES for r in relate([-1, 0])[1]]
    [True]
    """
    relations = []
    for priority in priorities:
        first, last = bisect_left(priorities, priority), bisect_right(priorities, priority)
        relations.append(
            span(OVERTAKES, 0, first)
            + (span(AHEAD, first, last) if last - first > 1 else [])
            + span(BLOCKS, last, len(priorities))
        )
    return relations


POLICY = Policy(relate, peers=LINGERS, serves=URGENCY, rank=lambda priority, place: priority)
