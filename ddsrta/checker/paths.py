"""Paths of threads and topics: whether they exist, and how many there are between two threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.checker.circles import circles
from ddsrta.checker.executors import INLINE
from ddsrta.checker.reading import shown
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import System

_STEPS = 200_000


class Hop(NamedTuple):
    """From one thread to the next, through a topic or directly."""

    source: str
    topic: str | None
    target: str


class Segment(NamedTuple):
    """Stages between two threads that are released by time."""

    first: str
    stages: tuple[Key, ...]
    register: str | None  # the topic at which it ends
    handover: int  # delay of a followed thread behind its last stage
    left_out: bool = False  # jobs may send nothing on the way
    rounds: bool = False  # somewhere on the whole path messages go round


def hops(system: System, path: tuple[str, ...], label: str) -> list[Hop]:
    """The hops of a path, or a RefutedError that says where it breaks."""
    if not path or path[0] not in system.threads:
        raise RefutedError(f"{label}: the path does not start with a thread")
    found, index = [], 0
    while index + 1 < len(path):
        here, name = path[index], path[index + 1]
        is_topic = name in system.sizes and index + 2 < len(path)
        if is_topic and (name not in system.threads or name in system.threads[here].publishes):
            hop = Hop(here, name, path[index + 2])
        else:
            hop = Hop(here, None, name)
        steps = _expanded(system, hop)
        if not all(_exists(system, each) for each in steps):
            end = f"from {shown(here)} to {shown(hop.target)}"
            raise RefutedError(f"{label}: no such step of a path: {end}")
        found += steps
        index += 1 if hop.topic is None else 2
    if any(found.count(Hop(*each.closes)) > each.rounds for each in circles(system)):
        raise RefutedError(f"{label}: the path goes round more often than there are rounds")
    return found


def _expanded(system: System, hop: Hop) -> list[Hop]:
    """A callback that waits for several topics is entered through its subscription (definition
    callback-stages)."""
    thread, subscription = system.threads.get(hop.target), f"{hop.target}/{hop.topic}"
    if hop.topic is None or thread is None or thread.entity != INLINE:
        return [hop]
    if subscription not in thread.follows:
        return [hop]
    return [Hop(hop.source, hop.topic, subscription), Hop(subscription, None, hop.target)]


def named(system: System, path: tuple[str, ...], label: str) -> tuple[str, ...]:
    """The threads and topics of a path, with the subscriptions that it enters."""
    names = [*path[:1]]
    for hop in hops(system, path, label):
        names += [hop.target] if hop.topic is None else [hop.topic, hop.target]
    return tuple(names)


def _exists(system: System, hop: Hop) -> bool:
    if hop.target not in system.threads:
        return False
    if hop.topic is None:
        return hop.source in system.threads[hop.target].follows
    publishes = hop.topic in system.threads[hop.source].publishes
    return publishes and hop.topic in system.threads[hop.target].topics


def segments(system: System, first: str, path: list[Hop]) -> list[Segment]:
    """The path in stages, cut where a thread is released by time."""
    found: list[Segment] = []
    stages: list[Key] = [("job", first)]
    left_out = False
    for hop in path:
        if hop.topic is not None:
            left_out = left_out or system.threads[hop.source].publishes[hop.topic].part is not None
            direct = system.is_within(hop.source, hop.target)
            controller = system.threads[hop.source].publishes[hop.topic].controller
            if controller is not None and not system.is_direct(hop.source, hop.target):
                stages.append(("sample", hop.source, hop.topic))
            link = None if direct else system.link(hop.source, hop.target)
            if link is not None:
                stages.append(("transfer", hop.source, hop.topic, hop.target, link))
            if not direct:
                stages.append(("message", hop.source, hop.topic, hop.target))
        if system.threads[hop.target].arrival:
            delay = system.threads[hop.target].delay.worst if hop.topic is None else 0
            found.append(Segment(first, tuple(stages), hop.topic, delay, left_out))
            first, stages, left_out = hop.target, [], False
        stages.append(("job", hop.target))
    found.append(Segment(first, tuple(stages), None, 0, left_out))
    if system.has_rounds:
        members = {name for circle in circles(system) for name in circle.threads}
        if members & {name for hop in path for name in (hop.source, hop.target)}:
            return [part._replace(rounds=True) for part in found]
    return found


def count_paths(system: System, ends: tuple[str, str], limit: int) -> int | None:
    """How many paths without repetition there are, None if more than `limit` or too many steps."""
    followers: dict[str, list[str]] = {}
    for name, thread in system.threads.items():
        for other in thread.follows:
            followers.setdefault(other, []).append(name)

    closing = [circle.closes for circle in circles(system)]

    def onward(name: str) -> Iterator[str]:
        for topic in system.threads[name].publishes:
            for reader in system.readers.get(topic, ()):
                if (name, topic, reader) not in closing:
                    yield reader
        yield from followers.get(name, ())

    if ends[0] == ends[1]:
        return 1
    count, steps, path = 0, 0, {ends[0]: onward(ends[0])}
    while path:
        target = next(path[next(reversed(path))], None)
        steps += 1
        if count > limit or steps > _STEPS:
            return None
        if target is None:
            path.popitem()
        elif target == ends[1]:
            count += 1
        elif target not in path:
            path[target] = onward(target)
    return count
