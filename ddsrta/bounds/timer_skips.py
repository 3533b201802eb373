"""Timers of executors that may be called so late that rcl skips releases of theirs (lemma
timer-skips)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ddsrta.bounds.skipped import Skip, Skipping, Skips
from ddsrta.models.arrivals import Arrival, Periodic
from ddsrta.models.groups import is_timer

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution

_MOST_ATTEMPTS = 16  # in which the gap of a timer grows


def skipping(solution: Solution) -> dict[str, Skip]:
    """The timers whose call may come when the next release is due, by these bounds. A job begins no
    later than its cost before the bound of its response (lemma program-order).
    """
    found: dict[str, Skip] = {}
    for name, thread in solution.system.threads.items():
        if thread.arrival is None or not is_timer(thread):
            continue
        number = solution.number(("job", name))
        response = solution.response(number)
        late = None
        if response is not None:
            late = response - solution.compiled.stages[number].cost
        if skip := skip_of(thread.arrival, late):
            found[name] = skip
    return found


def soonest_skip(arrival: Arrival) -> int:
    """How long after its own release a job may begin at the soonest when the next one has come."""
    if isinstance(arrival, Periodic):
        return arrival.period - arrival.jitter
    return arrival.least_distance(2)


def skip_of(arrival: Arrival, begun: int | None) -> Skip | None:
    """None if the next release is yet to come when a job begins, at most so long after its own."""
    if begun is not None and begun < soonest_skip(arrival):
        return None
    if not isinstance(arrival, Periodic):
        return Skip(begun, replace(arrival, gap=None))
    late = None if begun is None else arrival.jitter + begun
    gap = None
    if late is not None:  # all times up to the call are left out
        gap = (late // arrival.period + 1) * arrival.period + arrival.jitter
    least = arrival.period, arrival.jitter
    return Skip(late, Skipping(*least, gap, arrival.min_distance, arrival.offset))


def grown(known: Skips, found: Skips, attempt: int) -> Skips | None:
    """What is to be allowed for, where what is known does not; None where it does."""
    more = {
        name: one if attempt < _MOST_ATTEMPTS else _endless(one)
        for name, one in found.items()
        if name not in known or not _covers(known[name], one)
    }
    return {**known, **more} if more else None


def _covers(known: Skip, found: Skip) -> bool:
    most, gap = known.arrival.largest_gap, found.arrival.largest_gap
    return most is None or (gap is not None and gap <= most)


def _endless(one: Skip) -> Skip:
    assert not isinstance(one.arrival, Periodic)
    return Skip(None, replace(one.arrival, gap=None))
