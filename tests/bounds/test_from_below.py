"""Crowded parts of large systems: windows from below, all at once."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds import solve as solving
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.from_below import parts, rising
from ddsrta.bounds.solve import solve
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import MOST_STEPS
from ddsrta_kernel.solver import Solver as Interpreted
from tests.bounds.circular_systems import circular
from tests.bounds.test_one_at_a_time import CIRCLE, robot
from tests.bounds.test_update import side_by_side
from tests.checker.test_work import path_of
from tests.effort import draws
from tests.kernel.random_systems import random_system

PLAIN = ddsrta.Refinements(pending_windows=False, latest_by_paths=False)
SYSTEMS = draws(20, of=60)


@pytest.fixture
def _large(monkeypatch):
    """Any system is as one of very many stages, and soon crowded."""
    monkeypatch.setattr(solving, "MOST_CLOSED", 0)
    monkeypatch.setattr(parts, "CROWD", 1)


def figures(solution):
    """All responses, then all latencies."""
    units = solution.compiled.unit_of
    solver = solution.solver
    return [solver.response[u] for u in units] + [solver.latency[u] for u in units]


@pytest.mark.usefixtures("_large")
def test_a_circle_of_a_large_system_has_bounds_below_its_plain_ones():
    system = robot(CIRCLE, 815)
    result = ddsrta.analyze(system)
    assert (result.verdict, result.check.status) == ("met", "confirmed")
    assert max(chain.latency for chain in result.chains.values()) < 93_000_000
    assert ddsrta.analyze(system, refinements=PLAIN, check=False).verdict == "unbounded"


@pytest.mark.usefixtures("_large")
def test_no_bound_of_drawn_circles_is_higher_than_without(monkeypatch):
    """Whether they are crowded or not; and the checker finds all of them."""
    monkeypatch.setattr(parts, "crowded_parts", lambda compiled, _: parts.parts(compiled))
    lower = 0
    for seed in range(SYSTEMS):
        system = ddsrta.loads(circular(seed))
        found, plain = figures(solve(system)), figures(solve(system, PLAIN))
        assert all(one <= other for one, other in zip(found, plain, strict=True)), seed
        lower += sum(one < other for one, other in zip(found, plain, strict=True))
        assert ddsrta.analyze(system).check.status == "confirmed", seed
    assert lower > 30


@pytest.mark.usefixtures("_large")
def test_what_rises_too_long_or_too_fast_is_bounded_as_without(monkeypatch):
    system = robot(CIRCLE, 600)
    plain = figures(solve(system, PLAIN))
    assert figures(solve(system)) < plain
    for name, value in (("MOST_RISES", 0), ("RACE", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(rising, name, value)
            patch.setattr(rising, "PATIENCE", 1)
            assert figures(solve(system)) == plain


def test_without_time_there_is_nothing():
    compiled = compile_system(robot(CIRCLE, 815))
    asked = compiled, parts.parts(compiled), 100_000, lambda: True
    assert rising.solved_from_below(*asked, []) is None


def test_a_change_of_one_crowded_part_is_as_of_a_large_system():
    system = side_by_side([robot(CIRCLE, cost) for cost in (815, 700, 600, 815, 1200, 900, 600)])
    result = ddsrta.analyze(system, check=False)
    assert len(compile_system(system).stages) > solving.MOST_CLOSED
    assert result.verdict == "met"
    name = next(name for name in system.threads if name.startswith("3."))
    after = system.altered("threads", name, wcet=system.threads[name].wcet + 1000)
    assert result.update(after) == ddsrta.analyze(after, check=False)


def test_parts_delay_and_release_nothing_of_each_other():
    system = ddsrta.loads("""
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
threads:
  one: {core: m/a, priority: 1, wcet: 1ms, period: 9ms}
  two: {core: m/b, priority: 1, wcet: 1ms, follows: {threads: [one]}}
  beside: {core: m/b, priority: 2, wcet: 1ms, period: 9ms}
  alone: {core: m/c, priority: 1, wcet: 1ms, period: 9ms}
  late: {core: m/d, priority: 1, wcet: 3ms, period: 9ms}
  later: {core: m/d, priority: 2, wcet: 40ms, period: 120ms}
""")
    compiled = compile_system(system)
    names = [{compiled.stages[number].key[1] for number in part} for part in parts.parts(compiled)]
    assert sorted(map(sorted, names)) == [["alone"], ["beside", "one", "two"], ["late", "later"]]
    solver = Solver(compiled.problem)
    solver.solve()
    (crowded,) = parts.crowded_parts(compiled, solver)  # of late four more come meanwhile
    assert {compiled.stages[number].key[1] for number in crowded} == {"late", "later"}


@pytest.mark.parametrize(("kind", "seeds"), [(Solver, range(40)), (Interpreted, range(10, 40))])
def test_rising_to_ceilings_ends_where_solving_below_them_does(kind, seeds):
    """Interpreted, the first ten take four times as long as the others."""
    for seed in seeds:
        problem = compile_system(random_system(seed, 0.6)).problem
        free = Solver(problem, 500)
        free.solve()
        for part in (1, 2, 3):
            costs = zip(free.response, problem.cost, strict=True)
            problem.ceiling = type(problem.cost)("q", [max(c, r // part) for r, c in costs])
            problem.latest = type(problem.cost)("q", [UNBOUNDED]) * len(problem)
            below, risen = Solver(problem, 500), kind(problem, 500)
            below.solve()
            while risen.rise([], 1):
                pass
            assert (risen.response, risen.latency) == (below.response, below.latency), seed
        problem.ceiling = problem.latest = type(problem.cost)("q")


def test_what_few_steps_lose_is_looked_for_again(monkeypatch):
    """With 5 steps no window gives up, but groups do: the chain had 113 us so, and has 44."""
    system = path_of(12, 10, True)
    solver = Solver(compile_system(system).problem, 5)
    solver.solve()
    assert max(solver.window) < UNBOUNDED
    assert max(solver.latency) == 113_000
    assert solver.allow(MOST_STEPS)
    monkeypatch.setattr(solving, "MOST_CLOSED", 0)
    monkeypatch.setattr(solving, "FEW_STEPS", 5)
    solution = solve(system)
    assert max(solution.solver.latency) == 44_000
    assert not solution.solver.allow(MOST_STEPS)
