"""Windows by trying every integer: the definitions of docs/theory, and nothing else.

Curves are lists of values, the events of a node stand at the earliest times that it allows, a
supply is a row of nanoseconds, and fixed points are found by trying one after the other. For small
numbers. What others were found to take is given; so are shifts (lemma jitter-propagation).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

from ddsrta_kernel import Problem, Solver
from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    EARLIER,
    EXPLICIT,
    LINGERS,
    OVERLAPS,
    OVERTAKES,
    PERIODIC,
    PRECEDES,
    PREEMPTS,
    SHARES,
    SUM,
)


class TooLongError(Exception):
    """A window passes the last nanosecond that is tried."""


class Relation(NamedTuple):
    """How others delay a unit."""

    kind: int
    units: range
    shift: int
    weight: int
    own: int


class Curves:
    """η and δ⁻ of nodes and units, one value for each length up to the last."""

    def __init__(self, problem: Problem, solver: Solver, last: int) -> None:
        self.problem, self.solver, self.last = problem, solver, last
        self.entry_shift = [0] * problem.entries
        for unit in range(problem.units):
            for edge in range(problem.edge_start[unit], problem.edge_start[unit + 1]):
                if problem.edge_unit[edge] < 0:
                    late = solver.latency[unit] + problem.edge_worst[edge] - problem.edge_best[edge]
                    entry = problem.edge_entry[edge]
                    self.entry_shift[entry] = max(self.entry_shift[entry], late)
        self.node = cache(self._node)
        self.unit = cache(self._unit)

    def _earliest(self, node: int) -> Iterator[int]:
        """When the events of a source come at the earliest, counted from the first."""
        p, number = self.problem, 0
        while True:
            if p.node_kind[node] == PERIODIC:
                time = max(0, number * p.node_a[node] - p.node_b[node], number * p.node_c[node])
            else:
                turns = 0
                while number - turns * p.node_b[node] >= p.node_d[node]:
                    turns += 1
                first = p.distances[p.node_c[node] + number - turns * p.node_b[node]]
                time = first + turns * p.node_a[node]
            yield time
            number += 1

    def _node(self, node: int) -> list[int]:
        """η: how many events there are in a half-open window of each length."""
        p, counts = self.problem, [0] * (self.last + 1)
        if p.node_kind[node] in (PERIODIC, EXPLICIT):
            for time in self._earliest(node):
                if time >= self.last:
                    break
                counts[time + 1] += 1
            for length in range(1, self.last + 1):
                counts[length] += counts[length - 1]
            return counts
        entries = range(p.node_c[node], p.node_c[node] + p.node_d[node])
        known = [len(self.node(p.entry_node[e])) - 1 - self.entry_shift[e] for e in entries]
        counts = [0] * (max(0, min(known)) + 1)
        for entry in entries:
            source, shift = self.node(p.entry_node[entry]), self.entry_shift[entry]
            spacing = p.entry_spacing[entry], p.entry_slack[entry], p.entry_bunch[entry]
            for length in range(1, len(counts)):
                count = p.entry_multiplicity[entry] * source[length + shift]
                both = counts[length], _spaced(count, length, spacing)
                counts[length] = sum(both) if p.node_kind[node] == SUM else max(both)
        return counts

    def shift(self, unit: int) -> int:
        """By how much a unit may come later than at best."""
        p, before = self.problem, self.problem.best[unit] + self.problem.late[unit]
        for other in range(p.units):
            for edge in range(p.edge_start[other], p.edge_start[other + 1]):
                if p.edge_unit[edge] == unit:
                    before = max(before, self.solver.latency[other] + p.edge_worst[edge])
        return before - p.best[unit]

    def _unit(self, unit: int) -> list[int]:
        p, shift, source = self.problem, self.shift(unit), self.node(self.problem.node[unit])
        spacing = p.spacing[unit], p.slack[unit], p.bunch[unit]
        return [0] + [
            _spaced(p.multiplicity[unit] * source[length + shift], length, spacing)
            for length in range(1, len(source) - shift)
        ]

    def count(self, unit: int, length: int) -> int:
        """η of a unit."""
        return _at(self.unit(unit), length)

    def node_count(self, node: int, length: int) -> int:
        """η of a node."""
        return _at(self.node(node), length)

    def distance(self, unit: int, count: int) -> int:
        """δ⁻ of a unit: the longest time in which there are fewer."""
        return _first(self.unit(unit), count)

    def node_distance(self, node: int, count: int) -> int:
        """δ⁻ of a node."""
        return _first(self.node(node), count)


def _spaced(count: int, length: int, spacing: tuple[int, int, int]) -> int:
    distance, slack, bunch = spacing
    if not distance:
        return count
    bunches = 0
    while bunches * distance < length + slack:
        bunches += 1
    return min(count, bunches * bunch)


def _at(counts: Sequence[int], length: int) -> int:
    if length >= len(counts):
        raise TooLongError
    return counts[length] if length > 0 else 0


def _first(counts: Sequence[int], count: int) -> int:
    for length, found in enumerate(counts):
        if found >= count:
            return max(0, length - 1)
    raise TooLongError


class View(NamedTuple):
    """One way to count work: units by their cost, what is more urgent by its units; or units with
    all that they release upwards, what is more urgent by its roots (lemma urgent-by-roots)."""

    costs: Sequence[int]
    own: int
    level: int


class Window:
    """The window of one unit, from the lemmas busy-window, level-window and own-window."""

    def __init__(self, curves: Curves, unit: int) -> None:
        p = self.problem = curves.problem
        self.curves, self.solver, self.unit = curves, curves.solver, unit
        self.node, self.cost = p.node[unit], p.cost[unit]
        self.relations = [
            Relation(
                p.relation_kind[r],
                range(p.relation_first[r], p.relation_last[r]),
                p.relation_shift[r],
                p.relation_weight[r],
                p.relation_own[r],
            )
            for r in range(p.relation_start[unit], p.relation_start[unit + 1])
        ]
        self.supply = p.supply[unit]
        self.kinds = {relation.kind for relation in self.relations}
        self.fresh = -1 if self.own_are(OVERTAKES) else p.supply_fresh[self.supply]
        self.extra = p.extra[unit] if p.extra else 0
        self.views = [View(p.cost, self.cost, -1)]
        if p.above and p.above[unit] >= 0:
            self.views.append(View(p.loaded, self.cost + p.burden[unit], p.above[unit]))

    @cached_property
    def service(self) -> list[int]:
        """How much the supply has given after each ns, at the least: late, the budgets in a row."""
        p, supply = self.problem, self.problem.supply[self.unit]
        budget, period = p.supply_budget[supply], p.supply_period[supply]
        given, silent = [0], self.fresh if self.fresh >= 0 else p.supply_late[supply]
        for now in range(self.curves.last):
            serves = not budget or (now >= silent and (now - silent) % period < budget)
            given.append(given[-1] + serves)
        return given

    @property
    def over(self) -> int:
        """How much longer until a supply is as it was when the window opened."""
        p = self.problem
        rest = p.supply_period[self.supply] - p.supply_budget[self.supply]
        return rest - self.fresh + 1 if self.fresh >= 0 else 0

    def time(self, work: int) -> int:
        """The first moment at which so much is given."""
        for now, given in enumerate(self.service):
            if given >= work:
                return now
        raise TooLongError

    def of(self, *kinds: int) -> Iterator[tuple[Relation, int]]:
        """The units of all relations of some kinds."""
        for relation in self.relations:
            if relation.kind in kinds:
                yield from ((relation, k) for k in relation.units)

    def preempting(self, view: View, length: int) -> int:
        """P."""
        p, count = self.problem, self.curves.count
        if view.level < 0:
            return sum(view.costs[k] * count(k, length) for _, k in self.of(PREEMPTS))
        roots = range(p.root_start[view.level], p.root_start[view.level + 1])
        return p.level_piece[view.level] + sum(
            p.root_work[r] * count(p.root_unit[r], length) for r in roots
        )

    def pending(self, k: int, length: int) -> int:
        """Units that were there when the window opened, or came since."""
        return self.curves.count(k, length + self.solver.response[k])

    def lingering(self, view: View, length: int) -> int:
        """What lingers."""
        return sum(view.costs[k] * self.pending(k, length) for _, k in self.of(LINGERS))

    def crowd(self, after: int, start: int, index: int = 0, arrival: int = 0) -> int:
        """How long all threads of a pool may be at others (lemma pool-window): tried for all that
        may have been in one thread less when the window opened."""
        costs, threads = self.problem.cost, self.problem.supply_threads[self.supply]
        if threads == 1:
            return 0
        works, before = [], []
        for relation in self.relations:
            if relation.kind == SHARES:
                found = sum(costs[k] * self.pending(k, start) for k in relation.units)
                before.append((len(works), found))
                works.append(sum(costs[k] * self.curves.count(k, after) for k in relation.units))
        for _, k in self.of(OVERLAPS):
            now, most = self.curves.count(k, after), self.pending(k, start)
            if k == self.unit and index:
                now, most = index - 1, self.pending(k, arrival) - 1
            works += now * [costs[k]]
            before += min(threads - 1, max(0, most - now)) * [(-1, costs[k])]
        longest = 0
        for chosen in combinations(before, min(threads - 1, len(before))):
            mine, busy = dict(enumerate(works)), 0
            for number, (place, work) in enumerate(chosen):
                mine[-1 - number if place < 0 else place] = work
            while threads * (busy + 1) <= sum(min(work, busy + 1) for work in mine.values()):
                busy += 1
            longest = max(longest, busy)
        return longest

    def own_are(self, kind: int) -> bool:
        """Whether its own jobs OVERLAP or OVERTAKE (lemma mixed-publishers) each other."""
        return any(k == self.unit for _, k in self.of(kind))

    def turns(self, relation: Relation, k: int, start: int, index: int) -> int:
        """Units that are served in turn; fewer of a later effect (lemma effects-in-turn)."""
        p, served = self.problem, 0
        mine = index + (relation.kind == PRECEDES)
        while served * relation.own < mine:
            served += 1
        most = min(served * relation.weight, self.pending(k, start))
        for i in range(p.effect_start[self.unit], p.effect_start[self.unit + 1]):
            if p.effect_unit[i] == k:
                reach = self.solver.latency[k] - p.best[self.unit]
                events = index - 1 + max(0, self.curves.node_count(self.node, reach) - 1)
                most = min(most, p.multiplicity[k] * events)
        return most

    def until_start(self, view: View, index: int, arrival: int, start: int) -> int:
        """V(S)."""
        count, costs = self.curves.count, view.costs
        work = sum(costs[k] * count(k, start + 1) for _, k in self.of(OVERTAKES) if k != self.unit)
        served = max(index, count(self.unit, start + 1)) if self.own_are(OVERTAKES) else index
        work += costs[self.unit] * (served - index)
        work += self.lingering(view, start) + self.crowd(start + 1, start, index, arrival)
        for relation, k in self.of(EARLIER):
            if min(arrival + relation.shift, start) >= 0:
                work += costs[k] * count(k, min(arrival + relation.shift, start) + 1)
        for relation, k in self.of(ALTERNATES, PRECEDES):
            work += costs[k] * self.turns(relation, k, start, served)
        return work

    def blocking(self, view: View) -> int:
        """B, of which none may be done in a reservation, and what comes first whatever others do."""
        begun = not self.problem.supply_budget[self.supply]
        return self.extra + max((view.costs[k] - begun for _, k in self.of(BLOCKS)), default=0)

    def ahead(self, view: View, arrival: int) -> int:
        """B + H(A); of what comes after ours fewer (lemmas later-siblings, ahead-in-step)."""
        p, work = self.problem, self.blocking(view)
        for _, k in self.of(AHEAD):
            most = self.curves.count(k, arrival + 1) if k != self.unit else 0
            for jobs, bunch in self.behind(k) if most else ():
                window = arrival + 1 + self.curves.shift(k) + p.best[k] - p.best[self.unit]
                events = self.curves.node_count(self.node, window)
                most = min(most, bunch * (jobs * events - 1))
            work += view.costs[k] * most
        return work

    def behind(self, k: int) -> Iterator[tuple[int, int]]:
        """Jobs, or events, and their units that come after ours."""
        p, ours = self.problem, self.unit
        if p.ahead_in_step and p.node[k] == self.node:
            causes = range(p.cause_start[ours], p.cause_start[ours + 1]) if p.cause_start else ()
            found = (p.cause_first[i] <= p.cause_place[k] < p.cause_end[i] for i in causes)
            late = self.curves.shift(ours) + p.best[ours]
            if p.best[k] > late or (any(found) and p.multiplicity[ours] == 1):
                yield 1, p.multiplicity[k]
        later = range(p.later_start[ours], p.later_start[ours + 1])
        yield from ((p.later_jobs[i], p.later_bunch[i]) for i in later if p.later_unit[i] == k)

    def finish(self, index: int, arrival: int, before: list[int]) -> int:
        """F(q, A), of which `before` is ahead in each view."""
        start, at_once = 0, self.own_are(OVERLAPS) and not self.own_are(OVERTAKES)
        while not self.kinds <= {PREEMPTS, AHEAD, BLOCKS}:
            work = min(
                known + (0 if at_once else index - 1) * view.costs[self.unit]
                + self.until_start(view, index, arrival, start) + self.preempting(view, start + 1)
                for known, view in zip(before, self.views, strict=True)
            )  # fmt: skip
            if start >= self.time(work + 1) - 1:
                break
            start += 1
        finish = start + self.cost
        while True:
            work = min(
                known + (0 if at_once else index - 1) * view.costs[self.unit] + view.own
                + self.until_start(view, index, arrival, start) + self.preempting(view, finish)
                for known, view in zip(before, self.views, strict=True)
            )  # fmt: skip
            if finish >= self.time(work):
                return finish
            finish += 1

    def length(self) -> int:
        """L."""
        mine = set() if self.own_are(OVERLAPS) else {self.unit}
        for length in range(1, self.curves.last):
            work = min(
                self.blocking(view) + self.preempting(view, length) + self.lingering(view, length)
                + self.crowd(length, length)
                + sum(view.costs[k] * self.curves.count(k, length)
                      for k in {*mine, *(k for _, k in self.of(AHEAD, OVERTAKES, EARLIER))})
                for view in self.views
            )  # fmt: skip
            if length >= self.time(work) + self.over:
                return length
        raise TooLongError

    def left(self, index: int) -> int:
        """The least time from the first of the units to the index-th, at their base."""
        multiplicity = self.problem.multiplicity[self.unit]
        return self.curves.node_distance(self.node, -(-index // multiplicity))

    def bounds(self) -> tuple[int, int]:
        """Response and latency."""
        before = self.curves.shift(self.unit) + self.problem.best[self.unit]
        found = self.own() if self.is_own else self.of_level()
        response, latency = map(max, zip(*found, strict=True))
        return response, latency + before

    @property
    def is_own(self) -> bool:
        """Whether the window opens with the first of the unit's own."""
        return bool(self.kinds & {ALTERNATES, PRECEDES}) or self.kinds <= {PREEMPTS}

    def own(self) -> Iterator[tuple[int, int]]:
        """What each unit of a row takes, from its arrival and from its base."""
        index = 1
        while True:
            finish = self.finish(index, 0, [self.extra for _ in self.views])
            yield finish - self.curves.distance(self.unit, index), finish - self.left(index)
            if finish + self.over <= self.curves.distance(self.unit, index + 1):
                return
            index += 1

    def of_level(self) -> Iterator[tuple[int, int]]:
        """The same of every unit that arrives at any nanosecond of the window."""
        for arrival in range(self.length()):
            before = [self.ahead(view, arrival) for view in self.views]
            for index in range(1, self.curves.count(self.unit, arrival + 1) + 1):
                finish = self.finish(index, arrival, before)
                yield finish - arrival, finish - max(arrival, self.left(index))
