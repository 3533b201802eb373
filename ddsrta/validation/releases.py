"""Releases that a run shows, held against an arrival model while they are read, in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ddsrta.base.units import format_duration
from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic

_MOST_NEIGHBOURS = 64


class ReleaseCheck:
    """Whether releases are no closer than their model allows, and come where it says that they do.

    `slack`: how much later than its release each may have been seen.

    >>> check = ReleaseCheck(Periodic(10, jitter=2))
    >>> for time in (0, 12, 20, 33):
    ...     check.see(time)
    >>> [*check.broken()]
    ['jitter: release 3 is 3 ns late, and up to 2 ns are modelled']
    """

    def __init__(self, arrival: Arrival, slack: int = 0) -> None:
        self.arrival = arrival
        self.slack = slack
        self.count = 0
        self.first = self.last = 0
        self._period = _period(arrival)
        self._jitter = slack + (arrival.jitter if isinstance(arrival, Periodic | Sporadic) else 0)
        self._dense = not self._period or (
            isinstance(arrival, Periodic) and arrival.min_distance > 0
        )
        self._phases: tuple[int, int] | None = None  # least and most so far
        self._recent: deque[int] = deque(maxlen=_neighbours(arrival))
        self._broken: dict[str, str] = {}

    @property
    def phases(self) -> tuple[int, int] | None:
        """The least and the most of time − n · period."""
        return self._phases

    def see(self, time: int) -> None:
        """One more release."""
        if not self.count:
            self.first = time
        if self._period:
            self._phase(time)
        if self._dense:
            self._distances(time)
        self._gap(time)
        self._recent.append(time)
        self.last = time
        self.count += 1

    def broken(self) -> Iterator[str]:
        """What the model does not allow; the first of each kind."""
        yield from self._broken.values()

    def end(self, until: int) -> None:
        """Nothing more came, though the run went on until then."""
        gap = self.arrival.largest_gap
        if gap is None:
            return
        silent = until - (self.last if self.count else 0)
        if silent > gap + self.slack:
            since = f"after {self.count:,} releases" if self.count else "at all"
            self._say("gap", f"releases: none came {since} for {format_duration(silent)}, and they "
                      f"are modelled {format_duration(gap)} apart at most")  # fmt: skip

    def _say(self, kind: str, text: str) -> None:
        self._broken.setdefault(kind, text)

    def _phase(self, time: int) -> None:
        phase = time - self.count * self._period
        least, most = self._phases or (phase, phase)
        allowed = format_duration(self._jitter)
        if phase < most - self._jitter:
            early, period = format_duration(most - phase), format_duration(self._period)
            text = f"period: release {self.count} is {early} too early for a period of {period}"
            self._say("early", f"{text}, and jitter of {allowed} is modelled")
        elif isinstance(self.arrival, Periodic) and phase > least + self._jitter:
            self._say("late", f"jitter: release {self.count} is {format_duration(phase - least)} "
                      f"late, and up to {allowed} are modelled")  # fmt: skip
        self._phases = min(least, phase), max(most, phase)

    def _distances(self, time: int) -> None:
        for back, before in enumerate(reversed(self._recent), 2):
            least = self.arrival.least_distance(back) - self.slack
            if time - before < least:
                self._say("dense", f"distance: {back} releases within "
                          f"{format_duration(time - before)}, and at least "
                          f"{format_duration(least)} are modelled")  # fmt: skip

    def _gap(self, time: int) -> None:
        gap = self.arrival.largest_gap
        if gap is not None and self.count and time - self.last > gap + self.slack:
            self._say("late", f"jitter: two releases are {format_duration(time - self.last)} "
                      f"apart, and at most {format_duration(gap)} are modelled")  # fmt: skip


def _period(arrival: Arrival) -> int:
    if isinstance(arrival, Periodic):
        return arrival.period
    return arrival.distance if isinstance(arrival, Sporadic) else 0


def _neighbours(arrival: Arrival) -> int:
    """How many releases before one decide all distances; of long curves not all are looked at."""
    if isinstance(arrival, Burst):
        return min(arrival.count, 1000)
    if isinstance(arrival, Curve):
        return max(_MOST_NEIGHBOURS, min(len(arrival.distances) + arrival.repeat, 1000))
    return 1
