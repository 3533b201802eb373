"""Work that enclaves bring to cores: how much of it can run in a window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ddsrta.lf.bounds.enclaves.work import Work
from ddsrta.lf.bounds.logical_time.moments import Moment

_MOST_ROUNDS = 1000


class Stream(NamedTuple):
    """What an enclave brings at a moment: work, each period (None: once), done so late, on so many
    workers; the phase of its tags in the period, where it is known."""

    cost: int
    period: int | None
    done: int
    workers: int
    phase: int | None

    def tags(self, start: int, end: int, phase: int | None, period: int | None) -> int:
        """How many may run between `start` (0 or less) and `end` of a tag with that phase."""
        if self.period is None:
            return 1
        if self.phase is None or phase is None or period != self.period:
            return -(-(end - start + self.done) // self.period)
        offset = self.phase - phase
        before = (start - self.done - offset) // self.period
        return max(0, -(-(end - offset) // self.period) - 1 - before)


def streams(work: Work, done: int) -> list[Stream]:
    """Of an enclave whose tags are done so late."""
    return [
        Stream(cost, moment.root.period, done, work.federate.workers, _phase(moment))
        for cost, moment in work.demand()
    ]


def _phase(moment: Moment) -> int | None:
    root = moment.root
    if root.phase is None or root.period is None:
        return None
    return (root.phase + moment.time) % root.period


def within(found: Counter[Stream], start: int, end: int, own: tuple[int | None, int | None]) -> int:
    """The most work that streams do in a window around a tag with a phase and period."""
    return sum(
        count * min(stream.cost * stream.tags(start, end, *own), stream.workers * (end - start))
        for stream, count in found.items()
    )


def busy_period(rows: Sequence[tuple[int, int | None]]) -> int | None:
    """The least time in which no more work comes than fits in: costs with periods (None: once).

    >>> busy_period([(4, 10), (3, 20)]), busy_period([(10, 10)])
    (7, None)
    """
    if sum((Fraction(cost, period) for cost, period in rows if period), Fraction(0)) >= 1:
        return None
    window = sum(cost for cost, _ in rows)
    for _ in range(_MOST_ROUNDS):
        work = sum(cost * (-(-window // period) if period else 1) for cost, period in rows)
        if work <= window:
            return window
        window = work
    return None
