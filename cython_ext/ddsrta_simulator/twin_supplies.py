"""When reservations serve: the budget somewhere in each period, two of one core never at once.

Each is placed as chosen in what those with shorter periods leave, if that is sure to be enough in
every period; where it is not, all of the core are placed earliest deadline first, which fits
whenever anything does.
"""

from __future__ import annotations

from collections import deque

from ddsrta_simulator.program import BEST, RANDOM, WORST, Choices, Program
from ddsrta_simulator.twin_decisions import mix, resolved

Interval = tuple[int, int]


class Reservation:
    """A budget in each period; `intervals` are placed, of which `shown` have been asked for."""

    def __init__(self, program: Program, choices: Choices, number: int) -> None:
        self.number = number
        self.budget = program.supply_budget[number]
        self.period = program.supply_period[number]
        self.phase = choices.supply_phase[number]
        self.habit = choices.supply_habit[number]
        self.turn = choices.supply_turn[number]
        self.seed = choices.supply_seed[number]
        self.start = self.phase % self.period - self.period  # of the next period to be placed
        self.placed = 0  # periods
        self.left = 0  # of the budget, earliest deadline first
        self.intervals: deque[Interval] = deque()
        self.shown = 0

    def most(self, window: Reservation) -> int:
        """The most that it can serve in one period of another reservation."""
        length = window.period
        if length % self.period == 0 and (window.phase - self.phase) % self.period == 0:
            return length // self.period * self.budget
        if length <= self.budget:
            return length
        whole, rest = divmod(length - self.budget, self.period)
        return self.budget + whole * self.budget + min(self.budget, rest)


class Placement:
    """The reservations of one core."""

    def __init__(self, program: Program, choices: Choices, core: int) -> None:
        numbers = range(program.core_supply[core], program.core_supply[core + 1])
        own = [Reservation(program, choices, n) for n in numbers if program.supply_budget[n]]
        self.order = sorted(own, key=lambda reservation: reservation.period)
        self.by_number = {reservation.number: reservation for reservation in own}
        self.as_chosen = all(
            each.period - sum(e.most(each) for e in self.order[:i]) >= each.budget
            for i, each in enumerate(self.order)
        )
        self.time = min((each.start for each in own), default=0)

    def next(self, number: int) -> Interval:
        """The next interval of a reservation that ends after 0."""
        own = self.by_number[number]
        while True:
            while own.shown == len(own.intervals):
                self._forget()
                if self.as_chosen:
                    self._place(self.order.index(own))
                else:
                    self._most_urgent()
            begin, end = own.intervals[own.shown]
            own.shown += 1
            if end > 0:
                return max(begin, 0), end

    def _forget(self) -> None:
        """Drop what was shown and is before all periods that have yet to be placed around it."""
        for i, each in enumerate(self.order):
            until = min((later.start for later in self.order[i + 1 :]), default=each.start)
            while each.shown and (not self.as_chosen or each.intervals[0][1] <= until):
                each.intervals.popleft()
                each.shown -= 1

    def _place(self, rank: int) -> None:
        """Place the next period of a reservation."""
        own = self.order[rank]
        start, end = own.start, own.start + own.period
        for earlier in range(rank):
            while self.order[earlier].start < end:
                self._place(earlier)
        taken = sorted(interval for each in self.order[:rank] for interval in each.intervals)
        own.intervals.extend(_chosen(own, _free(taken, start, end)))
        own.start = end
        own.placed += 1

    def _most_urgent(self) -> None:
        """Earliest deadline first, up to the next release of a budget; equals by number.

        What was promised to too many is late, and has its next budget when it has had this one.
        """
        for each in self.order:
            if each.start <= self.time and not each.left:
                each.left = each.budget
                each.start += each.period
        waiting = [each for each in self.order if each.left]
        following = min((each.start for each in self.order if each.start > self.time), default=None)
        if not waiting:
            assert following is not None
            self.time = following
            return
        first = min(waiting, key=lambda each: (each.start, each.number))
        length = first.left if following is None else min(first.left, following - self.time)
        first.intervals.append((self.time, self.time + length))
        first.left -= length
        self.time += length


def _free(taken: list[Interval], start: int, end: int) -> list[Interval]:
    """What is left of [start, end)."""
    free = []
    for begin, stop in taken:
        if stop > start and begin < end:
            if begin > start:
                free.append((start, begin))
            start = stop
    if start < end:
        free.append((start, end))
    return free


def _chosen(own: Reservation, free: list[Interval]) -> list[Interval]:
    """Where the budget is in this period."""
    room = sum(stop - begin for begin, stop in free) - own.budget
    drawn = [mix(own.seed, 8 * own.placed + i) for i in range(4)]
    habit = resolved(own.habit, own.turn, own.seed, 8 * own.placed + 7, own.start)
    if habit != RANDOM:
        assert habit in (WORST, BEST)
        return _cut(free, room if habit == WORST else 0, own.budget)
    skipped = drawn[0] % (room + 1)
    if drawn[1] & 1:
        return _cut(free, skipped, own.budget)
    first = drawn[2] % (own.budget + 1)  # in two parts
    head = _cut(free, drawn[3] % (skipped + 1), first)
    return head + _cut(free, first + skipped, own.budget - first)


def _cut(free: list[Interval], skipped: int, length: int) -> list[Interval]:
    """`length` of the free time, after leaving out `skipped` of it."""
    chosen = []
    for begin, stop in free:
        leave = min(skipped, stop - begin)
        skipped -= leave
        take = min(length, stop - begin - leave)
        length -= take
        if take:
            chosen.append((begin + leave, begin + leave + take))
    return chosen
