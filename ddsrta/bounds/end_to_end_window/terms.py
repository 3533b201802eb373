"""What the window of a whole path is made of, term by term (lemma end-to-end-window)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow, Part
from ddsrta.bounds.placement import core_of
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.window import Term, counts

WHOLE = "one window for the whole path: what a core does while the path is there counts once"
PART = "one window for this part of the path: what a core does while it is there counts once"


def end_to_end_terms(solution: Solution, end_to_end: EndToEndWindow) -> Iterator[Term]:
    """The time between the stages, and on each supply."""
    yield Term("on the ways", end_to_end.ways, "network, or delays of 'follows'", "way")
    for part in solution.end_to_end_windows.parts(end_to_end):
        yield from _part(solution, part)
    for units, work in solution.end_to_end_windows.rows(end_to_end):
        yield _row(solution, units, work, end_to_end)


def _row(solution: Solution, units: list[int], work: int, window: EndToEndWindow) -> Term:
    compiled = solution.compiled
    stages = [n for n in map(compiled.placement.stage_of.__getitem__, units) if n is not None]
    first, last = (described(solution, stage) for stage in (stages[0], stages[-1]))
    own = sum(compiled.problem.cost[unit] for unit in units if unit in window.units)
    detail = f"{len(units)} stages up to {last}, as the path meets them in order"
    return Term(f"{first} and what it leads to", work, detail, kind="together", own=min(own, work))


def length(end_to_end: EndToEndWindow) -> int:
    """How many stages it takes in."""
    return len(end_to_end.units)


def _part(solution: Solution, part: Part) -> Iterator[Term]:
    compiled = solution.compiled
    first = compiled.placement.stage_of[part.visits[0]]
    assert first is not None
    core = core_of(solution.system, compiled.stages[first])
    if part.counts is None:
        stages = (compiled.placement.stage_of[unit] for unit in part.visits)
        own = sum(compiled.problem.cost[unit] for unit in part.visits)
        names = [described(solution, stage) for stage in stages if stage is not None]
        yield Term(f"responses on {core}", part.responses, ", ".join(names), "together", own)
        return
    for unit, count in part.counts:
        stage = compiled.placement.stage_of[unit]
        name = "a SCHED_DEADLINE reservation" if stage is None else described(solution, stage)
        cost = compiled.problem.cost[unit]
        own = cost * min(count, part.visits.count(unit))
        counted = counts(solution, unit, count, cost)
        yield Term(f"{name} on {core}", *counted, kind="together", own=own)
    yield Term(f"already being served on {core}", part.blocking, "less urgent", "blocked")
    early = -part.early
    yield Term(f"left before the end on {core}", early, "what it sends later comes after", "less")
