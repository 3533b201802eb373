"""What a run showed, as far as it can be held against bounds. Times are integer nanoseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.units import LONGEST_DURATION, Duration
from ddsrta.validation.contradiction import Held
from ddsrta.validation.late import Above
from ddsrta_simulator.program import bucket, bucket_least

Kind = Literal["chain", "message", "response", "execution", "named"]
TO_THE_END = "to the callback's end"  # a figure of messages: from the publication, in ROS 2
MOST_NAMES = 100_000


class InconclusiveError(InputError):
    """A file that says less than what happened, so that nothing follows from it.

    >>> print(InconclusiveError("run.trace", "it is cut off"))
    run.trace: inconclusive: it is cut off; nothing follows from it: measure again
    """

    def __init__(self, source: str, reason: str, advice: str = "") -> None:
        text = f"{source}: inconclusive: {reason}"
        told = advice or "nothing follows from it: measure again"
        super().__init__([Diagnostic(None, text, told)])


class Key(NamedTuple):
    """What a latency is of. `name`: a chain or thread, of a message publisher, topic, subscriber.

    `figure` says more where there are several: that of a chain, or the mode of a message. The kind
    `named` is that of a name alone, which may be any of them.
    """

    kind: Kind
    name: tuple[str, ...]
    figure: str = ""


class Worst(NamedTuple):
    """When and where the longest was seen. `idle`: how long its threads did not run meanwhile."""

    time: int
    what: str
    idle: int | None = None


@dataclass
class Series:
    """All latencies of one thing in bounded memory: exact extremes, and a histogram.

    >>> series = Series()
    >>> [series.add(value) for value in (5, 300, 7)]
    [True, True, False]
    >>> series.count, series.most, series.mean, series.percentile(50)
    (3, 300, 104, 7 ns)
    """

    count: int = 0
    least: int = 0
    most: int = -1
    total: int = 0
    counts: dict[int, int] = field(default_factory=dict)
    worst: Worst | None = None
    above: Above | None = None  # where the bound is known while the file is read

    def add(self, value: int) -> bool:
        """Count a latency in; true where none before was as long."""
        if not 0 <= value <= LONGEST_DURATION:
            raise ValueError(f"{value} ns is no latency")
        self.least = min(self.least, value) if self.count else value
        self.count += 1
        self.total += value
        place = bucket(value)
        self.counts[place] = self.counts.get(place, 0) + 1
        if self.above is not None and value > self.above.bound:
            self.above.count += 1
        if value <= self.most:
            return False
        self.most = value
        return True

    @property
    def mean(self) -> int:
        """Rounded down."""
        return self.total // self.count

    def percentile(self, share: int, of: int = 100) -> Duration:
        """At least so many are no longer; the upper edge of a bucket, at most 1/16 too large."""
        wanted, below = -(-self.count * share // of), 0
        for place in sorted(self.counts):
            below += self.counts[place]
            if below >= wanted:
                return Duration(min(self.most, bucket_least(place + 1) - 1))
        raise ValueError("there are no latencies")

    def histogram(self) -> Iterator[tuple[int, int, int]]:
        """Least value, end (excluded) and count of each bucket that has any."""
        for place in sorted(self.counts):
            yield bucket_least(place), bucket_least(place + 1), self.counts[place]


@dataclass
class Measured:
    """All of a file. `notes` say what to know about it; `system` is the name that it gives;
    `limit_of` the bound of a key, as far as there is one; `held` what of the model was held against
    the file; `queues` the most that waited in each."""

    source: str
    format: str
    series: dict[Key, Series] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    system: str | None = None
    plan: str | None = None
    held: Held = field(default_factory=Held)
    queues: dict[str, int] = field(default_factory=dict)
    limit_of: Callable[[Key], int | None] = lambda key: None

    def of(self, key: Key) -> Series:
        """The series of a key, made where it is new."""
        found = self.series.get(key)
        if found is None:
            if len(self.series) >= MOST_NAMES:
                message = f"{self.source}: more than {MOST_NAMES} names"
                raise InputError([Diagnostic(None, message)])
            limit = self.limit_of(key)
            above = None if limit is None else Above(limit)
            found = self.series[key] = Series(above=above)
        return found

    def add_all(self, key: Key, values: Iterable[int]) -> None:
        """Count many in."""
        series = self.of(key)
        for value in values:
            series.add(value)
