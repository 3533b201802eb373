"""What the time of one window is made of, term by term (lemmas busy-window and urgent-by-roots)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ddsrta.base.frozen import frozen
from ddsrta.base.units import format_duration
from ddsrta.bounds.external_events import base_events
from ddsrta.bounds.joined_work.coupling import Coupling, Level
from ddsrta.bounds.locks.wait import NO_WAIT, Wait
from ddsrta.bounds.paths.walk import Step
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.policies.relation import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    EARLIER,
    LINGERS,
    OVERTAKES,
    PRECEDES,
    PREEMPTS,
    SHARES,
    Relation,
)
from ddsrta_kernel import UNBOUNDED, Outcome

SUPPLY = "waits for supply"
_WORDS = {
    PREEMPTS: "preempted by",
    OVERTAKES: "overtaken by",
    AHEAD: "behind",
    EARLIER: "behind",
    LINGERS: "waits for",
    ALTERNATES: "takes turns with",
    PRECEDES: "takes turns with",
    BLOCKS: "blocked by",
}


@frozen
class Term:
    """A part of the time of a stage; negative where the stage's work came later than the window."""

    label: str
    time: int
    detail: str = ""


def window_terms(solution: Solution, step: Step) -> tuple[list[Term], bool]:
    """The terms of a stage's own window, from its opening to the stage's end; and whether what is
    more urgent counts by the events that bring it (lemma urgent-by-roots), as this gives less."""
    outcome = step.outcome
    assert outcome is not None
    window = _Window(solution, step, outcome)
    terms = window.terms(None)
    if level := window.level():
        others = window.terms(level)
        if total(others) < total(terms):
            return filled(others, outcome), True
    return filled(terms, outcome), False


def tandem_terms(solution: Solution, first: Step, last: Step) -> list[Term]:
    """The terms of two threads in tandem (lemma tandem-window), from the opening of the window of
    the first to the end at the last."""
    both, edge = last.tandem, last.edge
    assert both is not None and edge is not None
    alone = both.late._replace(finish=both.first_finish)
    terms, _ = window_terms(solution, replace(first, outcome=alone))
    before = described(solution, first.stage)
    terms = [
        replace(term, label=f"{before} waits for supply") if term.label == SUPPLY else term
        for term in terms
    ]
    own = solution.compiled.stages[last.stage].cost
    name = described(solution, last.stage)
    rest = both.late.finish - both.first_finish - both.last_finish - edge.link
    more = [
        Term("on the way", edge.link, "network"),
        Term(f"work of {name}", own),
        Term(f"waits until {name} is served", both.last_finish - own, "all that may be there"),
        Term("paid on one of both threads only", rest, "but for one unit"),
    ]
    return terms + [term for term in more if term.time]


def filled(terms: list[Term], outcome: Outcome) -> list[Term]:
    """Without terms of no time, and with what the work leaves of the window."""
    rest = outcome.finish - total(terms)
    supply = Term(SUPPLY, rest, "the reservation's gaps")
    return [term for term in (*terms, supply) if term.time]


def released(solution: Solution, level: Level) -> Term:
    """What a less urgent stage, the last to run before the window, may have released."""
    outside = (
        s for s, work in level.released_work.items() if work == level.piece and not level.work[s]
    )
    by = described(solution, next(outside)) if level.piece else ""
    return Term(f"released by {by} just before", level.piece, "less urgent")


class _Window:
    """A stage's own window, its work counted plainly or by the events that bring it."""

    def __init__(self, solution: Solution, step: Step, outcome: Outcome) -> None:
        self.solution, self.outcome = solution, outcome
        self.compiled, self.solver = solution.compiled, solution.solver
        self.unit = self.compiled.unit_of[step.stage]
        self.wait = self.compiled.waits.get(step.stage, NO_WAIT)

    def level(self) -> Level | None:
        """The level of what is more urgent, if its work is coupled."""
        problem, coupling = self.compiled.problem, self.compiled.coupling
        if coupling is None or not problem.above or problem.above[self.unit] < 0:
            return None
        return levels_of(coupling)[problem.above[self.unit]]

    def terms(self, level: Level | None) -> list[Term]:
        """All terms, also those of no time."""
        problem, index = self.compiled.problem, self.outcome.instance
        costs = problem.loaded if level else problem.cost
        cost = problem.cost[self.unit] - self.wait.spinning
        terms = [Term("own work", cost), *waited(self.wait), *self.begun()]
        if level:
            terms.append(Term("released by it before it ends", problem.burden[self.unit]))
        terms.append(Term("behind its own earlier ones", *times(index - 1, costs[self.unit])))
        terms += self.relations(level, costs)
        if level:
            for unit, work in level.roots:
                count = self.solver.count(unit, self.outcome.finish)
                label = f"{_WORDS[PREEMPTS]} {brought(self.solution, unit, work)}"
                terms.append(Term(label, *times(count, work)))
            terms.append(released(self.solution, level))
        return terms

    def begun(self) -> Iterator[Term]:
        """What a shared link sends before (lemma shared-link)."""
        number = self.compiled.placement.stage_of[self.unit]
        first = 0 if number is None else self.compiled.stages[number].first
        if first:
            yield Term(
                "a frame that has begun", first, "less urgent, or best effort; on CAN and a bit"
            )

    def relations(self, level: Level | None, costs: Sequence[int]) -> Iterator[Term]:
        """The other stages of the same supply; those that preempt are left to the level."""
        blockers: list[tuple[int, int]] = []
        for relation in self.compiled.placement.relations[self.unit]:
            if level and relation.kind == PREEMPTS:
                continue
            for other in range(relation.first, relation.last):
                if other == self.unit or relation.kind == SHARES:
                    continue
                if relation.kind == BLOCKS:
                    blockers.append((costs[other] - 1, other))
                    continue
                label = f"{_WORDS[relation.kind]} {_name(self.solution, other)}"
                yield Term(label, *times(self.count(relation, other), costs[other]))
        yield self.shared(costs)
        if blockers:
            longest, other = max(blockers)
            label = f"{_WORDS[BLOCKS]} {_name(self.solution, other)}"
            yield Term(label, longest, "already being sent")

    def count(self, relation: Relation, other: int) -> int:
        """How many units of another stage count, as the relation says (definition
        delay-relations)."""
        solver, outcome, kind = self.solver, self.outcome, relation.kind
        if kind == PREEMPTS:
            return solver.count(other, outcome.finish)
        if kind == AHEAD:
            return min(solver.count(other, outcome.arrival + 1), self.siblings(other))
        if kind == OVERTAKES:
            return solver.count(other, outcome.start + 1)
        if kind == EARLIER:
            reach = min(outcome.arrival + relation.shift, outcome.start)
            return solver.count(other, reach + 1) if reach >= 0 else 0
        pending = solver.count(other, outcome.start + solver.response[other])
        if kind in (LINGERS, SHARES):
            return pending
        turns = -(-(outcome.instance + (kind == PRECEDES)) // relation.own) * relation.weight
        return min(turns, pending, self.earlier(other))

    def earlier(self, other: int) -> int:
        """The most units of what comes only after this one, for one event (lemma
        effects-in-turn)."""
        problem, solver = self.compiled.problem, self.solver
        begin, end = problem.effect_start[self.unit], problem.effect_start[self.unit + 1]
        stage = self.compiled.placement.stage_of[self.unit]
        if stage is None or other not in problem.effect_unit[begin:end]:
            return UNBOUNDED
        reach = solver.latency[other] - problem.best[self.unit]
        events = self.outcome.instance - 1 + max(0, base_events(self.solution, stage, reach) - 1)
        return problem.multiplicity[other] * events

    def shared(self, costs: Sequence[int]) -> Term:
        """The callbacks of other groups, which all threads of a pool serve (lemma pool-window)."""
        problem, work = self.compiled.problem, 0
        for relation in self.compiled.placement.relations[self.unit]:
            if relation.kind == SHARES:
                for other in range(relation.first, relation.last):
                    work += costs[other] * self.count(relation, other)
        threads = problem.supply_threads[problem.supply[self.unit]]
        detail = f"{format_duration(work)} of other callbacks in {threads} threads"
        return Term("waits for a thread", -(-work // threads), detail)

    def siblings(self, other: int) -> int:
        """The most units ahead of what the same job publishes later (lemma later-siblings)."""
        problem, solver = self.compiled.problem, self.solver
        stage = self.compiled.placement.stage_of[self.unit]
        assert stage is not None
        for i in range(problem.later_start[self.unit], problem.later_start[self.unit + 1]):
            if problem.later_unit[i] == other:
                shift = solver.before(other) - problem.best[self.unit]
                events = base_events(self.solution, stage, self.outcome.arrival + 1 + shift)
                return problem.later_bunch[i] * (problem.later_jobs[i] * events - 1)
        return UNBOUNDED


def waited(wait: Wait) -> Iterator[Term]:
    """What a unit waits for in Fast DDS beside processors (lemma shared-datagrams)."""
    yield Term("tries for the lock of its writer", wait.spinning, "held in write()")
    yield Term("waits for locks, datagrams and limits", wait.first, "others hold them, or sleep")


def levels_of(coupling: Coupling) -> list[Level]:
    """All levels in the order of their numbers."""
    return list(coupling.levels.values())


def times(count: int, cost: int) -> tuple[int, str]:
    """A product, and how it came about."""
    return count * cost, f"{count} × {format_duration(cost)}"


def total(terms: Iterable[Term]) -> int:
    """The time of all terms."""
    return sum(term.time for term in terms)


def brought(solution: Solution, unit: int, work: int) -> str:
    """A root, whose units may bring more than their own work to a level."""
    more = work > solution.compiled.problem.cost[unit]
    return _name(solution, unit) + (" and what follows it" if more else "")


def _name(solution: Solution, unit: int) -> str:
    placement = solution.compiled.placement
    stage = placement.stage_of[unit]
    stage = placement.copied(unit) if stage is None else stage
    if stage is None:
        return "a SCHED_DEADLINE reservation"
    return described(solution, stage)
