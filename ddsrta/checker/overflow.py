"""What a full queue may lose, from confirmed claims: so many may wait at most (lemma
backlog-bound), and a room may be smaller, or not given (lemma room-overflow)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ddsrta.checker.assumptions import NO_KEYS, NO_OVERFLOW, READER_LOCKS
from ddsrta.checker.policies import POLICIES
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System
from ddsrta.checker.waits import Waits


class _Queue(NamedTuple):
    """A queue, its room where that is given, what may wait in it (by which edge, if it comes
    directly), and how long after it arrived at most; None: no bound."""

    room: int | None
    waiting: list[tuple[Key, Edge | None, int | None]]


class Overflow(NamedTuple):
    """The queues of a system, and what may wait in each."""

    system: System
    stages: Mapping[Key, Stage]
    streams: Streams
    claims: Mapping[Key, Claim]
    waits: Waits

    def losing(self) -> frozenset[Key]:
        """The samples and messages of which some may be lost, where rooms are given."""
        found: set[Key] = set()
        for queue in self._queues(given=True).values():
            most = self._most(queue)
            if queue.room is not None and (most is None or most > queue.room):
                found.update(key for key, _, _ in queue.waiting)
        return frozenset(found)

    def rests_on(self, said: Collection[str], full: bool) -> Iterator[str]:
        """What has to be assumed and is not `said` to be; some queue may be `full`."""
        if NO_OVERFLOW not in said and (full or self.is_open()):
            yield NO_OVERFLOW
        if not {NO_KEYS, READER_LOCKS} <= set(said) and self.crowds_a_reader():
            yield from {NO_KEYS, READER_LOCKS} - set(said)

    def is_open(self) -> bool:
        """Whether several may wait anywhere where no room is given."""
        return any(self._most(queue) not in (0, 1) for queue in self._queues(given=False).values())

    def crowds_a_reader(self) -> bool:
        """Whether several may wait in a reader, whose order matters then."""
        return any(
            self._most(queue) not in (0, 1)
            for given in (True, False)
            for place, queue in self._queues(given).items()
            if place[0] == "reader"
        )

    def _queues(self, given: bool) -> Mapping[tuple[object, ...], _Queue]:
        """Those whose room is given, or those where it is not."""
        found: dict[tuple[object, ...], _Queue] = {}
        for key, stage in self.stages.items():
            there = self.claims[key].response
            for queue, room, reader in self._rooms(key, stage):
                if (room is not None) != given:
                    continue
                more = 0 if reader is None else self._kept(key, reader)
                time = None if there is None or more is None else there + more
                found.setdefault(queue, _Queue(room, [])).waiting.append((key, None, time))
            for edge in stage.comes_from if stage.synchronizer is None else ():
                room = self.system.histories.get(edge.within)
                if edge.within and (room is not None) == given:
                    direct = ("direct", edge.source[1], edge.within, key[1])
                    local = self.system.is_local(edge.source[1], key[1])
                    place = ("reader" if local else "direct", *direct[2:])
                    one = found.setdefault(place, _Queue(room, []))
                    one.waiting.append((direct, edge, self._taken(stage, edge)))
        return found

    def _rooms(
        self, key: Key, stage: Stage
    ) -> Iterator[tuple[tuple[object, ...], int | None, str | None]]:
        """The queues that it waits in: a name of each, the room, and the reader that keeps it there
        until its job has ended."""
        system = self.system
        if key[0] == "transfer":  # where its machine sends
            yield (key[4], system.threads[key[1]].place.machine), None, None
        if key[0] not in ("sample", "message"):
            return
        topic = key[2]
        history = system.histories.get(topic)
        if key[0] == "message":
            yield ("listener", stage.runner), system.listeners[stage.runner].room, None
            reader = system.threads[key[3]]
            if reader.arrival is None and reader.synchronizer is None:
                yield ("reader", topic, key[3]), history, key[3]
            return
        controller = system.controllers[stage.runner]
        yield ("writer", key), history, None
        queue = POLICIES[controller.policy].queue(system.sender(key[1], topic))
        yield ("controller", stage.runner, queue), controller.room, None

    def _kept(self, key: Key, reader: str) -> int | None:
        """How long a message may be in the history of its reader behind the listener."""
        job = self.stages["job", reader]
        return self._taken(job, job.entered_from(key))

    def _taken(self, job: Stage, edge: Edge) -> int | None:
        """From the arrival by an edge to the end of the job."""
        taken = until_taken(self.system, self.claims, job.key)
        if not job.joins or len(job.inputs) == 1:
            return taken
        wait = self.waits.wait(job, edge)
        return None if wait is None or taken is None else wait + taken

    def _most(self, queue: _Queue) -> int | None:
        """How many may wait there; None: any number."""
        total = 0
        for key, edge, time in queue.waiting:
            if edge is not None:
                most = handed(self.streams, self.claims, edge, time)
            else:
                stream = self.streams[key]
                most = None if time is None or not stream.countable else stream.most(time)
            if most is None:
                return None
            total += most
        return total


def until_taken(system: System, claims: Mapping[Key, Claim], job: Key) -> int | None:
    """How long a message may be in a history, from its arrival to the end of a job: as many are
    there as turns are to come if all that releases the job waits there, else those of one may wait
    for turns of others (lemma turns-in-order)."""
    thread = system.threads[job[1]]
    histories = {
        (topic, system.is_direct(writer, job[1]))
        for topic in thread.topics
        for writer in system.writers.get(topic, ())
    }
    several = len(histories) + len(thread.follows) > 1
    return claims[job].on_paths if several else claims[job].response


def handed(
    streams: Streams, claims: Mapping[Key, Claim], edge: Edge, time: int | None
) -> int | None:
    """How many messages a job hands directly to another in a window, by when its own arrived."""
    stream, response = streams[edge.source], claims[edge.source].response
    if time is None or response is None or not stream.countable:
        return None
    return edge.times * stream.most(time + response + edge.extra - edge.least)
