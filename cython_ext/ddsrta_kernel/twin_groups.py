"""Windows of a level, and of groups of joined stages, in plain Python (lemma group-window)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ddsrta_kernel.problem import ANYHOW, PIECE, ROOT, UNBOUNDED, Outcome
from ddsrta_kernel.twin_windows import NOTHING, OVERLOAD, TooLongError

if TYPE_CHECKING:
    from ddsrta_kernel.twin import Solver


class Levels:
    """The levels of a problem; the length of each window is kept, for it only grows."""

    def __init__(self, solver: Solver) -> None:
        self.solver, self.problem = solver, solver.problem
        self.found = [1] * len(self.problem.level_end)

    def work(self, level: int, window: int, without: int = -1) -> int:
        """I + Σ η_r(window)·C_r, but for one root."""
        return self.problem.level_piece[level] + self.roots(level, window, without)

    def roots(self, level: int, window: int, without: int = -1) -> int:
        """Σ η_r(window)·C_r, but for one root."""
        p, count = self.problem, self.solver.curves.count
        return sum(
            p.root_work[r] * count(p.root_unit[r], window)
            for r in range(p.root_start[level], p.root_start[level + 1])
            if p.root_unit[r] != without
        )

    def overloaded(self, level: int) -> bool:
        """Whether more work arrives in the long run than the supply serves."""
        p = self.problem
        supply = p.level_supply[level]
        load = self.solver.load(p.supply_first[supply], p.level_end[level])
        return load * self.solver.slowness(supply) > OVERLOAD


class Group(NamedTuple):
    """See Problem."""

    kind: int
    head: int
    level: int
    first: int
    each: int
    later: int
    least: int
    last: int


class GroupWindow:
    """The window that a group of joined stages is done in."""

    def __init__(self, solver: Solver, group: Group, left_over: int) -> None:
        self.solver, self.group, self.left_over = solver, group, left_over
        self.problem, self.levels = solver.problem, solver.levels
        self.supply = solver.problem.level_supply[group.level]
        self.steps = 0

    def outcome(self, origin: int, before: int) -> Outcome:
        """Its bounds; `before` is the latest arrival at the head, counted from the origin's."""
        if before >= UNBOUNDED or self.levels.overloaded(self.group.level):
            return NOTHING
        try:
            return self.bounds(origin, before)
        except TooLongError:
            return NOTHING

    def bounds(self, origin: int, before: int) -> Outcome:
        """The same; gives up with an error."""
        kind, head = self.group.kind, self.group.head
        self.window = 0 if kind == PIECE else self.length()
        if kind == ANYHOW:
            return self.once(self.window, before)
        if not self.problem.in_step or self.solver.curves.before[head] >= UNBOUNDED:
            is_root = kind == ROOT
            return self.events(origin, before) if is_root else self.once(self.piece(), before)
        outcome = self.phases(origin, before)
        if kind == ROOT and (origin >= 0 or self.problem.spacing[head]):
            return _least(outcome, self.events(origin, before))
        return outcome

    def once(self, finish: int, before: int) -> Outcome:
        """The window opens with the arrival in question, or earlier."""
        return Outcome(finish - self.group.least, finish + before, finish, 1, 0, 0, finish)

    def fixed(self, value: int) -> int:
        """Counts an evaluation; gives up where it leads nowhere."""
        self.steps += 1
        if value >= UNBOUNDED or self.steps > self.left_over:
            raise TooLongError
        return value

    def time(self, work: int) -> int:
        return self.solver.service_time(self.supply, work)

    def length(self) -> int:
        """L of the level."""
        level = self.group.level
        window = self.levels.found[level]
        while (longer := self.fixed(self.time(self.levels.work(level, window)))) > window:
            window = longer
        self.levels.found[level] = window
        return window

    def piece(self) -> int:
        """F of a window that opens with a piece of a less urgent stage, whatever the phase."""
        level, finish = self.group.level, 1
        while True:
            work = self.group.first + self.levels.roots(level, finish)
            if (later := self.fixed(self.time(work))) <= finish:
                return finish
            finish = later

    def events(self, origin: int, before: int) -> Outcome:
        """All events of the root in the window of the level, one by one, whatever the phase."""
        curves, group, length = self.solver.curves, self.group, self.window
        best, response, latency, index, finish = NOTHING, -1, -1, 1, 1
        while (arrival := curves.distance(group.head, index)) < length:
            finish = self.finish_event(index, finish)
            response = max(response, finish - arrival - group.least)
            since = self.solver.left(group.head, origin, index) - before
            if finish - since > latency:
                latency = finish - since
                best = Outcome(0, latency, length, index, arrival, 0, finish)
            index += 1
        return best._replace(response=response)

    def finish_event(self, index: int, finish: int) -> int:
        """F(q)."""
        group, curves = self.group, self.solver.curves
        fixed = group.first + (index - 1) * group.each
        while True:
            later = max(0, curves.count(group.head, finish) - index) * group.later
            work = fixed + later + self.levels.work(group.level, finish, group.head)
            if (longer := self.fixed(self.time(work))) <= finish:
                return finish
            finish = longer

    def phases(self, origin: int, before: int) -> Outcome:
        """All times x from the opening of the window to the event at the base (lemma phase-window).

        Where a window that would change nothing is enough for many of them in a row, they need no
        look one by one: twice as many are tried next, and fewer where it was not enough.
        """
        p, curves, group = self.solver.problem, self.solver.curves, self.group
        head = group.head
        self.node, latest, earliest = p.node[head], curves.before[head], p.best[head]
        self.same = [
            r
            for r in range(p.root_start[group.level], p.root_start[group.level + 1])
            if p.node[p.root_unit[r]] == self.node and p.root_unit[r] != head
        ]
        lates = [latest, *(curves.before[p.root_unit[r]] for r in self.same)]
        lates = [late for late in lates if late < UNBOUNDED]
        length, width = self.window, 0
        end = length - earliest if group.kind == ROOT else 1 - earliest
        left = 0 if origin < 0 else p.best[origin]
        phase, best, response, latency = -latest, NOTHING, -1, -1
        if phase < -earliest < end:  # of those that arrive at the opening the last finds the most
            finish = self.finish(-earliest, response + group.least)
            response = max(response, finish - group.least)
        while phase < end:
            arrived, since = max(0, phase + earliest), max(phase + left, -before)
            enough = min(response + arrived + group.least, latency + since)
            last = min(phase + width, end - 1)
            if last > phase and enough > 0:
                if self.are_done(phase, last, enough):
                    phase = min(self.next(last, late) for late in lates)
                    width *= 2
                    continue
                width //= 4
            finish = self.finish(phase, enough)
            response = max(response, finish - arrived - group.least)
            if finish - since > latency:
                latency = finish - since
                best = Outcome(0, latency, length, 1, arrived, 0, finish)
            last, phase = phase, min(self.next(phase, late) for late in lates)
            width = max(width, phase - last)
        return best._replace(response=response)

    def are_done(self, first: int, last: int, enough: int) -> bool:
        """Whether such a window is enough for all phases in a row: for what any of them counts."""
        self.steps += 1
        work = self.work(*self.counted(last), (first, last), enough)
        return self.steps <= self.left_over and self.time(work) <= enough

    def next(self, phase: int, late: int) -> int:
        """The next phase at which one more event may have arrived in the window so far."""
        curves = self.solver.curves
        count = curves.node_count(self.node, phase + late + 1)
        return curves.node_distance(self.node, count + 1) - late

    def around(self, unit: int, phases: tuple[int, int], finish: int) -> tuple[int, int]:
        """How many base events bring a unit into the window: those so far, and later ones."""
        first, last = phases
        curves, best = self.solver.curves, self.solver.problem.best[unit]
        earlier = curves.node_count(self.node, last + curves.before[unit] + 1)
        if earlier > 0 and (finish <= first + best or self.is_effect(unit)):
            earlier -= 1
        later = max(0, curves.node_count(self.node, finish - first - best) - 1)
        return earlier, later

    def is_effect(self, unit: int) -> bool:
        """Whether a unit of the event in question comes only after the group has ended."""
        p, last = self.problem, self.group.last
        return (
            p.multiplicity[last] == 1
            and p.node[last] == self.node
            and any(
                p.cause_first[i] <= p.cause_place[unit] < p.cause_end[i]
                for i in range(p.cause_start[last], p.cause_start[last + 1])
            )
        )

    def counted(self, phase: int) -> tuple[int, int]:
        """The work of the events so far, and how many units of the head they bring."""
        group, p, curves = self.group, self.solver.problem, self.solver.curves
        if group.kind != ROOT:
            return group.first, 0
        events = curves.node_count(self.node, phase + curves.before[group.head] + 1)
        own = p.multiplicity[group.head] * events
        return group.first + p.level_piece[group.level] + (own - 1) * group.each, own

    def finish(self, phase: int, enough: int) -> int:
        """F(x); no more than what is enough counts as that."""
        (fixed, own), phases = self.counted(phase), (phase, phase)
        if enough > 0 and self.needed(fixed, own, phases, enough) <= enough:
            return enough
        finish = 1
        while (longer := self.needed(fixed, own, phases, finish)) > finish:
            finish = longer
        return finish

    def needed(self, fixed: int, own: int, phases: tuple[int, int], finish: int) -> int:
        """The time for all work of a window of this length."""
        return self.fixed(self.time(self.work(fixed, own, phases, finish)))

    def work(self, fixed: int, own: int, phases: tuple[int, int], finish: int) -> int:
        """All work of a window of this length."""
        group, p, curves = self.group, self.solver.problem, self.solver.curves
        work = fixed
        for r in range(p.root_start[group.level], p.root_start[group.level + 1]):
            unit = p.root_unit[r]
            if unit == group.head and group.kind == ROOT:
                continue
            count = curves.count(unit, finish)
            if r in self.same:
                earlier, later = self.around(unit, phases, finish)
                count = min(count, p.multiplicity[unit] * (earlier + later))
            work += p.root_work[r] * count
        if group.kind == ROOT and group.later:
            _, later = self.around(group.head, phases, finish)
            more = max(0, curves.count(group.head, finish) - own)
            work += min(p.multiplicity[group.head] * later, more) * group.later
        return work


def _least(one: Outcome, other: Outcome) -> Outcome:
    """The smaller bounds of both."""
    least = one if one.latency <= other.latency else other
    return least._replace(response=min(one.response, other.response))
