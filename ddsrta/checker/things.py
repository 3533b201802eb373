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
class Publication:
    """What a job sends on one topic."""

    topic: str
    controller: str | None  # None: synchronous
    count: int
    cost: Cost | None
    earliest: int


@dataclass(frozen=True)
class Thread:
    """An application thread."""

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
    controllers: Mapping[str, Middleware]
    listeners: Mapping[str, Middleware]
    threads: Mapping[str, Thread]
    chains: Mapping[str, Chain]
    readers: Mapping[str, tuple[str, ...]]
    writers: Mapping[str, tuple[str, ...]]
