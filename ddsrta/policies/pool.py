"""A pool: the callbacks of an executor whose threads are on several cores (lemma pool-window)."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies.relation import AHEAD, LINGERS, PREEMPTS, SHARES, Relation, span


def relate(guests: int, groups: Sequence[str | None]) -> list[list[Relation]]:
    """Relations of the callbacks of a pool, given their groups (None: reentrant), which come behind
    so many `guests`, the more urgent units of its cores: those of its own group exclude a callback,
    all others share the threads with it.

    >>> relate(1, ["a", "a", None])[0]
    [Relation(kind=0, first=0, last=1), Relation(kind=2, first=1, last=2), \
Relation(kind=3, first=2, last=3), Relation(kind=7, first=3, last=4)]
    """
    found = []
    for own, group in enumerate(groups):
        relations = span(PREEMPTS, 0, guests)
        relations += span(AHEAD, guests + own, guests + own + 1)
        for other, its in enumerate(groups):
            if other != own:
                kind = LINGERS if group is not None and its == group else SHARES
                relations += span(kind, guests + other, guests + other + 1)
        found.append(relations)
    return found
