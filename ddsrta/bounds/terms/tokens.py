"""Where on a path tokens wait for those of other inputs, and for which (lemma join-wait)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.bounds.join_wait import slowest
from ddsrta.bounds.paths import Step
from ddsrta.bounds.paths.latency import Segment
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.window import Term


def token_terms(solution: Solution, parts: Sequence[Segment], rest: int) -> tuple[Term, ...]:
    """What every event takes more, or less, than those whose tokens come last at each AND: `rest`
    in all, at each join what becomes more there, and whatever is left of it."""
    terms = [term for part in parts for term in _at_joins(solution, part)] if rest > 0 else []
    left = rest - sum(term.time for term in terms)
    if left > 0:
        stages = [step.stage for part in parts for step in part.steps]
        joins = [each for each in stages if solution.compiled.stages[each].activation == "and"]
        at = "at AND-activated threads of the path"
        of = f" of {described(solution, joins[0])}" if len(joins) == 1 else ""
        terms.append(Term(f"waits for the other inputs{of}", left, "" if of else at, "waits"))
    elif left < 0:
        why = "one event brings all inputs of an AND"
        terms.append(Term("less, seen from the source", left, why, "less"))
    return tuple(terms)


def _at_joins(solution: Solution, part: Segment) -> Iterator[Term]:
    later = 0  # than where the token comes last
    for last, every in zip(part.steps, part.waiting, strict=True):
        if last.total is None or every.total is None:
            return
        before, later = later, every.total - last.total
        if later > before and solution.compiled.stages[every.stage].activation == "and":
            yield _wait(solution, every, later - before)


def _wait(solution: Solution, step: Step, time: int) -> Term:
    name, late = described(solution, step.stage), None
    if step.edge is not None:
        others = [e for e in solution.compiled.stages[step.stage].inputs if e != step.edge]
        late = slowest(solution, step.edge, others)
    if late is None:
        return Term(f"{name} waits for its other inputs", time, kind="waits")
    return Term(f"{name} waits for {described(solution, late.source)}", time, "", "waits")
