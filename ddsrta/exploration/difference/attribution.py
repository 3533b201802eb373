"""Which change moved a bound, and by how much.

Of changes that interact, each gets its share: what it adds to the bound on average, over all orders
in which the changes can be made (the Shapley value). The shares add up to what the bound moved.
Where that cannot be had, what each change does alone, and what undoing it alone does, still can.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial

from ddsrta.base.frozen import frozen
from ddsrta.base.units import Duration
from ddsrta.base.watch import Watch

MOST_CHANGES = 12  # of which all sets are looked at
Figures = Mapping[str, int | None]


@frozen
class Share:
    """What one change did to a bound: its share of the move, and what it moves alone, made and
    undone; None where one of both bounds does not exist, or was not looked at."""

    change: int
    share: Duration | None
    alone: Duration | None
    undone: Duration | None
    is_needed: bool = False  # without it alone, there would be a bound where is none, or none

    @property
    def size(self) -> Duration:
        """By how much the change moved the bound, as well as that is known."""
        if self.share is not None:
            return self.share
        return Duration(-self.undone) if self.undone else self.alone or Duration(0)


@frozen
class Pair:
    """Two changes that interact: undone together they move a bound by something else than the sum
    of what undoing each does; None where the bound is not there with one of these sets."""

    changes: tuple[int, int]
    undone: Duration | None
    is_needed: bool = False  # without both, there would be a bound where is none, or none


class Sets:
    """Bounds of the older model with any set of the changes, each analysed once, and none once a
    watch says that time is over.

    >>> sets = Sets(2, lambda some: {"x": 5 + 3 * len(some)})
    >>> sets.bound("x", frozenset({1}))
    8
    """

    def __init__(
        self,
        count: int,
        figures: Callable[[frozenset[int]], Figures | None],
        watch: Watch | None = None,
    ) -> None:
        self.all = frozenset(range(count))
        self.watch = watch
        self._figures = figures
        self._known: dict[frozenset[int], Figures | None] = {}

    def figures(self, some: frozenset[int]) -> Figures | None:
        """All bounds with some of the changes; None where these make no system, or time is over."""
        if some not in self._known:
            if self.is_over:
                return None
            self._known[some] = self._figures(some)
        return self._known[some]

    @property
    def is_over(self) -> bool:
        """Whether nothing more is looked at."""
        return self.watch is not None and self.watch.is_over()

    def bound(self, name: str, some: frozenset[int]) -> int | None:
        """One of them; None where it is unbounded, or not there."""
        figures = self.figures(some)
        return None if figures is None else figures.get(name)

    def look_at_all(self, seconds: float) -> bool:
        """Whether all sets were analysed, which is given up once it is seen to take too long."""
        if len(self.all) > MOST_CHANGES:
            return False
        begin, wanted = time.monotonic(), list(_subsets(self.all))
        for number, some in enumerate(wanted, 1):
            self.figures(some)
            spent = time.monotonic() - begin
            if self.is_over or (number >= 4 and spent / number * len(wanted) > seconds):
                return False
        return True

    def look_at_pairs(self, names: Sequence[str], seconds: float) -> bool:
        """Whether all pairs were undone of changes that do something else alone than undone, to
        some of these bounds; which is stopped where it takes too long.
        """
        begin = time.monotonic()
        wanted = {pair for name in names for pair in combinations(self.interacting(name), 2)}
        for pair in sorted(wanted):
            self.figures(self.all - set(pair))
            if self.is_over or time.monotonic() - begin > seconds:
                return False
        return True

    def interacting(self, name: str) -> list[int]:
        """The changes whose effect on a bound depends on others.

        >>> Sets(3, lambda some: {"x": max(some, default=0)}).interacting("x")
        [1, 2]
        """
        found = []
        for change in sorted(self.all):
            alone = _moved(self, name, frozenset(), frozenset({change}))
            undone = _moved(self, name, self.all, self.all - {change})
            if alone is None or undone is None or alone != -undone:
                found.append(change)
        return found

    def is_known(self, some: frozenset[int]) -> bool:
        """Whether a set was looked at."""
        return some in self._known


def _subsets(of: frozenset[int]) -> Iterator[frozenset[int]]:
    """The ends first, then by ones and all but ones."""
    for size in range(len(of) // 2 + 1):
        for some in combinations(sorted(of), size):
            yield frozenset(some)
            if 2 * size != len(of):
                yield of - frozenset(some)


def shares(sets: Sets, name: str, is_whole: bool) -> tuple[Share, ...]:
    """What each change did to a bound, those that did something; `is_whole` where all sets are
    known.

    >>> sets = Sets(2, lambda some: {"x": 5 + 3 * len(some) + 2 * (len(some) == 2)})
    >>> [(each.share, each.alone, each.undone) for each in shares(sets, "x", True)]
    [(4 ns, 3 ns, -5 ns), (4 ns, 3 ns, -5 ns)]
    """
    exact = _shapley(sets, name) if is_whole else None
    found = []
    for change in sorted(sets.all):
        share = Share(
            change,
            None if exact is None else exact[change],
            _moved(sets, name, frozenset(), frozenset({change})),
            _moved(sets, name, sets.all, sets.all - {change}),
            _decide(sets, name, change),
        )
        if share.share or share.alone or share.undone or share.is_needed:
            found.append(share)
    return tuple(sorted(found, key=lambda each: (not each.is_needed, -abs(each.size))))


def pairs(sets: Sets, name: str) -> tuple[Pair, ...]:
    """The pairs that were looked at, and interact, those that do most first.

    >>> both = Sets(2, lambda some: {"x": 7 if some else 5})
    >>> both.look_at_pairs(["x"], 1.0), pairs(both, "x")
    (True, (Pair(changes=(0, 1), undone=-2 ns, is_needed=False),))
    """
    found = []
    for first, second in combinations(sets.interacting(name), 2):
        rest = sets.all - {first, second}
        if not sets.is_known(rest):
            continue
        undone, one, other = (
            _moved(sets, name, sets.all, each)
            for each in (rest, sets.all - {first}, sets.all - {second})
        )
        is_needed = _decide(sets, name, first, second) and not (
            _decide(sets, name, first) or _decide(sets, name, second)
        )
        if is_needed or (None not in (undone, one, other) and undone != one + other):  # type: ignore[operator]
            found.append(Pair((first, second), undone, is_needed))
    return tuple(sorted(found, key=lambda each: (not each.is_needed, -abs(each.undone or 0))))


def _decide(sets: Sets, name: str, *changes: int) -> bool:
    """Whether there is a bound just with, or just without, some changes."""
    undone = sets.all - set(changes)
    makes_sense = sets.figures(undone) is not None
    return makes_sense and (sets.bound(name, sets.all) is None) != (
        sets.bound(name, undone) is None
    )


def _moved(sets: Sets, name: str, first: frozenset[int], last: frozenset[int]) -> Duration | None:
    before, after = sets.bound(name, first), sets.bound(name, last)
    return None if before is None or after is None else Duration(after - before)


def _shapley(sets: Sets, name: str) -> list[Duration] | None:
    """Exact, and rounded so that the sum stays; None where some set has no bound."""
    count = len(sets.all)
    known = {some: sets.bound(name, some) for some in _subsets(sets.all)}
    bounds = {some: bound for some, bound in known.items() if bound is not None}
    if len(bounds) < len(known):
        return None
    exact = []
    for change in range(count):
        total = Fraction(0)
        for some in (each for each in bounds if change not in each):
            orders = factorial(len(some)) * factorial(count - len(some) - 1)
            total += orders * (bounds[some | {change}] - bounds[some])
        exact.append(total / factorial(count))
    return [Duration(each) for each in rounded(exact)]


def rounded(exact: Sequence[Fraction]) -> list[int]:
    """Whole numbers next to these, of the same sum, which is whole.

    >>> rounded([Fraction(1, 2), Fraction(-1, 4), Fraction(3, 4)])
    [0, 0, 1]
    """
    floors = [each.numerator // each.denominator for each in exact]
    missing = int(sum(exact)) - sum(floors)
    by_rest = sorted(range(len(exact)), key=lambda n: floors[n] - exact[n])
    for number in by_rest[:missing]:
        floors[number] += 1
    return floors
