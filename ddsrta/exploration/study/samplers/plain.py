"""Points whatever becomes of them: all in turn, or some by chance."""

from __future__ import annotations

from itertools import islice
from random import Random

from ddsrta.exploration.study.samplers import Points
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.space import Point

IDLE = 1_000  # points in a row that were had before


def grid(setup: Setup, chance: Random) -> Points:
    """All points."""
    every = setup.space.every()
    while points := list(islice(every, setup.sampler.batch)):
        yield points


def random(setup: Setup, chance: Random) -> Points:
    """Points by chance, none twice; ends where hardly any are left."""
    seen: set[Point] = set()
    idle = 0
    while idle < IDLE and len(seen) < setup.space.size:
        points: list[Point] = []
        while len(points) < setup.sampler.batch and idle < IDLE:
            point = setup.space.any(chance)
            idle = idle + 1 if point in seen else 0
            if point not in seen:
                seen.add(point)
                points.append(point)
        yield points
