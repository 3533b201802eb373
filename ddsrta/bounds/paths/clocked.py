"""Registers whose writers and readers are released by one clock (lemma clocked-registers)."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

from ddsrta.bounds.solution import Solution
from ddsrta.models.arrivals import Periodic

_MOST_RELEASES = 20_000  # that are looked at for one run of registers


class Clock(NamedTuple):
    """Releases at `offset`, a period later and so on, by the clock of a machine, or up to `jitter`
    late."""

    machine: str
    offset: int
    period: int
    jitter: int


def clock_of(solution: Solution, stage: int) -> Clock | None:
    """That of the thread of a stage; None where it has none, or its offset is not to be used."""
    arrival = solution.compiled.stages[stage].arrival
    if not isinstance(arrival, Periodic) or arrival.offset is None:
        return None
    if not solution.compiled.streams.by_offsets:
        return None
    system, name = solution.system, solution.compiled.stages[stage].key[1]
    machine = system.machine_of(system.threads[name].core)
    return Clock(machine, arrival.offset, arrival.period, arrival.jitter)


def sampled(clocks: Sequence[Clock], ways: Sequence[int]) -> int | None:
    """The longest from a release of the first to that of the last which uses what came of it; each
    has its value in the register after a way. None where that is too much to look at.

    >>> writer, reader = Clock("m", 0, 100, 0), Clock("m", 10, 100, 0)
    >>> sampled([writer, reader], [3]), sampled([writer, reader], [10])
    (10, 110)
    """
    last = clocks[-1]
    count = lcm(*(clock.period for clock in clocks)) // last.period
    if count * len(clocks) > _MOST_RELEASES:
        return None
    before = list(zip(clocks[-2::-1], ways[::-1], strict=True))

    def age(release: int) -> int:
        at = release
        for clock, way in before:  # the last that is there for certain
            late = at - 1 - way - clock.jitter - clock.offset
            at = clock.offset + late // clock.period * clock.period
        return release - at

    releases = range(last.offset, last.offset + count * last.period, last.period)
    return last.jitter + max(map(age, releases))
