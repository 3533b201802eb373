"""Why a stage alone has no bound: the overload that is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddsrta.base.priorities import FAIR
from ddsrta.bounds.placement import LINK
from ddsrta.bounds.solution import Solution, bounded
from ddsrta.bounds.stages import Key, Stage
from ddsrta.bounds.unbounded import (
    LIMIT_USED_UP,
    LIVELOCK,
    LOCKS,
    NO_ARRIVAL,
    NO_SHARE,
    OVERCOMMITTED,
    OVERLOADED,
    SLEEPING,
    TRIES_WITHOUT_END,
    Because,
)
from ddsrta.models.bandwidth import counted
from ddsrta.models.executors import Executor
from ddsrta.models.system import System

if TYPE_CHECKING:
    from ddsrta.bounds.placement import Worker
    from ddsrta.bounds.terms.loads import Loads

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
    if key[0] == "frame":
        return f"frame {key[2]}"
    return f"message '{key[2]}' from {key[1]} to {key[3]}"


def described(solution: Solution, number: int) -> str:
    """The stage of a number in words."""
    return describe(solution.system, solution.compiled.stages[number].key)


def place(solution: Solution, number: int) -> str:
    """Where a stage runs: its core, and the middleware thread if it is in one."""
    stage = solution.compiled.stages[number]
    core = core_of(solution, stage)
    return (
        core if stage.key[0] == "job" or stage.server[0] == LINK else f"{stage.server[1]} on {core}"
    )


def own_reason(solution: Solution, number: int) -> Because | None:
    """Why a stage is unbounded whatever others do."""
    stage = solution.compiled.stages[number]
    thread = _thread(solution, stage)
    return (
        _unsynchronized(solution, stage)
        or _livelock(solution, number)
        or _overloaded(solution, number, stage, thread)
        or solution.ended
        or _used_up(solution, stage)
        or _locked(solution, number)
    )


def _overloaded(solution: Solution, number: int, stage: Stage, thread: Worker) -> Because | None:
    """More work than what serves it can do."""
    share = _loads(solution).reserved.get(thread.core, 0)
    if share > 1:
        return OVERCOMMITTED.of(core=thread.core, load=_percent(float(share)))
    found = (
        _overloaded_link(solution, number)
        or _overloaded_thread(solution, stage, thread)
        or _overloaded_level(solution, thread)
    )
    if found and _has_no_share(solution, stage, thread):
        return NO_SHARE.of(what=found, machine=solution.system.cores[thread.core].machine)
    return OVERLOADED.of(what=found) if found else None


def _has_no_share(solution: Solution, stage: Stage, thread: Worker) -> bool:
    """Whether it is of SCHED_OTHER, on a core without a tick that is not filled by its own work and
    what is more urgent."""
    system = solution.system
    core = system.cores.get(thread.core)
    if thread.priority != FAIR or core is None or core.tick is not None:
        return False
    loads = _loads(solution)
    servers = {
        server
        for server, other in loads.on(thread.core)
        if other.core == thread.core and other.priority > FAIR
    }
    is_pool = isinstance(thread, Executor) and thread.is_pool
    return not is_pool and loads.of({*servers, stage.server}) <= _OVERLOAD


def _unsynchronized(solution: Solution, stage: Stage) -> Because | None:
    """A synchronizer that may keep messages for any time may make any number of sets at once; one
    that counts by numbers must not lose any. That messages come late is a reason of what sends
    them, which may wait for these sets in turn."""
    has_own = stage.synchronizer or stage.again
    why = solution.lost.get(stage.key[1]) if has_own else None
    return None if why and NO_ARRIVAL.made(why) else why


def _livelock(solution: Solution, number: int) -> Because | None:
    """A flow controller that is more urgent than its publisher on the same supply, this one or one
    that can delay the stage (lemma sleeping-window)."""
    compiled = solution.compiled
    if not compiled.waits and solution.system.fastdds is None:
        return None  # nobody looks for a lock
    near = [
        compiled.placement.stage_of[unit]
        for relation in compiled.placement.relations[compiled.unit_of[number]]
        for unit in range(relation.first, relation.last)
    ]
    for other in (number, *near) if compiled.waits else ():
        if other is not None and _is_livelocked(solution, other):
            stage = compiled.stages[other]
            return LIVELOCK.of(controller=stage.server[1], publisher=stage.key[1])
    return _tries_without_end(solution, [number, *near])


def _tries_without_end(solution: Solution, near: Sequence[int | None]) -> Because | None:
    """Flow controllers that keep each other's publishers from running (definition lock-closure)."""
    sharing = solution.closed_windows.closures.locks if solution.system.fastdds else None
    for other in near if sharing else ():
        if other is not None and sharing is not None and other in sharing.endless:
            name = solution.compiled.stages[other].server[1]
            return TRIES_WITHOUT_END.of(controller=name)
    return None


def _is_livelocked(solution: Solution, number: int) -> bool:
    compiled = solution.compiled
    stage, wait = compiled.stages[number], compiled.waits.get(number)
    if wait is None or stage.key[0] != "sample" or bounded(wait.spinning) is not None:
        return False
    supply, unit_of = compiled.placement.supply_of, compiled.unit_of
    if supply[unit_of[stage.inputs[0].source]] != supply[unit_of[number]]:
        return False
    return _thread(solution, stage).priority > solution.system.threads[stage.key[1]].priority


def _used_up(solution: Solution, stage: Stage) -> Because | None:
    """A flow controller whose limit does not let through what it is to send (lemma byte-limit)."""
    controller = solution.system.flow_controllers.get(stage.server[1])
    if stage.key[0] != "sample" or controller is None or controller.limit is None:
        return None
    sent = [
        (counted(solution.system.topics[other.key[2]].size), solution.rates[number])
        for number, other in enumerate(solution.compiled.stages)
        if other.server == stage.server
    ]
    limit, largest = controller.limit, max(size for size, _ in sent)
    bytes_load = sum(size * rate for size, rate in sent) / (limit.bytes - largest + 1)
    load = limit.period * min(bytes_load, sum(rate for _, rate in sent) / (limit.bytes // largest))
    if load < 1:
        return None
    return LIMIT_USED_UP.of(controller=controller.name, load=_percent(load))


def _locked(solution: Solution, number: int) -> Because | None:
    """Locks for which it may wait without bound."""
    wait = solution.compiled.waits.get(number)
    if wait is None or all(bounded(time) is not None for time in wait):
        return None
    return (LOCKS if solution.system.fastdds else SLEEPING).of()


def _loads(solution: Solution) -> Loads:
    from ddsrta.bounds.terms.loads import loads_of  # where something has no bound, and only there

    return loads_of(solution)


def _thread(solution: Solution, stage: Stage) -> Worker:
    thread: Worker = getattr(solution.system, stage.server[0])[stage.server[1]]
    return thread


def core_of(solution: Solution, stage: Stage) -> str:
    """The core of a stage's thread; of a pool, all of them."""
    thread = _thread(solution, stage)
    return ", ".join(getattr(thread, "cores", ())) or thread.core


def _percent(load: float) -> str:
    percent = f"{100 * load:.0f} %"
    return percent if percent != "100 %" else f"{100 * load:.3f} %"


def _overloaded_link(solution: Solution, number: int) -> str:
    """Messages that are at least as urgent on the same shared link."""
    stage = solution.compiled.stages[number]
    if stage.server[0] != LINK:
        return ""
    load = sum(
        other.cost * solution.rates[place]
        for place, other in enumerate(solution.compiled.stages)
        if other.server == stage.server and other.priority <= stage.priority
    )
    if load <= _OVERLOAD:
        return ""
    return (
        f"link {stage.server[1]} is loaded {_percent(load)} by what is at least as urgent as "
        f"{described(solution, number)}"
    )


def _overloaded_thread(solution: Solution, stage: Stage, thread: Worker) -> str:
    if isinstance(thread, Executor) and thread.is_pool:
        return _overloaded_pool(solution, stage, thread)
    if cores := getattr(thread, "cores", ()):
        load = solution.solver.demand(solution.compiled.unit(stage.key))
        by = f"by itself, and what is no less urgent on {len(cores)} cores together"
        return f"thread {thread.name} is loaded {_percent(load)}: {by}" * (load > _OVERLOAD)
    if stage.server[0] == LINK:
        return ""
    load = _loads(solution).of([stage.server])
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


def _overloaded_pool(solution: Solution, stage: Stage, pool: Executor) -> str:
    """What may keep a callback waiting one after the other: all that is more urgent on any of the
    cores, and its group; all else, in so many threads (lemma pool-window)."""
    load = solution.solver.demand(solution.compiled.unit(stage.key))
    if load <= _OVERLOAD:
        return ""
    return (
        f"executor {pool.name} is loaded {_percent(load)}: by what is more urgent on all its cores "
        f"together, by the group of {stage.key[1]}, and by the rest in {len(pool.places)} threads"
    )


def _overloaded_level(solution: Solution, thread: Worker) -> str:
    """Threads that are at least as urgent on the same supply, and SCHED_DEADLINE ones."""
    if thread.reservation or thread.core not in solution.system.cores:
        return ""
    if getattr(thread, "cores", ()):
        return ""
    core = solution.system.cores[thread.core]
    supply = core.partitions.get(thread.partition or "") or core.reservation
    share = supply.budget / supply.period if supply else 1.0
    load = _loads(solution).no_less_urgent(core.path, thread.partition, thread.priority)
    if load <= share * _OVERLOAD:
        return ""
    what = f"core {core.path}" + (f", partition {thread.partition}," if thread.partition else "")
    return (
        f"{what} is loaded {_percent(load / share)} by what is at least as urgent as {thread.name}"
    )
