"""Which stages may lose messages, as a queue that they wait in may overflow (lemma
room-overflow)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ddsrta.bounds.queues.backlog import queues
from ddsrta.bounds.result import QueueResult
from ddsrta.bounds.stages import Key
from ddsrta.models.senders import policy_of, senders
from ddsrta.models.system import System, Thread

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution

_Queues = Mapping[str, QueueResult]


def losing(solution: Solution, needed: _Queues | None = None) -> frozenset[Key]:
    """The samples and messages of which some may be lost, where rooms are given.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> losing(solve(two_threads()))
    frozenset()
    """
    system = solution.system
    if not _has_rooms(system):
        return frozenset()
    found = queues(solution) if needed is None else needed
    return frozenset((*_sending(solution, found), *_arriving(solution, found)))


def _has_rooms(system: System) -> bool:
    """Whether the size of any queue is given."""
    things = (*system.flow_controllers.values(), *system.listeners.values())
    histories = (topic.history for topic in system.topics.values())
    return any(room is not None for room in (*(thing.queue for thing in things), *histories))


def _sending(solution: Solution, needed: _Queues) -> Iterator[Key]:
    """In the queues of flow controllers, and in the histories of writers."""
    system = solution.system
    queued: dict[tuple[str, int], list[tuple[Key, int | None]]] = {}
    brought = senders(system)
    for stage in solution.compiled.stages:
        if stage.key[0] != "sample":
            continue
        _, writer, topic = stage.key
        name = stage.server[1]
        waiting = needed[name].streams[f"{writer} → {topic}"]
        if _over(waiting, system.topics[topic].history):
            yield stage.key
        queue = policy_of(system, name).queue(brought[name][writer, topic])
        queued.setdefault((name, queue), []).append((stage.key, waiting))
    for (name, _), parts in queued.items():
        if _over(_sum([part for _, part in parts]), system.flow_controllers[name].queue):
            yield from (key for key, _ in parts)


def _arriving(solution: Solution, needed: _Queues) -> Iterator[Key]:
    """In the sockets of listeners, and in the histories of readers."""
    system = solution.system
    for stage in solution.compiled.stages:
        if stage.key[0] != "message":
            continue
        _, _, topic, reader = stage.key
        listener = needed[stage.server[1]]
        history = system.topics[topic].history
        if _over(listener.backlog, listener.capacity):
            yield stage.key
        elif history is None:
            continue
        elif _matches(system.threads[reader]):
            if _over(_matching(solution, topic, reader), history):
                yield stage.key
        elif (waiting := needed.get(f"{reader} < {topic}")) and _over(waiting.backlog, history):
            yield stage.key


def _matching(solution: Solution, topic: str, reader: str) -> int | None:
    """The most messages of a topic that wait for those of others, or for their job to end."""
    from ddsrta.bounds.join_wait import wait

    job = solution.compiled.stages[solution.number(("job", reader))]
    response = solution.response(("job", reader))
    parts: list[int | None] = []
    for edge in job.inputs:
        key = solution.compiled.stages[edge.source].key
        if key[0] != "message" or key[2] != topic:
            continue
        listening = solution.response(edge.source)
        others = [other for other in job.inputs if other != edge]
        longest = None if job.mispaired else wait(solution, edge, others)
        if response is None or listening is None or longest is None:
            return None
        parts.append(solution.count(edge.source, listening + longest + response))
    return _sum(parts)


def _matches(thread: Thread) -> bool:
    """Whether messages wait for others of the same number."""
    return thread.arrival is None and thread.activation == "and" and thread.synchronizer is None


def _over(waiting: int | None, room: int | None) -> bool:
    return room is not None and (waiting is None or waiting > room)


def _sum(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
