"""What a window from a unit's arrival is made of, term by term (lemmas pending-window,
one-at-a-time and clocked-counts)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.units import Duration
from ddsrta.bounds.pending_window.releasing import from_below
from ddsrta.bounds.pending_window.windows import UNKNOWN, PendingWindow, PendingWindows
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.flow import own_work
from ddsrta.bounds.terms.window import WORDS, Term, kind_of, times
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED

PENDING = "seen from its arrival: what is pending by then, and what comes before it starts"

SINCE = "no more of each than came since nothing was there, {} ago at most"
IN_LINE = "of stages that an event comes to one after the other, each event counts at one"
CLOCKED = "what one clock releases counts at its offsets"
DONE = "seen from its arrival, {} after nothing was there: what came since, and is not done by then"
BELOW = "released by a less urgent thread of its core: nothing as urgent was pending just before"


def pending_note(solution: Solution, stage: int, window: PendingWindow) -> str:
    """What is special about it."""
    if window.done is not None:
        return DONE.format(Duration(window.done[0]))
    compiled = solution.compiled
    found = compiled.stages[stage]
    releases = compiled.releasing and not (found.mixes or found.by_turn)
    below = releases and from_below(compiled, stage) is not None
    notes = [BELOW if below else PENDING]
    if _is_in_line(solution, stage, window):
        notes.append(IN_LINE)
    if _is_clocked(solution, stage, window):
        notes.append(CLOCKED)
    if window.since:
        notes.append(SINCE.format(Duration(window.since)))
    return "; ".join(notes)


def _is_in_line(solution: Solution, stage: int, window: PendingWindow) -> bool:
    """Whether more of what is ahead would count stage by stage (lemma one-at-a-time)."""
    compiled, solver = solution.compiled, solution.solver
    if not compiled.one_at_a_time or compiled.placement.shadow_of or compiled.placement.mirror_of:
        return False
    counted = {part.stage for part in window.parts if part.kind == Delay.AHEAD}
    sets, unit = PendingWindows(compiled, solver).sets, compiled.unit_of[stage]
    rivals = (
        other
        for relation in compiled.placement.relations[unit]
        if relation.kind == Delay.AHEAD
        for other in range(relation.first, relation.last)
        if other != unit and compiled.placement.stage_of[other] not in counted
    )
    ahead = Delay.AHEAD, 0, sets, UNKNOWN
    return bool(counted) and any(solver.pending_count(unit, other, *ahead) for other in rivals)


def _is_clocked(solution: Solution, stage: int, window: PendingWindow) -> bool:
    """Whether more of some other stage would count by curves alone."""
    compiled, solver = solution.compiled, solution.solver
    p, placement, unit = compiled.problem, compiled.placement, compiled.unit_of[stage]
    if p.node_clock[p.node[unit]] < 0:
        return False
    sets = PendingWindows(compiled, solver).sets
    latest = {Delay.AHEAD: 0, Delay.BLOCKS: -1, Delay.PREEMPTS: window.response - 1}
    for relation in placement.relations[unit]:
        after = latest.get(relation.kind, window.response - p.cost[unit])
        for other in range(relation.first, relation.last):
            node, bound = p.node[other], max(solver.response[other], solver.latency[other])
            beside = node != p.node[unit] and p.node_clock[node] == p.node_clock[p.node[unit]]
            if not beside or placement.stage_of[other] is None or bound >= UNBOUNDED:
                continue
            events = solver.node_count(node, max(0, after + solver.latency[other] - p.best[other]))
            most = min(
                events * p.multiplicity[other],
                solver.count(other, max(0, after + solver.response[other])),
            )
            if solver.pending_count(unit, other, relation.kind, after, sets, UNKNOWN) < most:
                return True
    return False


def pending_terms(solution: Solution, stage: int, window: PendingWindow) -> Iterator[Term]:
    """All that goes before a unit that has arrived, and its own work."""
    yield Term("own work", solution.compiled.stages[stage].cost, own_work(solution, stage))
    for part in window.parts:
        time, product = times(part.units, part.cost)
        if part.kind is None:
            found = solution.compiled.stages[stage]
            own = "others" if found.by_turn or found.mixes else "earlier ones"
            yield Term(f"behind its own {own}", time, product, "behind")
        else:
            label = f"{WORDS[part.kind]} {described(solution, part.stage)}"
            yield Term(label, time, product, kind_of(part.kind))
    if window.crowd:
        why = ": so much can be left to do" if window.left else ""
        others = "others" if window.done is None else "what is left of others"
        detail = f"while all of the pool are at {others}{why}"
        yield Term("waits for a thread", window.crowd, detail, "behind")
    if window.done is not None and window.done[1]:
        yield Term(
            "done before it came",
            -window.done[1],
            "since nothing was there some core has worked all the time",
            "less",
        )
    if window.blocked and window.blocker is not None:
        name = described(solution, window.blocker)
        yield Term(f"blocked by {name}", window.blocked, "already being served", "blocked")
