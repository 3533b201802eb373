"""Circles that a counter ends: messages that go round through threads so many times at most.

A publication with `rounds` closes one: from the thread that sends it back, input by input, to the
first that reads it. All of them but that first one have no other input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ddsrta.models.messages import Publication
from ddsrta.models.threads import Thread

Step = tuple[str, str | None, str]  # a hop: from one thread to the next, by a topic or directly
Writers = Callable[[str], Sequence[Thread]]


class Circle(NamedTuple):
    """The hops from its first thread round to it; the last one closes it, and so many messages at
    most take that one for each event that comes to the first thread from outside."""

    rounds: int
    hops: tuple[Step, ...]

    @property
    def closes(self) -> Step:
        """The last hop."""
        return self.hops[-1]

    @property
    def first(self) -> str:
        """Where it is entered."""
        return self.hops[0][0]

    @property
    def threads(self) -> tuple[str, ...]:
        """In the order of their releases."""
        return tuple(hop[0] for hop in self.hops)


def circles(
    threads: Mapping[str, Thread], writers: Writers
) -> Iterator[tuple[tuple[str, str], Circle | str]]:
    """By the publication that closes it: a circle, or why there is none."""
    for thread in threads.values():
        for one in thread.publishes:
            if one.rounds is not None:
                yield (thread.name, one.topic), _circle(threads, writers, thread, one)


def _circle(
    threads: Mapping[str, Thread], writers: Writers, last: Thread, publication: Publication
) -> Circle | str:
    topic, here, found = publication.topic, last, list[Step]()
    while not _reads(here, topic):
        before = [] if here.arrival is not None else [*_releases(threads, writers, here)]
        if len(before) > 1:
            return f"'{here.name}', on the way back to '{last.name}', has several inputs"
        if not before or before[0][0] == last.name:
            return f"'{topic}' does not come back to '{last.name}'"
        found.insert(0, before[0])
        here = threads[before[0][0]]
        if len(found) > len(threads):
            return f"'{topic}' does not come back to '{last.name}'"
    assert publication.rounds is not None
    return Circle(publication.rounds, (*found, (last.name, topic, here.name)))


def _releases(threads: Mapping[str, Thread], writers: Writers, thread: Thread) -> Iterator[Step]:
    """The hops that end at a thread."""
    for topic in thread.subscribes.topics if thread.subscribes else ():
        yield from ((writer.name, topic, thread.name) for writer in writers(topic))
    for name in thread.follows.threads if thread.follows else ():
        if name in threads:
            yield name, None, thread.name


def _reads(thread: Thread, topic: str) -> bool:
    subscribes = thread.subscribes
    return thread.arrival is None and subscribes is not None and topic in subscribes.topics
