"""From a solution to what people read: threads, messages, chains, and why where unbounded."""

from __future__ import annotations

from ddsrta.base.units import Duration, duration
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.paths.concrete import NamedPath
from ddsrta.bounds.paths.latency import (
    Segment,
    data_age,
    left_out,
    lossy,
    reaction_time,
    reordered,
    segments,
    transfers,
)
from ddsrta.bounds.queues.overflow import losing
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    HopResult,
    MessageResult,
    ThreadResult,
    Window,
)
from ddsrta.bounds.solution import Solution, bounded
from ddsrta.bounds.stages import Key, comes_from
from ddsrta.bounds.synchronizers.set_responses import callback_response, ends_since, subscriptions
from ddsrta.bounds.terms.diagnose import described, place
from ddsrta.bounds.terms.reasons import reason
from ddsrta.bounds.unbounded import (
    GOES_ROUND,
    LEFT_OUT,
    LOSES_ON_THE_WAY,
    LOSES_PARTNERS,
    MAY_OVERTAKE,
    NO_NEXT_RELEASE,
    NO_PACE,
    OTHERS_RELEASE,
    OTHERS_WRITE,
    SAMPLES,
    TOO_LONG,
    Because,
    leads,
)
from ddsrta.models.graph import inputs
from ddsrta.models.groups import cores_of
from ddsrta.models.system import Constraint, Thread
from ddsrta.ros2 import kind_of

FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")  # of chains, in order


def thread_results(solution: Solution) -> dict[str, ThreadResult]:
    """The response times of all application threads; callbacks are no threads."""
    found, responses, unit = {}, solution.solver.response, solution.compiled.unit
    mixed = bool(solution.messages)
    for name, thread in solution.system.threads.items():
        if thread.executor is None:
            key = ("job", name)
            response = solution.taken(key) if mixed else bounded(responses[unit(key)])
            because = reason(solution, key) if response is None else None
            where = cores_of(solution.system, thread) if thread.cores else thread.core
            found[name] = ThreadResult(duration(response), where, because)
    return found


def callback_results(solution: Solution) -> dict[str, CallbackResult]:
    """The response times of all callbacks, and what bounds them."""
    return {
        name: CallbackResult(
            duration(callback_response(solution, callback)),
            callback.executor,
            cores_of(solution.system, callback),
            _least_window(solution, callback),
            _no_response(solution, callback),
        )
        for name, callback in solution.system.threads.items()
        if callback.executor is not None
    }


def _no_response(solution: Solution, callback: Thread) -> Because | None:
    """Why a callback has none, or a subscription that it waits for."""
    reasons = (
        reason(solution, ("job", name)) for name in (callback.name, *subscriptions(callback))
    )
    return next((because for because in reasons if because), None)


def _least_window(solution: Solution, callback: Thread) -> Window | None:
    """The window that gave the response: its own where no other gave less."""
    number = solution.number(("job", callback.name))
    response = solution.taken(number)
    if response is None:
        return None
    by_turn = solution.compiled.stages[number].by_turn
    window = (solution.of_messages if by_turn else solution.pendings).get(number)
    if window is not None and window.response <= response < window.instead:
        return "pending window"
    if solution.has_groups(number):
        own = bounded(solution.evaluate(number, number if by_turn else None).response)
        if own is None or own > response:
            return "chain window"
    if callback.entity == "inline":
        return "turn"
    executor = solution.system.executors[str(callback.executor)]
    return kind_of(executor).service(executor).window


def message_keys(compiled: Compiled) -> list[list[Key]]:
    """The stages from the hand-over of each message to its reader's release."""
    result: list[list[Key]] = []
    for stage in compiled.stages:
        if stage.key[0] == "message":
            _, publisher, topic, _ = stage.key
            sample: Key = ("sample", publisher, topic)
            first: Key = sample if sample in compiled.stage_number else ("job", publisher)
            result.append([first, *transfers(compiled, stage.key), stage.key])
    return result


def message_results(solution: Solution) -> tuple[MessageResult, ...]:
    """Data delivery latencies, with their parts."""
    return tuple(_message(solution, keys) for keys in message_keys(solution.compiled))


def _message(solution: Solution, keys: list[Key]) -> MessageResult:
    first, message, after = keys[0], keys[-1], keys[1]
    _, publisher, topic, subscriber = message
    edge = solution.compiled.stages[solution.number(message)].inputs[0]
    is_async = first[0] == "sample"
    response = duration(
        solution.response(first)
        if is_async
        else callback_response(solution, solution.system.threads[publisher])
    )
    handed_over, ddl = ends_since(solution, keys)
    because, network = None, solution.response(after) if after != message else edge.link
    if after != message and network is not None:
        network += edge.worst
    if ddl is None:
        because = next(filter(None, (reason(solution, key) for key in keys)), None)
    leaving = solution.compiled.stages[solution.number(after)].inputs[0]
    return MessageResult(
        publisher,
        topic,
        subscriber,
        "async" if is_async else "sync",
        duration(ddl),
        None if is_async else response,
        response if is_async else None,
        duration(network),
        duration(solution.response(message)),
        because,
        duration(leaves(handed_over, leaving)),
    )


def leaves(completed: int | None, edge: Edge) -> int | None:
    """When a copy has left, from when the stage that sends it completes (lemmas program-order and
    copy-order)."""
    return None if completed is None else completed + edge.worst - edge.link


def path_figures(
    solution: Solution, path: NamedPath, lost: frozenset[Key]
) -> tuple[list[Segment], Because | None, dict[str, int | None]]:
    """The segments of a path, why what it brings to a register may not be read, and its figures."""
    parts = segments(solution, path.start, path.hops)
    single = len(parts) == 1
    latency = parts[0].latency if single else None
    trigger = parts[0].trigger_latency if single else None
    shown = {"data_age", "reaction_time"} if not single else {path.chain.constraint}
    overwritten = None if single else _overwritten(solution, path)  # it crosses no register
    age = data_age(parts) if "data_age" in shown and not lossy(solution, parts[:-1], lost) else None
    reaction = None
    if "reaction_time" in shown and overwritten is None and not lossy(solution, parts, lost):
        reaction = reaction_time(parts)
    return parts, overwritten, dict(zip(FIGURES, (latency, trigger, age, reaction), strict=True))


def chain_result(
    solution: Solution, path: NamedPath, lost: frozenset[Key] | None = None
) -> ChainResult:
    """The figures of one path; `lost` is what full queues may lose, where it is known."""
    lost = losing(solution) if lost is None else lost
    parts, overwritten, figures = path_figures(solution, path, lost)
    wanted, single = path.chain.constraint, len(parts) == 1
    because = None
    if figures[wanted] is None and (single or not wanted.endswith("latency")):
        because = _why(solution, parts, wanted, overwritten, lost)
    elif not single and wanted.endswith("latency") and path.chain.deadline is not None:
        because = SAMPLES.of(what=described(solution, parts[1].stages[0]))
    elif not single and figures["reaction_time"] is None:
        because = _why(solution, parts, "reaction_time", overwritten, lost)
    elif single and figures["latency"] is None:
        because = _why(solution, parts, "latency", None, lost)
    return ChainResult(
        path.path,
        duration(figures["latency"]),
        duration(figures["trigger_latency"]),
        duration(figures["data_age"]),
        duration(figures["reaction_time"]),
        wanted,
        duration(path.chain.deadline),
        *judged(figures[wanted], path.chain.deadline),
        tuple(_hops(solution, parts)),
        because,
        path.label,
    )


def judged(figure: int | None, deadline: int | None) -> tuple[bool | None, Duration | None]:
    """Whether a deadline holds, and what is left of it."""
    if deadline is None:
        return None, None
    if figure is None:
        return False, None
    return figure <= deadline, Duration(deadline - figure)


def _hops(solution: Solution, parts: list[Segment]) -> list[HopResult]:
    known, hops = solution.hops, []
    for part in parts:
        for key in zip(part.stages, part.totals, strict=True):
            hop = known.get(key)
            if hop is None:
                stage, total = key
                response = duration(solution.taken(stage))
                what = described(solution, stage), place(solution, stage), response
                hop = known[key] = HopResult(*what, duration(total))
            hops.append(hop)
    return hops


def _overwritten(solution: Solution, path: NamedPath) -> Because | None:
    """A register that others write, too, or whose writer others release: what the chain brought
    there may never be read."""
    system = solution.system
    mixed: str | None = None
    for hop in path.hops:
        target = system.threads[hop.target]
        if target.arrival is None:
            if target.activation == "or" and len(inputs(system, target)) > 1:
                mixed = hop.target
            continue
        others = [w.name for w in system.writers(hop.topic or "") if w.name != hop.source]
        if others:
            names = {"topic": hop.topic, "reader": hop.target, "writer": hop.source}
            return OTHERS_WRITE.of(other=others[0], **names)
        if mixed is not None:
            return OTHERS_RELEASE.of(mixed=mixed, reader=hop.target)
    return None


def _kept(solution: Solution, key: Key) -> Because | None:
    """Why a synchronizer keeps messages without bound."""
    found = solution.synchronizers.get(key[1]) if key[0] == "job" else None
    return found.because if found else None


def _skipped(solution: Solution, parts: list[Segment]) -> str:
    """The timers that may skip, of those that a path and its joins come of."""
    stages, ahead = solution.compiled.stages, [part.stages[-1] for part in parts]
    behind = set(ahead)
    while ahead:
        sources = {edge.source for edge in comes_from(stages[ahead.pop()])} - behind
        behind |= sources
        ahead += sources
    jobs = {stages[number].key[1] for number in behind if stages[number].key[0] == "job"}
    names = ", ".join(name for name in solution.compiled.skips if name in jobs)
    return f" (releases that are skipped: {names})" if names else ""


def _why(
    solution: Solution,
    parts: list[Segment],
    wanted: Constraint,
    overwritten: Because | None,
    lost: frozenset[Key],
) -> Because:
    stages = solution.compiled.stages
    if not wanted.endswith("latency") and (what := reordered(parts)):
        return MAY_OVERTAKE.of(what=what)
    for part in parts:
        for stage, total in zip(part.stages, part.trigger_totals, strict=True):
            if total is None:
                key = stages[stage].key
                because = reason(solution, key) or _kept(solution, key)
                because = because or solution.ended or TOO_LONG.of()
                return leads(f"{described(solution, stage)} has no bound", because)
    if wanted == "reaction_time" and overwritten:
        return overwritten
    asked = parts if wanted == "reaction_time" else parts[:-1]
    if not wanted.endswith("latency") and (because := _rounds_or_gaps(parts, asked)):
        return because
    if not wanted.endswith("latency") and (losing_at := lossy(solution, asked, lost)):
        return LOSES_ON_THE_WAY.of(topic=losing_at[2])
    for part in asked:
        if part.gap is None and not wanted.endswith("latency"):
            return NO_NEXT_RELEASE.of(name=described(solution, part.stages[0]))
    for part in parts:
        for stage in part.stages:
            if because := _kept(solution, stages[stage].key):
                name = stages[stage].key[1]
                return leads(f"{name} may keep a message or leave it out", because)
    return _unmatched(solution, parts) or NO_PACE.of(skipped=_skipped(solution, parts))


def _rounds_or_gaps(parts: list[Segment], asked: list[Segment]) -> Because | None:
    """Where messages go round, or jobs leave them out."""
    if hop := parts[0].rounds:
        return GOES_ROUND.of(source=hop.source, target=hop.target)
    if hop := left_out(asked):
        return LEFT_OUT.of(source=hop.source, topic=hop.topic)
    return None


def _unmatched(solution: Solution, parts: list[Segment]) -> Because | None:
    """A thread that waits by number for what a full queue may lose."""
    apart = solution.compiled.mispaired
    for stage in (stage for part in parts for stage in part.stages):
        kind, name = solution.compiled.stages[stage].key[:2]
        if kind == "job" and name in apart:
            return LOSES_PARTNERS.of(topic=apart[name], name=name)
    return None
