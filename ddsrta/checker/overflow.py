"""What a full queue may lose, from confirmed claims: so many may wait at most (theory 7), and a
room that is given may be smaller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System


def overflowing(
    system: System,
    stages: Mapping[Key, Stage],
    streams: Streams,
    claims: Mapping[Key, Claim],
) -> frozenset[Key]:
    """The samples and messages of which some may be lost."""
    found: set[Key] = set()
    queues: dict[object, tuple[int, int, list[Key]]] = {}
    for key, stage in stages.items():
        for queue, room, reading in _rooms(system, key, stage):
            queues.setdefault(queue, (room, reading, []))[2].append(key)
        if key[0] == "message" and _matches(system, key):
            found.add(key)
    for room, reading, keys in queues.values():
        if not _fits(room, reading, keys, streams, claims):
            found.update(keys)
    return frozenset(found)


def _rooms(system: System, key: Key, stage: Stage) -> Iterator[tuple[object, int, int]]:
    """The queues that it waits in and whose room is given: a name of each, the room, and whether
    it is there until its reader has finished."""
    if key[0] == "job":
        return
    topic = key[2]
    history = system.histories.get(topic)
    if key[0] == "message":
        room, reader = system.listeners[stage.runner].room, key[3]
        if room is not None:
            yield ("listener", stage.runner), room, 0
        thread = system.threads[reader]
        if history is not None and thread.arrival is None and not thread.joins:
            yield ("reader", topic, reader), history, 1
        return
    controller = system.controllers[stage.runner]
    if history is not None:
        yield ("writer", key), history, 0
    if controller.room is not None:
        queue: object = key  # each writer has its own
        if controller.policy == "FIFO":
            queue = None
        elif controller.policy == "HIGH_PRIORITY":
            queue = system.urgency[topic]
        yield ("controller", stage.runner, queue), controller.room, 0


def _matches(system: System, key: Key) -> bool:
    """Whether it waits for others of the same number: nobody knows how many do, and the history of
    its reader ends somewhere."""
    thread = system.threads[key[3]]
    waits = thread.joins and thread.arrival is None and thread.synchronizer is None
    return waits and key[2] in system.histories


def _fits(
    room: int, reading: int, keys: list[Key], streams: Streams, claims: Mapping[Key, Claim]
) -> bool:
    total = 0
    for key in keys:
        there = claims[key].response
        then = claims["job", key[3]].response if reading else 0
        stream = streams[key]
        if there is None or then is None or not stream.countable:
            return False
        total += stream.most(there + then)
    return total <= room
