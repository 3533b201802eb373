"""The Pareto front: candidates than which no other is at least as good in all goals, and better in
one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Losses = tuple[int, ...]  # goals, the smaller the better


class Entry(NamedTuple):
    """A candidate: its goals as losses, how many places it changes, and its number."""

    losses: Losses
    changes: int
    number: int


def dominates(one: Losses, other: Losses) -> bool:
    """Whether one is at least as good in all, and better in one.

    >>> dominates((1, 2), (1, 3)), dominates((1, 2), (2, 1)), dominates((1, 2), (1, 2))
    (True, False, False)
    """
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


class Front:
    """What nothing that was added is better than; of those alike in all goals, the one with the
    fewest changes, then the first.

    >>> front = Front()
    >>> [front.add(Entry(*each)) for each in (((3, 1), 0, 0), ((1, 3), 0, 1), ((3, 3), 0, 2))]
    [True, True, False]
    >>> front.add(Entry((1, 1), 5, 3)), front.add(Entry((1, 1), 2, 4)), front.entries
    (True, True, (Entry(losses=(1, 1), changes=2, number=4),))
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._kept: dict[Losses, Entry] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> bool:
        """Put it in, if it belongs there; whether it does."""
        known = self._kept.get(entry.losses)
        if known is not None:
            if (entry.changes, entry.number) >= (known.changes, known.number):
                return False
            self._kept[entry.losses] = entry
            return True
        if any(dominates(losses, entry.losses) for losses in self._kept):
            return False
        self._kept = {
            losses: each
            for losses, each in self._kept.items()
            if not dominates(entry.losses, losses)
        }
        self._kept[entry.losses] = entry
        return True

    @property
    def entries(self) -> tuple[Entry, ...]:
        """In the order of the goals."""
        return tuple(self._kept[losses] for losses in sorted(self._kept))
