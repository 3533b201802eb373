"""Jobs of a core one after the other, in whatever order those of one rank go (lemma
core-windows)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.calendar import Span


class Stream(NamedTuple):
    """Work that comes each `period` at most (None: once), first at `first` (None: not known); the
    smaller `rank` goes first."""

    owner: str
    names: Collection[str]
    work: int
    period: int | None
    rank: int
    first: int | None = None


def followed(
    stream: Stream, streams: Iterable[Stream], seen: Span, budget: Budget, known: int
) -> int:
    """The most that any of its jobs takes, if all others of its rank that come until it starts go
    first; what is known already where one is not done in the time that is followed.

    >>> two = [Stream("a", (), 4, 10, 0, 0), Stream("b", (), 4, 10, 0, 5)]
    >>> followed(two[1], two, Span(5, 10), Budget(), 8)
    4
    """
    last = seen.end + seen.period
    comes: dict[int, list[Stream]] = {}
    for one in streams:
        if one.rank <= stream.rank and one.first is not None:
            for at in range(one.first, last, one.period) if one.period else [one.first]:
                budget.curve()
                comes.setdefault(at, []).append(one)
    times = sorted(comes)
    most = left = before = 0
    for index, now in enumerate(times):
        left, before = max(0, left - (now - before)), now
        if now < seen.end and any(one is stream for one in comes[now]):
            end = _end(stream, now + left, times[index:], comes, budget)
            if end >= last:
                return known
            most = max(most, end - now)
        left += sum(one.work for one in comes[now])
    return min(most, known)


def _end(
    stream: Stream,
    start: int,
    times: Sequence[int],
    comes: Mapping[int, Sequence[Stream]],
    budget: Budget,
) -> int:
    """When a job is done that comes at the first of the times, with earlier work until `start`."""
    index = 0
    while index < len(times) and times[index] <= start:
        budget.curve()
        start += sum(one.work for one in comes[times[index]] if one is not stream)
        index += 1
    end = start + stream.work
    while index < len(times) and times[index] < end:
        budget.curve()
        end += sum(one.work for one in comes[times[index]] if one.rank < stream.rank)
        index += 1
    return end
