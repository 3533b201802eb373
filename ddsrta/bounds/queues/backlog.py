"""The largest queue that each thread and reader needs, and the place there is (lemma
backlog-bound)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.result import QueueResult
from ddsrta.bounds.stages import Key, Stage, comes_from
from ddsrta.bounds.unbounded import Because
from ddsrta.models.system import System

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution


DIRECTLY = ", directly"  # behind the topic of messages that come without middleware


def queues(
    solution: Solution, why: Callable[[Key], Because | None] = lambda key: None
) -> dict[str, QueueResult]:
    """The queues of flow controllers and listeners, and of readers that are released by messages;
    `why` says of a stage why it has no bound.

    A reader's history is the queue of its messages that no job has taken yet: 'S < topic', and of
    those from its own process 'S < topic, directly'.
    """
    streams: dict[tuple[str, str], dict[str, int | None]] = {}
    readers: dict[tuple[str, str], int | None] = {}
    blamed: dict[tuple[str, str], Key] = {}
    for number, stage in enumerate(solution.compiled.stages):
        if stage.key[0] == "job":
            for edge in comes_from(stage):
                key = direct(solution, stage, edge)
                if key is not None and stage.activation != "and":
                    reader = history_of(solution.system, key)
                    many = handed(solution, edge, until_taken(solution, number))
                    readers[reader] = _plus(readers.get(reader, 0), many)
                    if many is None:
                        sender = solution.compiled.stages[edge.source].key
                        blamed.setdefault(reader, _endless(solution, sender, stage.key))
            continue
        pending = solution.pending(number)
        name = " → ".join(stage.key[1:])
        inside = streams.setdefault(stage.server, {})
        inside[name] = _plus(inside.get(name, 0), pending)  # two may have one name
        if pending is None:
            blamed.setdefault(stage.server, stage.key)
        if stage.key[0] == "message":
            reader = (stage.key[3], stage.key[2])
            waiting = _untaken(solution, number, stage.key[3])
            if waiting is not None:
                readers[reader] = _plus(readers.get(reader, 0), waiting[0])
                if waiting[0] is None:
                    key = _endless(solution, stage.key, ("job", stage.key[3]))
                    blamed.setdefault(reader, key)
    because = {place: why(key) for place, key in blamed.items()}
    result = {}
    for (kind, name), parts in streams.items():
        capacity = getattr(solution.system, kind)[name].queue
        result[name] = QueueResult(_total(parts), capacity, parts, because.get((kind, name)))
    for (reader_name, topic), backlog in readers.items():
        capacity = solution.system.topics[topic.removesuffix(DIRECTLY)].history
        ended = because.get((reader_name, topic))
        result[f"{reader_name} < {topic}"] = QueueResult(backlog, capacity, {}, ended)
    return result


def _endless(solution: Solution, first: Key, then: Key) -> Key:
    """Which of the two has no bound."""
    return first if solution.response(first) is None else then


def direct(solution: Solution, stage: Stage, edge: Edge) -> Key | None:
    """What names the messages that come by an edge to a job without middleware, if they do."""
    writer = solution.compiled.stages[edge.source].key[1]
    return ("direct", writer, edge.within, stage.key[1]) if edge.within else None


def history_of(system: System, key: Key) -> tuple[str, str]:
    """Whose history such messages wait in, and of what: those of a writer that does the work of its
    reader are with all that come by the listener (definition local-readers)."""
    _, writer, topic, reader = key
    local = system.is_local(system.threads[writer], system.threads[reader])
    return (reader, topic if local else topic + DIRECTLY)


def until_taken(solution: Solution, number: int) -> int | None:
    """How long a message may be in a history of its reader, which as many turns leave as messages
    come; but where not all that releases the job waits in one, it may be the turn of something else
    (lemma turns-in-order)."""
    stage = solution.compiled.stages[number]
    if not stage.tells_apart:
        return solution.response(number)
    places = {_place(solution, stage, edge) for edge in comes_from(stage)}
    return solution.taken(number) if len(places) > 1 else solution.response(number)


def _place(solution: Solution, stage: Stage, edge: Edge) -> tuple[str, str]:
    """The history that what comes by an edge waits in, or that it comes of a job that is done."""
    if (key := direct(solution, stage, edge)) is not None:
        return history_of(solution.system, key)
    source = solution.compiled.stages[edge.source].key
    return (source[3], source[2]) if source[0] == "message" else (source[0], source[1])


def handed(solution: Solution, edge: Edge, time: int | None) -> int | None:
    """The most messages that come directly by an edge in a window: their jobs arrive in a longer
    one."""
    response = solution.response(edge.source)
    if time is None or response is None:
        return None
    window = time + response + edge.worst - edge.least
    return edge.multiplicity * solution.count(edge.source, window)


def _untaken(solution: Solution, message: int, reader: str) -> tuple[int | None] | None:
    """Messages that have reached the reader and wait for, or are in, its job; (None,) if unbounded.

    AND readers hold tokens for as long as the other inputs take: that is told by the latency.
    """
    thread = solution.system.threads[reader]
    if thread.arrival is not None or thread.activation == "and":
        return None
    response = until_taken(solution, solution.number(("job", reader)))
    listening = solution.response(message)
    if response is None or listening is None:
        return (None,)
    return (solution.count(message, response + listening),)


def _plus(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _total(parts: dict[str, int | None]) -> int | None:
    total: int | None = 0
    for part in parts.values():
        total = _plus(total, part)
    return total
