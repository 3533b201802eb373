"""What is ahead of a unit, where each event has work at one of several stages at a time (lemma
one-at-a-time)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Stream
from ddsrta.checker.stages import Stage

_MOST = 64  # stages of a line that are looked at together


class Ahead(NamedTuple):
    """A stage of which units may be ahead: so many at most, no sooner and no later after their
    event; whether all that is left of it comes before ours, or all of it behind."""

    stream: Stream
    units: int
    cost: int
    latency: int
    is_over: bool = False
    is_behind: bool = False


def lines_of(
    stages: Iterable[Stage], depth: Callable[[Stage], int], over: Callable[[Stage, Stage], bool]
) -> list[list[Stage]]:
    """Stages of one thread and base in lines, of which each is over when the next one comes: each
    in the first one that it fits into. Of what is over before another the depth is less."""
    lines: list[list[Stage]] = []
    for stage in stages:
        for line in lines:
            at = bisect_right(line, depth(stage), key=depth)
            follows = not at or over(line[at - 1], stage)
            if follows and (at == len(line) or over(stage, line[at])):
                line.insert(at, stage)
                break
        else:
            lines.append([stage])
    return lines


def work_ahead(line: Sequence[Ahead], mine: Stream) -> int:
    """The most work of a line that can be ahead of a unit: the least over all ways to cut it into
    parts, of each of which every event has units at one stage at a time."""
    least = [0]
    for last, one in enumerate(line):
        found = least[-1] + one.units * one.cost
        dearest = one.stream.times * one.cost
        for first in range(last - 1, max(-1, last - _MOST), -1):
            dearest = max(dearest, line[first].stream.times * line[first].cost)
            if least[first] + dearest < found:
                events = _events(line[first : last + 1], mine)
                found = min(found, least[first] + events * dearest)
        least.append(found)
    return least[-1]


def _events(part: Sequence[Ahead], mine: Stream) -> int:
    """How many events may have a unit of a part of a line that is not done when ours comes."""
    base = part[0].stream.base
    longest = max(one.latency for one in part)
    soonest = min(one.stream.best for one in part)
    events: int = base.most(longest - soonest)
    if base is not mine.base or mine.before is None:
        return events
    older = max(0, base.most(longest - mine.best) - 1)
    if all(one.is_behind for one in part):
        return min(events, older)
    newer = max(0, base.most(mine.before - soonest + EPSILON) - 1)
    if all(one.is_over for one in part):
        return min(events, newer)
    return min(events, older + 1 + newer)
