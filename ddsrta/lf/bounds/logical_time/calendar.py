"""The tags of an environment, one by one, where its timers alone say when they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import lcm
from typing import NamedTuple

from ddsrta.lf.bounds.logical_time.moments import Moment, is_exact

MOST_TAGS = 20_000


class Instant(NamedTuple):
    """The reactions at a time of tags, microstep by microstep."""

    time: int
    steps: tuple[tuple[str, ...], ...]


class Horizon(NamedTuple):
    """All that ever happens is seen before `first` + 2 · `period`: it recurs from `first` on."""

    first: int
    period: int

    @property
    def end(self) -> int:
        """Where to stop."""
        return self.first + 2 * self.period


def horizon(parts: Iterable[Collection[Moment]]) -> Horizon | None:
    """How far tags have to be followed; None: too far, or not all of them are known.

    >>> from ddsrta.lf.bounds.logical_time.moments import Root
    >>> horizon([[Moment(Root("", "a", 4, 1))], [Moment(Root("", "b", 6, 0))]])
    Horizon(first=1, period=12)
    """
    moments = [moment for part in parts for moment in part]
    if not all(map(is_exact, moments)):
        return None
    periods = [moment.root.period for moment in moments if moment.root.period]
    found = Horizon(max((_begin(moment) for moment in moments), default=0), lcm(*periods))
    tags = sum(found.end // period + 1 for period in periods)
    return found if tags <= MOST_TAGS else None


def instants(moments: Mapping[Moment, Iterable[str]], end: int) -> list[Instant]:
    """All tags before a time, those of one time together.

    >>> from ddsrta.lf.bounds.logical_time.moments import Root
    >>> tick = Moment(Root("", "a", 4, 1))
    >>> [instant.time for instant in instants({tick: ["r"]}, 10)]
    [1, 5, 9]
    """
    found: dict[int, dict[int, dict[str, None]]] = {}
    for moment, names in moments.items():
        begin, period = _begin(moment), moment.root.period
        for time in range(begin, end, period) if period else [begin]:
            step = found.setdefault(time, {}).setdefault(moment.microstep, {})
            step.update(dict.fromkeys(names))
    return [
        Instant(time, tuple(tuple(steps[microstep]) for microstep in sorted(steps)))
        for time, steps in sorted(found.items())
    ]


def _begin(moment: Moment) -> int:
    assert moment.root.phase is not None
    return moment.root.phase + moment.time
