"""Threads of a core whose releases cannot be followed one by one: busy windows (lemma
core-windows)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ddsrta.base.priorities import Priority
from ddsrta.base.units import LONGEST_DURATION
from ddsrta.bounds.analyze import analyze
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.schedulers.throttling import Throttle
from ddsrta.models.arrivals import Arrival, Periodic, Sporadic
from ddsrta.models.supplies import Core, Reservation
from ddsrta.models.system import System, Thread

_HIGHEST = 99
_MOST_PENDING = 10_000  # jobs of one thread


@dataclass(frozen=True)
class Stream:
    """The tags of one moment of an environment, and the work that each brings."""

    environment: str
    moment: Moment
    work: int
    urgency: int


def responses(streams: Sequence[Stream], throttle: Throttle) -> dict[int, int | None]:
    """How long each stream's tags take to be done, by its number; None where there is no bound.

    Throttling counts only where the core could run so long that it sets in.
    """
    free = _solve(streams, None)
    if all(found is not None for found in free.values()):
        executed = sum(
            stream.work * _events(stream.moment, throttle.period + (free[number] or 0))
            for number, stream in enumerate(streams)
        )
        if executed <= throttle.runtime:
            return free
    return _solve(streams, Reservation(throttle.runtime, throttle.period))


def _solve(streams: Sequence[Stream], supply: Reservation | None) -> dict[int, int | None]:
    ranks = sorted({stream.urgency for stream in streams}, reverse=True)
    priority = {urgency: Priority(_HIGHEST - ranks.index(urgency)) for urgency in ranks}
    threads: Mapping[str, Thread] = {
        str(number): Thread(
            str(number),
            "host/core",
            priority[stream.urgency],
            max(1, stream.work),
            arrival=_arrival(stream.moment),
        )
        for number, stream in enumerate(streams)
    }
    system = System("core", cores={"host/core": Core("host", "core", supply)}, threads=threads)
    result = analyze(system)
    if result.check is None or result.check.status == "unchecked":
        return dict.fromkeys(range(len(streams)))
    return {
        number: _bound(result.threads[str(number)].wcrt, stream.moment.root.period)
        for number, stream in enumerate(streams)
    }


def _bound(found: int | None, period: int | None) -> int | None:
    """None where as many jobs may be pending as no checker follows: the core is as good as full."""
    if found is None or (period and found > _MOST_PENDING * period):
        return None
    return int(found)


def _arrival(moment: Moment) -> Arrival:
    root = moment.root
    if root.period is None:
        return Sporadic(LONGEST_DURATION)
    if root.phase is None:
        return Sporadic(root.period)
    return Periodic(root.period, offset=(root.phase + moment.time) % root.period)


def _events(moment: Moment, window: int) -> int:
    period = moment.root.period
    return 1 if period is None else -(-window // period)
