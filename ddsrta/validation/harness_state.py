"""Jobs and messages on their way, while a trace of the harness is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddsrta.validation.harness_file import HarnessEvent
from ddsrta.validation.places import Place

Origins = dict[Place, "Origin"]


@dataclass(eq=False, slots=True)
class Origin:
    """When the job at the start of a chain was released, whether this token came last at every
    junction, and whether a register was passed."""

    release: int
    last: bool
    sampled: bool

    def figures(self) -> Iterator[str]:
        """What the latency of this token is, in the words of a result."""
        if self.sampled:
            yield "data_age"
            return
        yield "latency"
        if self.last:
            yield "trigger_latency"


@dataclass(eq=False, slots=True)
class Job:
    """`inputs` and the origins behind them are let go when the job is complete."""

    thread: int
    number: int
    start: int
    start_cpu: int
    release: int | None
    inputs: list[Item] = field(default_factory=list)
    origins: Origins | None = None


@dataclass(eq=False, slots=True)
class Item:
    """A message, or a completed job that others follow: who made it, when it arrived at whom."""

    job: Job
    time: int
    topic: str | None
    arrived: dict[int, int] = field(default_factory=dict)
    received: tuple[int, int] | None = None
    send: tuple[int, int] | None = None
    idle: int = 0


@dataclass
class UnderWay:
    """What is released, published or delivered and not done; `since`: not without all of it.

    >>> under = UnderWay()
    >>> under.begin("a job", 5); under.begin("a message", 7); under.end("a job")
    >>> under.since
    5
    """

    things: set[object] = field(default_factory=set)
    since: int = 0

    def begin(self, thing: object, time: int) -> None:
        """From now on; once more is nothing new."""
        if not self.things:
            self.since = time
        self.things.add(thing)

    def end(self, thing: object) -> None:
        """Not any more."""
        self.things.discard(thing)


@dataclass
class Line:
    """Items in the order of their numbers, until nobody can take them any more."""

    readers: tuple[int, ...]
    mode: str = ""
    items: dict[int, Item] = field(default_factory=dict)
    next_taken: dict[int, int] = field(default_factory=dict)

    def taken(self, thread: int, number: int) -> int:
        """Forget what no reader can take again, and return how many that are."""
        self.next_taken[thread] = max(number, self.next_taken.get(thread, 0))
        least = min((self.next_taken.get(reader, 0) for reader in self.readers), default=0)
        old = []
        for n, item in self.items.items():
            if n >= least or len(item.arrived) < len(self.readers):
                break
            old.append(n)
        for n in old:
            del self.items[n]
        return len(old)


def idle_between(begin: tuple[int, int], event: HarnessEvent) -> int:
    """For how long the thread that saw both events did not run in between."""
    return max(0, event.time - begin[0] - (event.cpu - begin[1]))
