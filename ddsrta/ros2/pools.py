"""Pools: the callbacks of an executor whose threads are on several cores (lemma pool-window)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ddsrta.policies.relation import Delay, Relation, span
from ddsrta.ros2.kind import Turn
from ddsrta.ros2.one_by_one import Whichever
from ddsrta_simulator.orders import POOL


class Pool(Whichever):
    """Several threads, each of which takes one at a time."""

    takes = "in several threads, one at a time in each"
    window = "pool"
    serves = POOL

    def relate(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        """Not by turns: see below."""
        raise AssertionError("a pool is related by its groups")


def relate(
    guests: int, groups: Sequence[str | None], inline: Sequence[bool] = ()
) -> list[list[Relation]]:
    """Relations of the callbacks of a pool, given their groups (None: reentrant), those of one side
    by side, which come behind so many `guests`, the more urgent units of its cores: those of its
    own group exclude a callback, all others share the threads with it. An `inline` one is what its
    thread goes on with: it waits for none of them (lemma inline-in-pools).

    >>> relate(1, ["a", "a", None])[0]
    [Relation(kind=0, first=0, last=1), Relation(kind=2, first=1, last=2), \
Relation(kind=1, first=2, last=3), Relation(kind=9, first=3, last=4)]
    """
    spans = []
    last = guests
    for group, members in groupby(groups):
        first, last = last, last + len(list(members))
        spans.append((group, first, last))
    found = []
    for own, group in enumerate(groups, guests):
        relations = span(Delay.PREEMPTS, 0, guests)
        goes_on = inline and inline[own - guests]
        for other, first, last in () if goes_on else spans:
            if other is None:
                relations += span(Delay.OVERLAPS, first, last)
            elif other != group:
                relations += span(Delay.SHARES, first, last)
            else:
                relations += span(Delay.OVERTAKES, first, own)
                relations += span(Delay.AHEAD, own, own + 1)
                relations += span(Delay.OVERTAKES, own + 1, last)
        found.append(relations)
    return found
