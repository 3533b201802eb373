"""Drawn systems whose periodic threads begin at known offsets, many of them with one period,
or with harmonic ones."""

from __future__ import annotations

from dataclasses import replace

from ddsrta.models.arrivals import Periodic

PARTS = (1, 2, 3, 4, 6, 12)


def with_offsets(system, random):
    """Most periodic threads get an offset; on many machines they all take the longest period, or
    parts of one that is a little longer."""
    longest = {}
    for thread in periodic(system):
        machine = system.machine_of(thread.core)
        longest[machine] = max(thread.arrival.period, longest.get(machine, 0))
    alike = {machine for machine in longest if random.random() < 0.5}
    harmonic = {machine for machine in longest if machine not in alike and random.random() < 0.6}
    threads = dict(system.threads)
    for thread in periodic(system):
        machine, arrival = system.machine_of(thread.core), thread.arrival
        if random.random() < 0.15:
            continue
        period = longest[machine] if machine in alike else arrival.period
        if machine in harmonic:
            whole = -(-longest[machine] // 12) * 12
            period = whole // max(part for part in PARTS if part * period <= whole)
        offset = random.choice((0, period // 4, period // 2, random.randrange(period)))
        arrival = replace(arrival, period=period, offset=offset)
        if random.random() < 0.3:
            arrival = replace(arrival, jitter=0, min_distance=0)
        threads[thread.name] = replace(thread, arrival=arrival)
    return replace(system, threads=threads)


def periodic(system):
    """The threads that are released periodically."""
    return [t for t in system.threads.values() if isinstance(t.arrival, Periodic)]
