"""What the kernel finds in a window is what trying every nanosecond finds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import pytest

from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.refinements import Refinements
from ddsrta.models.reader import loads
from ddsrta.models.system import System
from ddsrta_kernel import Solver
from ddsrta_kernel.problem import MAXIMUM, SUM
from tests.checker.executors import executor_system
from tests.kernel.brute_curves import Curves, TooLongError
from tests.kernel.brute_force import Window
from tests.kernel.random_systems import random_system

LAST = 400  # nanoseconds that are tried
LONGEST = 150  # of a window
Draw = Callable[[int], System]


def small(seed: int) -> System:
    """Windows that are soon over."""
    return random_system(seed, 0.3)


def pool(seed: int) -> System:
    """Timers in two or three threads, and something more urgent."""
    random = Random(f"pool {seed}")
    cores = ["m/a", "m/b", "m/c"][: 2 + seed % 2]
    callbacks = {
        f"k{i}": {
            "executor": "e", "wcet": f"{random.randint(1, 9)}ns",
            "timer": f"{random.randint(25, 60)}ns",
            **random.choice(({"reentrant": True}, {"group": "g"}, {"group": "h"}, {"group": "i"})),
        }
        for i in range(random.randint(3, 6))
    }  # fmt: skip
    return loads(json.dumps({
        "ddsrta": 1, "machines": {"m": {"cores": ["a", "b", "c"]}}, "callbacks": callbacks,
        "executors": {"e": {"cores": cores, "priority": 5, "kind": "multi_threaded"}},
        "threads": {"hi": {"core": "m/a", "priority": 9, "wcet": "2ns", "period": "40ns"}},
    }))  # fmt: skip


PLAIN = Refinements(token_buckets=False)  # of paces it knows nothing
BOTH = {0, 1, 2, 3, "coupled", "reserved"}


@pytest.mark.parametrize(
    ("draw", "seeds", "wanted"),
    [
        (
            small,
            (*range(6), *range(7, 14)),
            BOTH | {4, "opened"},
        ),  # windows of 6 are long: seven seconds
        (executor_system, range(8), BOTH),
        (pool, range(8), {0, 1, 2, 7, 9}),
    ],
)
def test_a_window_is_what_trying_every_nanosecond_finds(
    draw: Draw, seeds: Iterable[int], wanted: set[object]
) -> None:
    kinds: Counter[object] = Counter()
    for seed in seeds:
        problem = compile_system(draw(seed), PLAIN).problem
        solver = Solver(problem, 500)
        solver.solve()
        curves = Curves(problem, solver, LAST)
        for unit, response in enumerate(solver.response):
            found = solver.evaluate(unit)
            too_long = found.window > LONGEST or found.latency > LAST - 100
            if problem.is_load[unit] or too_long:
                continue
            try:
                window = Window(curves, unit)
                bounds = window.bounds()
            except TooLongError:
                continue
            assert bounds == (found.response, found.latency), (seed, unit)
            assert response <= bounds[0] and solver.latency[unit] <= bounds[1]
            kinds.update(window.kinds)
            kinds["coupled"] += len(window.views) > 1
            kinds["opened"] += any(window.opened())
            kinds["reserved"] += problem.supply_budget[problem.supply[unit]] > 0
    assert {kind for kind, count in kinds.items() if count} >= wanted


def test_curves_are_what_counting_events_finds() -> None:
    nodes: Counter[int] = Counter()
    for seed in range(8):
        problem = compile_system(small(seed), PLAIN).problem
        solver = Solver(problem, 500)
        solver.solve()
        curves = Curves(problem, solver, LAST)
        for unit in range(problem.units):
            counts = curves.unit(unit)
            assert [solver.count(unit, length) for length in range(len(counts))] == counts
        for node in range(problem.nodes):
            counts = curves.node(node)
            assert [solver.node_count(node, length) for length in range(len(counts))] == counts
            nodes[problem.node_kind[node]] += 1
    assert nodes[SUM] and nodes[MAXIMUM]
