"""How close in logical time two moments can be."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple


class Root(NamedTuple):
    """Where events begin: `period` apart, exactly where `phase` is known, at least where not.

    `period` None: once where `once`, else any number of times.
    """

    federate: str
    name: str
    period: int | None
    phase: int | None = None
    once: bool = False


class Moment(NamedTuple):
    """The tags at a distance (time, microsteps) from the events of a root."""

    root: Root
    time: int = 0
    microstep: int = 0


START = Moment(Root("", "startup", None, 0, once=True))


def is_exact(moment: Moment) -> bool:
    """The tags of a timer, or of the start: not of the outer world, whose times are not known."""
    return moment.root.phase is not None


def is_start(moment: Moment) -> bool:
    """Whether the first tag of a run is one of a moment."""
    return is_exact(moment) and _time(moment) == moment.microstep == 0


def can_meet(one: Moment, other: Moment) -> bool:
    """Whether both can be at the same tag.

    An event of the outer world can get any microstep, if it comes while its time is processed.
    """
    if one == other:
        return True
    if not (is_exact(one) and is_exact(other)):
        return True
    return one.microstep == other.microstep and same_time(one, other)


def same_time(one: Moment, other: Moment) -> bool:
    """Whether two exact moments can have tags of one time."""
    return _apart(one, other) == 0


def can_share_time(one: Moment, other: Moment) -> bool:
    """Whether there can be tags of both with the same time and different microsteps.

    >>> from ddsrta.lf.bounds.logical_time.moments import Root
    >>> tick = Moment(Root("", "a", 5, 0))
    >>> can_share_time(tick, tick), can_share_time(tick, tick._replace(microstep=1))
    (False, True)
    """
    if not (is_exact(one) and is_exact(other)):
        return one != other or one.root.period is None
    return one.microstep != other.microstep and same_time(one, other)


def before(earlier: Moment, moment: Moment) -> int | None:
    """The least time from a tag of `earlier` to a later tag of `moment`; None: there never is one.

    >>> from ddsrta.lf.bounds.logical_time.moments import Root
    >>> five, seven = Root("", "a", 5, 0), Root("", "b", 7, 0)
    >>> before(Moment(five), Moment(seven)), before(Moment(five), Moment(five))
    (1, 5)
    """
    if earlier == moment:
        return moment.root.period if not moment.root.once else None
    if not (is_exact(earlier) and is_exact(moment)):
        return 0
    distance = _apart(earlier, moment)
    if distance is None or distance > 0:
        return distance
    if earlier.microstep < moment.microstep:
        return 0
    return _rhythm(earlier, moment) or None


def _apart(earlier: Moment, moment: Moment) -> int | None:
    """The least time ≥ 0 from the one to the other, whatever their microsteps."""
    distance = _time(moment) - _time(earlier)
    rhythm = _rhythm(earlier, moment)
    if rhythm:
        return distance % rhythm
    return distance if distance >= 0 else None


def _time(moment: Moment) -> int:
    assert moment.root.phase is not None
    return moment.root.phase + moment.time


def _rhythm(one: Moment, other: Moment) -> int:
    """What distances between tags of both are multiples of, apart from the first; 0: both once."""
    return gcd(one.root.period or 0, other.root.period or 0)
