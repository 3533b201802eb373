"""Bounds of threads of a core without a run to follow (lemmas core-windows, deadline-threads and
rt-throttling)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.lf.calendar import Span
from ddsrta.checker.lf.followed import Stream, followed
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.starts import Shown, Taken

MOST = 200_000  # steps of a thread's demand
MOST_JOBS = 10_000  # of a window


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
    """Until a job is done, if all others of its rank overtake it until it starts."""
    others = [one for one in streams if one is not stream and one.rank <= stream.rank]
    above = [one for one in others if one.rank < stream.rank]
    rate = sum((Fraction(one.work, one.period) for one in (stream, *others) if one.period),
               Fraction(0))  # fmt: skip
    full = rate * supply.period - supply.runtime
    if full > 0 or (not full and supply.runtime < supply.period):
        raise NoBoundError("the core has more work than time")

    def brought(some: Sequence[Stream], window: int) -> int:
        budget.work(1 + len(some))
        return sum(one.work * _events(one, window) for one in some)

    window = _settled(1, lambda x: supply.time(brought([stream, *others], x)))
    if stream.period and window // stream.period > MOST_JOBS:
        raise NoBoundError("its window has more jobs than are looked at")
    most, count = 0, 1
    while True:
        come = (count - 1) * (stream.period or 0)
        own = (count - 1) * stream.work
        start = _settled(
            0,
            lambda x, own=own: supply.time(own + brought(others, x + 1) + 1) - 1,  # type: ignore[misc]
        )
        peers = own + stream.work + brought(others, start + 1) - brought(above, start + 1)
        end = _settled(
            start + stream.work,
            lambda x, peers=peers: supply.time(peers + brought(above, x)),  # type: ignore[misc]
        )
        most = max(most, end - come)
        if stream.period is None or count * stream.period >= window:
            return most
        count += 1


def _settled(least: int, longer: Callable[[int], int]) -> int:
    """The least number from there on that is no less than what it asks for."""
    found = least
    while (more := longer(found)) > found:
        found = more
    return found


def responses(
    wanted: Sequence[Stream],
    streams: Sequence[Stream],
    throttle: tuple[int, int],
    seen: Span | None,
    budget: Budget,
) -> list[int | None]:
    """Of some streams (None: no bound); throttling counts unless it cannot set in."""
    runtime, period = throttle
    found = {id(one): _free(one, streams, seen, budget) for one in streams}
    executed = 0
    for one in streams:
        most = found[id(one)]
        executed += runtime + 1 if most is None else one.work * _events(one, period + most)
    if executed <= runtime:
        return [found[id(one)] for one in wanted]
    supply = Supply(runtime, period)
    return [_or_none(lambda one=one: response(one, streams, supply, budget)) for one in wanted]  # type: ignore[misc]


def _free(
    stream: Stream, streams: Sequence[Stream], seen: Span | None, budget: Budget
) -> int | None:
    """On a whole core: by windows, or from job to job where all can be followed."""
    most = _or_none(lambda: response(stream, streams, Supply(1, 1), budget))
    if most is None or seen is None or any(one.first is None for one in streams):
        return most
    return min(most, followed(stream, streams, seen, budget, most))


def _or_none(bound: Callable[[], int]) -> int | None:
    with suppress(NoBoundError):
        return bound()
    return None


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


def by_others(streams: Sequence[Stream], name: str, rank: int, lag: int | None) -> Shown:
    """All that others bring at once."""

    def shown(tag: int | None) -> Sequence[Taken]:
        found: dict[str, int] = {}
        for stream in streams:
            if stream.owner != name and stream.rank <= rank and lag is not None:
                found[stream.owner] = found.get(stream.owner, 0) + stream.work
        return [] if tag is not None else [found]

    return shown
