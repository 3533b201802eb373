"""Where the time of a bound goes, term by term, adding up exactly to the bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddsrta.analysis.chains import Segment, Step, segments
from ddsrta.analysis.diagnose import describe, place
from ddsrta.analysis.paths import NamedPath, named_paths
from ddsrta.analysis.present import chain_result
from ddsrta.analysis.solve import Solution, solve
from ddsrta.models.diagnostics import did_you_mean
from ddsrta.models.system import System
from ddsrta.models.units import format_duration
from ddsrta.policies.relation import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    LINGERS,
    OVERTAKES,
    PREEMPTS,
)

_WORDS = {
    PREEMPTS: "preempted by",
    OVERTAKES: "overtaken by",
    AHEAD: "behind",
    LINGERS: "waits for",
    ALTERNATES: "takes turns with",
    BLOCKS: "blocked by",
}


@dataclass(frozen=True, slots=True)
class Term:
    """A part of the time of a stage; negative where the stage's work came later than the window."""

    label: str
    time: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StageExplanation:
    """One stage of a chain: its terms add up to its total."""

    stage: str
    where: str
    terms: tuple[Term, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """A chain: the totals of its stages add up to its bound."""

    chain: str
    path: tuple[str, ...]
    bound: int | None
    stages: tuple[StageExplanation, ...]
    reason: str | None = None


def explain(system: System, chain: str) -> Explanation:
    """The explanation of one chain's bound: of its constraint, which for most is its latency.

    >>> from ddsrta.examples import two_threads
    >>> explanation = explain(two_threads(), "control loop")
    >>> sum(stage.total for stage in explanation.stages) == explanation.bound
    True
    """
    paths, _ = named_paths(system)
    named = next((path for path in paths if path.name == chain), None)
    if named is None:
        names = [path.name for path in paths]
        raise KeyError(f"there is no chain '{chain}'; {did_you_mean(chain, names)}")
    return explain_path(solve(system), named)


def explain_path(solution: Solution, path: NamedPath) -> Explanation:
    """The same for a path of a solved system."""
    result = chain_result(solution, path)
    parts = segments(solution, path.start, path.hops)
    figures = {
        "latency": result.latency,
        "data_age": result.data_age,
        "reaction_time": result.reaction_time,
    }
    wanted = path.chain.constraint
    if len(parts) > 1 and wanted == "latency":
        wanted = "data_age"
    bound = figures[wanted]
    if bound is None:
        return Explanation(path.name, path.path, None, (), result.unbounded_because)
    stages = tuple(_stages(solution, parts, wanted))
    rest = bound - sum(stage.total for stage in stages)
    if rest:
        waits = Term("waits for the other inputs", rest, "at AND-activated threads of the path")
        stages = (*stages, StageExplanation("tokens", "", (waits,), rest))
    return Explanation(path.name, path.path, bound, stages)


def _stages(solution: Solution, parts: list[Segment], wanted: str) -> Iterator[StageExplanation]:
    for number, part in enumerate(parts):
        name = describe(solution.compiled.stages[part.steps[0].stage].key)
        if wanted == "reaction_time" and part.gap is not None:
            yield _gap(name, part.gap, f"just missed a release of {name}")
        done = 0
        for step in part.steps:
            yield _stage(solution, step, done)
            done = step.total or 0
        if wanted == "data_age" and number < len(parts) - 1 and part.gap is not None:
            yield _gap(name, part.gap, f"sampled until the next value of {name} is there")


def _gap(name: str, gap: int, label: str) -> StageExplanation:
    return StageExplanation("register", name, (Term(label, gap),), gap)


def _stage(solution: Solution, step: Step, done: int) -> StageExplanation:
    stage = solution.compiled.stages[step.stage]
    terms = list(_terms(solution, step))
    total = (step.total or 0) - done
    own = sum(term.time for term in terms)
    if rest := total - own:
        worst = step.edge.worst if step.edge else 0
        delivery = min(rest, worst)
        if delivery:
            terms.insert(0, Term("on the way", delivery, "network, or the delay of 'follows'"))
        if rest - delivery:
            terms.append(Term("until the value is handed over", rest - delivery))
    return StageExplanation(describe(stage.key), place(solution, step.stage), tuple(terms), total)


def _terms(solution: Solution, step: Step) -> Iterator[Term]:
    """The terms of the instance with the largest latency: of F(q, A) - max(A, when it left)."""
    outcome = step.outcome
    assert outcome is not None
    stage = solution.compiled.stages[step.stage]
    work = stage.cost * outcome.instance
    yield Term("own work", stage.cost)
    if outcome.instance > 1:
        yield Term(
            "behind its own earlier ones",
            stage.cost * (outcome.instance - 1),
            _product(outcome.instance - 1, stage.cost),
        )
    for term in _interference(solution, step):
        work += term.time
        if term.time:
            yield term
    if outcome.finish > work:
        yield Term("waits for supply", outcome.finish - work, "the reservation's gaps")
    if later := outcome.finish + step.before - outcome.latency:
        yield Term("came later than the window opened", -later)


def _interference(solution: Solution, step: Step) -> Iterator[Term]:
    compiled, outcome = solution.compiled, step.outcome
    assert outcome is not None
    unit = compiled.unit_of[step.stage]
    cost = compiled.problem.cost
    blockers: list[tuple[int, int]] = []
    for relation in compiled.placement.relations[unit]:
        for other in range(relation.first, relation.last):
            if other == unit:
                continue
            if relation.kind == BLOCKS:
                blockers.append((cost[other] - 1, other))
                continue
            count = _count(solution, step, relation.kind, other)
            yield Term(
                f"{_WORDS[relation.kind]} {_name(solution, other)}",
                count * cost[other],
                _product(count, cost[other]),
            )
    if blockers:
        longest, other = max(blockers)
        yield Term(f"{_WORDS[BLOCKS]} {_name(solution, other)}", longest, "already being sent")


def _count(solution: Solution, step: Step, kind: int, other: int) -> int:
    """How many units of another stage count, as the relation says (theory 3)."""
    solver, outcome = solution.solver, step.outcome
    assert outcome is not None
    if kind == PREEMPTS:
        return solver.count(other, outcome.finish)
    if kind == AHEAD:
        return solver.count(other, outcome.arrival + 1)
    if kind == OVERTAKES:
        return solver.count(other, outcome.start + 1)
    pending = solver.count(other, outcome.start + solver.response[other])
    return pending if kind == LINGERS else min(outcome.instance, pending)


def _product(count: int, cost: int) -> str:
    return f"{count} × {format_duration(cost)}"


def _name(solution: Solution, unit: int) -> str:
    stage = solution.compiled.placement.stage_of[unit]
    if stage is None:
        return "a SCHED_DEADLINE reservation"
    return describe(solution.compiled.stages[stage].key)
