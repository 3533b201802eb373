"""Sets of whole values of clocks: the most of each difference of two (definition situation-zone).

Clock 0 is always 0. Every entry is the least that follows from all others.
"""

from __future__ import annotations

from collections.abc import Sequence

ENDLESS = 1 << 60
Rows = tuple[tuple[int, ...], ...]


class Zone:
    """`most[a][b]` is the most of a - b."""

    __slots__ = ("most",)

    def __init__(self, most: Sequence[Sequence[int]]) -> None:
        self.most = [list(row) for row in most]

    def copy(self) -> Zone:
        """To be changed."""
        return Zone(self.most)

    def tighten(self) -> bool:
        """Every entry becomes the least that follows; whether any values are left."""
        most, size = self.most, range(len(self.most))
        for middle in size:
            after = most[middle]
            for row in most:
                before = row[middle]
                if before < ENDLESS:
                    for to in size:
                        row[to] = min(row[to], before + after[to])
        return all(most[a][a] >= 0 for a in size)

    def keep(self, a: int, b: int, most: int) -> bool:
        """Only values with a - b ≤ most; whether there are any.

        >>> zone = Zone([[0, 0], [9, 0]])
        >>> zone.keep(0, 1, -4), zone.most, zone.keep(1, 0, 3)
        (True, [[0, -4], [9, 0]], False)
        """
        table = self.most
        if most + table[b][a] < 0:
            return False
        if most < table[a][b]:
            ends = table[b][:]
            for row in table:
                if row[a] < ENDLESS:
                    to_b = row[a] + most
                    row[:] = [min(old, to_b + rest) for old, rest in zip(row, ends, strict=True)]
        return True

    def new(self, value: int = 0) -> int:
        """One clock more, of this value."""
        zero = self.most[0]
        added = [value + most for most in zero]
        for row in self.most:
            row.append(min(ENDLESS, row[0] - value))
        self.most.append([*added, 0])
        return len(self.most) - 1

    def wait(self) -> None:
        """A while of 1 or more passes."""
        for row in self.most[1:]:
            row[0] = ENDLESS
        zero = self.most[0]
        for clock in range(1, len(zero)):
            zero[clock] -= 1

    def turn_back(self, clock: int, by: int) -> None:
        """The clock becomes so much less."""
        own = self.most[clock]
        for other, row in enumerate(self.most):
            if other != clock:
                row[clock] = min(ENDLESS, row[clock] + by)
                own[other] -= by if own[other] < ENDLESS else 0

    def minus(self, x: int, p: int) -> int:
        """A new clock of x - p: of its difference to each other the most that two ways allow, of
        (x, p) and (0, z) or (x, z) and (0, p)."""
        table = self.most
        zero = table[0]
        added = [
            min(table[x][z] + zero[p], table[x][p] + zero[z], ENDLESS) for z in range(len(zero))
        ]
        for row in table:
            row.append(min(row[x] + table[p][0], table[p][x] + row[0], ENDLESS))
        table.append([*added, 0])
        return len(table) - 1

    def only(self, clocks: Sequence[int]) -> Rows:
        """What is known of these clocks, in this order."""
        return tuple([tuple([self.most[a][b] for b in clocks]) for a in clocks])


def inside(rows: Rows, others: Rows) -> bool:
    """Whether all values of the first are of the second.

    >>> inside(((0, 0), (3, 0)), ((0, 0), (4, 0))), inside(((0, 0), (4, 0)), ((0, 0), (3, 0)))
    (True, False)
    """
    for row, other in zip(rows, others, strict=True):
        for one, limit in zip(row, other, strict=True):
            if one > limit:
                return False
    return True
