"""The kernel in plain Python: the oracle of the compiled one, and its stand-in.

The theory page (docs/theory.md) gives the inequalities; sections are cited at each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator

from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    EXPLICIT,
    LINGERS,
    MOST_STEPS,
    OVERTAKES,
    PERIODIC,
    PREEMPTS,
    SUM,
    UNBOUNDED,
    Outcome,
    Problem,
)

OVERLOAD = 1.0 + 1e-9
SWEEPS = 4  # over all units in order, before only the supplies that changed are visited
NOTHING = Outcome(UNBOUNDED, UNBOUNDED, UNBOUNDED, 0, 0, 0, UNBOUNDED)
Ranges = list[tuple[int, int]]


class _TooLongError(Exception):
    """A bound passed the limit, or the search for it took too many steps."""


class Curves:
    """Event curves of nodes and units (theory 2), with the shifts found so far."""

    def __init__(self, problem: Problem) -> None:
        p = self.problem = problem
        self.before = list(p.best)
        self.entry_shift = [0] * len(p.entry_node)

    def node_count(self, node: int, window: int) -> int:
        """η of a node: events in any half-open window of this length."""
        p = self.problem
        if window <= 0:
            return 0
        if window >= UNBOUNDED:
            return UNBOUNDED
        kind = p.node_kind[node]
        if kind == PERIODIC:
            period, jitter, distance = p.node_a[node], p.node_b[node], p.node_c[node]
            count = -(-(window + jitter) // period)
            if distance > 0:
                count = min(count, -(-window // distance))
            return count
        if kind == EXPLICIT:
            period, repeat, first, length = (
                p.node_a[node],
                p.node_b[node],
                p.node_c[node],
                p.node_d[node],
            )
            low = first + length - repeat
            last = window - 1
            if last < p.distances[low]:
                return bisect_right(p.distances, last, first, low) - first
            turns = (last - p.distances[low]) // period
            index = bisect_right(p.distances, last - turns * period, low, first + length)
            return index - first + turns * repeat
        total = 0
        for entry in range(p.node_c[node], p.node_c[node] + p.node_d[node]):
            count = p.entry_multiplicity[entry] * self.node_count(
                p.entry_node[entry], window + self.entry_shift[entry]
            )
            total = total + count if kind == SUM else max(total, count)
        return min(total, UNBOUNDED)

    def node_distance(self, node: int, count: int) -> int:
        """δ⁻ of a node: the least distance between the first and the count-th event."""
        p = self.problem
        if count <= 1:
            return 0
        kind = p.node_kind[node]
        if kind == PERIODIC:
            gaps = count - 1
            late = gaps * p.node_a[node] - p.node_b[node]
            return min(UNBOUNDED, max(0, late, gaps * p.node_c[node]))
        if kind == EXPLICIT:
            period, repeat, first, length = (
                p.node_a[node],
                p.node_b[node],
                p.node_c[node],
                p.node_d[node],
            )
            index = count - 1
            if index < length:
                return p.distances[first + index]
            turns = (index - length) // repeat + 1
            return min(UNBOUNDED, p.distances[first + index - turns * repeat] + turns * period)
        low, high = -1, 0
        while high < UNBOUNDED and self.node_count(node, high + 1) < count:
            low, high = high, 2 * high + 1
        if high >= UNBOUNDED:
            return UNBOUNDED
        while high - low > 1:
            middle = (low + high) // 2
            if self.node_count(node, middle + 1) < count:
                low = middle
            else:
                high = middle
        return high

    def count(self, unit: int, window: int) -> int:
        """η of a unit."""
        p = self.problem
        if window <= 0:
            return 0
        shift = self.before[unit] - p.best[unit]
        return min(UNBOUNDED, p.multiplicity[unit] * self.node_count(p.node[unit], window + shift))

    def distance(self, unit: int, count: int) -> int:
        """δ⁻ of a unit."""
        p = self.problem
        events = -(-count // p.multiplicity[unit])
        distance = self.node_distance(p.node[unit], events)
        if distance >= UNBOUNDED:
            return UNBOUNDED
        return max(0, distance - (self.before[unit] - p.best[unit]))


class _Window:
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
        if value >= UNBOUNDED or self.steps > self.solver.most_steps:
            raise _TooLongError
        return value

    def start(self, work: int, index: int, start: int) -> int:
        """S(q, A) for work = B + H(A) + (q - 1)·c."""
        while True:
            total = work + self.at_start(start, index) + self.work(self.preempts, start + 1)
            if (later := self.step(self.time(total))) <= start:
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


class Solver:
    """Finds the global fixed point: all responses and latencies of a problem."""

    def __init__(self, problem: Problem, most_steps: int = MOST_STEPS) -> None:
        self.problem = problem
        self.most_steps = most_steps
        self.curves = Curves(problem)
        size = len(problem)
        self.response = array("q", problem.cost)
        self.latency = array("q", [0]) * size
        self.window = array("q", [0]) * size
        self.solved = 0
        self._times = [0] * size
        self._dirty = [not load for load in problem.is_load]
        self._queue: deque[int] = deque()
        self._queued = [False] * len(problem.supply_first)
        self._rate = self._rates()
        self._load = self._loads()

    def _rates(self) -> list[float]:
        """Long-run events a nanosecond of each node."""
        p = self.problem
        rates: list[float] = []
        for node, kind in enumerate(p.node_kind):
            if kind == PERIODIC:
                rates.append(1.0 / p.node_a[node])
            elif kind == EXPLICIT:
                rates.append(p.node_b[node] / p.node_a[node])
            else:
                rate = 0.0
                for entry in range(p.node_c[node], p.node_c[node] + p.node_d[node]):
                    part = p.entry_multiplicity[entry] * rates[p.entry_node[entry]]
                    rate = rate + part if kind == SUM else max(rate, part)
                rates.append(rate)
        return rates

    def _loads(self) -> list[float]:
        """Long-run work of all units before each, for sums over ranges."""
        p = self.problem
        loads = [0.0]
        for unit in range(len(p)):
            rate = p.multiplicity[unit] * self._rate[p.node[unit]]
            loads.append(loads[-1] + rate * p.cost[unit])
        return loads

    def demand(self, unit: int) -> float:
        """Long-run work that must be done at the unit's level, as a fraction of its supply."""
        p, load = self.problem, self._load
        own = p.multiplicity[unit] * self._rate[p.node[unit]]
        demand = 0.0
        has_itself = False
        for r in range(p.relation_start[unit], p.relation_start[unit + 1]):
            kind, first, last = p.relation_kind[r], p.relation_first[r], p.relation_last[r]
            if kind == ALTERNATES:
                for k in range(first, last):
                    rate = p.multiplicity[k] * self._rate[p.node[k]]
                    demand += min(own, rate) * p.cost[k]
            elif kind != BLOCKS:
                demand += load[last] - load[first]
                has_itself = has_itself or kind == AHEAD
        if not has_itself:
            demand += own * p.cost[unit]
        supply = p.supply[unit]
        if p.supply_budget[supply]:
            demand *= p.supply_period[supply] / p.supply_budget[supply]
        return demand

    def solve(self) -> int:
        """Iterates until nothing changes; returns how many windows were examined."""
        p = self.problem
        most = 200 + 2 * len(p)
        order = self._order()
        for _ in range(SWEEPS):
            for unit in order:
                if self._dirty[unit]:
                    self._dirty[unit] = False
                    self._improve(unit, most)
        while self._queue:
            supply = self._queue.popleft()
            self._queued[supply] = False
            for unit in range(p.supply_first[supply], p.supply_last[supply]):
                if self._dirty[unit]:
                    self._dirty[unit] = False
                    self._improve(unit, most)
        return self.solved

    def _order(self) -> list[int]:
        """An order in which a unit comes after what feeds it and what is more urgent than it,
        wherever no circle forbids that: the reverse of the order in which a search leaves them.
        """
        left: list[int] = []
        entered = [False] * len(self.problem)
        for root in range(len(self.problem)):
            if entered[root]:
                continue
            entered[root] = True
            path = [(root, self._after(root))]
            while path:
                unit, after = path[-1]
                other = next(after, None)
                if other is None:
                    left.append(unit)
                    path.pop()
                elif not entered[other]:
                    entered[other] = True
                    path.append((other, self._after(other)))
        return left[::-1]

    def _after(self, unit: int) -> Iterator[int]:
        p = self.problem
        for edge in range(p.edge_start[unit], p.edge_start[unit + 1]):
            if p.edge_unit[edge] >= 0:
                yield p.edge_unit[edge]
        if unit + 1 < len(p) and p.supply[unit + 1] == p.supply[unit]:
            yield unit + 1

    def _improve(self, unit: int, most: int) -> None:
        if self.latency[unit] >= UNBOUNDED:
            return
        self.solved += 1
        self._times[unit] += 1
        before = self.curves.before[unit]
        outcome = NOTHING
        if self._times[unit] <= most:
            outcome = _Window(self, unit, -1, before).outcome()
        self.window[unit] = outcome.window
        if outcome.response > self.response[unit]:
            self.response[unit] = outcome.response
            if self.problem.is_carried[unit]:
                self._touch(unit)
        if outcome.latency > self.latency[unit]:
            self.latency[unit] = outcome.latency
            self._propagate(unit)

    def _propagate(self, unit: int) -> None:
        """A latency grew: what comes after arrives with more jitter."""
        p, curves = self.problem, self.curves
        for edge in range(p.edge_start[unit], p.edge_start[unit + 1]):
            before = min(UNBOUNDED, self.latency[unit] + p.edge_worst[edge])
            target = p.edge_unit[edge]
            if target >= 0:
                if before > curves.before[target]:
                    curves.before[target] = before
                    self._touch(target)
                continue
            entry = p.edge_entry[edge]
            shift = before if before >= UNBOUNDED else before - p.edge_best[edge]
            if shift > curves.entry_shift[entry]:
                curves.entry_shift[entry] = shift
                self._touch_node(p.entry_owner[entry])

    def _touch_node(self, node: int) -> None:
        p = self.problem
        for user in range(p.user_start[node], p.user_start[node + 1]):
            self._touch(p.user_unit[user])
        for dependent in range(p.dependent_start[node], p.dependent_start[node + 1]):
            self._touch_node(p.entry_owner[p.dependent_entry[dependent]])

    def _touch(self, unit: int) -> None:
        """The curve of a unit changed: what it can delay must be examined again."""
        p = self.problem
        for other in range(p.reach_first[unit], p.reach_last[unit]):
            self._dirty[other] = not p.is_load[other]
        supply = p.supply[unit]
        if not self._queued[supply]:
            self._queued[supply] = True
            self._queue.append(supply)

    def evaluate(self, unit: int, origin: int = -1, before: int | None = None) -> Outcome:
        """The bounds of a unit as solved; with an origin, the latency from that unit's arrival."""
        if self.response[unit] >= UNBOUNDED:
            return NOTHING
        start = self.curves.before[unit] if before is None else before
        return _Window(self, unit, origin, start).outcome()

    def count(self, unit: int, window: int) -> int:
        """How many units may arrive in a half-open window of this length."""
        return self.curves.count(unit, window)

    def before(self, unit: int) -> int:
        """The latest arrival of the unit, counted from the event of its node."""
        return self.curves.before[unit]
