"""The busy window of one unit in plain Python (theory 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    LINGERS,
    OVERTAKES,
    PREEMPTS,
    UNBOUNDED,
    Outcome,
)

if TYPE_CHECKING:
    from ddsrta_kernel.twin import Solver

OVERLOAD = 1.0 + 1e-9
NOTHING = Outcome(UNBOUNDED, UNBOUNDED, UNBOUNDED, 0, 0, 0, UNBOUNDED)
Ranges = list[tuple[int, int]]


class _TooLongError(Exception):
    """A bound passed the limit, or the search for it took too many steps."""


class Window:
    """The busy window of one unit (theory 5), seen from an origin of its stream."""

    def __init__(self, solver: Solver, unit: int, origin: int, before: int) -> None:
        p = solver.problem
        self.solver, self.curves = solver, solver.curves
        self.unit, self.origin, self.before = unit, origin, before
        self.cost = p.cost[unit]
        self.node, self.multiplicity = p.node[unit], p.multiplicity[unit]
        supply = p.supply[unit]
        self.budget, self.period = p.supply_budget[supply], p.supply_period[supply]
        ranges: list[Ranges] = [[] for _ in range(BLOCKS + 1)]
        for r in range(p.relation_start[unit], p.relation_start[unit + 1]):
            ranges[p.relation_kind[r]].append((p.relation_first[r], p.relation_last[r]))
        self.preempts, self.overtakes, self.ahead = (
            ranges[PREEMPTS],
            ranges[OVERTAKES],
            ranges[AHEAD],
        )
        self.lingers, self.alternates, self.blocks = (
            ranges[LINGERS],
            ranges[ALTERNATES],
            ranges[BLOCKS],
        )
        self.is_own = bool(self.alternates) or not (
            self.overtakes or self.ahead or self.lingers or self.blocks
        )
        self.asks_start = bool(self.overtakes or self.lingers or self.alternates)
        self.steps = 0
        self.left_over = solver.most_steps
        self.best = NOTHING
        self.response = self.latency = -1

    def time(self, work: int) -> int:
        """The inverse of the supply bound (theory 4)."""
        if work <= 0:
            return 0
        if self.budget == 0:
            return work
        full, rest = divmod(work - 1, self.budget)
        gap = self.period - self.budget
        return 2 * gap + full * self.period + rest + 1

    def work(self, ranges: Ranges, window: int) -> int:
        """Σ η_k(window)·c_k over the units in the ranges."""
        cost, count = self.solver.problem.cost, self.curves.count
        return sum(cost[k] * count(k, window) for low, high in ranges for k in range(low, high))

    def at_start(self, start: int, index: int) -> int:
        """V(S): what comes before the unit because it arrives before it starts."""
        cost, count, response = self.solver.problem.cost, self.curves.count, self.solver.response
        work = self.work(self.overtakes, start + 1)
        for low, high in self.lingers:
            work += sum(cost[k] * count(k, start + response[k]) for k in range(low, high))
        for low, high in self.alternates:
            for k in range(low, high):
                work += cost[k] * min(index, count(k, start + response[k]))
        return work

    def step(self, value: int) -> int:
        """Counts an evaluation; gives up where it leads nowhere."""
        self.steps += 1
        if value >= UNBOUNDED or self.steps > self.left_over:
            raise _TooLongError
        return value

    def start(self, work: int, index: int, start: int) -> int:
        """S(q, A) for work = B + H(A) + (q - 1)·c."""
        while True:
            total = work + self.at_start(start, index) + self.work(self.preempts, start + 1)
            if (later := self.step(self.time(total + 1) - 1)) <= start:
                return start
            start = later

    def finish(self, work: int, finish: int) -> int:
        """F(q, A) for work = B + H(A) + q·c + V(S)."""
        while True:
            later = self.step(self.time(work + self.work(self.preempts, finish)))
            if later <= finish:
                return finish
            finish = later

    def left(self, index: int) -> int:
        """The least time from the first of the units to the index-th, at the origin."""
        if self.origin < 0:
            return self.curves.node_distance(self.node, -(-index // self.multiplicity))
        ratio = self.multiplicity // self.solver.problem.multiplicity[self.origin]
        return self.curves.distance(self.origin, -(-index // ratio))

    def left_by(self, arrival: int) -> int:
        """How many units may have left the origin within this time."""
        if self.origin < 0:
            return self.multiplicity * self.curves.node_count(self.node, arrival + 1)
        ratio = self.multiplicity // self.solver.problem.multiplicity[self.origin]
        return ratio * self.curves.count(self.origin, arrival + 1)

    def record(self, index: int, arrival: int, start: int, finish: int, left: int) -> None:
        latency = finish - left + self.before
        if latency > self.latency:
            self.latency = latency
            self.best = Outcome(0, latency, 0, index, arrival, start, finish)

    def own(self) -> int:
        """The window that opens with the unit's own first arrival."""
        index, start, finish = 1, 0, self.cost
        while True:
            work = (index - 1) * self.cost
            if self.asks_start:
                start = self.start(work, index, start)
                finish = max(finish, start + self.cost)
            extra = self.at_start(start, index) if self.asks_start else 0
            finish = self.finish(work + self.cost + extra, finish)
            arrival = self.curves.distance(self.unit, index)
            self.response = max(self.response, finish - arrival)
            self.record(index, arrival, start, finish, self.left(index))
            if finish <= self.curves.distance(self.unit, index + 1):
                return finish
            index += 1
            finish += self.cost

    def level(self) -> int:
        """The window of the unit's level: every arrival in it is a candidate."""
        window = self.length()
        arrival = warm_start = warm_finish = 0
        blocking = self.blocking()
        problem, curves = self.solver.problem, self.curves
        ahead = [k for low, high in self.ahead for k in range(low, high) if k != self.unit]
        while arrival < window:
            others = blocking + sum(problem.cost[k] * curves.count(k, arrival + 1) for k in ahead)
            last = curves.count(self.unit, arrival + 1)
            first = max(1, min(last, self.left_by(arrival)))
            start, finish = warm_start, warm_finish
            for index in range(first, last + 1):
                work = others + (index - 1) * self.cost
                extra = 0
                if self.asks_start:
                    start = self.start(work, index, start)
                    extra = self.at_start(start, index)
                finish = max(finish, start + self.cost)
                finish = self.finish(work + self.cost + extra, finish)
                if index == first:
                    warm_start, warm_finish = start, finish
                self.record(index, arrival, start, finish, max(arrival, self.left(index)))
            self.response = max(self.response, finish - arrival)
            arrival = min(
                curves.distance(k, curves.count(k, arrival + 1) + 1) for k in [self.unit, *ahead]
            )
        return window

    def blocking(self) -> int:
        """B: one unit that cannot be interrupted, already begun."""
        cost = self.solver.problem.cost
        return max((cost[k] - 1 for low, high in self.blocks for k in range(low, high)), default=0)

    def length(self) -> int:
        """L: how long the window of the level can be."""
        window, fixed = 1, self.blocking()
        cost, count, response = self.solver.problem.cost, self.curves.count, self.solver.response
        own = [] if self.ahead else [(self.unit, self.unit + 1)]
        ranges = [*self.preempts, *self.overtakes, *self.ahead, *own]
        while True:
            work = fixed + self.work(ranges, window)
            for low, high in self.lingers:
                work += sum(cost[k] * count(k, window + response[k]) for k in range(low, high))
            if (longer := self.step(self.time(work))) <= window:
                return window
            window = longer

    def outcome(self) -> Outcome:
        """Both bounds of the unit."""
        if self.solver.demand(self.unit) > OVERLOAD or self.before >= UNBOUNDED:
            return NOTHING
        try:
            window = self.own() if self.is_own else self.level()
        except _TooLongError:
            return NOTHING
        return self.best._replace(response=self.response, latency=self.latency, window=window)
