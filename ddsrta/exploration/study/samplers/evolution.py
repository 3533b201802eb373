"""Genetic algorithms: NSGA-II (Deb et al. 2002), NSGA-III (Deb and Jain 2014), as pymoo has them.

They move vectors of numbers between 0 and 1: one for each parameter with values, of which it picks
one, and one for each place of an order, which they sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb
from random import Random
from typing import Any

import numpy
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.nsga3 import NSGA3
from pymoo.core.evaluator import Evaluator
from pymoo.core.problem import Problem
from pymoo.problems.static import StaticProblem
from pymoo.util.ref_dirs import get_reference_directions

from ddsrta.exploration.study.judge import PARTS, Outcome
from ddsrta.exploration.study.samplers import Points
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.space import Choice, Parameter, Point

IDLE = 30  # generations in a row in which nothing is new
WORST = 1e18  # of a goal without a bound, or of what is no system


def nsga2(setup: Setup, chance: Random) -> Points:
    """By ranks, and by how crowded a part of the front is."""
    algorithm = NSGA2(setup.sampler.population, sampling=_first(setup, setup.sampler.population))
    yield from _generations(setup, algorithm)


def nsga3(setup: Setup, chance: Random) -> Points:
    """By ranks, and by directions that are spread over the goals."""
    directions = _directions(len(setup.goals), setup.sampler.population)
    size = max(setup.sampler.population, len(directions))
    algorithm = NSGA3(directions, pop_size=size, sampling=_first(setup, size))
    yield from _generations(setup, algorithm)


def _directions(goals: int, population: int) -> Any:
    """As many as there may be in a population."""
    parts = 1
    while comb(goals + parts, goals - 1) <= population and goals > 1:
        parts += 1
    return get_reference_directions("das-dennis", goals, n_partitions=parts)


def _generations(setup: Setup, algorithm: Any) -> Points:
    """Ask and tell, until nothing new comes any more."""
    count = _cuts(setup)[-1]
    problem = Problem(n_var=count, n_obj=len(setup.goals), n_ieq_constr=1, xl=0.0, xu=1.0)
    algorithm.setup(problem, termination=("n_gen", 1 << 40), seed=setup.sampler.seed, verbose=False)
    seen: set[Point] = set()
    idle = 0
    while idle < IDLE:
        asked = algorithm.ask()
        points = [_point(setup, vector) for vector in asked.get("X")]
        idle = idle + 1 if seen.issuperset(points) else 0
        seen.update(points)
        outcomes = yield points
        static = StaticProblem(problem, F=_losses(setup, outcomes), G=_wrong(outcomes))
        Evaluator().eval(static, asked)
        algorithm.tell(infills=asked)


def _losses(setup: Setup, outcomes: Sequence[Outcome | None]) -> Any:
    found = []
    for outcome in outcomes:
        values = outcome.goals if outcome else (None,) * len(setup.goals)
        pairs = zip(setup.goals, values, strict=True)
        found.append([WORST if v is None else float(goal.sign * v) for goal, v in pairs])
    return numpy.array(found)


def _wrong(outcomes: Sequence[Outcome | None]) -> Any:
    """How much each is beyond its limits, as one number: more than 0 is too much."""
    found = []
    for outcome in outcomes:
        if outcome is None or outcome.refused:
            found.append([WORST])
            continue
        count, unbounded, beyond = outcome.wrong
        least = 0 if outcome.is_feasible else 1
        found.append([float(max(least, (count + unbounded) * PARTS + beyond))])
    return numpy.array(found)


def _cuts(setup: Setup) -> list[int]:
    """Where in a vector the numbers of each parameter begin, and the end."""
    cuts = [0]
    for each in setup.space.parameters:
        cuts.append(cuts[-1] + (len(each.handed) if each.is_order else 1))
    return cuts


def _point(setup: Setup, vector: Any) -> Point:
    parts = zip(setup.space.parameters, pairwise(_cuts(setup)), strict=True)
    return tuple(_choice(each, vector[begin:end]) for each, (begin, end) in parts)


def _choice(parameter: Parameter, numbers: Any) -> Choice:
    if not parameter.is_order:
        count = len(parameter.choices)
        return min(int(numbers[0] * count), count - 1)
    places = sorted(range(len(numbers)), key=lambda n: (float(numbers[n]), n))
    order = [0] * len(places)
    for value, place in enumerate(places):
        order[place] = value
    return parameter.usual(order)


def _first(setup: Setup, size: int) -> Any:
    """The base, and others by chance."""
    generator = numpy.random.default_rng(setup.sampler.seed)
    vectors = generator.random((size, _cuts(setup)[-1]))
    base: list[float] = []
    for each, choice in zip(setup.space.parameters, setup.space.base, strict=True):
        if isinstance(choice, int):
            base.append((choice + 0.5) / len(each.choices))
        else:
            base += [(value + 0.5) / len(choice) for value in choice]
    vectors[0] = base
    return vectors
