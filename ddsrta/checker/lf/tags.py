"""Which tags there can be, in classes, and how close two of them come (lemma meeting-tags)."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

Place = tuple[str, str]


class Tags(NamedTuple):
    """Tags of one microstep: with `root` None those at `at` (and each `period` from there, taken
    modulo it), else so long after events of the outer world, which come `period` apart."""

    root: Place | None
    period: int | None
    at: int
    step: int = 0
    once: bool = False

    def shifted(self, delay: int | None) -> Tags:
        """Those that `after` makes of these."""
        if delay is None:
            return self
        if delay == 0:
            return self._replace(step=self.step + 1)
        at = self.at + delay
        return self._replace(at=at % self.period if self._returns else at, step=0)  # type: ignore[operator]

    @property
    def _returns(self) -> bool:
        return self.root is None and self.period is not None


START = Tags(None, None, 0, 0, once=True)


def meet(one: Tags, other: Tags) -> bool:
    """Whether they can have a tag in common."""
    if one == other or one.root is not None or other.root is not None:
        return True
    return one.step == other.step and same_time(one, other)


def same_time(one: Tags, other: Tags) -> bool:
    """Whether two classes of known times can have tags of one time."""
    apart, rhythm = other.at - one.at, _rhythm(one, other)
    return not (apart % rhythm if rhythm else apart)


def microsteps(one: Tags, other: Tags) -> bool:
    """Whether they can have two tags of one time, in different microsteps."""
    if one.root is not None or other.root is not None:
        return one != other or one.period is None
    return one.step != other.step and same_time(one, other)


def gap(earlier: Tags, tag: Tags) -> int | None:
    """The least time from one of `earlier` to a later one of `tag`; None where there is none."""
    if earlier == tag:
        return None if tag.once else tag.period
    if earlier.root is not None or tag.root is not None:
        return 0
    rhythm, apart = _rhythm(earlier, tag), tag.at - earlier.at
    if rhythm:
        apart %= rhythm
    if apart < 0:
        return None
    if apart:
        return apart
    return 0 if earlier.step < tag.step else rhythm or None


def _rhythm(one: Tags, other: Tags) -> int:
    return gcd(one.period or 0, other.period or 0)
