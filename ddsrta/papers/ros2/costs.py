"""Execution times of consecutive activations: `of(n)` bounds any n of them together.

`least(n)` is the least share that one of n activations has in these bounds, `marginal(n)` what the
n-th adds (Ω of RTSS 2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Protocol


class Cost(Protocol):
    """Anything that bounds execution times."""

    def of(self, count: int) -> int:
        """Of any `count` consecutive activations."""

    def least(self, count: int) -> int:
        """The least increment up to `count`."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A worst-case execution time: every activation may take it.

    >>> Constant(3).of(4), Constant(3).least(4), Constant(3).least(0)
    (12, 3, 0)
    """

    worst: int

    def __post_init__(self) -> None:
        if self.worst < 0:
            raise ValueError("an execution time must not be negative")

    def of(self, count: int) -> int:
        """n · C."""
        return max(0, count) * self.worst

    def least(self, count: int) -> int:
        """C."""
        return self.worst if count > 0 else 0


@dataclass(frozen=True, slots=True)
class CostCurve:
    """Bounds of 1, 2, … activations together; more are split into parts as long as the curve.

    >>> [CostCurve((15, 25, 30)).of(count) for count in range(7)]
    [0, 15, 25, 30, 45, 55, 60]
    >>> CostCurve((15, 25, 30)).least(2)
    10
    """

    totals: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.totals or self.totals[0] < 0:
            raise ValueError("a cost curve has at least one total, and none below zero")
        if any(a > b for a, b in pairwise(self.totals)):
            raise ValueError("the totals of a cost curve must not decrease")

    def of(self, count: int) -> int:
        """Whole curves and the rest of one."""
        turns, rest = divmod(max(0, count), len(self.totals))
        return turns * self.totals[-1] + (self.totals[rest - 1] if rest else 0)

    def least(self, count: int) -> int:
        """The least step of the curve up to there."""
        steps = [b - a for a, b in pairwise((0, *self.totals[: max(0, count)]))]
        return min(steps, default=0)


@dataclass(frozen=True, slots=True)
class Together:
    """Several callbacks that run once each per activation of their chain.

    >>> Together((Constant(1), CostCurve((4, 6)))).of(2)
    8
    """

    parts: tuple[Cost, ...]

    def of(self, count: int) -> int:
        """The sum."""
        return sum(part.of(count) for part in self.parts)

    def least(self, count: int) -> int:
        """No less than the sum of what each adds at least."""
        return sum(part.least(count) for part in self.parts)


def multiframe(costs: Sequence[int]) -> CostCurve:
    """Execution times that recur in this order, from whichever is worst to begin with.

    >>> multiframe([1, 3, 2]).totals
    (3, 5, 6)
    """
    if any(cost < 0 for cost in costs):
        raise ValueError("an execution time must not be negative")
    length = len(costs)
    sums = [0, *accumulate((*costs, *costs))]
    totals = tuple(
        max(sums[start + count] - sums[start] for start in range(length))
        for count in range(1, length + 1)
    )
    return CostCurve(totals)


def observed_costs(costs: Iterable[int], most: int) -> CostCurve:
    """The largest totals of 1, …, `most` neighbours in a record: seen, not guaranteed.

    >>> observed_costs([1, 1, 3, 1, 2], most=2).totals
    (3, 4)
    """
    sums = [0, *accumulate(costs)]
    reach = min(most, len(sums) - 1)
    return CostCurve(
        tuple(
            max(late - early for early, late in zip(sums, sums[count:], strict=False))
            for count in range(1, reach + 1)
        )
    )


def marginal(cost: Cost, count: int) -> int:
    """Ω: what the n-th of n activations adds to the bound of those before it.

    >>> marginal(CostCurve((15, 25, 30)), 3)
    5
    """
    return cost.of(count) - cost.of(count - 1)
