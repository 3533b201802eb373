"""What the document of a system consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ddsrta.checker.arrivals import Source


@dataclass(frozen=True)
class Reservation:
    """`budget` of processor time in each `period`."""

    budget: int
    period: int


@dataclass(frozen=True)
class Core:
    """A processor, its one reservation, or its partitions."""

    reservation: Reservation | None
    partitions: Mapping[str, Reservation]


@dataclass(frozen=True)
class Cost:
    """Worst and best case."""

    worst: int
    best: int


@dataclass(frozen=True)
class Place:
    """What every thread has, of the application or the middleware."""

    core: str
    priority: int
    partition: str | None
    reservation: Reservation | None

    @property
    def machine(self) -> str:
        """The machine of its core."""
        return self.core.partition("/")[0]


@dataclass(frozen=True)
class Middleware:
    """A flow controller or a listener."""

    place: Place
    policy: str


@dataclass(frozen=True)
class Executor:
    """A thread that serves callbacks; they are named in the order of the file."""

    place: Place
    kind: str
    registered: bool
    release: str | None
    callbacks: tuple[str, ...]


@dataclass(frozen=True)
class Process:
    """The threads and callbacks that share a listener."""

    listener: str
    intra_process: bool


@dataclass(frozen=True)
class Publication:
    """What a job sends on one topic."""

    topic: str
    controller: str | None  # None: synchronous
    count: int
    cost: Cost | None
    earliest: int


@dataclass(frozen=True)
class Copies:
    """How the order in which copies leave is declared, and the readers in the order of the file."""

    order: str
    readers: tuple[str, ...]


@dataclass(frozen=True)
class Thread:
    """An application thread, or a callback in the thread of its executor."""

    place: Place
    wcet: int
    best: int
    arrival: Source | None
    publishes: Mapping[str, Publication]
    topics: tuple[str, ...]
    listener: str | None
    listening: Cost | None
    follows: tuple[str, ...]
    delay: Cost
    joins: bool  # AND
    take: Cost | None
    process: str | None
    executor: str | None
    entity: str | None
    urgency: int


@dataclass(frozen=True)
class Chain:
    """A path, or the two ends of all paths."""

    path: tuple[str, ...]
    ends: tuple[str, str] | None
    limit: int


@dataclass(frozen=True)
class System:
    """The whole document; every reference leads somewhere."""

    cores: Mapping[str, Core]
    links: Mapping[tuple[str, str], Cost]
    delays: Mapping[str, tuple[tuple[int, Cost], ...]]
    sizes: Mapping[str, int]
    urgency: Mapping[str, int]
    copies: Mapping[str, Copies]  # of the topics that declare it
    controllers: Mapping[str, Middleware]
    listeners: Mapping[str, Middleware]
    executors: Mapping[str, Executor]
    processes: Mapping[str, Process]
    threads: Mapping[str, Thread]
    chains: Mapping[str, Chain]
    readers: Mapping[str, tuple[str, ...]]
    writers: Mapping[str, tuple[str, ...]]

    def is_direct(self, writer: str, reader: str) -> bool:
        """Whether messages from one thread to another need no middleware (theory 18)."""
        name, to = self.threads[writer].process, self.threads[reader]
        if name is None or to.process != name or to.entity in ("service", "client"):
            return False
        return self.processes[name].intra_process

    def receivers(self, writer: str, topic: str) -> tuple[str, ...]:
        """The readers of a topic that get its messages through the middleware: N_sub of them."""
        readers = self.readers.get(topic, ())
        return tuple(reader for reader in readers if not self.is_direct(writer, reader))
