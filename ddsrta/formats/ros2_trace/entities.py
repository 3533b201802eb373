"""What is being learned of a system while its trace is read."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

Key = tuple[int, int]  # process, and an address in it
OUTSIDE = -1  # for the number of a job: published by none
UNKNOWN = -2  # not known by which


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
    """What a callback published on a topic: the jobs that did, by their numbers among all of the
    trace, in the order of their ends; and the most messages in one."""

    jobs: array[int] = field(default_factory=lambda: array("q"))
    most: int = 0


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
    before: Counter[tuple[str, str]] = field(default_factory=Counter)  # jobs that sent one first
    together: Counter[tuple[str, str]] = field(default_factory=Counter)  # jobs that sent both
    wall_time: bool = False
    longest_unfinished: int | None = None


LinkKey = tuple[Callback | None, str, Callback]  # from whom, on what topic, to whom


@dataclass(eq=False, slots=True)
class Publication:
    """A message on its way through the layers; `layer` is the last that it was seen in."""

    time: int
    message: int
    layer: int
    topic: str | None = None
    callback: Callback | None = None
    job: int = OUTSIDE
    addresses: set[int] | None = None
    number: int | None = None  # among those of its callback and topic that have stamps


@dataclass(eq=False, slots=True)
class Job:
    """A callback that is running; `out_since` while it is preempted."""

    callback: Callback
    start: int
    number: int = OUTSIDE  # among all jobs of the trace
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
