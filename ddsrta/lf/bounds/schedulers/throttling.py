"""Real-time throttling: how much threads of SCHED_FIFO may run in each period (lemma
rt-throttling)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ddsrta.lf.bounds.schedulers.core_run import Slice


class Throttle(NamedTuple):
    """sched_rt_runtime_us and sched_rt_period_us, in nanoseconds: Linux's defaults."""

    runtime: int = 950_000_000
    period: int = 1_000_000_000

    def time(self, work: int) -> int:
        """How long work of threads that are always ready takes at most, cut off from the start.

        >>> Throttle(4, 10).time(4), Throttle(4, 10).time(5), Throttle(10, 10).time(5)
        (10, 17, 5)
        """
        if work <= 0:
            return 0
        cuts = 1 + (work - 1) // self.runtime
        return cuts * (self.period - self.runtime) + work


DEFAULT_THROTTLE = Throttle()


def most_executed(slices: Sequence[Slice], first: int, period: int, window: int) -> int:
    """What a core works at most in a window, of a run whose tags recur each `period` from `first`
    on.

    The run is given up to `first` + 2 · `period` or beyond. What is left over at `first` of what
    came before, or comes but once, makes the first period longer at work than later ones.

    >>> most_executed([Slice(0, 0, 0, 3), Slice(0, 5, 5, 8)], 0, 5, 12)
    8
    >>> most_executed([Slice(0, 0, 0, 4), Slice(0, 5, 5, 8)], 0, 5, 12)
    9
    """
    busy = [(piece.begin, piece.end) for piece in slices]

    def worked(start: int, end: int) -> int:
        return sum(max(0, min(until, end) - max(begin, start)) for begin, until in busy)

    recurring = worked(first + period, first + 2 * period)
    whole, rest = divmod(window, period)
    once = worked(0, first) + max(0, worked(first, first + period) - recurring)
    return whole * recurring + once + _densest(busy, rest)


def _densest(busy: Sequence[tuple[int, int]], window: int) -> int:
    """The most of the intervals that lies in a window: one that begins with an interval does."""
    most = total = 0
    last = 0
    for index, (begin, _) in enumerate(busy):
        while last < len(busy) and busy[last][1] <= begin + window:
            total += busy[last][1] - busy[last][0]
            last += 1
        rest = max(0, begin + window - busy[last][0]) if last < len(busy) else 0
        most = max(most, total + rest)
        if last > index:
            total -= busy[index][1] - busy[index][0]
        else:
            last = index + 1
    return most
