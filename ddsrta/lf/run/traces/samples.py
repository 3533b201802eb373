"""Times that were measured."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator


class Samples:
    """Measured times in ns, sorted; nothing in here is a bound.

    >>> samples = Samples([5, 3, 9, 4])
    >>> samples.count, samples.least, samples.median, samples.at(99), samples.most
    (4, 3, 4, 9, 9)
    >>> Samples().median is None
    True
    """

    __slots__ = ("_values",)

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = array("q", sorted(values))

    def __iter__(self) -> Iterator[int]:
        return iter(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Samples) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values.tobytes())

    def __repr__(self) -> str:
        return f"Samples({self.count}: {self.least}…{self.median}…{self.most})"

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._values)

    def at(self, percent: int) -> int | None:
        """The least one that at least so many percent do not exceed."""
        if not self._values:
            return None
        return self._values[max(0, -(-len(self._values) * percent // 100) - 1)]

    @property
    def least(self) -> int | None:
        """The shortest."""
        return self.at(0)

    @property
    def median(self) -> int | None:
        """The one in the middle; the lower one of two."""
        return self.at(50)

    @property
    def most(self) -> int | None:
        """The longest."""
        return self.at(100)
