"""What is being learned of a system while its trace is read."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

Key = tuple[int, int]  # process, and an address in it


@dataclass(eq=False)
class Node:
    """`name` is empty until its own event comes, which may be after those of its publishers."""

    process: int
    name: str = ""
    order: int = 0


@dataclass(eq=False)
class Executor:
    process: int
    kind: str


@dataclass(eq=False)
class Group:
    kind: str | None = None
    executor: Executor | None = None


@dataclass(eq=False)
class Endpoint:
    """A publisher, a subscription, a service, or a timer (which has a period)."""

    kind: str
    process: int
    node: Node | None = None
    topic: str | None = None
    period: int | None = None
    queue_depth: int | None = None
    group: Group | None = None


@dataclass
class Published:
    """What a callback published on a topic: in how many jobs, the most in one, the number of the
    last one, and how many on from one the next one was at the least."""

    jobs: int = 0
    most: int = 0
    last: int = 0
    apart: int | None = None

    def add(self, number: int, messages: int) -> None:
        """One more job."""
        if self.jobs:
            self.apart = min(self.apart or number, number - self.last)
        self.jobs += 1
        self.last, self.most = number, max(self.most, messages)


@dataclass(eq=False)
class Callback:
    process: int
    order: int
    endpoint: Endpoint | None = None
    symbol: str = ""
    durations: array[int] = field(default_factory=lambda: array("q"))
    gaps: array[int] = field(default_factory=lambda: array("q"))
    last_start: int | None = None
    threads: set[int] = field(default_factory=set)
    cpus: set[int] = field(default_factory=set)
    published: dict[str, Published] = field(default_factory=dict)
    wall_time: bool = False
    longest_unfinished: int | None = None


@dataclass(eq=False, slots=True)
class Publication:
    """A message on its way through the layers; `layer` is the last that it was seen in."""

    time: int
    message: int
    layer: int
    topic: str | None = None
    callback: Callback | None = None
    addresses: set[int] | None = None


@dataclass(eq=False, slots=True)
class Job:
    """A callback that is running; `out_since` while it is preempted."""

    callback: Callback
    start: int
    published: list[str] = field(default_factory=list)
    preempted: int = 0
    out_since: int | None = None
    taken: tuple[int, array[int]] | None = (
        None  # its message: when published, where to note the end
    )


@dataclass(eq=False, slots=True)
class Thread:
    """What a thread is at: jobs (one within another), a publication, a message just taken."""

    process: int
    number: int
    name: str
    jobs: list[Job] = field(default_factory=list)
    publication: Publication | None = None
    taken: tuple[int, int] | None = None  # when, and its stamp
    switched: bool = False  # whether the scheduler's events tell of it
