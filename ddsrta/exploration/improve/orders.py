"""Orders of what competes by priority: strict ones, and those in which some are alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, factorial

from ddsrta.exploration.improve.ranks import Group, Member, Ranking, alone

Order = tuple[Group, ...]  # from the least urgent group on


def strict_orders(members: Sequence[Member]) -> Iterator[Order]:
    """All in which no two are alike."""
    return map(alone, permutations(members))


def all_orders(members: Sequence[Member]) -> Iterator[Order]:
    """Those as well in which some are alike.

    >>> a, b = Member(("threads", "a", "priority"), 1), Member(("threads", "b", "priority"), 2)
    >>> [[len(group) for group in order] for order in all_orders([a, b])]
    [[1, 1], [1, 1], [2]]
    """
    if not members:
        yield ()
    for size in range(1, len(members) + 1):
        for group in combinations(members, size):
            rest = [member for member in members if member not in group]
            yield from ((group, *order) for order in all_orders(rest))


def orders(ranking: Ranking, strict: bool) -> Iterator[Order]:
    """Of a ranking; ties only where it has some."""
    if strict or ranking.is_strict:
        return strict_orders(ranking.order)
    return all_orders(ranking.order)


def count(ranking: Ranking, strict: bool) -> int:
    """How many these are."""
    size = len(ranking.members)
    return factorial(size) if strict or ranking.is_strict else _with_ties(size)


def _with_ties(size: int) -> int:
    """The ordered Bell number: which are the least urgent ones, and how the rest is ordered.

    >>> [_with_ties(size) for size in range(7)]
    [1, 1, 3, 13, 75, 541, 4683]
    """
    known = [1]
    for n in range(1, size + 1):
        known.append(sum(comb(n, least) * known[n - least] for least in range(1, n + 1)))
    return known[size]
