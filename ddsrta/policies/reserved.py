"""PRIORITY_WITH_RESERVATION: writers that have some of their reservation left go first, the others
by priority; equally urgent ones in the order in which they were registered."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies.relation import (
    BLOCKS,
    LINGERS,
    OVERTAKES,
    RESERVED,
    Policy,
    Relation,
    span,
)


def relate(
    priorities: Sequence[int], reserved: Sequence[bool] | None = None
) -> list[list[Relation]]:
    """Samples that are no less urgent overtake; of the others those with a reservation linger.

    >>> [(r.kind == LINGERS, r.first) for r in relate([0, 1, 2], [False, True, False])[0]]
    [(True, 1), (False, 2)]
    """
    count = len(priorities)
    kept = reserved or [False] * count
    found: list[list[Relation]] = []
    for own, priority in enumerate(priorities):
        mine: list[Relation] = []
        for other in range(count):
            if other == own:
                continue
            above = priorities[other] <= priority
            kind = OVERTAKES if above else LINGERS if kept[other] else BLOCKS
            if mine and mine[-1].kind == kind and mine[-1].last == other:
                mine[-1] = mine[-1]._replace(last=other + 1)
            else:
                mine += span(kind, other, other + 1)
        found.append(mine)
    return found


def rank(priority: int, place: int) -> int:
    """A queue for each writer, the most urgent first, equals in the order of the file."""
    return (priority << 32) + place


POLICY = Policy(relate, peers=LINGERS, serves=RESERVED, rank=rank)
