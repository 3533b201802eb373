"""The queues of an executor: one for each entity, in the order in which it looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.models.executors import Executor
from ddsrta.models.graph import Hop, inputs
from ddsrta.models.pools import group_of, pool_of
from ddsrta.models.system import System, Thread
from ddsrta.policies.executors import serves
from ddsrta_simulator.orders import ANY, ARRIVAL, ROUNDS, URGENCY
from ddsrta_simulator.program import ANYWHERE

Key = tuple[str, ...]
INLINE = 0  # the first queue of each executor
SAMPLED = ("humble", "iron")  # releases in which what is late waits for the next round


class Queue(NamedTuple):
    """`turn`: the smaller, the earlier in a round; `late`: it is looked at again in its turn.

    `keys`: ("job", t) of what is served from it, or ("direct", t) for the jobs of t that messages
    from the same process release.
    """

    turn: int
    late: bool
    keys: tuple[Key, ...]


def queues_of(system: System, executor: Executor) -> list[Queue]:
    """The queues, that of inline callbacks first."""
    callbacks = [t for t in system.threads.values() if t.executor == executor.name]
    inline = tuple(("job", t.name) for t in callbacks if t.entity == "inline")
    others = [t for t in callbacks if t.entity != "inline"]
    return [Queue(INLINE, False, inline), *_BY_ORDER[serves(executor)](system, executor, others)]


def is_direct(system: System, hop: Hop) -> bool:
    """Whether what a hop brings needs no middleware: it is within a process."""
    return hop.topic is not None and system.is_direct(
        system.threads[hop.source], system.threads[hop.target]
    )


def _by_arrival(system: System, executor: Executor, callbacks: list[Thread]) -> list[Queue]:
    keys = tuple(key for t in callbacks for key in _keys(system, t))
    return [Queue(0, False, keys)]


def _by_urgency(system: System, executor: Executor, callbacks: list[Thread]) -> list[Queue]:
    levels: dict[int, tuple[Key, ...]] = {}
    for t in sorted(callbacks, key=lambda t: -t.urgency):
        levels[t.urgency] = (*levels.get(t.urgency, ()), *_keys(system, t))
    return [Queue(0, False, keys) for keys in levels.values()]


def _whichever(system: System, executor: Executor, callbacks: list[Thread]) -> list[Queue]:
    return [Queue(0, False, (key,)) for t in callbacks for key in _keys(system, t)]


def _in_rounds(system: System, executor: Executor, callbacks: list[Thread]) -> list[Queue]:
    found = []
    for callback in callbacks:
        for key in _keys(system, callback):
            entity = "waitable" if key[0] == "direct" else callback.entity
            turn = ANYWHERE if entity is None else executor.turn(entity)
            found.append(Queue(turn, entity == "waitable", (key,)))
    found.sort(key=lambda queue: queue.turn)
    if executor.order == "registered":
        found = [q._replace(turn=i) if q.turn != ANYWHERE else q for i, q in enumerate(found)]
    return found


_BY_ORDER = {ARRIVAL: _by_arrival, URGENCY: _by_urgency, ANY: _whichever, ROUNDS: _in_rounds}


def _keys(system: System, callback: Thread) -> Iterator[Key]:
    """Messages from the same process are an entity of their own, beside those of the middleware."""
    if callback.entity != "subscription":
        yield ("job", callback.name)
        return
    direct = [is_direct(system, hop) for hop in inputs(system, callback)]
    if not direct or not all(direct):
        yield ("job", callback.name)
    if any(direct):
        yield ("direct", callback.name)


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


class Decisions(NamedTuple):
    """What is open about an executor: see `Program.server_turns` and those after it."""

    turns: bool
    poll: bool
    late: bool
    pick: bool


def decisions_of(executor: Executor, queues: list[Queue]) -> Decisions:
    """Whether there is anything to decide."""
    order = serves(executor)
    turns = [queue.turn for queue in queues[1:]]
    several = len(turns) > 1
    if order == ANY:
        return Decisions(several, False, False, several)
    if order != ROUNDS:
        return Decisions(False, False, False, False)
    is_open = len(set(turns)) < len(turns) or (several and ANYWHERE in turns)
    sampled = executor.kind != "static" and executor.release in SAMPLED
    late = several and not sampled and any(queue.late for queue in queues)
    return Decisions(is_open, several, late, False)
