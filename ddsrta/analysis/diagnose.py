"""Why a stage has no bound: the overload, or the unbounded neighbour, that is to blame."""

from __future__ import annotations

from ddsrta.analysis.placement import WORKERS, Worker
from ddsrta.analysis.solve import Solution
from ddsrta.analysis.stages import Key, Stage
from ddsrta.analysis.supply import reserved_shares
from ddsrta.models.system import System

_OVERLOAD = 1.0 + 1e-9


def describe(system: System, key: Key) -> str:
    """A stage in words.

    >>> from ddsrta.examples import two_threads
    >>> describe(two_threads(), ("job", "sensor"))
    'thread sensor'
    >>> describe(two_threads(), ("message", "sensor", "speed", "control"))
    "message 'speed' from sensor to control"
    """
    if key[0] == "job":
        return f"{'callback' if system.threads[key[1]].executor else 'thread'} {key[1]}"
    if key[0] == "sample":
        return f"topic '{key[2]}' of {key[1]}"
    return f"message '{key[2]}' from {key[1]} to {key[3]}"


def described(solution: Solution, number: int) -> str:
    """The stage of a number in words."""
    return describe(solution.system, solution.compiled.stages[number].key)


def place(solution: Solution, number: int) -> str:
    """Where a stage runs: its core, and the middleware thread if it is in one."""
    stage = solution.compiled.stages[number]
    core = _thread(solution, stage).core
    return core if stage.key[0] == "job" else f"{stage.server[1]} on {core}"


def reason(solution: Solution, key: Key) -> str | None:
    """Why the stage is unbounded; None where it is not."""
    if solution.response(key) is not None:
        return None
    number = solution.number(key)
    stage = solution.compiled.stages[number]
    for edge in stage.inputs:
        if solution.latency(edge.source) is None:
            cause = _root(solution, edge.source)
            name = described(solution, cause)
            why = _own_reason(solution, cause)
            return f"{name}, which releases it, has no bound" + (f": {why}" if why else "")
    return _own_reason(solution, number) or (
        "no fixed point was found: delays of stages that depend on each other keep growing "
        f"(core {_thread(solution, stage).core})"
    )


def _root(solution: Solution, number: int) -> int:
    """The first unbounded stage on the way here."""
    while True:
        inputs = solution.compiled.stages[number].inputs
        unbounded = [edge.source for edge in inputs if solution.latency(edge.source) is None]
        if not unbounded:
            return number
        number = unbounded[0]


def _own_reason(solution: Solution, number: int) -> str:
    stage = solution.compiled.stages[number]
    thread = _thread(solution, stage)
    return (
        _unsynchronized(solution, stage)
        or _overcommitted_core(solution, thread)
        or _overloaded_thread(solution, stage, thread)
        or _overloaded_level(solution, thread)
        or _unbounded_neighbour(solution, number)
    )


def _unsynchronized(solution: Solution, stage: Stage) -> str:
    """A synchronizer that may keep messages for any time may make any number of sets at once; one
    that counts by numbers must not lose any."""
    return solution.lost.get(stage.key[1], "") if stage.synchronizer else ""


def _thread(solution: Solution, stage: Stage) -> Worker:
    thread: Worker = getattr(solution.system, stage.server[0])[stage.server[1]]
    return thread


def _percent(load: float) -> str:
    percent = f"{100 * load:.0f} %"
    return percent if percent != "100 %" else f"{100 * load:.3f} %"


def _load(solution: Solution, servers: set[tuple[str, str]]) -> float:
    stages = solution.compiled.stages
    return sum(
        stage.cost * solution.rates[number]
        for number, stage in enumerate(stages)
        if stage.server in servers
    )


def _overcommitted_core(solution: Solution, thread: Worker) -> str:
    share = reserved_shares(solution.system).get(thread.core, 0)
    if share <= 1:
        return ""
    return f"the reservations on core {thread.core} add up to {_percent(float(share))} of it"


def _overloaded_thread(solution: Solution, stage: Stage, thread: Worker) -> str:
    load = _load(solution, {stage.server})
    kind = stage.server[0].removesuffix("s").replace("_", " ")
    if thread.reservation:
        share = thread.reservation.budget / thread.reservation.period
        if load > share * _OVERLOAD:
            return (
                f"{kind} {stage.server[1]} needs {_percent(load)} of its core and has a "
                f"reservation of {_percent(share)}"
            )
    elif load > _OVERLOAD:
        return f"{kind} {stage.server[1]} is loaded {_percent(load)}"
    return ""


def _overloaded_level(solution: Solution, thread: Worker) -> str:
    """Threads that are at least as urgent on the same supply, and SCHED_DEADLINE ones."""
    if thread.reservation:
        return ""
    system = solution.system
    servers, reserved = set(), 0.0
    for kind in WORKERS:
        for name, other in getattr(system, kind).items():
            if other.core != thread.core or getattr(other, "executor", None):
                continue
            if other.reservation:
                reserved += other.reservation.budget / other.reservation.period
            elif other.partition == thread.partition and other.priority >= thread.priority:
                servers.add((kind, name))
    core = system.cores[thread.core]
    supply = core.partitions.get(thread.partition or "") or core.reservation
    share = supply.budget / supply.period if supply else 1.0
    load = _load(solution, servers) + reserved
    if load <= share * _OVERLOAD:
        return ""
    what = f"core {core.path}" + (f", partition {thread.partition}," if thread.partition else "")
    return (
        f"{what} is loaded {_percent(load / share)} by what is at least as urgent as {thread.name}"
    )


def _unbounded_neighbour(solution: Solution, number: int) -> str:
    """Something unbounded that can delay the stage."""
    compiled = solution.compiled
    for relation in compiled.placement.relations[compiled.unit_of[number]]:
        for unit in range(relation.first, relation.last):
            other = compiled.placement.stage_of[unit]
            if other is None or other == number:
                continue
            arrives = [solution.latency(edge.source) for edge in compiled.stages[other].inputs]
            if None in arrives:
                name = described(solution, other)
                return f"{name}, which can delay it, arrives without bound"
    return ""
