"""What the time of a window is made of: the sums that bound it, of amounts that know their parts.

The rooms of the kernel are run interpreted on the windows that the solver found. A sum is then the
sum of its parts, whatever the rooms count.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import NamedTuple

from ddsrta_kernel.flows import Phases
from ddsrta_kernel.groups import event_time, piece_time, prepare_group
from ddsrta_kernel.memory import Memory
from ddsrta_kernel.openers import next_opener
from ddsrta_kernel.outcomes import Outcome
from ddsrta_kernel.pack import pack
from ddsrta_kernel.phases import phase_fixed, phase_time
from ddsrta_kernel.problem import ANYHOW, MOST_STEPS, PIECE
from ddsrta_kernel.searches import finish_time, prepare, with_started
from ddsrta_kernel.solver import Solver
from ddsrta_kernel.sweeps import refresh
from ddsrta_kernel.values import Work
from ddsrta_kernel.works import all_ahead, extra_work, level_work, with_own

OWN, BURDEN, EXTRA, UNIT, BEFORE, BROUGHT, SHARED, FIRST, EACH, LATER = range(10)


class Part(NamedTuple):
    """An amount in a problem. Of a window: the work of the unit in question (OWN), what it releases
    that may come before it completes (BURDEN), what comes first whatever others do (EXTRA), the
    work of a unit (UNIT), what a less urgent one has released (BEFORE), what a root brings
    (BROUGHT), the `work` that so many threads share (SHARED: `unit` is how many). Of a group: the
    work of the event in question, of each earlier one and of each later one."""

    what: int
    unit: int = -1
    work: int = 0


class Amount(int):
    """A number that is a sum of others, each so many times; or, if it has a name, a part."""

    sums: tuple[tuple[int, int], ...] = ()
    part: Part | None = None

    def __add__(self, other: int) -> Amount:
        if other is ZERO:  # most of many others bring nothing
            return self
        return summed(int(self) + int(other), (1, self), (1, other))

    __radd__ = __add__

    def __sub__(self, other: int) -> Amount:
        return summed(int(self) - int(other), (1, self), (-1, other))

    def __mul__(self, times: int) -> Amount:
        if not times and not isinstance(times, Amount):
            return ZERO
        return summed(int(self) * int(times), (int(times), self))

    __rmul__ = __mul__

    def __neg__(self) -> Amount:
        return self * -1

    def __floordiv__(self, divisor: int) -> Amount:
        """Threads share work."""
        return named(int(self) // divisor, SHARED, divisor, int(self))


ZERO = Amount()  # of nothing


def summed(value: int, *sums: tuple[int, int]) -> Amount:
    """The sum of numbers, each so many times."""
    found = Amount(value)
    found.sums = sums
    return found


def named(value: int, what: int, unit: int = -1, work: int = 0) -> Amount:
    """A part."""
    found = Amount(value)
    found.part = Part(what, unit, work)
    return found


class Parts:
    """How many of each part make an amount, what one of them is, and the rest that has no name."""

    def __init__(self, amount: int) -> None:
        self.count: Counter[Part] = Counter()
        self.each: dict[Part, int] = {}
        self.rest = 0
        left = [(1, amount)]
        while left:
            times, one = left.pop()
            if not isinstance(one, Amount):
                self.rest += times * one
            elif one.part:
                self.count[one.part] += times
                self.each[one.part] = int(one)
            else:
                left += ((times * more, other) for more, other in one.sums)

    def take(self, what: int, unit: int = -1) -> tuple[int, int]:
        """How many of a part that was not taken before, and what one of it is."""
        part = Part(what, unit)
        return self.count.pop(part, 0), self.each.get(part, 0)


class Sums(Memory):
    """The sums of a solved problem."""

    def __init__(self, solver: Solver) -> None:
        problem = copy(solver.problem)
        problem.extra = [named(time, EXTRA) for time in problem.extra]  # type: ignore[assignment]
        self.take(problem)
        s = self.system
        pack(s)
        s.is_calm = False  # what is kept is no sum of parts
        for entry in range(problem.entries):
            s.entry_shift[entry] = solver.shift(entry)
            s.entry_paced[entry] = solver.entry_paced(entry)
        for node in range(problem.nodes):
            s.node[node].late = solver.late(node)
        for unit in range(problem.units):
            s.place[unit].before = solver.before(unit)
            s.place[unit].paced = solver.paced(unit)
            s.state[unit].response = solver.response[unit]
            s.state[unit].latency = solver.latency[unit]
            refresh(s, unit)
            s.unit[unit].cost = named(s.unit[unit].cost, UNIT, unit)
            s.unit[unit].loaded = named(s.unit[unit].loaded, UNIT, unit)
        for root in s.root:
            root.work = named(root.work, BROUGHT, root.unit)
        for level in s.level:
            level.piece = named(level.piece, BEFORE)

    def window_sum(self, unit: int, found: Outcome, of_message: bool = False) -> Parts:
        """All work of the window of a unit, until it is done: of its turn, or of a message."""
        w = self.system.window[0]
        prepare(self.system, unit, unit if of_message else -1, 0, MOST_STEPS, w)
        w.budget = 0  # the time is then the work itself
        w.cost, w.burden = named(w.cost + w.begun, OWN), named(w.burden, BURDEN)
        w.begun = 0
        w.now = found.arrival
        while w.opened != found.opened and next_opener(w):
            pass
        others = Work(extra_work(w), extra_work(w)) if w.is_own else all_ahead(w, found.arrival)
        ahead = with_own(w, others, found.instance - 1)
        fixed = with_started(w, ahead, found.instance, found.start)
        return Parts(finish_time(w, fixed, found.finish))

    def group_sum(self, group: tuple[int, ...], found: Outcome, of_message: bool = False) -> Parts:
        """The same of a group."""
        s, w = self.system, self.system.group_window[0]
        g = s.group[s.problem.groups]
        g.kind, g.head, g.level, g.first, g.each, g.later, g.least, g.last = group
        g.first, g.each, g.later = (
            named(g.first, FIRST),
            named(g.each, EACH),
            named(g.later, LATER),
        )
        prepare_group(s, g, g.head if of_message else -1, 0, MOST_STEPS, w)
        w.budget = 0
        if found.phase is not None:
            phases = Phases(found.phase, found.phase)
            fixed = phase_fixed(w, phases)
            if fixed.work >= found.finish:  # all others bring nothing
                return Parts(fixed.work)
            return Parts(phase_time(w, fixed, phases, found.finish))
        if g.kind == ANYHOW:
            return Parts(level_work(s, g.level, found.finish, -1))
        if g.kind == PIECE:
            return Parts(piece_time(w, found.finish))
        return Parts(event_time(w, found.instance, found.finish))
