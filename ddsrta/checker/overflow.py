"""What a full queue may lose, from confirmed claims: so many may wait at most (lemma
backlog-bound), and a room that is given may be smaller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System
from ddsrta.checker.waits import Waits


class _Queue(NamedTuple):
    """A queue whose room is given, what may wait in it, and how long after it arrived at most;
    None: no bound."""

    room: int
    waiting: list[tuple[Key, int | None]]


def overflowing(
    system: System,
    stages: Mapping[Key, Stage],
    streams: Streams,
    claims: Mapping[Key, Claim],
    waits: Waits,
) -> frozenset[Key]:
    """The samples and messages of which some may be lost."""
    found: set[Key] = set()
    queues: dict[object, _Queue] = {}
    for key, stage in stages.items():
        there = claims[key].response
        for queue, room, reader in _rooms(system, key, stage):
            more = 0 if reader is None else _kept(stages, claims, waits, key, reader)
            time = None if there is None or more is None else there + more
            queues.setdefault(queue, _Queue(room, [])).waiting.append((key, time))
    for one in queues.values():
        if not _fits(one, streams):
            found.update(key for key, _ in one.waiting)
    return frozenset(found)


def _rooms(system: System, key: Key, stage: Stage) -> Iterator[tuple[object, int, str | None]]:
    """The queues that it waits in and whose room is given: a name of each, the room, and the reader
    that keeps it there until its job has ended."""
    if key[0] == "job" or stage.sent is not None:
        return
    topic = key[2]
    history = system.histories.get(topic)
    if key[0] == "message":
        room, reader = system.listeners[stage.runner].room, key[3]
        if room is not None:
            yield ("listener", stage.runner), room, None
        thread = system.threads[reader]
        kept = thread.arrival is None and thread.synchronizer is None
        if history is not None and kept:
            yield ("reader", topic, reader), history, reader
        return
    controller = system.controllers[stage.runner]
    if history is not None:
        yield ("writer", key), history, None
    if controller.room is not None:
        queue: object = key  # each writer has its own
        if controller.policy == "FIFO":
            queue = None
        elif controller.policy == "HIGH_PRIORITY":
            queue = system.urgency[topic]
        elif controller.policy == "EARLIEST_DEADLINE_FIRST":
            queue = system.deadlines[topic]
        yield ("controller", stage.runner, queue), controller.room, None


def _kept(
    stages: Mapping[Key, Stage], claims: Mapping[Key, Claim], waits: Waits, key: Key, reader: str
) -> int | None:
    """How long a message may be in the history of its reader after the listener has finished."""
    job = stages["job", reader]
    taken = claims[job.key].response
    if not job.joins or len(job.inputs) == 1:
        return taken
    wait = waits.wait(job, job.entered_from(key))
    return None if wait is None or taken is None else wait + taken


def _fits(queue: _Queue, streams: Streams) -> bool:
    total = 0
    for key, time in queue.waiting:
        stream = streams[key]
        if time is None or not stream.countable:
            return False
        total += stream.most(time)
    return total <= queue.room
