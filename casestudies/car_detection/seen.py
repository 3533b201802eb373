"""What the synchronizer of the case study makes of arrivals that the analysis allows."""

from __future__ import annotations

import random
from functools import cache

import ddsrta
from casestudies.analyses import FOLDER
from ddsrta.analysis.solve import solve
from ddsrta.models.arrivals import Periodic
from ddsrta.models.synchronization import Synchronizer
from ddsrta.simulation.synchronizers import machine

RUNS = 100
SETS = 40  # in a run


@cache
def disparities(system: str, drift: int = 50) -> tuple[int, ...]:
    """The disparity of each set in a fixed number of random runs: random phases, and delays that
    stay where they are or change within what the analysis found. Periods are a little below the
    largest ones (by up to `drift` µs, the same in a run), so that phases drift."""
    solution = solve(ddsrta.load(FOLDER / "car_detection" / f"{system}.yaml"))
    stage = solution.compiled.stages[solution.number(("job", "sync"))]
    ways = []
    for edge in stage.inputs:
        base = solution.compiled.streams.of[edge.source].node
        arrival = solution.compiled.streams.nodes[base].arrival
        earliest, latest = solution.arrival_window(edge)
        assert isinstance(arrival, Periodic) and latest is not None
        ways.append((arrival.period, earliest, latest))
    found: list[int] = []
    for seed in range(RUNS):
        found += _run(random.Random(seed), ways, drift * 1000)
    return tuple(found)


def _run(draw: random.Random, ways: list[tuple[int, int, int]], drift: int) -> list[int]:
    end = SETS * max(period for period, _, _ in ways)
    messages = []
    for topic, (largest, earliest, latest) in enumerate(ways):
        period = largest - draw.randint(0, drift)
        stamp, before = draw.randint(0, period), 0
        while stamp < end:
            delay = draw.choice((earliest, latest, draw.randint(earliest, latest)))
            before = max(before, stamp + delay)
            messages.append((before, topic, stamp))
            stamp += period
    sync = machine(Synchronizer("mtd"), len(ways))
    sets = [made for now, topic, stamp in sorted(messages) for made in sync.add(topic, stamp, now)]
    return [max(made) - min(made) for made in sets]
