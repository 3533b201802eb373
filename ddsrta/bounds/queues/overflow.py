"""Where messages wait, how many, and which may be lost as the room there is less (lemma
room-overflow)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ddsrta.bounds.queues.backlog import direct, handed, history_of, queues
from ddsrta.bounds.result import QueueResult
from ddsrta.bounds.stages import Key, comes_from
from ddsrta.models.senders import policy_of, senders
from ddsrta.models.system import System, Thread

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution

_Queues = Mapping[str, QueueResult]


class Place(NamedTuple):
    """A queue, in words and in the file, what waits in it, how many at most (None: any number), and
    how many it has room for (None: not given)."""

    what: str
    where: tuple[str, ...]
    keys: tuple[Key, ...]
    waiting: int | None
    room: int | None

    @property
    def loses(self) -> bool:
        """Whether there is less room than what may wait."""
        return self.room is not None and (self.waiting is None or self.waiting > self.room)

    @property
    def open(self) -> bool:
        """Whether more than one may wait, and nobody said that there is room."""
        return self.room is None and (self.waiting is None or self.waiting > 1)


def losing(solution: Solution, places: tuple[Place, ...] | None = None) -> frozenset[Key]:
    """The samples and messages of which some may be lost, where rooms are given.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> losing(solve(two_threads()))
    frozenset()
    """
    if places is None:
        places = places_of(solution) if has_rooms(solution.system) else ()
    return frozenset(key for place in places if place.loses for key in place.keys)


def has_rooms(system: System) -> bool:
    """Whether the size of any queue is given."""
    things: tuple[Any, ...] = tuple(
        thing
        for kind in (system.flow_controllers, system.listeners, system.media)
        for thing in kind.values()
    )
    histories = (topic.history for topic in system.topics.values())
    return any(room is not None for room in (*(thing.queue for thing in things), *histories))


def places_of(solution: Solution, needed: _Queues | None = None) -> tuple[Place, ...]:
    """All queues that messages wait in before they are taken."""
    found = queues(solution) if needed is None else needed
    return (
        *_sending(solution, found),
        *_arriving(solution, found),
        *_matched(solution),
    )


def _matched(solution: Solution) -> Iterator[Place]:
    """In synchronizers: with less room than they need they have weaker bounds."""
    for name, bounds in solution.synchronizers.items():
        synchronizer = solution.system.threads[name].synchronizer
        assert synchronizer is not None
        what, where = f"the synchronizer of '{name}'", ("threads", name, "subscribes")
        yield Place(what, where, (), bounds.needed, synchronizer.queue)


def _sending(solution: Solution, needed: _Queues) -> Iterator[Place]:
    """In the queues of flow controllers, in the histories of writers, and where machines send over
    shared links."""
    system = solution.system
    queued: dict[tuple[str, str, int | str], list[tuple[Key, int | None]]] = {}
    brought = senders(system)
    for stage in solution.compiled.stages:
        kind, name = stage.server
        waiting = needed[name].streams.get(" → ".join(stage.key[1:])) if name in needed else None
        if stage.key[0] == "sample":
            _, writer, topic = stage.key
            yield _history(system, topic, (stage.key,), waiting)
            queue = policy_of(system, name).queue(brought[name][writer, topic])
            queued.setdefault((kind, name, queue), []).append((stage.key, waiting))
        elif stage.key[0] == "transfer":
            machine = system.machine_of(system.threads[stage.key[1]].core)
            queued.setdefault((kind, name, machine), []).append((stage.key, waiting))
    for (kind, name, _), parts in queued.items():
        is_link, room = kind == "media", getattr(system, kind)[name].queue
        what, where = ("link", "links") if is_link else ("flow controller", "flow_controllers")
        keys, waiting = tuple(key for key, _ in parts), _sum([part for _, part in parts])
        yield Place(f"{what} '{name}'", (where, name), keys, waiting, room)


def _arriving(solution: Solution, needed: _Queues) -> Iterator[Place]:
    """In the sockets of listeners, and in the histories of readers."""
    system = solution.system
    sockets: dict[str, list[Key]] = {}
    readers: dict[tuple[str, str], list[Key]] = {}
    for stage in solution.compiled.stages:
        if stage.key[0] == "message":
            sockets.setdefault(stage.server[1], []).append(stage.key)
            readers.setdefault((stage.key[3], stage.key[2]), []).append(stage.key)
        for edge in comes_from(stage):
            if (key := direct(solution, stage, edge)) is not None:
                readers.setdefault(history_of(system, key), []).append(key)
    for name, keys in sockets.items():
        backlog, room = needed[name].backlog, system.listeners[name].queue
        where = ("listeners", name)
        yield Place(f"the socket of listener '{name}'", where, tuple(keys), backlog, room)
    for (reader, topic), keys in readers.items():
        if (queue := needed.get(f"{reader} < {topic}")) is not None:
            yield _history(system, keys[0][2], tuple(keys), queue.backlog)
        elif _matches(system.threads[reader]):
            yield _history(system, keys[0][2], tuple(keys), _matching(solution, keys))


def _history(system: System, topic: str, keys: tuple[Key, ...], waiting: int | None) -> Place:
    room = system.topics[topic].history
    return Place(f"a history of topic '{topic}'", ("topics", topic), keys, waiting, room)


def _matching(solution: Solution, keys: list[Key]) -> int | None:
    """The most of these messages that wait for those of others, or for their job to end."""
    from ddsrta.bounds.join_wait import wait

    job = solution.compiled.stages[solution.number(("job", keys[0][3]))]
    response = solution.response(job.key)
    parts: list[int | None] = []
    for edge in job.inputs:
        key = direct(solution, job, edge)
        if (key or solution.compiled.stages[edge.source].key) not in keys:
            continue
        listening = 0 if key else solution.response(edge.source)
        others = [other for other in job.inputs if other != edge]
        longest = None if job.mispaired else wait(solution, edge, others)
        if response is None or listening is None or longest is None:
            return None
        kept = listening + longest + response
        count = solution.count(edge.source, kept)
        parts.append(handed(solution, edge, kept) if key else count)
    return _sum(parts)


def _matches(thread: Thread) -> bool:
    """Whether messages wait for others of the same number."""
    return thread.arrival is None and thread.activation == "and" and thread.synchronizer is None


def _sum(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
