"""How far one thread of SCHED_OTHER may be ahead of another (definition virtual-time, lemma
fair-share)."""

from __future__ import annotations

from functools import lru_cache

UNIT = 1024  # times the weight, of a nanosecond: the virtual time of the kernel
MOST_THREADS = 16  # on a core
MOST_APART = 100  # the least weight of three or more, in all of them

Gaps = tuple[tuple[int, ...], ...]


def grain(slice_: int, tick: int) -> int:
    """The most that a thread runs before another is chosen, and that its lag may be."""
    return max(2 * slice_, slice_ + tick)


@lru_cache(maxsize=64)
def gaps(weights: tuple[int, ...], most: int) -> Gaps | None:
    """By how much virtual time the first of two may be ahead of the second, while both are there:
    the least that satisfies all inequalities. None where that takes too long to find.

    >>> gaps((1024, 1024), 5)
    ((0, 15), (15, 0))
    >>> gaps((1024,) * 3, 5)
    ((0, 20, 20), (20, 0, 20), (20, 20, 0))
    """
    threads = range(len(weights))
    few = len(weights) < 3 or sum(weights) <= MOST_APART * min(weights)
    if len(weights) > MOST_THREADS or not few:
        return None
    lag = [-(-most * UNIT // weight) for weight in weights]
    found = [[0] * len(weights) for _ in threads]
    pairs = [(a, b) for a in threads for b in threads if a != b]
    changed = bool(pairs)
    while changed:
        changed = False
        for a, b in pairs:
            rest = [c for c in threads if c not in (a, b)]
            low = [(found[c][b], weights[c]) for c in rest]
            high = [(found[a][c], weights[c]) for c in rest]
            joins = lag[a] + _mean(most * UNIT, weights[b], low)
            joined = lag[b] + _mean(2 * most * UNIT, weights[a], high)
            if max(joins, joined) > found[a][b]:
                found[a][b] = max(joins, joined)
                changed = True
    return tuple(map(tuple, found))


def _mean(work: int, weight: int, others: list[tuple[int, int]]) -> int:
    """The most that work may be of the weight of one and of any others, each with its part."""
    for part, more in sorted(others, reverse=True):
        if part * weight <= work:
            break
        work += part * more
        weight += more
    return -(-work // weight)


def presence(own: int, other: int, gap: int, slice_: int, tick: int) -> int:
    """What another has beside its share, of each time that it is there: by the weights of both.

    >>> presence(1024, 1024, 15, 3, 2)
    23
    """
    return -(-other * gap // UNIT) + -(-other * slice_ // own) + slice_ + tick
