"""Which of two messages of one thread leaves first (lemma message-order, rules 1 to 6)."""

from __future__ import annotations

from typing import NamedTuple

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
    policy = two.sender(two.one).policy
    if policy == "FIFO":
        return two.handed_first
    if policy == "HIGH_PRIORITY":
        return _by_urgency(two)
    return policy == "ROUND_ROBIN" and _by_turns(two)


def _by_urgency(two: Two) -> bool:
    """Less is more urgent."""
    one, other = (two.system.urgency[each.topic] for each in (two.one, two.other))
    return (two.handed_first and one <= other) or (one < other and two.other_waits())


def _by_turns(two: Two) -> bool:
    """All queues are of the publisher, with one message a job; and of two jobs."""
    queues = [
        (name, publication.messages)
        for name, thread in two.system.threads.items()
        for publication in thread.publishes.values()
        if publication.controller == two.one.controller
    ]
    alone = set(queues) == {(two.publisher, 1)}
    return alone and two.later and (two.in_program or len(queues) == 2)


def _through_two(two: Two) -> bool:
    """The controller of `other` runs only when that of `one` has nothing left to send, and does
    not sleep."""
    high, low = two.sender(two.one), two.sender(two.other)
    below = _is_below(low.place, high.place) and high.limit is None and two.system.fastdds is None
    return below and (two.handed_first or two.other_waits())


def _is_below(low: Place, high: Place) -> bool:
    """On one supply, and strictly less urgent."""
    alike = (low.core, low.partition) == (high.core, high.partition)
    return alike and not low.reservation and not high.reservation and low.priority < high.priority
