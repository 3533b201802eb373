"""Which of two messages of one thread leaves first (lemma message-order, rules 1 to 6)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.checker.policies import POLICIES
from ddsrta.checker.things import Middleware, Place, Publication, System


class Two(NamedTuple):
    """`one` should leave before `other`, which is of the same job of the publisher, or of a later
    one."""

    system: System
    publisher: str
    one: Publication
    other: Publication
    later: bool

    @property
    def in_program(self) -> bool:
        """Whether a job hands `one` over before `other`."""
        topics = list(self.system.threads[self.publisher].publishes)
        return topics.index(self.one.topic) < topics.index(self.other.topic)

    @property
    def handed_first(self) -> bool:
        """Whether `one` is handed over first."""
        return self.later or self.in_program

    @property
    def place(self) -> Place:
        """Where the publisher runs."""
        return self.system.threads[self.publisher].place

    def sender(self, publication: Publication) -> Middleware:
        """The flow controller of an asynchronous one."""
        return self.system.controllers[str(publication.controller)]

    def queues(self) -> list[tuple[str, int]]:
        """Who hands messages to the controller of `one`, and how many a job."""
        return [
            (name, publication.messages)
            for name, thread in self.system.threads.items()
            for publication in thread.publishes.values()
            if publication.controller == self.one.controller
        ]

    def other_waits(self) -> bool:
        """Whether the controller of `other` runs only while the publisher has no work."""
        below = _is_below(self.sender(self.other).place, self.place)
        return below and self.system.fastdds is None


def leaves_first(two: Two) -> bool:
    """Whether `one` has always left when `other` begins to."""
    if two.one.controller is None:
        if two.other.controller is None:
            return two.handed_first
        return two.handed_first or two.other_waits()
    if two.other.controller is None:
        return False
    if two.one.controller != two.other.controller:
        return _through_two(two)
    policy = POLICIES[two.sender(two.one).policy]
    ours, theirs = (two.system.sender(two.publisher, each.topic) for each in (two.one, two.other))
    return policy.leaves_first(two, ours, theirs)


def _through_two(two: Two) -> bool:
    """The controller of `other` runs only when that of `one` has nothing left to send, and does
    not sleep."""
    high, low = two.sender(two.one), two.sender(two.other)
    below = _is_below(low.place, high.place) and high.limit is None and two.system.fastdds is None
    return below and (two.handed_first or two.other_waits())


def _is_below(low: Place, high: Place) -> bool:
    """On one supply, and strictly less urgent."""
    alike = (low.core, low.partition) == (high.core, high.partition)
    return (
        alike
        and not (low.cores or high.cores)
        and not low.reservation
        and not high.reservation
        and low.priority < high.priority
    )
