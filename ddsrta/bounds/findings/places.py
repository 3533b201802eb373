"""Which threads share a supply, and what is sent by whom: what the rules ask of a system."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ddsrta.base.priorities import Priority
from ddsrta.models.executors import Executor
from ddsrta.models.system import Middleware, Publication, System, Thread

KINDS = ("threads", "executors", "flow_controllers", "listeners")


class Placed(NamedTuple):
    """A thread under SCHED_FIFO or APS, by the key of system.yaml under which it stands."""

    kind: str
    name: str
    priority: Priority


def threads(system: System) -> list[tuple[str, str, Any]]:
    """All threads, by the key and name under which they stand; callbacks have that of their
    executor."""
    return [
        (kind, name, thing)
        for kind in KINDS
        for name, thing in getattr(system, kind).items()
        if kind != "threads" or thing.executor is None
    ]


def working(system: System) -> Iterator[tuple[str, Thread | Executor | Middleware]]:
    """All threads that ever have work, with their kind."""
    controllers = {p.flow_controller for _, _, p in sends(system)}
    listeners = {
        thread.subscribes.listener
        for thread in system.threads.values()
        if thread.subscribes and any(system.writers(topic) for topic in thread.subscribes.topics)
    }
    for thread in system.threads.values():
        if thread.executor is None:
            yield "threads", thread
    for executor in system.executors.values():
        yield "executors", executor
    for name, controller in system.flow_controllers.items():
        if name in controllers:
            yield "flow_controllers", controller
    for name, listener in system.listeners.items():
        if name in listeners:
            yield "listeners", listener


def supplies(system: System) -> dict[tuple[str, str | None], list[Placed]]:
    """Threads that compete by priority, by core and partition."""
    found: defaultdict[tuple[str, str | None], list[Placed]] = defaultdict(list)
    for kind, thing in working(system):
        if thing.reservation is None:
            placed = Placed(kind, thing.name, thing.priority)
            for core in getattr(thing, "cores", ()) or (thing.core,):
                found[core, thing.partition].append(placed)
    return found


def sends(system: System) -> Iterator[tuple[Thread, int, Publication]]:
    """Asynchronous publications that somebody reads, with their publisher and index."""
    for thread in system.threads.values():
        for index, publication in enumerate(thread.publishes) if thread.publishes else ():
            if publication.mode == "async" and system.readers(publication.topic):
                yield thread, index, publication


def sent_by(system: System) -> dict[str, list[tuple[Thread, Publication]]]:
    """What goes through each flow controller."""
    found: dict[str, list[tuple[Thread, Publication]]] = {}
    for thread, _, publication in sends(system):
        if publication.flow_controller is not None:
            found.setdefault(publication.flow_controller, []).append((thread, publication))
    return found


def listed(names: Sequence[str]) -> str:
    """A few names in words.

    >>> listed(["a", "b", "c", "d", "e"])
    "'a', 'b', 'c' and 2 more"
    >>> listed(["a", "b"])
    "'a' and 'b'"
    """
    shown = [f"'{name}'" for name in names[:3]]
    if len(names) > 3:
        return ", ".join(shown) + f" and {len(names) - 3} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
