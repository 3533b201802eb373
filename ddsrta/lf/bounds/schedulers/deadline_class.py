"""SCHED_DEADLINE: what Linux admits to a core, and the demand of what it admits (lemma
deadline-threads)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ddsrta.base.units import format_duration
from ddsrta.lf.bounds.schedulers.throttling import Throttle

_MOST_STEPS = 100_000


class Entity(NamedTuple):
    """A thread's runtime, deadline and period; period 0: the distance of its jobs is not known."""

    name: str
    runtime: int
    deadline: int
    period: int


def refused(entities: Sequence[Entity], throttle: Throttle) -> str | None:
    """Why Linux would not take all of them on one core, if so.

    >>> refused([Entity("a", 5, 4, 10)], Throttle())
    'a needs 5 ns at a tag, its deadline is 4 ns: SCHED_DEADLINE refuses that'
    """
    for entity in entities:
        if not entity.period:
            return f"{entity.name} has tags of several kinds, not all of timers: not modelled"
        if entity.runtime > entity.deadline:
            return (
                f"{entity.name} needs {format_duration(entity.runtime)} at a tag, its deadline is "
                f"{format_duration(entity.deadline)}: SCHED_DEADLINE refuses that"
            )
    share = sum((Fraction(e.runtime, e.period) for e in entities), Fraction(0))
    limit = Fraction(throttle.runtime, throttle.period)
    if share <= limit:
        return None
    percent, most = -(-100 * share.numerator // share.denominator), int(100 * limit)
    return f"the threads ask for {percent} % of the core, SCHED_DEADLINE admits {most} %"


def fits(entities: Sequence[Entity]) -> str | None:
    """Why the work due within some time may be more than that time; None if it never is.

    >>> fits([Entity("a", 3, 4, 10), Entity("b", 3, 5, 10)])
    'within 5 ns the threads may have to do 6 ns of work'
    """
    share = sum((Fraction(e.runtime, e.period) for e in entities), Fraction(0))
    if share >= 1:
        return "the threads ask for the whole core"
    # Beyond this the demand is below the time: share · t + Σ runtime · (1 - deadline / period) ≤ t.
    extra = sum(
        (Fraction(e.runtime * (e.period - e.deadline), e.period) for e in entities), Fraction(0)
    )
    last = max(-(-extra // (1 - share)), *(entity.deadline for entity in entities))
    due: set[int] = set()
    for entity in entities:
        if (last - entity.deadline) // entity.period + len(due) > _MOST_STEPS:
            return "the demand of the threads has too many steps to be followed"
        due.update(range(entity.deadline, int(last) + 1, entity.period))
    for time in sorted(due):
        work = sum(
            ((time - e.deadline) // e.period + 1) * e.runtime
            for e in entities
            if time >= e.deadline
        )
        if work > time:
            return (
                f"within {format_duration(time)} the threads may have to do "
                f"{format_duration(work)} of work"
            )
    return None
