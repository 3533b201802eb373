"""Threads, and what a file says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ddsrta.base.frozen import frozen, part
from ddsrta.base.priorities import Priority
from ddsrta.base.records import again, key, record, shape_of
from ddsrta.base.shapes import DURATION, PERIOD, POSITIVE_DURATION, Context, Integer, Reference
from ddsrta.base.structures import Contradiction, ListOf
from ddsrta.base.yaml_tree import Tree
from ddsrta.models.arrivals import Arrival
from ddsrta.models.messages import (
    Activation,
    Following,
    FollowingDeclaration,
    Publication,
    Subscription,
    SubscriptionDeclaration,
    TakenIn,
    activation,
)
from ddsrta.models.middleware import CORE, Fair, Scheduled
from ddsrta.models.releases import ArrivalDeclaration, released
from ddsrta.models.supplies import Reservation
from ddsrta.models.synchronization import Synchronizer
from ddsrta.ros2.entities import Entity

JOINED = "."  # the name of a node and that of its callback


@frozen
class Thread:
    """An application thread, or a callback that an executor's thread runs.

    With an `arrival` of its own it is released by time, and whatever it subscribes to or follows
    is a register of which it samples the newest value. Without one, its inputs release it.

    Of a callback: the `executor`, whose core and priority it has, too, the kind of `entity` that
    the executor sees, and its `urgency` where the executor serves callbacks by priority (the bigger
    first). Jobs of a `reentrant` one may run at the same time, in several threads; those of one
    `group` never do, and all callbacks of an executor that name none are in one group.

    An AND-activated one may have a `synchronizer`, which says what messages are taken together.

    A thread of SCHED_FIFO that may move between several `cores` has `core` as the first of them.

    The event thread of a participant sends `datagrams` in each job, which are no messages of the
    system: with `middleware`, all that it does is taken to be under the send mutex.
    """

    name: str
    core: str
    priority: Priority
    wcet: int
    bcet: int | None = None
    arrival: Arrival | None = None
    publishes: tuple[Publication, ...] = ()
    subscribes: Subscription | None = None
    follows: Following | None = None
    activation: Activation = "or"
    partition: str | None = None
    reservation: Reservation | None = None
    process: str | None = None
    executor: str | None = None
    entity: Entity | None = None
    urgency: Priority = Priority(0)
    reentrant: bool = part(default=False, stored="")  # the executor's document has it
    synchronizer: Synchronizer | None = part(default=None, stored="synchronize", sparse=True)
    group: str | None = part(default=None, stored="")
    nice: int | None = part(default=None, sparse=True)  # of SCHED_OTHER; its priority is FAIR
    slice: int | None = part(default=None, sparse=True)
    cores: tuple[str, ...] = part(default=(), sparse=True)
    datagrams: int = part(default=0, sparse=True)  # that an event thread sends of itself

    @property
    def synchronized_topics(self) -> tuple[str, ...]:
        """The topics whose messages a synchronizer puts together: those of a callback are taken by
        subscriptions that have its name and theirs."""
        if self.subscribes is not None:
            return tuple(dict.fromkeys(self.subscribes.topics))
        followed = self.follows.threads if self.follows else ()
        return tuple(name.removeprefix(f"{self.name}/") for name in followed)

    @property
    def order(self) -> TakenIn | None:
        """In which it takes what comes in several ways, if the file says so."""
        said = self.subscribes or self.follows
        return said.order if said else None

    @property
    def declared_as(self) -> str:
        """The name in the file: a subscription 'fuse/scan' is part of the callback 'fuse'."""
        return self.name.split("/")[0] if self.executor else self.name

    @property
    def server(self) -> tuple[str, str]:
        """The kind and the name of the thread that does the work."""
        return ("executors", self.executor) if self.executor else ("threads", self.name)


@record(
    "thread",
    kw_only=True,
    either=(
        ("core", "priority"),
        ("core", "reservation"),
        ("core", "policy"),
        ("cores", "priority"),
    ),
    hints={
        "deadline": "a deadline belongs to a chain, under 'chains'",
        "activation": "it belongs under 'subscribes' or 'follows'",
        "topics": "they belong under 'subscribes'",
        "listener": "it belongs under 'subscribes'",
        "flow_controller": "it belongs to an entry of 'publishes'",
        "jitter": "it belongs under 'arrival', together with the period",
        "offset": "it belongs under 'arrival', together with the period",
        "timer": "write 'period'",
        "rate": "write 'period: 50 Hz'",
    },
)
class ThreadDeclaration(Fair):
    """What a file says of a thread."""

    core: str = again(Scheduled, "core", default="", required=False)
    cores: tuple[str, ...] = key(
        ListOf(CORE, may_be_empty=False),
        "the cores between which the thread may move, instead of one",
        default=(),
    )
    wcet: int = key(
        POSITIVE_DURATION,
        "worst-case execution time without sending; a job may hand over what it publishes from its "
        "first ns on, unless `earliest` says later",
    )
    bcet: int | None = key(DURATION, "best-case execution time", default=None, shown="1 ns")
    period: int | None = key(
        PERIOD, "period, or rate, of a thread that is released by time", default=None
    )
    arrival: ArrivalDeclaration | None = key(
        shape_of(ArrivalDeclaration), "other ways to be released by time", default=None
    )
    publishes: tuple[Publication, ...] = key(
        ListOf(shape_of(Publication)), "what a job sends, in program order", default=()
    )
    subscribes: SubscriptionDeclaration | None = key(
        shape_of(SubscriptionDeclaration),
        "messages that release the thread, or that it samples",
        default=None,
    )
    follows: FollowingDeclaration | None = key(
        shape_of(FollowingDeclaration),
        "threads that release it without middleware, or are sampled",
        default=None,
    )
    process: str | None = key(
        Reference(("processes",)), "the process that it belongs to", default=None
    )

    datagrams: int = key(
        Integer(1, 10_000),
        "of an event thread of Fast DDS: how many datagrams one job sends of itself at most (two "
        "for an announcement; heartbeats), within its wcet and under its participant's send mutex",
        default=0,
        shown="none",
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """A core, or several of SCHED_FIFO."""
        yield from Fair.contradictions(self, given)
        if "policy" in given and "cores" in given:
            yield Contradiction("cores", "a thread of SCHED_OTHER has no cores")
        if self.core and self.cores:
            yield Contradiction("core", "a thread has either a core or several")
        elif not (self.core or self.cores):
            yield Contradiction((), "'core' is missing", "the core that it is pinned to")
        if len(set(self.cores)) < len(self.cores):
            yield Contradiction("cores", "a core is listed twice")
        for name in ("reservation", "partition") if len(self.cores) > 1 else ():
            if getattr(self, name) is not None:
                message = "a thread that moves between cores has a priority, on whole cores"
                yield Contradiction(name, message)

    def thread(self, context: Context, folder: str) -> Thread | None:
        """The thread, if it is known where it runs; traces are looked for in the folder."""
        if not (self.core or self.cores):
            return None
        path = ("threads", self.name)
        arrival = released(self.arrival, self.period, context, folder, *path)
        timed = self.period is not None or self.arrival is not None
        return Thread(
            self.name,
            self.cores[0] if self.cores else self.core,
            self.level,
            self.wcet,
            self.bcet,
            arrival,
            self.publishes,
            self.subscribes.subscription if self.subscribes else None,
            self.follows.following if self.follows else None,
            activation(self.subscribes, self.follows, timed, context, *path),
            self.partition,
            self.reservation,
            self.process,
            synchronizer=self.subscribes.synchronizer if self.subscribes else None,
            nice=self.niceness,
            slice=self.slice,
            cores=self.cores if len(self.cores) > 1 else (),
            datagrams=self.datagrams,
        )


def callback_path(name: str, tree: Tree) -> tuple[str, ...]:
    """Where a callback stands in a file.

    >>> from ddsrta.base.yaml_reader import read_text
    >>> callback_path("eye.see", read_text("nodes: {eye: {callbacks: {see: {wcet: 1ms}}}}"))
    ('nodes', 'eye', 'callbacks', 'see')
    """
    at = name.find(JOINED)
    while at >= 0:
        path = ("nodes", name[:at], "callbacks", name[at + 1 :])
        if tree.has(path):
            return path
        at = name.find(JOINED, at + 1)
    return ("callbacks", name)


def declared_at(thread: Thread, tree: Tree) -> tuple[str, ...]:
    """Where a thread or a callback stands."""
    if thread.executor:
        return callback_path(thread.declared_as, tree)
    return ("threads", thread.name)


def named(tree: Tree) -> list[str]:
    """The names of all callbacks of nodes, before anything is read."""
    return [
        f"{node}{JOINED}{own}"
        for node in tree.names("nodes")
        for own in tree.names("nodes", node, "callbacks")
    ]
