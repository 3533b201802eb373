"""Events that find their tag taken by another of the same thing, and get a later microstep (lemma
meeting-tags, runtime for C)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ddsrta.checker.lf.tags import Place, Tags, same_time


class Arrival(NamedTuple):
    """An event that `source` schedules at `tags`, to be at `due`, the first one at `first`."""

    source: Place
    tags: Tags
    due: Tags
    first: int


def moved(arrivals: Iterable[Arrival]) -> Iterator[tuple[Tags, int]]:
    """Where else events can be, and from when on."""
    found = list(arrivals)
    for one in found:
        steps: list[int] = []
        anywhere = 0
        for other in found:
            if other is one or not _in_the_way(other, one):
                continue
            if other.due.root is None or other.due == one.due:
                steps.append(other.due.step)
            else:
                anywhere += 1
        for step in range(one.due.step + 1, _last(one.due.step, steps, anywhere) + 1):
            yield one.due._replace(step=step), one.first


def now_and_then(arrivals: Iterable[Arrival]) -> bool:
    """Whether some of them meet though they come in different periods, so not each time."""
    found = list(arrivals)
    return any(
        one.due.period != other.due.period and _in_the_way(other, one)
        for one in found
        for other in found
        if one is not other
    )


def _in_the_way(other: Arrival, one: Arrival) -> bool:
    """Whether an event of `one` may have to give way to one of `other`: of those that are known the
    rarer one does. Those of the outer world are at any microstep, and have to be counted only."""
    if one.due.root is not None:
        return other.due == one.due
    if other.due.root is not None:
        return True
    if other.source == one.source and other.tags.step == one.tags.step:
        return False  # one tag, or two times
    if other.due.period is None and one.due.period is not None:
        return False
    often = other.due.period or 0, one.due.period or other.due.period or 0
    return often[0] <= often[1] and same_time(one.due, other.due)


def _last(step: int, steps: list[int], anywhere: int) -> int:
    """The microstep of the last, if all others are put in before it, those of any microstep too."""
    free = sorted(steps)
    put: set[int] = set()
    for wanted in free + [step] * (anywhere + 1):
        at = wanted
        while at in put:
            at += 1
        put.add(at)
    return at
