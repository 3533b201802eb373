"""The kernel in plain Python: the oracle of the compiled one, and its stand-in.

The chapters of docs/theory give the inequalities; lemmas are cited at each.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Sequence

from ddsrta_kernel import twin_tandem
from ddsrta_kernel.problem import (
    AHEAD,
    ALL_STEPS,
    ALTERNATES,
    BLOCKS,
    EXPLICIT,
    LATENCY_TOO,
    MOST_STEPS,
    PERIODIC,
    PRECEDES,
    SHARES,
    SUM,
    UNBOUNDED,
    Outcome,
    Problem,
    TandemOutcome,
)
from ddsrta_kernel.twin_curves import Curves
from ddsrta_kernel.twin_groups import Group, GroupWindow, Levels
from ddsrta_kernel.twin_tandem import Tandem
from ddsrta_kernel.twin_windows import NOTHING, Window

SWEEPS = 4  # over all units in order, before only the supplies that changed are visited
FEW = 8  # an eighth of the units: while a sweep examines more, another follows


class Solver:
    """Finds the global fixed point: all responses and latencies of a problem."""

    def __init__(self, problem: Problem, most_steps: int = MOST_STEPS) -> None:
        self.problem = problem
        self.most_steps = most_steps
        self.curves = Curves(problem)
        self.levels = Levels(self)
        size = len(problem)
        self.response = array("q", problem.cost)
        self.latency = array("q", [0]) * size
        self.window = array("q", [0]) * size
        self.solved = 0
        self._times = [0] * size
        self._steps = [ALL_STEPS * most_steps] * size
        self._group_steps = [ALL_STEPS * most_steps] * size
        self._dirty = [not load for load in problem.is_load]
        self._queue: deque[int] = deque()
        self._queued = [False] * len(problem.supply_first)
        self._rate = self._rates()
        self._loads_before = self._loads()

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

    def load(self, first: int, last: int) -> float:
        """Long-run work of a range of units."""
        return self._loads_before[last] - self._loads_before[first]

    def slowness(self, supply: int) -> float:
        """Long-run time that a supply takes for a nanosecond of work."""
        p = self.problem
        budget = p.supply_budget[supply]
        return p.supply_period[supply] / budget if budget else 1.0

    def service_time(self, supply: int, work: int) -> int:
        """The inverse of the supply bound (lemma supply-inverse)."""
        if work <= 0:
            return 0
        budget, period = self.problem.supply_budget[supply], self.problem.supply_period[supply]
        if budget == 0:
            return work
        full, rest = divmod(work - 1, budget)
        return 2 * (period - budget) + full * period + rest + 1

    def left(self, unit: int, origin: int, index: int) -> int:
        """The least time from the first of a unit's arrivals to the index-th, at the origin."""
        p = self.problem
        if origin < 0:
            return self.curves.node_distance(p.node[unit], -(-index // p.multiplicity[unit]))
        ratio = p.multiplicity[unit] // p.multiplicity[origin]
        return self.curves.distance(origin, -(-index // ratio))

    def demand(self, unit: int) -> float:
        """Long-run work that must be done at the unit's level, as a fraction of its supply."""
        p = self.problem
        own = p.multiplicity[unit] * self._rate[p.node[unit]]
        demand = 0.0
        has_itself = False
        for r in range(p.relation_start[unit], p.relation_start[unit + 1]):
            kind, first, last = p.relation_kind[r], p.relation_first[r], p.relation_last[r]
            if kind in (ALTERNATES, PRECEDES):
                turns = own * p.relation_weight[r] / p.relation_own[r]
                for k in range(first, last):
                    rate = p.multiplicity[k] * self._rate[p.node[k]]
                    demand += min(turns, rate) * p.cost[k]
            elif kind == SHARES:
                demand += self.load(first, last) / p.supply_threads[p.supply[unit]]
            elif kind != BLOCKS:
                demand += self.load(first, last)
                has_itself = has_itself or kind == AHEAD
        if not has_itself:
            demand += own * p.cost[unit]
        return demand * self.slowness(p.supply[unit])

    def solve(self) -> int:
        """Iterates until nothing changes; returns how many windows were examined."""
        p = self.problem
        most = 200 + 2 * len(p)
        order = self._order()
        sweeps = examined = 0
        while sweeps < SWEEPS or FEW * examined > len(p):
            sweeps, examined = sweeps + 1, 0
            for unit in order:
                if self._dirty[unit]:
                    self._dirty[unit] = False
                    self._improve(unit, most)
                    examined += 1
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
        outcome = NOTHING
        if self._times[unit] <= most:
            outcome = self._examine(unit)
        self.window[unit] = outcome.window
        if outcome.response > self.response[unit]:
            self.response[unit] = outcome.response
            if self.problem.is_carried[unit]:
                self._touch(unit)
        if outcome.latency > self.latency[unit]:
            self.latency[unit] = outcome.latency
            self._propagate(unit)
            if self.problem.is_carried[unit] == LATENCY_TOO:
                self._touch(unit)

    def _examine(self, unit: int) -> Outcome:
        """The least bounds that the unit's own window and its groups give."""
        window = Window(self, unit, -1, self.curves.before[unit])
        window.left_over = min(self.most_steps, self._steps[unit])
        best = window.outcome()
        self._steps[unit] -= window.steps
        for number in self.groups(unit):
            group = self.group(number, unit)
            most = min(self.most_steps, self._group_steps[unit])
            outcome, steps = self._group(group, -1, self.curves.before[group.head], most)
            self._group_steps[unit] -= steps
            best = best._replace(
                response=min(best.response, outcome.response),
                latency=min(best.latency, outcome.latency),
            )
        return best

    def groups(self, unit: int) -> range:
        """The numbers of the groups that a unit may close."""
        p = self.problem
        return range(p.group_start[unit], p.group_start[unit + 1]) if p.group_start else range(0)

    def group(self, number: int, unit: int) -> Group:
        """A group of a unit, by its number."""
        p = self.problem
        return Group(
            p.group_kind[number],
            p.group_head[number],
            p.group_level[number],
            p.group_first[number],
            p.group_each[number],
            p.group_later[number],
            p.group_least[number],
            unit,
        )

    def _group(
        self, group: Group, origin: int, before: int, most_steps: int
    ) -> tuple[Outcome, int]:
        window = GroupWindow(self, group, most_steps)
        outcome = window.outcome(origin, before)
        return outcome, window.steps

    def evaluate_group(self, group: tuple[int, ...], origin: int, before: int) -> Outcome:
        """The bounds that a group gives, with the latency from the origin's arrival."""
        return self._group(Group(*group), origin, before, self.most_steps)[0]

    def _propagate(self, unit: int) -> None:
        """A latency grew: what comes after arrives with more jitter."""
        p, curves = self.problem, self.curves
        for edge in range(p.edge_start[unit], p.edge_start[unit + 1]):
            before = self.latency[unit]
            if before < UNBOUNDED:
                before = min(UNBOUNDED, before + p.edge_worst[edge])
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
        return Window(self, unit, origin, start).outcome()

    def evaluate_tandem(
        self,
        tandem: tuple[int, int, int, int],
        feeds: Sequence[int],
        origin: int,
        before: tuple[int, int],
    ) -> TandemOutcome:
        """The latency from the origin's arrival that two threads in tandem give (lemma
        tandem-window)."""
        return twin_tandem.evaluate(self, Tandem(*tandem), feeds, origin, before)

    def count(self, unit: int, window: int) -> int:
        """How many units may arrive in a half-open window of this length."""
        return self.curves.count(unit, window)

    def node_count(self, node: int, window: int) -> int:
        """How many events of a node may come in a half-open window of this length."""
        return self.curves.node_count(node, window)

    def before(self, unit: int) -> int:
        """The latest arrival of the unit, counted from the event of its node."""
        return self.curves.before[unit]
