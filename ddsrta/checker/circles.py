"""Circles that a counter ends (lemma bounded-rounds): who is on them, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.checker.reading import shown
from ddsrta.checker.things import System


class Circle(NamedTuple):
    """Its threads in order, the first of which alone has other inputs; the last sends the topic
    back to it."""

    threads: tuple[str, ...]
    topic: str
    rounds: int

    @property
    def closes(self) -> tuple[str, str, str]:
        """The step that closes it: from where, by what, to where."""
        return self.threads[-1], self.topic, self.threads[0]


class Return(NamedTuple):
    """How long after an arrival at the first job what comes back because of it arrives: at the
    latest (None: at any time) and the earliest."""

    latest: int | None
    earliest: int

    def within(self, window: int | None) -> Return:
        """The same, if it is over by the end of a window."""
        if window is None or (self.latest is not None and self.latest <= window):
            return self
        return self._replace(latest=window)


def circles(system: System) -> Iterator[Circle]:
    """All that there are; a publication that closes none is told elsewhere."""
    for name, topic, rounds in system.counted:
        found = _backwards(system, name, topic)
        if found is not None:
            yield Circle(found, topic, rounds)


def _backwards(system: System, last: str, topic: str) -> tuple[str, ...] | None:
    """From the thread that sends a topic back to the first that it releases."""
    way = [last]
    while True:
        here = system.threads[way[0]]
        if here.arrival is not None:
            return None
        if topic in here.topics:
            return tuple(way)
        sources = [w for one in here.topics for w in system.writers.get(one, ())]
        sources += here.follows
        if len(sources) != 1 or sources[0] in way:
            return None
        way.insert(0, sources[0])


def unfit_rounds(system: System) -> Iterator[str]:
    """What is not taken, one sentence each (note rounds-alone)."""
    found = list(circles(system))
    if len(found) < len(system.counted):
        yield "a publication counts rounds and closes no circle"
    members = [name for circle in found for name in circle.threads]
    if len(set(members)) < len(members):
        yield "a thread is on two circles"
    if found and (system.sleeps or system.orders or system.media):
        yield "circles are not known together with locks, limits, orders or shared links"
    for circle in found:
        first = system.threads[circle.threads[0]]
        outside = [
            writer
            for topic in first.topics
            for writer in system.writers.get(topic, ())
            if (writer, topic) != circle.closes[:2]
        ]
        if first.joins or first.synchronizer is not None or not (outside or first.follows):
            yield f"the circle of {shown(circle.topic)} is not entered by single messages"
        for name in circle.threads:
            yield from _several(system, circle, name)


def _several(system: System, circle: Circle, name: str) -> Iterator[str]:
    """Whether a job sends several messages round."""
    place = circle.threads.index(name)
    to = system.threads[circle.threads[(place + 1) % len(circle.threads)]]
    for topic, publication in system.threads[name].publishes.items():
        if topic in to.topics and publication.messages > 1:
            yield f"a job of {shown(name)} sends several messages round"
