"""What is refused of threads that move between cores, as it is not modelled (lemma set-window)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.executors import Executor
from ddsrta.models.system import Middleware, System, Thread, moving

_Placed = Thread | Executor | Middleware
_Movers = Mapping[str, list[Thread | Executor]]


def set_problems(system: System) -> Iterator[Diagnostic]:
    """Of the threads that move, and of what is on their cores."""
    movers: dict[str, list[Thread | Executor]] = {}
    for one in moving(system):
        for path in one.cores:
            movers.setdefault(path, []).append(one)
    for kind in ("threads", "executors", "flow_controllers", "listeners"):
        for name, thing in getattr(system, kind).items():
            if getattr(thing, "executor", None):
                continue
            moves = any(thing is one for one in moving(system))
            found = _moving(system, thing, movers) if moves else _beside(thing, movers)
            for message, advice in found:
                what = f"{kind.removesuffix('s').replace('_', ' ')} '{name}' {message}"
                where = system.where(kind, name, "cores") if moves else system.where(kind, name)
                yield Diagnostic(where, what, f"this is not modelled: {advice}")


def _moving(system: System, thing: Thread | Executor, movers: _Movers) -> Iterator[tuple[str, str]]:
    """What is wrong with what moves, and what to do."""
    known = [system.cores[path] for path in thing.cores if path in system.cores]
    for core in known:
        if core.reservation or core.partitions:
            yield f"moves to {core.path}, which is reserved", "threads move between whole cores"
    if len({core.machine for core in known}) > 1:
        yield "moves between machines", "a thread stays on its machine"
    for other in {one.name: one for path in thing.cores for one in movers[path]}.values():
        if isinstance(other, Thread) != isinstance(thing, Thread):
            yield f"moves between cores of '{other.name}'", "keep executors and threads apart"
        elif set(other.cores) != set(thing.cores):
            yield f"has some cores of '{other.name}'", "give both all of them, or none in common"
    if system.fastdds is not None:
        yield "moves, where Fast DDS has locks", "leave 'middleware' out"
    if any(controller.limit for controller in system.flow_controllers.values()):
        yield "moves, where a flow controller sleeps for its limit", "leave 'limit' out"


def _beside(thing: _Placed, movers: _Movers) -> Iterator[tuple[str, str]]:
    """What is wrong with something that is pinned where threads may move to."""
    cores: tuple[str, ...] = getattr(thing, "cores", ()) or (thing.core,)
    for path in cores:
        others = movers.get(path, [])
        equals = [one.name for one in others if one.priority == thing.priority]
        if others and len(cores) > 1:
            yield f"has threads on {path}, to which '{others[0].name}' may move", "keep them apart"
        elif others and getattr(thing, "nice", None) is not None:
            yield f"is of SCHED_OTHER on {path}, to which '{others[0].name}' may move", "keep apart"
        elif others and thing.reservation:
            yield f"is reserved on {path}, to which '{others[0].name}' may move", "keep them apart"
        elif equals:
            yield f"has the priority of '{equals[0]}', which may move to {path}", "choose another"
