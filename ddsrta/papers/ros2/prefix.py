"""An arrival curve known for a few activations, continued by the best split of every larger number.

Where `models.arrivals.superadditive` repeats the whole prefix, this uses the closure
δ⁻(n) = max over a + b = n + 1 of δ⁻(a) + δ⁻(b): any n activations are a of them and b of them with
one in common. Both are valid; this one is never denser.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass(frozen=True)
class Prefix:
    """Least distances of 1, 2, … activations.

    >>> curve = Prefix((0, 1, 2, 12, 15, 18, 21))
    >>> [curve.least_distance(count) for count in (7, 8, 9, 10)]
    [21, 27, 30, 33]
    """

    distances: tuple[int, ...]
    _known: list[int] = field(init=False, repr=False, compare=False)

    MOST_KNOWN = 4096  # further ones repeat the known ones: valid, and no more memory

    def __post_init__(self) -> None:
        if len(self.distances) < 2 or self.distances[0] != 0:
            raise ValueError("a prefix starts with 0 and has at least two distances")
        if any(a > b for a, b in pairwise(self.distances)):
            raise ValueError("the distances of a prefix must not decrease")
        if self.distances[-1] == 0:
            raise ValueError("the last distance of a prefix must be more than zero")
        object.__setattr__(self, "_known", list(self.distances))

    def least_distance(self, count: int) -> int:
        """Known ones, then the closure; beyond `MOST_KNOWN`, whole laps of all that is known."""
        index = max(1, count) - 1
        most = max(self.MOST_KNOWN, len(self.distances)) - 1
        laps, index = divmod(index, most) if index > most else (0, index)
        while len(self._known) <= max(index, most if laps else 0):
            self._known.append(self._next())
        return laps * self._known[most] + self._known[index] if laps else self._known[index]

    def _next(self) -> int:
        """One part may be taken from the prefix itself: every split has such a part."""
        number = len(self._known)  # activations less one, of which `first` lie in one part
        return max(
            self._known[first] + self._known[number - first]
            for first in range(1, len(self.distances))
        )


def observed(times: Iterable[int], most: int) -> tuple[int, ...]:
    """The least distances seen of 1, …, `most` + 1 neighbours: a record, not a guarantee.

    >>> observed([0, 5, 1000], most=4)
    (0, 5, 1000)
    """
    record: Sequence[int] = sorted(times)
    reach = min(most, len(record) - 1)
    return (
        0,
        *(
            min(late - early for early, late in zip(record, record[gap:], strict=False))
            for gap in range(1, reach + 1)
        ),
    )
