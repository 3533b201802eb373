"""What serves stages, how long that takes (lemma supply-inverse), and the stages of one supply with
what work of one event is joined to them (lemma joined-work)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ddsrta.checker.added import Curves
from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.curves import Stream
from ddsrta.checker.stages import Edge, Key
from ddsrta.checker.things import Reservation

_PERIODS = 500  # different ones on a core; a sum of more fractions takes long
_PARTS = 1 << 80  # of a core, where parts that are rounded tell enough


class Supply(NamedTuple):
    """A budget each period, of which nothing may come for a time; `left` is how much longer than
    what is asked for takes it may be of use to those who had nothing to do meanwhile."""

    budget: int
    period: int
    late: int
    left: int = 0


def at_worst(given: Reservation | None) -> Supply | None:
    """One that had its budget early, and has it late; None: a whole core, as what has all of one.

    >>> at_worst(Reservation(2, 5)), at_worst(Reservation(5, 5))
    (Supply(budget=2, period=5, late=6, left=0), None)
    """
    if given is None or given.budget == given.period:
        return None
    return Supply(*given, 2 * (given.period - given.budget))


def time(supply: Supply | None, work: int) -> int:
    """The longest time in which a supply serves some work.

    >>> [time(Supply(2, 5, 6), work) for work in (0, 1, 2, 3)]
    [0, 7, 8, 12]
    """
    if work <= 0:
        return 0
    if supply is None:
        return work
    whole, rest = divmod(work - 1, supply.budget)
    return supply.late + whole * supply.period + rest + 1


def over(supply: Supply | None, work: int) -> int:
    """When all is over that such work began."""
    return time(supply, work) + (supply.left if supply else 0)


def fits(reservations: tuple[Reservation, ...]) -> bool:
    """Whether some reservations take no more than all of a core.

    >>> fits((Reservation(1, 3), Reservation(2, 3))), fits((Reservation(1, 3), Reservation(3, 4)))
    (True, False)
    """
    budgets: dict[int, int] = {}
    for one in reservations:
        budgets[one.period] = budgets.get(one.period, 0) + one.budget
    if sum(-(-budget * _PARTS // period) for period, budget in budgets.items()) <= _PARTS:
        return True
    if sum(budget * _PARTS // period for period, budget in budgets.items()) > _PARTS:
        return False
    if len(budgets) > _PERIODS:
        raise ExhaustedError
    from fractions import Fraction

    return sum(Fraction(budget, period) for period, budget in budgets.items()) <= 1


class Load(Reservation):
    """A reservation that comes first, and all that its thread has to do; nothing, if that is not
    known."""

    work: tuple[tuple[int, Stream], ...] = ()  # the cost of a unit of each stage


def of_loads(loads: tuple[Load, ...], length: int) -> int:
    """What reservations that come first take of a window."""
    return sum([of_load(load, length) for load in loads]) if loads else 0


def of_load(load: Load, length: int, late: int = 0) -> int:
    """The same of one: budgets, of which one may come so late, and no more than its work (lemma
    reserved-work)."""
    most = budgets(load, length + late)
    if load.work:
        most = min(most, sum([cost * stream.most(length) for cost, stream in load.work]))
    return most


def budgets(given: Reservation, length: int) -> int:
    """A budget at once, and then one for each period."""
    return -(-(length + given.period - given.budget) // given.period) * given.budget


class Member(NamedTuple):
    """A stage of a supply."""

    key: Key
    priority: int
    cost: int
    stream: Stream
    after: Sequence[tuple[Key, Edge]]  # what is joined to it
    is_root: bool  # it is joined to nothing


class Members:
    """All of them, effects before their causes; roots by priority where nothing is joined."""

    def __init__(
        self,
        found: list[Member],
        supply: Supply | None,
        loads: tuple[Load, ...],
        is_sound: bool,
    ) -> None:
        self.all = found
        self.supply = supply
        self.loads = loads  # what comes first
        self.is_sound = is_sound  # no more is promised of it than there is
        self.joined = any(one.after for one in found)
        self.roots = [one for one in found if one.is_root]
        if not self.joined:
            self.roots.sort(key=lambda one: -one.priority)
        self.ranks = [-one.priority for one in self.roots]
        uncountable = (n for n, one in enumerate(self.roots) if not one.stream.countable)
        self.countable = next(uncountable, len(self.roots))  # so many of the first roots
        self.curves: Curves | None = None
        self.cuts = [(0, 0, 0)]
        self.firsts: dict[int, Curves] = {}  # the sums of so many of the first roots

    def roots_from(self, priority: int) -> list[Member]:
        """The roots of a level, where nothing is joined."""
        return self.roots[: bisect_right(self.ranks, -priority)]

    def are_done(self, priority: int, length: int, budget: Budget) -> bool:
        """Whether the work of a level fits into a window, where nothing is joined."""
        count = bisect_right(self.ranks, -priority)
        if not self.is_sound or count > self.countable:
            return False
        curves = self.curves_of(count)
        budget.curve(curves.looks + len(self.loads))
        work = of_loads(self.loads, length) + curves.at(length)
        return time(self.supply, work) <= length

    def curves_of(self, count: int) -> Curves:
        """The sum of the first roots; the sum of all is made once, and cut."""
        if self.curves is None:
            self.curves = Curves(())
            for one in self.roots:
                self.curves.add(one.stream, one.cost, 0)
                self.cuts.append(self.curves.size)
        if count not in self.firsts:
            self.firsts[count] = self.curves.first(self.cuts[count])
        return self.firsts[count]

    def costs(self, priority: int) -> tuple[dict[Key, int], dict[Key, int]]:
        """C of every stage, 0 below the priority, and how much of it is joined to it."""
        costs: dict[Key, int] = {}
        pieces: dict[Key, int] = {}
        for key, urgency, own, _, joined, _ in self.all:
            piece = sum([edge.times * costs[then] for then, edge in joined]) if joined else 0
            pieces[key], costs[key] = piece, own + piece if urgency >= priority else 0
        return costs, pieces
