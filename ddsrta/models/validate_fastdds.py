"""What is refused where a version of Fast DDS is to be modelled, as its behaviour is not."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.executors import Executor
from ddsrta.models.fastdds import participant, senders
from ddsrta.models.middleware import VERSIONS
from ddsrta.models.system import System
from ddsrta.ros2 import KINDS

_WAITS = "one that waits for a lock goes behind its equals, which is not modelled: choose another"


def fastdds_problems(system: System) -> Iterator[Diagnostic]:
    """Nothing where the ten rules are to hold."""
    if system.fastdds is None:
        return
    if system.fastdds.version not in VERSIONS:
        message = f"Fast DDS {system.fastdds.version} is not modelled"
        advice = f"supported: {', '.join(VERSIONS)}; without 'middleware' the ten rules hold"
        yield Diagnostic(system.where("middleware", "fastdds"), message, advice)
    yield from _participants(system)
    yield from _copies(system)
    yield from _executors(system)
    yield from _equals(system)


def _participants(system: System) -> Iterator[Diagnostic]:
    """A flow controller belongs to one participant."""
    owners: dict[str, tuple[str, str]] = {}
    for thread, controller in senders(system):
        if controller is None or thread.core not in system.cores:
            continue
        mine = participant(system, thread)
        if owners.setdefault(controller, mine) != mine:
            yield Diagnostic(
                system.where("threads", thread.name),
                f"flow controller '{controller}' sends for threads of several processes",
                "each process is a participant: give it flow controllers of its own",
            )


def _copies(system: System) -> Iterator[Diagnostic]:
    for topic in system.topics.values():
        if topic.copies != "unknown" and len(system.readers(topic.name)) > 1:
            yield Diagnostic(
                system.where("topics", topic.name, "copies"),
                f"Fast DDS sends copies of '{topic.name}' in no declared order",
                "leave 'copies' out",
            )


def _executors(system: System) -> Iterator[Diagnostic]:
    """Several threads of one priority, each of which may wait for a lock."""
    sending = {thread.executor for thread, _ in senders(system)}
    for executor in system.executors.values():
        if executor.name in sending and not _may_wait(executor):
            yield Diagnostic(
                system.where("executors", executor.name, "kind"),
                f"callbacks of {executor.kind} executor '{executor.name}' publish, where its "
                "threads may wait for locks of Fast DDS",
                "this is not modelled: publish from another executor",
            )
        elif executor.is_pool:
            yield Diagnostic(
                system.where("executors", executor.name, "cores"),
                f"the threads of executor '{executor.name}' are on several cores, where threads "
                "may wait for locks of Fast DDS",
                "this is not modelled: put it on one core, or leave 'middleware' out",
            )


def _may_wait(executor: Executor) -> bool:
    kind = KINDS.get(executor.kind)
    return kind is not None and kind.takes_locks


def _equals(system: System) -> Iterator[Diagnostic]:
    """Threads of one priority, of which one takes locks."""
    users = {thread.server for thread, _ in senders(system)}
    users |= {("flow_controllers", name) for _, name in senders(system) if name is not None}
    placed: dict[tuple[str, str | None, int], list[tuple[str, str]]] = {}
    for kind in ("threads", "executors", "flow_controllers", "listeners"):
        for name, thing in getattr(system, kind).items():
            if thing.reservation is None and not getattr(thing, "executor", None):
                place = (thing.core, thing.partition, thing.priority)
                placed.setdefault(place, []).append((kind, name))
    for (core, _, priority), equals in placed.items():
        if len(equals) > 1 and users & set(equals):
            names = " and ".join(f"'{name}'" for _, name in equals[:2])
            yield Diagnostic(
                system.where(*equals[-1], "priority"),
                f"{names} have priority {priority} on {core}, and Fast DDS has locks",
                _WAITS,
            )
