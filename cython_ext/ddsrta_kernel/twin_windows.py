"""The busy window of one unit in plain Python (lemma busy-window), with coupled work (lemma
urgent-by-roots)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    EARLIER,
    LINGERS,
    OVERTAKES,
    PRECEDES,
    PREEMPTS,
    SHARES,
    UNBOUNDED,
    Outcome,
)

if TYPE_CHECKING:
    from ddsrta_kernel.twin import Solver

OVERLOAD = 1.0 + 1e-9
TURNS = ((ALTERNATES, 0), (PRECEDES, 1))  # for q of one's own, at most q, or one more
NOTHING = Outcome(UNBOUNDED, UNBOUNDED, UNBOUNDED, 0, 0, 0, UNBOUNDED)
Ranges = list[tuple[int, int]]
Costs = Sequence[int]


class TooLongError(Exception):
    """A bound passed the limit, or the search for it took too many steps."""


class _View:
    """One way to count the work of a window: units by cost, what is more urgent by its curves;
    or (lemma urgent-by-roots) units with all that they release upwards, what is more urgent by its
    roots.
    """

    def __init__(self, window: Window, costs: Costs, own: int, above: int) -> None:
        self.window, self.costs, self.own, self.above = window, costs, own, above
        self.each = costs[window.unit]
        ranges = window.ranges[BLOCKS]
        units = [k for low, high in ranges for k in range(low, high)]
        self.blocking = window.extra + max((costs[k] - 1 for k in units), default=0)

    def preempting(self, length: int) -> int:
        """P: the more urgent work of a window."""
        if self.above >= 0:
            return self.window.solver.levels.work(self.above, length)
        return self.arriving(PREEMPTS, length)

    def arriving(self, kind: int, length: int, without: int = -1) -> int:
        """Σ η_k(length)·c_k over the relations of a kind."""
        count = self.window.curves.count
        return sum(
            self.costs[k] * count(k, length)
            for low, high in self.window.ranges[kind]
            for k in range(low, high)
            if k != without
        )

    def lingering(self, start: int) -> int:
        """Σ η_k(start + response_k)·c_k over what lingers; of what shares threads, their share."""
        shared = self.pending(SHARES, start)
        if shared < UNBOUNDED:
            shared = -(-shared // self.window.threads)
        return self.pending(LINGERS, start) + shared

    def pending(self, kind: int, start: int) -> int:
        """The same sum over the relations of a kind."""
        count, response = self.window.curves.count, self.window.solver.response
        return sum(
            self.costs[k] * count(k, start + response[k])
            for low, high in self.window.ranges[kind]
            for k in range(low, high)
        )

    def at_start(self, start: int, index: int, arrival: int) -> int:
        """V(S): what comes before the unit because it arrives before it starts."""
        count, response = self.window.curves.count, self.window.solver.response
        work = self.arriving(OVERTAKES, start + 1) + self.lingering(start)
        for (low, high), shift in self.window.earlier_ranges:
            if (reach := min(arrival + shift, start)) >= 0:
                work += sum(self.costs[k] * count(k, reach + 1) for k in range(low, high))
        for kind, more in TURNS:
            for (low, high), (weight, own) in self.window.turns[kind]:
                most = -(-(index + more) // own) * weight
                for k in range(low, high):
                    work += self.costs[k] * min(most, count(k, start + response[k]))
        p, unit = self.window.solver.problem, self.window.unit
        for i in range(p.effect_start[unit], p.effect_start[unit + 1]):
            k = p.effect_unit[i]
            turns = min(index + p.effect_more[i], count(k, start + response[k]))
            work -= self.costs[k] * max(0, turns - self.window.earlier(k, index))
        return work

    def filling(self, length: int) -> int:
        """All work of a window of the level."""
        own = 0
        if not self.window.ranges[AHEAD]:
            own = self.each * self.window.curves.count(self.window.unit, length)
        return (
            self.blocking
            + own
            + self.preempting(length)
            + self.arriving(OVERTAKES, length)
            + self.arriving(AHEAD, length)
            + self.arriving(EARLIER, length)
            + self.lingering(length)
        )


class Window:
    """The busy window of one unit (lemma busy-window), seen from an origin of its stream."""

    def __init__(self, solver: Solver, unit: int, origin: int, before: int) -> None:
        p = solver.problem
        self.solver, self.curves = solver, solver.curves
        self.unit, self.origin, self.before = unit, origin, before
        self.cost = p.cost[unit]
        self.extra = p.extra[unit] if p.extra else 0
        self.node, self.multiplicity = p.node[unit], p.multiplicity[unit]
        self.supply = p.supply[unit]
        self.threads = p.supply_threads[self.supply]
        self.ranges: list[Ranges] = [[] for _ in range(EARLIER + 1)]
        self.earlier_ranges: list[tuple[tuple[int, int], int]] = []  # with their shifts
        self.turns: dict[int, list[tuple[tuple[int, int], tuple[int, int]]]]
        self.turns = {kind: [] for kind, _ in TURNS}  # with their weights
        for r in range(p.relation_start[unit], p.relation_start[unit + 1]):
            kind, members = p.relation_kind[r], (p.relation_first[r], p.relation_last[r])
            self.ranges[kind].append(members)
            if kind == EARLIER:
                self.earlier_ranges.append((members, p.relation_shift[r]))
            elif kind in self.turns:
                self.turns[kind].append((members, (p.relation_weight[r], p.relation_own[r])))
        self.views = [_View(self, p.cost, self.cost, -1)]
        if p.above and p.above[unit] >= 0:
            self.views.append(_View(self, p.loaded, self.cost + p.burden[unit], p.above[unit]))
        kinds = {kind for kind in range(PREEMPTS + 1, EARLIER + 1) if self.ranges[kind]}
        self.is_own = bool(kinds & {ALTERNATES, PRECEDES}) or not kinds
        self.asks_start = bool(kinds - {AHEAD, BLOCKS})
        self.steps = 0
        self.left_over = solver.most_steps
        self.floor = 0  # it left its origin no earlier than so long after the window opened (17)
        self.best = NOTHING
        self.response = self.latency = -1

    def time(self, work: int) -> int:
        """The inverse of the supply bound (lemma supply-inverse)."""
        return self.solver.service_time(self.supply, work)

    def step(self, value: int) -> int:
        """Counts an evaluation; gives up where it leads nowhere."""
        self.steps += 1
        if value >= UNBOUNDED or self.steps > self.left_over:
            raise TooLongError
        return value

    def start(self, arrival: int, index: int, start: int) -> int:
        """S(q, A); no arrival: the window opens with the unit's own first."""
        ahead = [self.ahead(view, arrival) + (index - 1) * view.each for view in self.views]
        while True:
            work = min(
                before + view.at_start(start, index, arrival) + view.preempting(start + 1)
                for view, before in zip(self.views, ahead, strict=True)
            )
            if (later := self.step(self.time(work + 1) - 1)) <= start:
                return start
            start = later

    def finish(self, arrival: int, index: int, start: int, finish: int) -> int:
        """F(q, A)."""
        ahead = [
            self.ahead(view, arrival)
            + (index - 1) * view.each
            + view.own
            + (view.at_start(start, index, arrival) if self.asks_start else 0)
            for view in self.views
        ]
        while True:
            work = min(
                before + view.preempting(finish)
                for view, before in zip(self.views, ahead, strict=True)
            )
            if (later := self.step(self.time(work))) <= finish:
                return finish
            finish = later

    def ahead(self, view: _View, arrival: int) -> int:
        """B + H(A)."""
        if arrival < 0:
            return self.extra
        work = view.blocking + view.arriving(AHEAD, arrival + 1, without=self.unit)
        p, curves = self.solver.problem, self.curves
        for i in range(p.later_start[self.unit], p.later_start[self.unit + 1]):
            later = p.later_unit[i]
            shift = curves.before[later] - p.best[self.unit]
            jobs = p.later_jobs[i] * curves.node_count(self.node, arrival + 1 + shift) - 1
            all_of_them = curves.count(later, arrival + 1)
            work -= view.costs[later] * max(0, all_of_them - jobs * p.later_bunch[i])
        return work

    def earlier(self, other: int, index: int) -> int:
        """The most units of an effect in the window of the index-th own one: of the events before,
        as far as they may not be done when it opens (lemma effects-in-turn)."""
        solver, p = self.solver, self.solver.problem
        reach = solver.latency[other] - p.best[self.unit]
        events = index - 1 + max(0, self.curves.node_count(self.node, reach) - 1)
        return p.multiplicity[other] * events

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
        latency = finish - max(left, self.floor) + self.before
        if latency > self.latency:
            self.latency = latency
            self.best = Outcome(0, latency, 0, index, arrival, start, finish)

    def own(self) -> int:
        """The window that opens with the unit's own first arrival."""
        index, start, finish = 1, 0, self.cost
        while True:
            if self.asks_start:
                start = self.start(-1, index, start)
                finish = max(finish, start + self.cost)
            finish = self.finish(-1, index, start, finish)
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
        curves = self.curves
        ahead = [k for low, high in self.ranges[AHEAD] for k in range(low, high) if k != self.unit]
        while arrival < window:
            last = curves.count(self.unit, arrival + 1)
            first = max(1, min(last, self.left_by(arrival)))
            start, finish = warm_start, warm_finish
            for index in range(first, last + 1):
                if self.asks_start:
                    start = self.start(arrival, index, start)
                finish = max(finish, start + self.cost)
                finish = self.finish(arrival, index, start, finish)
                if index == first:
                    warm_start, warm_finish = start, finish
                self.record(index, arrival, start, finish, max(arrival, self.left(index)))
            self.response = max(self.response, finish - arrival)
            steps = [
                curves.distance(k, curves.count(k, arrival + 1) + 1) for k in [self.unit, *ahead]
            ]
            arrival = min([*steps, *self.earlier_steps(arrival), *self.sibling_steps(arrival)])
        return window

    def earlier_steps(self, arrival: int) -> Iterator[int]:
        """Where one more comes first of those that are earlier."""
        for (low, high), shift in self.earlier_ranges:
            for k in range(low, high):
                reach = arrival + shift
                known = self.curves.count(k, reach + 1) if reach >= 0 else 0
                yield self.curves.distance(k, known + 1) - shift

    def sibling_steps(self, arrival: int) -> Iterator[int]:
        """Where the bounds of later siblings step next; that may be where no curve does."""
        p, curves = self.solver.problem, self.curves
        for i in range(p.later_start[self.unit], p.later_start[self.unit + 1]):
            shift = curves.before[p.later_unit[i]] - p.best[self.unit]
            jobs = curves.node_count(self.node, arrival + 1 + shift)
            yield curves.node_distance(self.node, jobs + 1) - shift

    def length(self) -> int:
        """L: how long the window of the level can be."""
        window = 1
        while True:
            work = min(view.filling(window) for view in self.views)
            if (longer := self.step(self.time(work))) <= window:
                return window
            window = longer

    def outcome(self) -> Outcome:
        """Both bounds of the unit."""
        if self.solver.demand(self.unit) > OVERLOAD or self.before >= UNBOUNDED:
            return NOTHING
        try:
            window = self.own() if self.is_own else self.level()
        except TooLongError:
            return NOTHING
        return self.best._replace(response=self.response, latency=self.latency, window=window)
