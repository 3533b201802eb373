"""What the time of a group's window is made of, term by term (lemmas group-window and
phase-window)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.bounds.external_events import base_events
from ddsrta.bounds.paths.walk import Step
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.window import (
    Term,
    brought,
    filled,
    levels_of,
    released,
    times,
    total,
)
from ddsrta_kernel.problem import ANYHOW, PIECE, ROOT


def way_of(solution: Solution, steps: Sequence[Step]) -> list[int]:
    """The stages of a group, whose head may lie before the path."""
    group = steps[-1].group
    assert group is not None
    way = [step.stage for step in steps]
    while way[0] != group.head:
        way.insert(0, solution.compiled.stages[way[0]].inputs[0].source)
    return way


def group_terms(solution: Solution, steps: Sequence[Step]) -> list[Term]:
    """The terms of the window of a group, from its opening to the end of the last stage; the steps
    are those of the path that it takes in."""
    window = _GroupWindow(solution, steps)
    terms = window.terms(None)
    if window.time(total(terms)) != window.outcome.finish:
        for phase in window.phases():
            found = window.terms(phase)
            if window.time(total(found)) == window.outcome.finish:
                return filled(found, window.outcome)
    return filled(terms, window.outcome)


class _GroupWindow:
    """A group's window, its roots counted each on its own or, given the phase (lemma
    phase-window), in step with the base of the head. The kernel takes what gives less, and does
    not say at which phase."""

    def __init__(self, solution: Solution, steps: Sequence[Step]) -> None:
        group, outcome, coupling = steps[-1].group, steps[-1].outcome, solution.compiled.coupling
        assert group is not None
        assert outcome is not None
        assert coupling is not None
        self.solution, self.steps, self.group, self.outcome = solution, steps, group, outcome
        self.compiled, self.solver = solution.compiled, solution.solver
        self.problem = solution.compiled.problem
        self.head = self.compiled.unit_of[group.head]
        self.level = levels_of(coupling)[group.level]

    def time(self, work: int) -> int:
        """The time that the supply takes for the work (lemma supply-inverse)."""
        budget = self.problem.supply_budget[self.level.supply]
        period = self.problem.supply_period[self.level.supply]
        if budget == 0 or work <= 0:
            return work
        full, rest = divmod(work - 1, budget)
        return 2 * (period - budget) + full * period + rest + 1

    def phases(self) -> Iterator[int]:
        """The phases at which the event in question left its origin as the bound says."""
        last, first = self.steps[-1], self.steps[0]
        before, origin = 0, self.head
        if last.since is not None:
            before, origin = first.before, self.compiled.unit_of[first.origin]
        left = self.outcome.finish - self.outcome.latency
        end = left - self.problem.best[origin]
        if left > -before:
            yield end
            return
        phase: int | None = -self.solver.before(self.head)
        while phase is not None and phase <= end:
            yield phase
            lates = [self.solver.before(unit) for unit in (self.head, *self.in_step())]
            following = [self.following(phase, late, end) for late in lates]
            phase = min((found for found in following if found is not None), default=None)

    def following(self, phase: int, late: int, end: int) -> int | None:
        """The next phase, up to the last, at which one more event may have arrived."""
        now = self.events(phase + late + 1)
        if self.events(end + late + 1) <= now:
            return None
        below, above = phase, end
        while above - below > 1:
            middle = (below + above) // 2
            if self.events(middle + late + 1) > now:
                above = middle
            else:
                below = middle
        return above

    def events(self, window: int) -> int:
        """η of the base of the head."""
        return base_events(self.solution, self.group.head, window)

    def in_step(self) -> list[int]:
        """The other roots of the level that stem from the base of the head."""
        node = self.problem.node
        roots = (unit for unit, _ in self.level.roots if unit != self.head)
        return [unit for unit in roots if node[unit] == node[self.head]]

    def terms(self, phase: int | None) -> list[Term]:
        """All terms, also those of no time."""
        terms = [] if self.group.kind == ANYHOW else self.own()
        if self.group.kind == ROOT:
            terms += self.other_events(phase)
        in_step = set() if phase is None else set(self.in_step())
        for unit, work in self.level.roots:
            if unit != self.head:
                count = self.solver.count(unit, self.outcome.finish)
                if phase is not None and unit in in_step:
                    near = self.in_time(unit, phase) + self.later(unit, phase)
                    count = min(count, near)
                terms.append(
                    Term(f"behind {brought(self.solution, unit, work)}", *times(count, work))
                )
        if self.group.kind != PIECE:
            terms.append(released(self.solution, self.level))
        return terms

    def earlier(self, unit: int, phase: int) -> int:
        """The units of base events up to the one in question."""
        return self.problem.multiplicity[unit] * self.events(phase + self.solver.before(unit) + 1)

    def in_time(self, unit: int, phase: int) -> int:
        """The same without that of the event in question where it comes too late for the window."""
        p, last = self.problem, self.compiled.unit_of[self.group.last]
        count = self.earlier(unit, phase)
        too_late = self.outcome.finish <= phase + p.best[unit]
        is_effect = (
            p.multiplicity[last] == 1
            and p.node[last] == p.node[self.head]
            and any(
                p.cause_first[i] <= p.cause_place[unit] < p.cause_end[i]
                for i in range(p.cause_start[last], p.cause_start[last + 1])
            )
        )
        return count - p.multiplicity[unit] if count > 0 and (too_late or is_effect) else count

    def later(self, unit: int, phase: int) -> int:
        """The units of later ones."""
        after = self.events(self.outcome.finish - phase - self.problem.best[unit]) - 1
        return self.problem.multiplicity[unit] * max(0, after)

    def own(self) -> list[Term]:
        """What the event in question brings, up to the end of the last stage."""
        stages, way, multiplicity = self.compiled.stages, way_of(self.solution, self.steps), 1
        if self.group.kind == PIECE:
            edge = self.steps[0].edge
            into = [edge] if edge else stages[self.group.head].inputs
            multiplicity = min(edge.multiplicity for edge in into)
        terms = []
        for number, stage in enumerate(way):
            if number:
                edges = (edge for edge in stages[stage].inputs if edge.source == way[number - 1])
                multiplicity *= next(edges).multiplicity
            time, product = times(multiplicity, stages[stage].cost)
            label = f"own work of {described(self.solution, stage)}"
            terms.append(Term(label, time, product if multiplicity > 1 else ""))
        return [*terms, Term("what else it releases on the way", self.group.first - total(terms))]

    def other_events(self, phase: int | None) -> list[Term]:
        """What the events of the same root bring that arrive in the window, too."""
        group, name = self.group, described(self.solution, self.group.head)
        number = self.outcome.instance if phase is None else self.earlier(self.head, phase)
        later = max(0, self.solver.count(self.head, self.outcome.finish) - number)
        if phase is not None:
            later = min(later, self.later(self.head, phase))
        return [
            Term(f"behind earlier events of {name}", *times(number - 1, group.each)),
            Term(f"what later events of {name} run first", *times(later, group.later)),
        ]
