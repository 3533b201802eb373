"""A system in the user's words: machines, topics, threads, chains. Frozen; no analysis in here."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ddsrta.models.arrivals import Arrival
from ddsrta.models.diagnostics import Position
from ddsrta.models.yaml_tree import Tree

Mode = Literal["async", "sync"]
Activation = Literal["or", "and"]
Constraint = Literal["latency", "data_age", "reaction_time"]
Events = Literal["each", "all"]
EPSILON = 1  # the unit of time, one nanosecond


@dataclass(frozen=True, slots=True)
class Reservation:
    """A periodic resource: `budget` of processor time in each `period` (SCHED_DEADLINE, APS)."""

    budget: int
    period: int


@dataclass(frozen=True, slots=True)
class Core:
    """A processor: whole, or supplying one reservation, or split into partitions by name."""

    machine: str
    name: str
    reservation: Reservation | None = None
    partitions: Mapping[str, Reservation] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The name by which threads refer to the core: 'ecu1/c0'."""
        return f"{self.machine}/{self.name}"


@dataclass(frozen=True, slots=True)
class Link:
    """Propagation from one machine to another: at most `delay`, at least `best`."""

    source: str
    target: str
    delay: int
    best: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """Worst and best processing time; an unknown best case is the least time there is."""

    worst: int
    best: int = EPSILON

    def __post_init__(self) -> None:
        if self.best > self.worst:
            object.__setattr__(self, "best", self.worst)


NO_COST = Cost(0, 0)


@dataclass(frozen=True, slots=True)
class Delays:
    """δ by payload size, ascending; a size in between takes the next larger row."""

    flow_controller: tuple[tuple[int, Cost], ...] = ()
    listener: tuple[tuple[int, Cost], ...] = ()
    publisher: tuple[tuple[int, Cost], ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: payload size, priority (the smaller the more urgent), history depth."""

    name: str
    size: int
    priority: int = 10  # what Fast DDS takes where the property is missing
    history: int | None = None


@dataclass(frozen=True, slots=True)
class Middleware:
    """A flow controller or listener thread; a listener's policy is always FIFO."""

    name: str
    core: str
    priority: int
    policy: str = "FIFO"
    queue: int | None = None
    partition: str | None = None
    reservation: Reservation | None = None


@dataclass(frozen=True, slots=True)
class Publication:
    """What a job sends on one topic: `count` messages, by itself or through a flow controller.

    `cost` is the δ of one copy in the thread that sends it, where the table is not to be used;
    `earliest` the least execution time of the job before the first message is handed over.
    """

    topic: str
    mode: Mode = "sync"
    flow_controller: str | None = None
    count: int = 1
    cost: Cost | None = None
    earliest: int = EPSILON


@dataclass(frozen=True, slots=True)
class Subscription:
    """The topics that a thread reads, through one listener; `cost` as in a publication."""

    topics: tuple[str, ...]
    listener: str
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Following:
    """Threads whose completed jobs reach this thread without middleware."""

    threads: tuple[str, ...]
    delay: int = 0
    best: int = 0


@dataclass(frozen=True, slots=True)
class Thread:
    """An application thread.

    With an `arrival` of its own it is released by time, and whatever it subscribes to or follows
    is a register of which it samples the newest value. Without one, its inputs release it.
    """

    name: str
    core: str
    priority: int
    wcet: int
    bcet: int | None = None
    arrival: Arrival | None = None
    publishes: tuple[Publication, ...] = ()
    subscribes: Subscription | None = None
    follows: Following | None = None
    activation: Activation = "or"
    partition: str | None = None
    reservation: Reservation | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """A path of threads and topics, or every path between two of them; what is asked of it."""

    name: str
    path: tuple[str, ...] = ()
    ends: tuple[str, str] | None = None
    deadline: int | None = None
    constraint: Constraint = "latency"
    limit: int = 256


@dataclass(frozen=True, slots=True)
class Order:
    """Topics in the order in which a subscriber must see the messages of one job of `origin`.

    With `events` "all", those of the next job must not come before the last one, either.
    """

    name: str
    subscriber: str
    topics: tuple[str, ...]
    origin: str | None = None
    events: Events = "each"


def _row(table: tuple[tuple[int, Cost], ...], size: int) -> Cost:
    """A size in between takes the worst case of the larger row, the best of the smaller one."""
    index = bisect_left(table, (size,))
    if index == len(table):
        raise LookupError(size)
    found, cost = table[index]
    if found == size:
        return cost
    return Cost(cost.worst, table[index - 1][1].best if index else EPSILON)


@dataclass(frozen=True)
class System:
    """Everything that exists, by name. Every reference in it is known to lead somewhere."""

    name: str
    cores: Mapping[str, Core] = field(default_factory=dict)
    links: Mapping[tuple[str, str], Link] = field(default_factory=dict)
    delays: Delays = field(default_factory=Delays)
    topics: Mapping[str, Topic] = field(default_factory=dict)
    flow_controllers: Mapping[str, Middleware] = field(default_factory=dict)
    listeners: Mapping[str, Middleware] = field(default_factory=dict)
    threads: Mapping[str, Thread] = field(default_factory=dict)
    chains: Mapping[str, Chain] = field(default_factory=dict)
    orders: Mapping[str, Order] = field(default_factory=dict)
    tree: Tree | None = field(default=None, compare=False, repr=False)
    is_valid: bool = field(default=False, init=False, compare=False, repr=False)

    def where(self, *path: str | int) -> Position | None:
        """The place in the file where this part of the system was written, if it came from one."""
        return self.tree.find(path) if self.tree else None

    def sending_cost(self, publication: Publication) -> Cost:
        """δf or δs of one copy: the publication's own, or the table's for the topic's size."""
        table = self.delays.publisher if publication.mode == "sync" else self.delays.flow_controller
        return publication.cost or _row(table, self.topics[publication.topic].size)

    def listening_cost(self, subscription: Subscription, topic: str) -> Cost:
        """δl of one message: the subscription's own, or the table's for the topic's size."""
        return subscription.cost or _row(self.delays.listener, self.topics[topic].size)

    def readers(self, topic: str) -> tuple[Thread, ...]:
        """The threads that subscribe to a topic, in the order of the file (N_sub of them)."""
        return self._readers.get(topic, ())

    def writers(self, topic: str) -> tuple[Thread, ...]:
        """The threads that publish on a topic, in the order of the file."""
        return self._writers.get(topic, ())

    def followers(self, thread: str) -> tuple[Thread, ...]:
        """The threads that follow a thread directly, in the order of the file."""
        return self._followers.get(thread, ())

    @property
    def _followers(self) -> dict[str, tuple[Thread, ...]]:
        return self._index(
            "_followers_index",
            lambda thread: thread.follows.threads if thread.follows else (),
        )

    @property
    def _readers(self) -> dict[str, tuple[Thread, ...]]:
        return self._index(
            "_readers_index",
            lambda thread: thread.subscribes.topics if thread.subscribes else (),
        )

    @property
    def _writers(self) -> dict[str, tuple[Thread, ...]]:
        return self._index("_writers_index", lambda thread: [p.topic for p in thread.publishes])

    def _index(self, attribute: str, topics_of: Any) -> dict[str, tuple[Thread, ...]]:
        cached: dict[str, tuple[Thread, ...]] | None = self.__dict__.get(attribute)
        if cached is None:
            lists: dict[str, list[Thread]] = {}
            for thread in self.threads.values():
                for topic in dict.fromkeys(topics_of(thread)):
                    lists.setdefault(topic, []).append(thread)
            cached = {topic: tuple(threads) for topic, threads in lists.items()}
            self.__dict__[attribute] = cached
        return cached

    def network(self, source: str, target: str) -> Cost:
        """Worst and best propagation between two machines; none within one."""
        if source == target:
            return NO_COST
        link = self.links[source, target]
        return Cost(link.delay, link.best)

    def machine_of(self, core: str) -> str:
        """The machine of a core path such as 'ecu1/c0'."""
        return self.cores[core].machine

    def replace(self, kind: str, name: str, **changes: Any) -> System:
        """A copy with some attributes of one thing changed: what-if without editing a file.

        >>> from ddsrta.examples import two_threads
        >>> changed = two_threads().replace("threads", "sensor", priority=90)
        >>> changed.threads["sensor"].priority
        90
        """
        things = getattr(self, kind)
        changed: Any = {kind: {**things, name: dataclasses.replace(things[name], **changes)}}
        return dataclasses.replace(self, **changed)

    def _repr_html_(self) -> str:
        from ddsrta.report.html import system_html

        return system_html(self)
