"""Where the time of a bound goes, term by term, adding up exactly to the bound."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import did_you_mean
from ddsrta.bounds.closed_window.terms import closed_note, closed_terms
from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.end_to_end_window.terms import PART, WHOLE, end_to_end_terms, length
from ddsrta.bounds.event_alone import terms as event_alone
from ddsrta.bounds.fair_shares.terms import FAIR, fair_terms
from ddsrta.bounds.fair_shares.windows import FairWindow
from ddsrta.bounds.joined_work.terms import group_terms, way_of
from ddsrta.bounds.joint_outputs.terms import JOINT, joint_terms
from ddsrta.bounds.joint_outputs.windows import JointWindow
from ddsrta.bounds.paths import Step
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.bounds.paths.latency import Segment, age_gaps, reaction_gaps, segments
from ddsrta.bounds.pending_window.terms import pending_note, pending_terms
from ddsrta.bounds.placement import core_of
from ddsrta.bounds.present import chain_result
from ddsrta.bounds.solution import FromArrival, Solution
from ddsrta.bounds.solve import solve
from ddsrta.bounds.stages import Server
from ddsrta.bounds.terms.diagnose import described, place
from ddsrta.bounds.terms.explanation import Explanation, StageExplanation
from ddsrta.bounds.terms.tokens import token_terms
from ddsrta.bounds.terms.window import Term, tandem_terms, window_terms
from ddsrta.models.system import EPSILON, System
from ddsrta_kernel.problem import ANYHOW, PIECE, ROOT

_COUPLED = (
    "more urgent work counts by the events that bring it, once for each and all that follows it"
)
_TANDEM = (
    "two threads in tandem: what both of them serve costs the longer of both times, not their sum"
)
_OPEN = "one window for both: what comes next is more urgent on the same core, and keeps it open"
_PACED = "bursts paid once: by number, each stage adds what one turn of it takes"
_OPENS = {
    ROOT: "it opens with the arrival of {} or before",
    PIECE: "it opens with the arrival of {}",
    ANYHOW: "it is open when {} arrives",
}


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
        "trigger_latency": result.trigger_latency,
        "data_age": result.data_age,
        "reaction_time": result.reaction_time,
    }
    wanted = path.chain.constraint
    if len(parts) > 1 and wanted.endswith("latency"):
        wanted = "data_age"
    bound = figures[wanted]
    if bound is None:
        return Explanation(path.name, path.path, None, (), result.unbounded_because)
    stages = tuple(_stages(solution, parts, wanted))
    rest = bound - sum(stage.total for stage in stages)
    if rest:
        tokens = token_terms(solution, parts, rest)
        stages = (*stages, StageExplanation("tokens", "", tokens, rest))
    return Explanation(path.name, path.path, bound, stages)


def _stages(solution: Solution, parts: list[Segment], wanted: str) -> Iterator[StageExplanation]:
    gaps = age_gaps(parts) if wanted == "data_age" else reaction_gaps(parts)
    for number, part in enumerate(parts):
        name = described(solution, part.steps[0].stage)
        if wanted == "reaction_time" and (gap := gaps[number]):
            alone = _alone(parts, number, gap)
            yield _gap(solution, part, gap, f"just missed a release of {name}", alone)
        shown = _shown(part, wanted)
        if wanted == "latency" and (last := part.waiting[-1].last) is not None:
            begun, shown = last
            first = described(solution, shown[0].stage)
            term = Term(
                f"until {first} is released", begun, "by that way the last token comes", "waits"
            )
            if begun:
                yield StageExplanation("tokens", "", (term,), begun)
        yield from of_steps(solution, shown)
        if wanted == "data_age" and number < len(parts) - 1 and (gap := gaps[number]):
            label = _until(solution, part, parts[number + 1], gap)
            yield _gap(solution, part, gap, label, _alone_of_age(part, parts[number + 1], gap))


def of_steps(solution: Solution, steps: tuple[Step, ...]) -> Iterator[StageExplanation]:
    """What each window adds, up to the total of the last step."""
    done = 0
    for window in _windows(steps):
        yield _stage(solution, window, done)
        done = window[-1].total or 0


def _shown(part: Segment, wanted: str) -> tuple[Step, ...]:
    """The steps that a figure is of: those of events whose tokens come last, or where every event
    takes no longer by number, of these."""
    trigger, every = part.steps[-1], part.waiting[-1]
    if every.due is None or every.total is None or wanted not in ("latency", "trigger_latency"):
        return part.steps
    is_less = trigger.total is None or every.total < trigger.total
    return part.waiting if wanted == "latency" or is_less else part.steps


def _until(solution: Solution, part: Segment, after: Segment, gap: int) -> str:
    """What a value in a register waits for."""
    if gap == part.gap:
        name = described(solution, part.steps[0].stage)
        return f"sampled until the next value of {name} is there"
    reader = described(solution, after.steps[0].stage)
    return f"until {reader} is released, by the offsets of all these"


def _alone_of_age(part: Segment, after: Segment, gap: int) -> int:
    """How long a value waits whatever priorities and cores are. By one clock these decide which
    release reads it; that it stays until the next one is there is sure but for a period of that."""
    if not _share_a_clock(part, after):
        return gap
    assert part.clock is not None and after.clock is not None
    return max(0, min(gap, part.clock.period - after.clock.period))


def _alone(parts: list[Segment], number: int, gap: int) -> int:
    """The same of what has just missed a release: by one clock only that of this part is sure."""
    part = parts[number]
    near = (*parts[max(0, number - 1) : number], *parts[number + 1 : number + 2])
    if part.clock is None or not any(_share_a_clock(part, other) for other in near):
        return gap
    return min(gap, part.clock.period)


def _share_a_clock(one: Segment, other: Segment) -> bool:
    """Whether offsets say when both are released."""
    if one.clock is None or other.clock is None:
        return False
    return one.clock.machine == other.clock.machine


def _gap(solution: Solution, part: Segment, gap: int, label: str, alone: int) -> StageExplanation:
    """A wait for the next release of a part; a timer that skips some has a period at the least."""
    stage, sampled = part.steps[0].stage, alone
    thread = solution.compiled.stages[stage].key[1]
    if thread in solution.compiled.skips:
        period = getattr(solution.system.threads[thread].arrival, "period", 0)
        sampled = min(sampled, period)
    term = Term(label, gap, kind="waits")
    return StageExplanation("register", described(solution, stage), (term,), gap, sampled=sampled)


def _windows(steps: tuple[Step, ...]) -> list[tuple[Step, ...]]:
    """The steps that share a window: a group takes in all from its head on."""
    windows: list[tuple[Step, ...]] = []
    end = len(steps)
    while end:
        start, group = end - 1, steps[end - 1].group
        end_to_end = steps[start].end_to_end
        if steps[start].due is not None:
            start = 0
        if steps[start].tandem is not None:
            start -= 1
        if end_to_end is not None:
            start = end - length(end_to_end)
        start = min(start, end - steps[end - 1].spanned)
        if group is not None:
            heads = (i for i in range(end) if steps[i].stage == group.head)
            start = next(heads, 0)
        windows.append(steps[start:end])
        end = start
    return windows[::-1]


def _stage(solution: Solution, steps: tuple[Step, ...], done: int) -> StageExplanation:
    """What a window adds to the `done` of the path so far."""
    first, last, way = steps[0], steps[-1], [step.stage for step in steps]
    total = (last.total or 0) - done
    terms = list(_entering(solution, first))
    if last.alone is not None:
        inside, note = event_alone.alone_terms(solution, last.alone, way), event_alone.NOTE
    elif last.closed is not None:
        inside = [term for term in closed_terms(solution, last.closed, way) if term.time]
        note = closed_note(solution, last.closed)
    elif last.pending is not None:
        inside, note = _from_arrival(solution, last.stage, last.pending)
    elif last.end_to_end is not None:
        inside = [term for term in end_to_end_terms(solution, last.end_to_end) if term.time]
        note = PART if done else WHOLE
    elif last.due is not None:
        inside, note = list(_paced_terms(solution, steps)), _PACED
    elif last.tandem is not None:
        both = solution.compiled.tandems.before(last.stage)
        note = _OPEN if both is not None and both.keeps_open else _TANDEM
        inside = tandem_terms(solution, first, last)
    elif last.group is None:
        inside, coupled = window_terms(solution, last)
        note = _COUPLED if coupled else ""
    else:
        inside, note = group_terms(solution, steps), _group_note(solution, steps)
    wholes = last.alone, last.closed, last.end_to_end, last.due, last.pending
    whole = any(one is not None for one in wholes)
    terms += inside if whole else [*inside, *_outside(solution, steps)]
    rest = total - sum(term.time for term in terms)
    if rest < 0:
        terms.append(Term("less, by other windows of the same event", rest, kind="less"))
    elif rest:
        terms.append(Term("until the value is handed over", rest, "the delay of 'follows'", "way"))
    where = place(solution, last.stage)
    name = described(solution, last.stage)
    return StageExplanation(name, where, tuple(terms), total, note)


def _from_arrival(solution: Solution, stage: int, window: FromArrival) -> tuple[list[Term], str]:
    """The terms of a window that bounds a unit from its arrival on, and what it is."""
    if isinstance(window, ClosedWindow):
        inside = [term for term in closed_terms(solution, window, [stage]) if term.time]
        return inside, closed_note(solution, window)
    if isinstance(window, JointWindow):
        return list(joint_terms(solution, window)), JOINT
    if isinstance(window, FairWindow):
        return list(fair_terms(solution, window)), FAIR
    terms = list(pending_terms(solution, stage, window))
    return terms, pending_note(solution, stage, window)


def _paced_terms(solution: Solution, steps: tuple[Step, ...]) -> Iterator[Term]:
    """When the event is due, and what each stage adds (lemma paced-path)."""
    streams, last = solution.compiled.streams, steps[-1]
    assert last.due is not None
    if last.due < 0:
        yield Term("before the path begins", last.due, "the least time that this takes", "less")
    elif last.due:
        yield from _due_terms(solution, steps[0].stage, last)
    done, turns = solution.paced(last.stage) or 0, []
    for step in reversed(steps):  # what is sent before a job ends may be done before it, too
        if streams.of[step.stage].node == streams.of[last.stage].node:
            turns.append((step.stage, min(done, solution.paced(step.stage) or 0)))
            done = turns[-1][1]
    before = 0
    for stage, done in reversed(turns):
        if done > before:
            turn, own = done - before, solution.compiled.stages[stage].cost
            what = described(solution, stage)
            yield Term(what, turn, "a turn, by number", "together", min(turn, own))
        before = done


def _due_terms(solution: Solution, first: int, last: Step) -> Iterator[Term]:
    """What comes before an event is due: where all ways to a join say it, by the longest of them
    (lemma due-at-joins)."""
    from ddsrta.bounds.paths.numbers import longest

    assert last.due is not None
    begun, stages = longest(solution, first, solution.compiled.streams.of[last.stage].node)
    if begun is None or begun + sum(time for _, time in stages) != last.due:
        yield Term(
            "until the event is due", last.due, "with what came before it at its pace", "behind"
        )
        return
    if begun:
        yield Term("until the source of the last token is released", begun, "by number", "waits")
    for stage, time in stages:
        what = f"up to the end of {described(solution, stage)}"
        yield Term(what, time, "turns, by number", "together")


def _entering(solution: Solution, step: Step) -> Iterator[Term]:
    """From the end of the stage before to the arrival."""
    if step.edge is None:
        return
    if step.edge.link:
        yield Term("on the way", step.edge.link, "network, or the delay of 'follows'", "way")
    if early := step.edge.worst - step.edge.link:
        if solution.compiled.stages[step.edge.source].key[0] == "transfer":
            yield Term("received before its last bits", early, "no receiver waits for them", "less")
        elif solution.compiled.stages[step.edge.source].cost == EPSILON:
            yield Term("sent at once", early, "it takes no time, and counts a nanosecond", "less")
        elif solution.compiled.stages[step.edge.source].key[0] == "sample":
            yield Term("sent before the last copy", early, _order(step.edge), "less")
        else:
            yield Term("sent before the job ends", early, "what it sends later comes after", "less")
    if step.kept:
        yield Term("kept by the synchronizer", step.kept, "until its set is made", "waits")


def _order(edge: Edge) -> str:
    """Why something leaves a flow controller before others."""
    if edge.within:
        return "readers of its process are first"
    return "the copies leave in a declared order"


def _outside(solution: Solution, steps: tuple[Step, ...]) -> Iterator[Term]:
    """The part of the window before the arrival in question."""
    last, outcome = steps[-1], steps[-1].outcome
    assert outcome is not None
    before = steps[0].before
    if last.group is not None and last.since is None:
        before = 0
        best = solution.compiled.streams.of
        if least := best[steps[0].stage].best - best[last.group.head].best:
            yield Term("before the path begins", -least, "the least time that this takes", "less")
    if later := outcome.finish + before - outcome.latency:
        yield Term("came later than the window opened", -later, kind="less")


def _group_note(solution: Solution, steps: tuple[Step, ...]) -> str:
    """Whose window it is, and when it opens."""
    group = steps[-1].group
    assert group is not None
    stages = solution.compiled.stages
    way = way_of(solution, steps)
    members = list(dict.fromkeys(_server(stages[stage].server) for stage in way))
    core = core_of(solution.system, stages[group.head])
    opening = _OPENS[group.kind].format(described(solution, group.head))
    begins = "" if steps[-1].since is not None else ", which is before the path begins"
    return f"one window for {_listed(members)} on core {core}: {opening}{begins}"


def _server(server: Server) -> str:
    return f"{server[0].removesuffix('s').replace('_', ' ')} {server[1]}"


def _listed(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
