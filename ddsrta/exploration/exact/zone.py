"""Zones: sets of integer values of clocks, each given by what differences of two are at most.

Clock 0 is always 0. `m[i][j]` is the most of clock i - clock j. A matrix is kept closed: each entry
is the least that follows from all.
"""

from __future__ import annotations

Matrix = list[list[int]]
NONE = 1 << 60  # no bound


def start() -> Matrix:
    """No clock but 0.

    >>> start()
    [[0]]
    """
    return [[0]]


def copy(m: Matrix) -> Matrix:
    """To be changed by itself."""
    return [row[:] for row in m]


def limit(m: Matrix, i: int, j: int, most: int) -> bool:
    """Keep the values with clock i - clock j at most so much; whether any are left.

    >>> m = start()
    >>> x, y = fresh(m), fresh(m)
    >>> elapse(m)
    >>> limit(m, x, 0, 5), m[y][0], limit(m, 0, y, -6)
    (True, 5, False)
    """
    if m[i][j] <= most:
        return True
    if m[j][i] + most < 0:
        return False
    after = m[j]
    for row in m:
        first = row[i] + most
        if first < row[j] and row[i] < NONE:
            row[:] = [
                old if old <= (new := first + second) else new
                for old, second in zip(row, after, strict=True)
            ]
    return True


def fresh(m: Matrix) -> int:
    """One more clock, which is 0."""
    for row in m:
        row.append(row[0])
    m.append([*m[0][:-1], 0])
    return len(m) - 1


def elapse(m: Matrix) -> None:
    """At least 1 of time passes."""
    for row in m[1:]:
        row[0] = NONE
    first = m[0]
    first[1:] = [most - 1 for most in first[1:]]


def shift(m: Matrix, i: int, by: int) -> None:
    """Clock i becomes so much more."""
    m[i] = [most + by for most in m[i]]
    for row in m:
        row[i] -= by
    m[i][i] = 0


def assign(m: Matrix, i: int, value: int) -> None:
    """Clock i is this from now on.

    >>> m = start()
    >>> x = fresh(m)
    >>> elapse(m)
    >>> assign(m, x, 7)
    >>> m
    [[0, -7], [7, 0]]
    """
    m[i] = [most + value for most in m[0]]
    for row in m:
        row[i] = row[0] - value if row[0] < NONE else NONE
    m[i][i] = 0


def less(m: Matrix, i: int, p: int) -> int:
    """A new clock that is clock i - clock p.

    Each entry is the most that m allows, so that nothing but what links three clocks is lost.

    >>> m = start()
    >>> x = fresh(m)
    >>> elapse(m)
    >>> p = fresh(m)
    >>> elapse(m)
    >>> limit(m, x, 0, 9)
    True
    >>> left = less(m, x, p)
    >>> -m[0][left], m[left][0], m[x][left], m[left][p]
    (1, 8, 8, 7)
    """
    here, there, zero = m[i], m[p], m[0]
    rise, fall = zero[p], there[0]
    row = [min(here[z] + rise, here[p] + zero[z]) for z in range(len(m))]
    for z, other in enumerate(m):
        other.append(min(other[i] + fall, there[i] + other[0]))
        row[z] = min(row[z], NONE)
        other[-1] = min(other[-1], NONE)
    m.append([*row, 0])
    return len(m) - 1


def part(m: Matrix, clocks: list[int]) -> tuple[tuple[int, ...], ...]:
    """These clocks, in this order."""
    return tuple([tuple([row[j] for j in clocks]) for row in [m[i] for i in clocks]])


def within(m: tuple[tuple[int, ...], ...], other: tuple[tuple[int, ...], ...]) -> bool:
    """Whether each value of one is one of the other."""
    return all(
        a <= b for row, its in zip(m, other, strict=True) for a, b in zip(row, its, strict=True)
    )


def hull(
    m: tuple[tuple[int, ...], ...], other: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], ...]:
    """The least zone around both."""
    return tuple([tuple(map(max, row, its)) for row, its in zip(m, other, strict=True)])
