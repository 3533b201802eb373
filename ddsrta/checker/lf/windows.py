"""Bounds of threads of a core without a run to follow (docs/lf.md, Lemmas 24 to 26)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.lf.program import NoBoundError

MOST = 200_000  # steps of a thread's demand


class Stream(NamedTuple):
    """Work that comes each `period` at most (None: once); the smaller `rank` goes first."""

    owner: str
    names: Collection[str]
    work: int
    period: int | None
    rank: int


class Supply(NamedTuple):
    """So much of each period at least, whenever in it."""

    runtime: int
    period: int

    def time(self, work: int) -> int:
        """How long that takes at most.

        >>> Supply(4, 10).time(4), Supply(4, 10).time(5), Supply(10, 10).time(5)
        (16, 23, 5)
        """
        return work + (self.period - self.runtime) * (1 - work // -self.runtime)


def response(stream: Stream, streams: Iterable[Stream], supply: Supply, budget: Budget) -> int:
    """Until a job is done, if all others of its rank overtake it."""
    others = [one for one in streams if one is not stream and one.rank <= stream.rank]
    rate = sum((Fraction(one.work, one.period) for one in (stream, *others) if one.period),
               Fraction(0))  # fmt: skip
    if rate * supply.period > supply.runtime:
        raise NoBoundError("the core has more work than time")
    most, window, count = 0, 1, 1
    while True:
        budget.work(1 + len(others))
        work = count * stream.work + sum(one.work * _events(one, window) for one in others)
        longer = max(1, supply.time(work) if work else 1)
        if longer > window:
            window = longer
            continue
        before = (count - 1) * (stream.period or 0)
        most = max(most, window - before)
        if stream.period is None or window <= count * stream.period:
            return most
        count += 1


def responses(
    wanted: Sequence[Stream], streams: Sequence[Stream], throttle: tuple[int, int], budget: Budget
) -> list[int]:
    """Of some streams; throttling counts unless it cannot set in."""
    runtime, period = throttle
    free = Supply(1, 1)
    found = {id(one): response(one, streams, free, budget) for one in streams}
    executed = sum(one.work * _events(one, period + found[id(one)]) for one in streams)
    if executed <= runtime:
        return [found[id(one)] for one in wanted]
    return [response(one, streams, Supply(runtime, period), budget) for one in wanted]


def _events(stream: Stream, window: int) -> int:
    return 1 if stream.period is None else -(window // -stream.period)


def in_time(entities: Sequence[tuple[int, int, int]], budget: Budget) -> bool:
    """Whether all of (runtime, deadline, period) end by their deadlines: processor demand.

    >>> in_time([(3, 4, 10), (3, 6, 10)], Budget()), in_time([(3, 4, 10), (3, 5, 10)], Budget())
    (True, False)
    """
    share = sum((Fraction(work, period) for work, _, period in entities), Fraction(0))
    if share >= 1:
        return False
    extra = sum((Fraction(c * (p - d), p) for c, d, p in entities), Fraction(0))
    last = max(int(extra / (1 - share)) + 1, *(d for _, d, _ in entities), 1)
    due: set[int] = set()
    for _, deadline, period in entities:
        count = max(0, last - deadline) // period + 1
        if count > MOST:
            raise ExhaustedError
        budget.curve(count)
        due.update(range(deadline, last + 1, period))
    for at in due:
        budget.curve(len(entities))
        if sum(((at - d) // p + 1) * c for c, d, p in entities if d <= at) > at:
            return False
    return True
