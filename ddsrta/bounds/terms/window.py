"""What the time of one window is made of, term by term (lemmas busy-window and urgent-by-roots)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from ddsrta.base.frozen import frozen
from ddsrta.base.units import format_duration
from ddsrta.bounds.joined_work.coupling import Level
from ddsrta.bounds.locks.wait import NO_WAIT
from ddsrta.bounds.paths import Step
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.flow import counted, own_work
from ddsrta.policies.relation import Delay
from ddsrta_kernel import Outcome
from ddsrta_kernel.terms import BEFORE, BROUGHT, BURDEN, EXTRA, OWN, SHARED, UNIT, Parts

Kind = Literal["work", "preempted", "behind", "blocked", "waits", "way", "together", "less"]
SUPPLY, OWN_WORK = "waits for supply", "own work"
HELD = "comes behind it"
_GAPS = "the reservation's gaps"
_LOAD = "budgets, or its work where that is less"
_FRESH = f"{_GAPS}, its budget whole at first"
WORDS = {
    Delay.PREEMPTS: "preempted by",
    Delay.CONTENDS: "preempted by",
    Delay.OVERTAKES: "overtaken by",
    Delay.AHEAD: "behind",
    Delay.EARLIER: "behind",
    Delay.LINGERS: "waits for",
    Delay.ALTERNATES: "takes turns with",
    Delay.PRECEDES: "takes turns with",
    Delay.BLOCKS: "blocked by",
}
KINDS: dict[Delay, Kind] = {
    Delay.PREEMPTS: "preempted",
    Delay.CONTENDS: "preempted",
    Delay.LINGERS: "waits",
    Delay.BLOCKS: "blocked",
}  # the others: behind


@frozen
class Term:
    """A part of the time of a stage; negative where the stage's work came later than the window.

    Its kind: own `work` of what is on the path; `preempted` by what is more urgent; `behind` others
    that the same thread serves; `blocked` by what is not more urgent; `waits` for a release, for
    another input, a lock or supply; on the `way`; all work `together` that is served meanwhile,
    where a bound does not tell more, `own` of it work of the path; or `less`, what is counted twice
    elsewhere.
    """

    label: str
    time: int
    detail: str = ""
    kind: Kind = "work"
    own: int = 0


def window_terms(solution: Solution, step: Step) -> tuple[list[Term], bool]:
    """The terms of a stage's own window, from its opening to the stage's end; and whether what is
    more urgent counts by the events that bring it (lemma urgent-by-roots), as this gives less."""
    outcome, compiled = step.outcome, solution.compiled
    assert outcome is not None
    unit, stage = compiled.unit_of[step.stage], compiled.stages[step.stage]
    parts = solution.sums.window_sum(unit, outcome, stage.tells_apart)
    spinning = compiled.waits.get(step.stage, NO_WAIT).spinning
    begun = stage.first
    waits = parts.take(EXTRA)[1] - begun
    coupled, burden = parts.take(BURDEN)
    terms = [
        Term(OWN_WORK, parts.take(OWN)[1] - spinning, own_work(solution, step.stage)),
        Term("tries for the lock of its writer", spinning, "held in write()", "waits"),
        Term("waits for locks, datagrams and limits", waits, "others hold them, or sleep", "waits"),
        _begun(solution, stage),
        Term("released by it before it ends", burden, kind="preempted"),
        Term(
            f"behind its own {'others' if stage.by_turn or stage.mixes else 'earlier ones'}",
            *_counted(solution, step.stage, parts, unit),
            kind="behind",
        ),
        *_others(solution, unit, parts),
    ]
    if coupled:
        level = level_of(solution, compiled.problem.above[unit])
        terms += [
            *brought(solution, level, parts, Delay.PREEMPTS),
            released(solution, level, parts),
        ]
    placement = compiled.placement
    is_fresh = placement.supplies[placement.supply_of[unit]].fresh is not None
    is_fresh = is_fresh and not (stage.tells_apart or stage.mixes)
    return filled(terms, outcome, _FRESH if is_fresh else _GAPS), coupled > 0


def _begun(solution: Solution, stage: Stage) -> Term:
    """What a stage waits for at first."""
    if stage.first_only and not solution.system.threads[stage.key[1]].reservation:
        return Term(
            "more urgent threads, at their offsets",
            stage.first,
            "where they delay it most",
            "preempted",
        )
    if stage.first_only:
        return Term(
            "SCHED_DEADLINE threads due earlier", stage.first, "by their reservations", "preempted"
        )
    return Term(
        "a frame that has begun",
        stage.first,
        "less urgent, or best effort; on CAN and a bit",
        "blocked",
    )


def _others(solution: Solution, unit: int, parts: Parts) -> Iterator[Term]:
    """The other stages of the same supply, in the order of their relations."""
    blocker, placement = None, solution.compiled.placement
    moves = placement.supplies[placement.supply_of[unit]].moves
    for relation in placement.relations[unit]:
        for other in range(relation.first, relation.last):
            count, each = parts.take(UNIT, other)
            label = f"{WORDS[relation.kind]} {_name(solution, other)}" if count else ""
            if count and relation.kind == Delay.BLOCKS:
                blocker = Term(label, count * each + parts.rest, "already being sent", "blocked")
            elif count:
                product = counts(solution, other, count, each, _flow(solution, other))
                yield Term(label, *product, kind=kind_of(relation.kind))
    for part, each in parts.each.items():
        if part.what == SHARED:
            work, threads = format_duration(part.work), part.unit
            who, where = ("threads", "cores") if moves else ("callbacks", "threads")
            detail = f"{work} of other {who} in {threads} {where}"
            yield Term(f"waits for a {where.removesuffix('s')}", each, detail, "behind")
    if blocker:
        yield blocker


def tandem_terms(solution: Solution, first: Step, last: Step) -> list[Term]:
    """The terms of two threads in tandem (lemma tandem-window), from the opening of the window of
    the first to the end at the last."""
    both, edge = last.tandem, last.edge
    assert both is not None and edge is not None
    alone = both.late._replace(finish=both.first_finish)
    terms, _ = window_terms(solution, first._replace(outcome=alone))
    before = described(solution, first.stage)
    alike = {SUPPLY: f"{before} waits for supply", OWN_WORK: f"own work of {before}"}
    terms = [replace(term, label=alike.get(term.label, term.label)) for term in terms]
    own = solution.compiled.stages[last.stage].cost
    name = described(solution, last.stage)
    rest = both.late.finish - both.first_finish - both.last_finish - edge.link
    tandem = solution.compiled.tandems.before(last.stage)
    if tandem is not None and tandem.keeps_open:
        later = both.late.finish - both.first_finish
        why = "more urgent, and comes by then, with its own work"
        after = Term(f"until {name} is served", later, why, "preempted", min(own, later))
        return [*terms, after] if later else terms
    early = ", and what leaves before its unit is done" if tandem and tandem.rates[3] > 0 else ""
    more = [
        Term("on the way", edge.link, "network", "way"),
        Term(f"own work of {name}", own),
        Term(
            f"waits until {name} is served",
            both.last_finish - own,
            "all that may be there",
            "behind",
        ),
        Term("paid on one of both threads only", rest, f"but for one unit{early}", "less"),
    ]
    return terms + [term for term in more if term.time]


def filled(terms: list[Term], outcome: Outcome, gaps: str = _GAPS) -> list[Term]:
    """Without terms of no time, and with what the work leaves of the window."""
    rest = outcome.finish - total(terms)
    supply = Term(SUPPLY, rest, gaps, "waits")
    if rest < 0:  # lemma held-back
        supply = Term(HELD, rest, "the thread before serves it later", "less")
    return [term for term in (*terms, supply) if term.time]


def released(solution: Solution, level: Level, parts: Parts) -> Term:
    """What a less urgent stage, the last to run before the window, may have released."""
    outside = (
        s for s, work in level.released_work.items() if work == level.piece and not level.work[s]
    )
    by = described(solution, next(outside)) if level.piece else ""
    return Term(f"released by {by} just before", parts.take(BEFORE)[1], "less urgent", "blocked")


def brought(solution: Solution, level: Level, parts: Parts, delay: Delay) -> Iterator[Term]:
    """What the roots of a level bring, which may be more than their own work."""
    if all(part.what != BROUGHT for part in parts.count):
        return
    for unit, work in level.roots:
        count, _ = parts.take(BROUGHT, unit)
        if not count:
            continue
        more = work > solution.compiled.problem.cost[unit]
        label = f"{WORDS[delay]} {_name(solution, unit)}" + (" and what follows it" if more else "")
        yield Term(label, *counts(solution, unit, count, work), kind=kind_of(delay))


def level_of(solution: Solution, number: int) -> Level:
    """The level of a number."""
    coupling = solution.compiled.coupling
    assert coupling is not None
    return list(coupling.levels.values())[number]


def kind_of(delay: Delay) -> Kind:
    """The kind of a term for one that delays so."""
    return KINDS.get(delay, "behind")


def times(count: int, cost: int, why: str = "") -> tuple[int, str]:
    """A product, and how it came about, and why it counts so often."""
    return count * cost, f"{count} × {format_duration(cost)}" + (f", {why}" if why else "")


def counts(solution: Solution, unit: int, count: int, cost: int, why: str = "") -> tuple[int, str]:
    """The same of a unit; of a load not by what it is made of (lemma reserved-work)."""
    if unit in solution.compiled.placement.done_by:
        return count * cost, _LOAD
    return times(count, cost, why)


def _counted(solution: Solution, stage: int, parts: Parts, unit: int) -> tuple[int, str]:
    count, cost = parts.take(UNIT, unit)
    return times(count, cost, counted(solution, stage) if count else "")


def _flow(solution: Solution, unit: int) -> str:
    """Why less of a unit counts than jobs before it would bring."""
    placement = solution.compiled.placement
    stage = placement.stage_of[unit]
    stage = placement.copied(unit) if stage is None else stage
    return "" if stage is None else counted(solution, stage)


def total(terms: Iterable[Term]) -> int:
    """The time of all terms."""
    return sum(term.time for term in terms)


def _name(solution: Solution, unit: int) -> str:
    placement = solution.compiled.placement
    stage = placement.stage_of[unit]
    stage = placement.copied(unit) if stage is None else stage
    if stage is None:
        return "a SCHED_DEADLINE reservation"
    return described(solution, stage)
