"""Which messages take which shared link, and how urgent they are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.models.media import Medium
from ddsrta.models.system import Publication, System, Thread
from ddsrta.policies.links.kind import Load


class Crossing(NamedTuple):
    """Messages of a publication to one reader, over a link."""

    medium: Medium
    thread: Thread
    publication: Publication
    reader: Thread


def crossings(system: System) -> Iterator[Crossing]:
    """All of them, in the order of the file.

    >>> from ddsrta.examples import two_threads
    >>> list(crossings(two_threads()))
    []
    """
    for thread in system.threads.values() if system.media else ():
        for publication in thread.publishes:
            for reader in system.receivers(thread, publication.topic):
                if (medium := system.medium(thread, reader)) is not None:
                    yield Crossing(medium, thread, publication, reader)


def said(system: System, publication: Publication) -> Mapping[str, int]:
    """What the publication says of its messages, or else their topic."""
    return {**system.topics[publication.topic].settings, **publication.settings}


def load_of(system: System, medium: Medium, topic: str) -> Load:
    """What a message of a topic is on a link."""
    return medium.rules.load(medium.settings, system.topics[topic].size, False)


def frames_of(system: System, medium: Medium, topic: str) -> list[tuple[int, int]]:
    """What each frame of a message of a topic takes on a link, at least and at most."""
    return medium.rules.frames(medium.settings, system.topics[topic].size, False)
