"""The parts that the kernel hands out are those of the bound."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.bounds.compile import compile_system
from ddsrta.models.system import System
from ddsrta_kernel import UNBOUNDED, Problem, Solver
from ddsrta_kernel.terms import OWN, SHARED, Amount, Part, Parts, Sums, named
from ddsrta_kernel.works import supplied
from tests.checker.executors import executor_system
from tests.kernel.random_systems import random_system
from tests.soundness.generator import random_system as soundness_system
from tests.soundness.pools import pool_system


def total(parts: Parts) -> int:
    return parts.rest + sum(count * parts.each[part] for part, count in parts.count.items())


def time(problem: Problem, supply: int, parts: Parts, fresh: bool = False) -> int:
    late = problem.supply_late[supply]
    if fresh and problem.supply_fresh[supply] >= 0:
        late = problem.supply_fresh[supply]
    budget, period = problem.supply_budget[supply], problem.supply_period[supply]
    return supplied(budget, period, late, total(parts))


def solved(systems: Iterator[System]) -> Iterator[tuple[Problem, Solver, Sums]]:
    for system in systems:
        problem = compile_system(system).problem
        solver = Solver(problem, 500)
        solver.solve()
        yield problem, solver, Sums(solver)


def systems() -> Iterator[System]:
    for seed in range(25):
        yield from (random_system(seed, 0.7), executor_system(seed), soundness_system(seed))
        yield pool_system(seed)


def test_the_parts_of_a_window_take_until_its_end() -> None:
    windows = shared = 0
    for problem, solver, sums in solved(systems()):
        for unit in range(len(problem)):
            found = solver.evaluate(unit)
            if not problem.is_load[unit] and found.finish < UNBOUNDED:
                parts = sums.window_sum(unit, found)
                assert time(problem, problem.supply[unit], parts, True) == found.finish, (
                    unit,
                    found,
                )
                assert parts.rest in (0, -1)  # what is already being sent has begun
                assert parts.each[Part(OWN)] == problem.cost[unit]
                windows += 1
                shared += any(part.what == SHARED for part in parts.each)
    assert windows > 500
    assert shared > 10


def test_the_parts_of_a_group_take_until_its_end() -> None:
    by_phase = by_event = 0
    for problem, solver, sums in solved(systems()):
        for unit in range(len(problem) if problem.groups else 0):
            for i in range(problem.group_start[unit], problem.group_start[unit + 1]):
                works = problem.group_first[i], problem.group_each[i], problem.group_later[i]
                head, level = problem.group_head[i], problem.group_level[i]
                group = (problem.group_kind[i], head, level, *works, problem.group_least[i], unit)
                found = solver.evaluate_group(group, head, 0)
                if found.finish < UNBOUNDED:
                    parts = sums.group_sum(group, found)
                    supply = problem.level_supply[level]
                    assert time(problem, supply, parts) == found.finish, (group, found)
                    by_phase += found.phase is not None
                    by_event += found.phase is None
    assert by_phase > 100
    assert by_event > 10


def test_amounts_know_what_they_are_sums_of() -> None:
    one, other = named(5, OWN), named(7, SHARED)
    parts = Parts(2 * one + other * 3 - one + 4)
    assert (parts.count[Part(OWN)], parts.count[Part(SHARED)], parts.rest) == (1, 3, 4)
    assert total(parts) == 2 * 5 + 3 * 7 - 5 + 4
    assert parts.take(OWN) == (1, 5)
    assert parts.take(OWN) == (0, 5)
    threads = (one + other) // 5
    assert isinstance(threads, Amount)
    assert Parts(threads).each == {Part(SHARED, 5, 12): 2}
