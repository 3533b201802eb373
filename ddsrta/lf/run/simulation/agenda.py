"""What is to happen, in the order of the common time."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.units import format_duration
from ddsrta.lf.program.tags import HEAD, Tag
from ddsrta.lf.run.simulation.cores import Cores

MOST_EVENTS = 2_000_000


class Agenda:
    """Events by time. Of those at one time, the starts of tags come last, in the order of tags and
    ranks: what comes at the very moment at which a tag starts is in time.

    >>> agenda, seen = Agenda(), []
    >>> agenda.start(5, (0, 0), 0, lambda: seen.append("start"))
    >>> agenda.at(5, lambda: seen.append("message"))
    >>> agenda.run()
    >>> seen, agenda.now
    (['message', 'start'], 5)
    """

    def __init__(self, now: int = 0, cores: Cores | None = None) -> None:
        self.now = now
        self.cores = Cores() if cores is None else cores
        self._count = 0
        self._events: list[tuple[int, bool, Tag, int, int, Callable[[], None]]] = []

    def at(self, time: int, act: Callable[[], None]) -> None:
        """Do something at a time, or now if that is over."""
        self._count += 1
        heappush(self._events, (max(time, self.now), False, HEAD, 0, self._count, act))

    def start(self, time: int, tag: Tag, rank: int, act: Callable[[], None]) -> None:
        """The same, after whatever else happens then."""
        self._count += 1
        heappush(self._events, (max(time, self.now), True, tag, rank, self._count, act))

    def run(self) -> None:
        """Until nothing is left to do. At one time jobs end first, and get cores last."""
        while self._events or self.cores:
            if self._count > MOST_EVENTS:
                time = format_duration(max(0, self.now))
                message = f"a run has more than {MOST_EVENTS:,} events: it was stopped at {time}"
                advice = "take a shorter --horizon; or tags follow each other without time between"
                raise InputError([Diagnostic(None, message, advice)])
            due = self._events[0][0] if self._events else None
            if self.cores and (due is None or due > self.now):
                step = self.cores.go_on(None if due is None else due - self.now)
                self.now += step
                self.cores.end()
            else:
                self.now, _, _, _, _, act = heappop(self._events)
                act()
