"""What the time of a group's window is made of, term by term (lemmas group-window and
phase-window)."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.bounds.paths import Step
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.window import Term, brought, filled, level_of, released, times, total
from ddsrta.policies.relation import Delay
from ddsrta_kernel.problem import ANYHOW, PIECE, ROOT
from ddsrta_kernel.terms import EACH, FIRST, LATER


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
    group, outcome = steps[-1].group, steps[-1].outcome
    assert group is not None and outcome is not None
    of_message = solution.compiled.stages[group.last].tells_apart
    parts = solution.sums.group_sum(solution.kernel_group(group), outcome, of_message)
    level = level_of(solution, group.level)
    terms = [] if group.kind == ANYHOW else _own(solution, steps, parts.take(FIRST)[1])
    if group.kind == ROOT:
        name = described(solution, group.head)
        terms += [
            Term(f"behind earlier events of {name}", *times(*parts.take(EACH)), kind="behind"),
            Term(
                f"what later events of {name} run first", *times(*parts.take(LATER)), kind="behind"
            ),
        ]
    terms += brought(solution, level, parts, Delay.AHEAD)
    if group.kind != PIECE:
        terms.append(released(solution, level, parts))
    return filled(terms, outcome)


def _own(solution: Solution, steps: Sequence[Step], first: int) -> list[Term]:
    """What the event in question brings, up to the end of the last stage."""
    stages, way, multiplicity = solution.compiled.stages, way_of(solution, steps), 1
    if steps[-1].group and steps[-1].group.kind == PIECE:
        edge = steps[0].edge
        into = [edge] if edge else stages[way[0]].inputs
        multiplicity = min(edge.multiplicity for edge in into)
    terms = []
    for number, stage in enumerate(way):
        if number:
            edges = (edge for edge in stages[stage].inputs if edge.source == way[number - 1])
            multiplicity *= next(edges).multiplicity
        time, product = times(multiplicity, stages[stage].cost)
        label = f"own work of {described(solution, stage)}"
        terms.append(Term(label, time, product if multiplicity > 1 else ""))
    return [*terms, Term("what else it releases on the way", first - total(terms), kind="behind")]
