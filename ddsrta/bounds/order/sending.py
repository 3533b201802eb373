"""Two messages of one publisher: which one leaves first (lemma message-order, rules 1 to 6).

`first` is the message that should leave first, of a job n; `second` is of the same job, or of a
later one where `first` is `before` it.
"""

from __future__ import annotations

from ddsrta.base.frozen import frozen
from ddsrta.bounds.order.places import is_below
from ddsrta.models.groups import pool_of
from ddsrta.models.senders import policy_of, sender_of
from ddsrta.models.system import Middleware, Publication, System, Thread
from ddsrta.policies.policy import Argument, Sender, broken, kept


@frozen
class Sending:
    """Two publications of a thread, and whether program order puts `first` before `second`; a
    message of a later job is after it in any case."""

    system: System
    publisher: Thread
    first: Publication
    second: Publication
    before: bool
    later: bool = False

    @property
    def in_program(self) -> bool:
        """Whether a job publishes `first` before `second`."""
        return self.publisher.publishes.index(self.first) < self.publisher.publishes.index(
            self.second
        )

    @property
    def flow_controller(self) -> str:
        """The one of both, where there is one."""
        return self.first.flow_controller or ""

    @property
    def thread(self) -> str:
        """The name of the publisher."""
        return self.publisher.name

    @property
    def topics(self) -> tuple[str, str]:
        """Of the first and of the second."""
        return self.first.topic, self.second.topic

    @property
    def senders(self) -> tuple[Sender, Sender]:
        """What their policy sees of them."""
        sent = self.first, self.second
        first, second = (
            sender_of(self.system, each, self.publisher.publishes.index(each)) for each in sent
        )
        return first, second

    def queues(self) -> list[tuple[str, int]]:
        """Who hands samples over to the controller of the first, and how many a job."""
        return [
            (thread.name, publication.count)
            for thread in self.system.threads.values()
            for publication in thread.publishes
            if publication.flow_controller == self.flow_controller
        ]

    def second_waits_for_job(self) -> bool:
        """Whether the second leaves only when the job has ended."""
        return self.waits_for_job(self.second)

    def controller(self, publication: Publication) -> Middleware:
        """Who sends an asynchronous publication."""
        return self.system.flow_controllers[publication.flow_controller or ""]

    def waits_for_job(self, publication: Publication) -> bool:
        """Whether the controller can send nothing before the job that handed it over has ended."""
        if pool_of(self.system, self.publisher):
            return False  # the job may be on another core
        return self.is_below(self.controller(publication), self.publisher)

    def is_below(self, low: Middleware, high: Middleware | Thread) -> bool:
        """Whether one runs only while the other has no work; not where that may sleep."""
        sleeps = isinstance(high, Middleware) and high.limit is not None
        return self.system.fastdds is None and not sleeps and is_below(low, high)

    def published_first(self) -> str:
        """What makes the second the first."""
        return f"{self.publisher.name} publishes '{self.second.topic}' before '{self.first.topic}'"

    def why_it_waits(self) -> str:
        """What keeps a sample in the queue of its controller until the next one comes."""
        controller = self.controller(self.first)
        if self.waits_for_job(self.first):
            return (
                f"{controller.name} sends nothing before the job of {self.publisher.name} has ended"
            )
        others = [
            f"'{publication.topic}' of {thread.name}"
            for thread in self.system.threads.values()
            for publication in thread.publishes
            if publication.flow_controller == controller.name
            and publication not in (self.first, self.second)
            and self.system.readers(publication.topic)
        ]
        if others:
            return f"{controller.name} may be sending {others[0]}"
        return "both can be handed over at one moment, at the end of the job"


def leaves_first(pair: Sending) -> Argument:
    """Whether `first` always leaves before `second`."""
    modes = (pair.first.mode, pair.second.mode)
    if modes == ("sync", "sync"):
        return _both_sync(pair)
    if modes == ("sync", "async"):
        return _sync_then_async(pair)
    if modes == ("async", "sync"):
        return broken(
            f"'{pair.first.topic}' can wait in {pair.first.flow_controller} "
            f"while {pair.publisher.name} sends '{pair.second.topic}' itself"
        )
    if pair.first.flow_controller != pair.second.flow_controller:
        return _two_controllers(pair)
    return policy_of(pair.system, pair.flow_controller).leaves_first(pair)


def _both_sync(pair: Sending) -> Argument:
    if pair.before:
        return kept(f"{pair.publisher.name} sends both itself, in program order")
    return broken(pair.published_first() + " and sends both itself")


def _sync_then_async(pair: Sending) -> Argument:
    name, controller = pair.publisher.name, pair.second.flow_controller
    if pair.before:
        return kept(
            f"{name} has sent '{pair.first.topic}' itself "
            f"when it hands '{pair.second.topic}' over to {controller}"
        )
    if pair.waits_for_job(pair.second):
        return kept(
            f"{name} sends '{pair.first.topic}' itself, and {controller}, "
            "less urgent on the same core, sends only when the job has ended"
        )
    return broken(
        f"{name} hands '{pair.second.topic}' over to {controller} first, "
        f"which can send it before {name} sends '{pair.first.topic}'"
    )


def _two_controllers(pair: Sending) -> Argument:
    one, other = pair.controller(pair.first), pair.controller(pair.second)
    in_time = pair.before or pair.waits_for_job(pair.second)
    if pair.is_below(other, one) and in_time:
        return kept(
            f"{other.name} is less urgent than {one.name} on the same core, so it sends "
            f"'{pair.second.topic}' only when '{pair.first.topic}' has left"
        )
    return broken(
        f"'{pair.first.topic}' can wait in {one.name} while {other.name} sends "
        f"'{pair.second.topic}'"
    )
