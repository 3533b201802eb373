"""SCHED_DEADLINE: what Linux admits to a core, and the demand of what it admits (lemma
deadline-threads)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ddsrta.base.units import format_duration
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.schedulers.throttling import Throttle
from ddsrta.lf.bounds.unbounded import (
    DEADLINE_ADMITS,
    DEADLINE_DEMAND,
    DEADLINE_REFUSES,
    DEADLINE_TOO_OFTEN,
    MANY_STEPS,
    TAGS_OF_KINDS,
)
from ddsrta.models.supplies import SHORTEST_PERIOD

_MOST_STEPS = 100_000


class Entity(NamedTuple):
    """A thread's runtime, deadline and period; period 0: the distance of its jobs is not known."""

    name: str
    runtime: int
    deadline: int
    period: int


def refused(entities: Sequence[Entity], throttle: Throttle) -> Because | None:
    """Why Linux would not take all of them on one core, if so.

    A longer period than the least distance is no way out: who wakes within it waits for the next.

    >>> refused([Entity("a", 2000, 1500, 100_000)], Throttle())
    'a needs 2 us of SCHED_DEADLINE at a tag, its deadline is 1.5 us: refused; ...'
    """
    for entity in entities:
        if not entity.period:
            return TAGS_OF_KINDS.of(name=entity.name)
        if entity.period < SHORTEST_PERIOD:
            gap, least = format_duration(entity.period), format_duration(SHORTEST_PERIOD)
            return DEADLINE_TOO_OFTEN.of(name=entity.name, gap=gap, least=least)
        if entity.runtime > entity.deadline:
            work, deadline = format_duration(entity.runtime), format_duration(entity.deadline)
            return DEADLINE_REFUSES.of(name=entity.name, work=work, deadline=deadline)
    share = sum((Fraction(e.runtime, e.period) for e in entities), Fraction(0))
    limit = Fraction(throttle.runtime, throttle.period)
    if share <= limit:
        return None
    percent, most = -(-100 * share.numerator // share.denominator), int(100 * limit)
    return DEADLINE_ADMITS.of(share=percent, most=most)


def fits(entities: Sequence[Entity]) -> Because | None:
    """Why the work due within some time may be more than that time; None if it never is.

    >>> fits([Entity("a", 3, 4, 10), Entity("b", 3, 5, 10)])
    'within 5 ns the threads may have to do 6 ns of work; ...'
    """
    share = sum((Fraction(e.runtime, e.period) for e in entities), Fraction(0))
    if share >= 1:
        return DEADLINE_DEMAND.of(what="the threads ask for the whole core")
    # Beyond this the demand is below the time: share · t + Σ runtime · (1 - deadline / period) ≤ t.
    extra = sum(
        (Fraction(e.runtime * (e.period - e.deadline), e.period) for e in entities), Fraction(0)
    )
    last = max(-(-extra // (1 - share)), *(entity.deadline for entity in entities))
    due: set[int] = set()
    for entity in entities:
        if (last - entity.deadline) // entity.period + len(due) > _MOST_STEPS:
            return MANY_STEPS.of()
        due.update(range(entity.deadline, int(last) + 1, entity.period))
    for time in sorted(due):
        work = sum(
            ((time - e.deadline) // e.period + 1) * e.runtime
            for e in entities
            if time >= e.deadline
        )
        if work > time:
            span, much = format_duration(time), format_duration(work)
            return DEADLINE_DEMAND.of(
                what=f"within {span} the threads may have to do {much} of work"
            )
    return None
