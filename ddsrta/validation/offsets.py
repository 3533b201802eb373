"""Offsets of threads of one machine, held against each other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import gcd

from ddsrta.base.units import format_duration
from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import System
from ddsrta.validation.contradiction import Held
from ddsrta.validation.releases import ReleaseCheck

_MOST_PAIRS = 100_000


def hold_offsets(system: System, releases: Mapping[str, ReleaseCheck], held: Held) -> None:
    """Two threads with offsets are as far apart as these say, up to their jitter."""
    by_machine: dict[str, list[tuple[str, Periodic, tuple[int, int]]]] = {}
    for name, check in releases.items():
        arrival = check.arrival
        if isinstance(arrival, Periodic) and arrival.offset is not None and check.phases:
            machine = system.cores[system.threads[name].core].machine
            by_machine.setdefault(machine, []).append((name, arrival, check.phases))
    left = _MOST_PAIRS
    for threads in by_machine.values():
        for one, other in combinations(threads, 2):
            left -= 1
            if left < 0:
                return
            if apart := _apart(one[1], one[2], other[1], other[2]):
                text = f"its releases are {format_duration(apart)} off those of {other[0]}, by "
                held.contradict("releases", one[0], text + "the offsets of both")


def _apart(one: Periodic, phases: tuple[int, int], other: Periodic, others: tuple[int, int]) -> int:
    """By how much more than jitter allows the instants 0 that two threads speak of differ.

    >>> _apart(Periodic(10, offset=2), (2, 2), Periodic(20, offset=5), (15, 15))
    0
    >>> _apart(Periodic(10, offset=2), (2, 2), Periodic(20, offset=5), (9, 9))
    4
    """
    assert one.offset is not None and other.offset is not None
    common = gcd(one.period, other.period)
    # Both zeros lie in [most − jitter, least], each modulo its period.
    begin = phases[1] - one.jitter - one.offset, others[1] - other.jitter - other.offset
    width = phases[0] - phases[1] + one.jitter, others[0] - others[1] + other.jitter
    if min(width) < 0:
        return 0  # told by the releases of one alone
    ahead = (begin[1] - begin[0]) % common
    return max(0, min(ahead - width[0], common - ahead - width[1]))
