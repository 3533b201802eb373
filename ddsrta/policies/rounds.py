"""Rounds: what a single-threaded executor of ROS 2 does (lemma round-turns).

It asks what is ready when all that it had found is done, and then serves one message of each
entity: the kinds in a fixed order, those of one kind in an order that may be unknown. Who is served
q times shares q rounds, and the rest of the one in progress when its first message comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ddsrta.policies.relation import ALTERNATES, LINGERS, PRECEDES, Relation, span

ANYWHERE = -1  # the turn of what may be looked at before and after everything


class Turn(NamedTuple):
    """When a callback is looked at in a round; an inline one runs in the turn of another, perhaps
    `often` in one round. A timer may wait for a thread that watches it."""

    turn: int
    inline: bool = False
    often: bool = False
    timer: bool = False


def relate(turns: Sequence[Turn], registered: bool) -> list[list[Relation]]:
    """Relations among callbacks that are sorted by their turns. Whatever may come earlier in a
    round is served once more than what comes later.

    >>> relate([Turn(0), Turn(1), Turn(2)], False)[1]
    [Relation(kind=6, first=0, last=1), Relation(kind=4, first=2, last=3)]
    """
    count = len(turns)
    found: list[list[Relation]] = []
    for i, each in enumerate(turns):
        if each.inline:  # nothing comes between it and what releases it
            found.append([])
            continue
        end = i + 1
        if not registered:
            end = next((k for k in range(i, count) if turns[k].turn > each.turn), count)
        if each.turn == ANYWHERE:
            end = count
        relations = span(PRECEDES, 0, i) + span(PRECEDES, i + 1, end) + span(ALTERNATES, end, count)
        found.append(_without_often(relations, turns))
    return found


def _without_often(relations: list[Relation], turns: Sequence[Turn]) -> list[Relation]:
    """What may run several times in a round is not counted by rounds."""
    if not any(turn.often for turn in turns):
        return relations
    found: list[Relation] = []
    for kind, first, last, *_ in relations:
        for k in range(first, last):
            found += span(LINGERS if turns[k].often else kind, k, k + 1)
    return found
