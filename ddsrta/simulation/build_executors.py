"""The queues of an executor: one for each entity, in the order in which it looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.models.executors import Executor
from ddsrta.models.graph import Hop, all_inputs
from ddsrta.models.groups import group_of, pool_of
from ddsrta.models.system import System, Thread
from ddsrta.ros2 import kind_of
from ddsrta.ros2.kind import WAITABLE, Queue, Service, Waiting

INLINE = 0  # the first queue of each executor


def queues_of(system: System, executor: Executor, service: Service) -> list[Queue]:
    """The queues, that of inline callbacks first; in a pool those of each group, at last."""
    callbacks = [t for t in system.threads.values() if t.executor == executor.name]
    inline = [t for t in callbacks if t.entity == "inline"]
    others = [t for t in callbacks if t.entity != "inline"]
    waiting = [one for callback in others for one in _waiting(system, callback)]
    found = service.queues(waiting)
    if not executor.is_pool:
        return [_inline(inline), *found]
    groups = dict.fromkeys(map(group_of, inline))
    parts = [[t for t in inline if group_of(t) == group] for group in groups]
    return [_inline([]), *found, *map(_inline, parts)]


def _inline(callbacks: Sequence[Thread]) -> Queue:
    return Queue(INLINE, False, tuple(("job", t.name) for t in callbacks))


def is_direct(system: System, hop: Hop) -> bool:
    """Whether what a hop brings needs no middleware: it is within a process."""
    return hop.topic is not None and system.is_direct(
        system.threads[hop.source], system.threads[hop.target]
    )


def mixes(system: System, thread: Thread) -> bool:
    """Whether a thread takes messages in any order (lemma mixed-publishers), from a queue of its
    own: in that of all callbacks of an executor, a message that goes first leaves its place to
    another one, which is not simulated."""
    if thread.executor is None or not system.mixes(thread):
        return system.mixes(thread)
    executor = system.executors[thread.executor]
    found = queues_of(system, executor, kind_of(executor).service(executor))
    return any(queue.keys == (("job", thread.name),) for queue in found)


def _waiting(system: System, callback: Thread) -> Iterator[Waiting]:
    """Messages from the same process are an entity of their own, beside those of the middleware."""
    direct: list[bool] = []
    if callback.entity == "subscription":
        direct = [is_direct(system, hop) for hop in all_inputs(system, callback)]
    if not direct or not all(direct):
        yield Waiting(("job", callback.name), callback.entity, callback.urgency)
    if any(direct):
        yield Waiting(("direct", callback.name), WAITABLE, callback.urgency)


def groups_of(system: System, queues: list[Queue], first: int) -> Iterator[int]:
    """For each queue of an executor, which are numbered from `first`, the first one of its mutually
    exclusive group; -1 for none, and where all run one after the other anyway."""
    known: dict[str, int] = {}
    for number, queue in enumerate(queues, first):
        callback = system.threads[queue.keys[0][1]] if queue.keys else None
        group = None
        if callback is not None and pool_of(system, callback):
            group = group_of(callback)
        yield -1 if group is None else known.setdefault(group, number)
