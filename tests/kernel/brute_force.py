"""Windows by trying every integer: the definitions of docs/theory, and nothing else.

Curves are lists of values, the events of a node stand at the earliest times that it allows, a
supply is a row of nanoseconds, and fixed points are found by trying one after the other. For small
numbers. What others were found to take is given; so are shifts (lemma jitter-propagation).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    EARLIER,
    LINGERS,
    OVERLAPS,
    OVERTAKES,
    PRECEDES,
    PREEMPTS,
    SHARES,
)
from tests.kernel.brute_curves import Curves, TooLongError


class Relation(NamedTuple):
    """How others delay a unit."""

    kind: int
    units: range
    shift: int
    weight: int
    own: int


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
        self.brought: dict[int, int] = {}  # by what opened the window (lemma one-opener)
        self.at_once = False  # with the unit itself

    def opened(self) -> Iterator[Window]:
        """The same window by each that may have opened it."""
        p, found = self.problem, defaultdict[int, list[int]](list)
        rows = (
            range(p.opener_start[self.unit], p.opener_start[self.unit + 1])
            if p.opener_start
            else ()
        )
        for row in rows:
            found[p.opener_who[row]].append(row)
        for own in found.values() if not self.is_own else ():
            one = copy(self)
            one.brought = {p.opener_unit[row]: p.opener_most[row] for row in own}
            kinds = {p.opener_kind[row] for row in own if p.opener_unit[row] == self.unit}
            one.at_once = kinds == {AHEAD}
            yield one

    def most(self, k: int, length: int) -> int:
        """How many of a unit come from its opening on, before ours or before it starts."""
        count = self.curves.count(k, length)
        return min(count, self.brought.get(k, count))

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
        count, costs, most = self.curves.count, view.costs, self.most
        work = sum(costs[k] * most(k, start + 1) for _, k in self.of(OVERTAKES) if k != self.unit)
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
            most = self.most(k, arrival + 1) if k != self.unit else 0
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
        windows = [*self.opened()] or [self]
        found = self.own() if self.is_own else (b for one in windows for b in one.of_level())
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
        for arrival in range(1 if self.at_once else self.length()):
            before = [self.ahead(view, arrival) for view in self.views]
            for index in range(1, self.most(self.unit, arrival + 1) + 1):
                finish = self.finish(index, arrival, before)
                yield finish - arrival, finish - max(arrival, self.left(index))
