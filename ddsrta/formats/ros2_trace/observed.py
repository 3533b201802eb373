"""What a trace of a ROS 2 system shows: who is in it, and how long everything took.

Times are integer nanoseconds. Nothing in here is a bound: a longer run may show more.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["timer", "subscription", "service", "unknown"]


@dataclass(frozen=True)
class Samples:
    """Times that were measured, in the order in which they were.

    >>> samples = Samples([5, 3, 9])
    >>> samples.count, samples.least, samples.most
    (3, 3, 9)
    """

    values: Sequence[int] = field(default_factory=lambda: array("q"))

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.values)

    @property
    def least(self) -> int | None:
        """The shortest, if there is any."""
        return min(self.values) if self.values else None

    @property
    def most(self) -> int | None:
        """The longest, if there is any."""
        return max(self.values) if self.values else None


@dataclass(frozen=True)
class ObservedPublication:
    """What a callback published on a topic: in how many jobs, and the most in one. `part` is k of
    n, if of no n jobs in a row more than k published; `one_of` are topics of which no job
    published on two; `places` are the numbers of the jobs that did, among all."""

    topic: str
    jobs: int
    most_per_job: int
    part: tuple[int, int] | None = None
    one_of: tuple[str, ...] = ()
    places: Sequence[int] = field(default=(), compare=False, repr=False)

    def fewest(self, published: int) -> int | None:
        """The fewest jobs in a row of which so many published; None where so many did not.

        >>> ObservedPublication("t", 3, 1, places=(1, 2, 7)).fewest(3)
        7
        """
        found = zip(self.places, self.places[published - 1 :], strict=False)
        return min((last - first + 1 for first, last in found), default=None)


@dataclass(frozen=True)
class ObservedCallback:
    """A callback and what it did. `durations` are wall time unless `preemption_removed`.

    `gaps` are the distances between its starts. `longest_unfinished` is how long a job had run
    when the trace ended, if one had not ended by then. `together` are pairs of topics that one job
    published on.
    """

    name: str
    node: str
    process: int
    kind: Kind
    period: int | None = None
    topic: str | None = None
    queue_depth: int | None = None
    symbol: str = ""
    group: str | None = None
    executor: str | None = None
    threads: frozenset[int] = frozenset()
    cpus: frozenset[int] = frozenset()
    durations: Samples = Samples()
    gaps: Samples = Samples()
    publishes: tuple[ObservedPublication, ...] = ()
    preemption_removed: bool = False
    longest_unfinished: int | None = None
    together: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ObservedGroup:
    """A callback group: 'mutually_exclusive' or 'reentrant' (None: the trace does not tell)."""

    name: str
    kind: str | None
    callbacks: tuple[str, ...]


@dataclass(frozen=True)
class ObservedExecutor:
    """An executor; `guessed` where only the threads that ran its callbacks tell that there is one.

    `kind` is 'single_threaded', 'multi_threaded', 'static' or 'events'.
    """

    name: str
    process: int
    kind: str
    threads: int
    guessed: bool
    groups: tuple[ObservedGroup, ...] = ()


@dataclass(frozen=True)
class ObservedNode:
    """A node and its process."""

    name: str
    process: int
    publishes: tuple[str, ...]
    subscribes: tuple[str, ...]


@dataclass(frozen=True)
class ObservedLink:
    """Messages from a callback to another: from the call of publish until they were taken, and
    until the callback started and ended. `publisher` is None for what was published outside any
    callback. `passed` are times from the publication of messages that were not taken, before others
    that were, until the last callback of the process of the subscriber started; `waiting` are those
    of messages after all that were taken. None where the trace does not say which were taken."""

    publisher: str | None
    topic: str
    subscriber: str
    to_take: Samples
    to_start: Samples
    to_end: Samples = Samples()
    passed: Samples | None = None
    waiting: Samples | None = None


@dataclass(frozen=True)
class ObservedCircle:
    """Callbacks that released each other in a circle, from the one that is released from outside
    too: what that one reads the last one publishes. `because` says why that is no circle which
    system.yaml can have.

    Of `messages` that closed it at most `rounds` stem, one from the other, from one that came from
    outside. `unknown` is how many jobs were released by messages that could not be followed, and
    `open`, if the longest was not seen to end.
    """

    callbacks: tuple[str, ...]
    topic: str
    rounds: int = 0
    messages: int = 0
    unknown: int = 0
    open: bool = False
    because: str = ""

    @property
    def most(self) -> int:
        """The most that can have stemmed from one: what was not followed may be its next part."""
        return max(1, min(self.messages, self.rounds + self.unknown * (self.rounds + 1)))


@dataclass(frozen=True)
class Observation:
    """All of a trace. `notes` say what was missing in it, and what that means.

    `published_outside` counts messages by topic that were published outside any callback, and
    `outside_apart` has the least time between two of them; `unknown` those of which nothing shows
    who published them, by the topic of who took them;
    `disordered` names callbacks, and topics that they published in no fixed order;
    `backwards` those that were taken before they were published, as clocks in the trace differ.
    """

    processes: dict[int, str]
    nodes: tuple[ObservedNode, ...]
    executors: tuple[ObservedExecutor, ...]
    callbacks: dict[str, ObservedCallback]
    links: tuple[ObservedLink, ...]
    published_outside: dict[str, int]
    middleware: tuple[str, ...]
    duration: int
    events: int
    notes: tuple[str, ...]
    backwards: int = 0
    circles: tuple[ObservedCircle, ...] = ()
    disordered: tuple[tuple[str, str, str], ...] = ()
    outside_apart: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
