"""The kernel is the same compiled and interpreted, on everything that a system can be."""

from __future__ import annotations

import gc
from array import array
from pathlib import Path

import pytest

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.examples import two_threads
from ddsrta.models.validate import validate
from ddsrta_kernel import UNBOUNDED, Problem, solver
from ddsrta_kernel.curves import node_count, node_distance
from ddsrta_kernel.problem import MAXIMUM
from tests.checker.executors import executor_system
from tests.kernel.random_systems import random_system
from tests.soundness.middleware import fastdds_system
from tests.soundness.synchronized import synchronized_system

compiled = pytest.importorskip("ddsrta_kernel.compiled", reason="no compiled kernel was built here")
CORPUS = Path(__file__).parents[1] / "soundness" / "corpus"
STEPS = 500  # enough for these systems, and soon over where they have no bound
SYSTEMS = 60
KINDS = [compiled.Solver, solver.Solver]


@pytest.mark.parametrize("load", [0.5, 0.8, 1.2])
def test_what_is_compiled_equals_what_is_interpreted(load: float) -> None:
    kinds: set[int] = set()
    unbounded = 0
    for seed in range(SYSTEMS):
        system = random_system(seed, load)
        assert validate(system) == [], seed
        problem = compile_system(system).problem
        fast, plain = compiled.Solver(problem, STEPS), solver.Solver(problem, STEPS)
        assert fast.solve() == plain.solve(), seed
        for name in ("response", "latency", "window"):
            assert getattr(fast, name) == getattr(plain, name), (seed, name)
        for unit in range(len(problem)):
            if not problem.is_load[unit]:
                assert fast.evaluate(unit) == plain.evaluate(unit), (seed, unit)
                assert fast.evaluate(unit, unit, 0) == plain.evaluate(unit, unit, 0), (seed, unit)
            assert [fast.count(unit, w) for w in (0, 1, 37, 10**6, UNBOUNDED)] == [
                plain.count(unit, w) for w in (0, 1, 37, 10**6, UNBOUNDED)
            ]
        kinds |= set(problem.relation_kind)
        unbounded += max(fast.response) >= UNBOUNDED
    assert kinds == {0, 1, 2, 3, 4, 5}, "the systems must exercise every relation"
    assert 0 < unbounded < SYSTEMS


def test_the_same_holds_of_executors() -> None:
    effects = 0
    for seed in range(SYSTEMS // 2):
        problem = compile_system(executor_system(seed)).problem
        fast, plain = compiled.Solver(problem, STEPS), solver.Solver(problem, STEPS)
        assert fast.solve() == plain.solve(), seed
        for name in ("response", "latency", "window"):
            assert getattr(fast, name) == getattr(plain, name), (seed, name)
        effects += len(problem.effect_unit)
    assert effects, "some callbacks must take turns with what they wait for"


def test_the_least_distance_of_a_junction_is_the_inverse_of_its_curve() -> None:
    joins = 0
    for seed in range(SYSTEMS):
        problem = compile_system(random_system(seed, 0.8)).problem
        found = solver.Solver(problem, STEPS)
        found.solve()
        s = found.system
        for node, kind in enumerate(problem.node_kind):
            for count in range(2, 9) if kind == MAXIMUM else ():
                distance = node_distance(s, node, count)
                if distance < UNBOUNDED // 2:
                    joins += 1
                    assert node_count(s, node, distance + 1) >= count, (seed, node, count)
                    assert node_count(s, node, distance) < count, (seed, node, count)
    assert joins


def test_tandems_are_equal_compiled_and_interpreted() -> None:
    later = earlier = unbounded = 0
    for seed in range(SYSTEMS):
        compiled_system = compile_system(random_system(seed, 0.7))
        problem, unit = compiled_system.problem, compiled_system.unit_of
        fast, plain = compiled.Solver(problem, STEPS), solver.Solver(problem, STEPS)
        assert fast.solve() == plain.solve(), seed
        for number in range(len(compiled_system.stages)):
            tandem = compiled_system.tandems.before(number)
            if tandem is None:
                continue
            way = unit[tandem.first], unit[tandem.last], tandem.worst, tandem.link
            arrived = min(UNBOUNDED, fast.response[way[0]] + tandem.worst)
            fed = tandem.rates, tandem.feeds
            for origin, before in ((way[0], (0, arrived)), (-1, tuple(map(fast.before, way[:2])))):
                found = fast.evaluate_tandem(way, *fed, origin, before)
                assert found == plain.evaluate_tandem(way, *fed, origin, before), seed
                later += UNBOUNDED > found.late.latency > found.early.latency
                earlier += UNBOUNDED > found.early.latency > found.late.latency
                unbounded += found.late.latency >= UNBOUNDED
    assert later and earlier and unbounded


def _single(cost: int, period: int, budget: int = 0, supply_period: int = 0) -> Problem:
    """One unit alone on a supply."""
    problem = Problem()
    late = 2 * (supply_period - budget)
    problem.rows("supply", "first last budget period late", [(0, 1, budget, supply_period, late)])
    problem.rows("node", "kind a", [(0, period)])
    problem.rows(
        "unit",
        "cost supply node multiplicity best reach_first reach_last",
        [(cost, 0, 0, 1, 0, 0, 1)],
    )
    problem.rows("user", "unit", [(0,)])
    problem.user_start.extend([0, 1])
    for name in ("relation_start", "edge_start", "dependent_start", "later_start", "effect_start"):
        getattr(problem, name).extend([0, 0])
    return problem


@pytest.mark.parametrize("kind", KINDS)
def test_overflow_is_unbounded_and_never_wraps(kind: type) -> None:
    for cost in (UNBOUNDED - 1, UNBOUNDED, (1 << 62) - 1):
        kernel = kind(_single(cost, 1 << 62))
        kernel.solve()
        # One unit of almost the limit is still a number; its second would not be.
        assert kernel.response[0] == cost if cost < UNBOUNDED else kernel.response[0] >= UNBOUNDED
    kernel = kind(_single(10, 1 << 40, budget=1, supply_period=UNBOUNDED - 1))
    kernel.solve()
    assert kernel.response[0] >= UNBOUNDED


@pytest.mark.parametrize("kind", KINDS)
def test_load_above_the_supply_is_unbounded(kind: type) -> None:
    kernel = kind(_single(7, 10, budget=3, supply_period=5))
    kernel.solve()
    assert kernel.response[0] >= UNBOUNDED
    kernel = kind(_single(5, 10, budget=3, supply_period=5))
    kernel.solve()
    # 2·(5 - 3) = 4 without supply, 3 served until 7, the other 2 from 9 to 11. The second starts
    # behind it and has 1 served until 12, then 3 from 14 to 17, 1 from 19: at 20, 10 after it came.
    assert kernel.response[0] == 11


def test_what_comes_first_in_a_window_is_the_same_in_both() -> None:
    """Waits for locks (lemma sleeping-window), in windows that open with the level and with the
    unit itself."""
    own = level = 0
    for seed in range(20):
        problem = solve(fastdds_system(seed)).compiled.problem
        fast, plain = compiled.Solver(problem, STEPS), solver.Solver(problem, STEPS)
        assert fast.solve() == plain.solve(), seed
        for name in ("response", "latency", "window"):
            assert getattr(fast, name) == getattr(plain, name), (seed, name)
        for unit, extra in enumerate(problem.extra):
            if 0 < extra < UNBOUNDED and fast.response[unit] < UNBOUNDED:
                first, last = problem.relation_start[unit : unit + 2]
                kinds = set(problem.relation_kind[first:last])
                own += kinds <= {0} or 4 in kinds
                level += bool(kinds & {1, 2, 5})
    assert own > 10 and level > 10


def test_what_is_solved_is_a_fixed_point() -> None:
    """Whatever a unit counts of another one is what was found of it in the end."""
    systems = [random_system(seed, 0.8) for seed in range(SYSTEMS)]
    systems += [executor_system(seed) for seed in range(SYSTEMS // 2)]
    systems += [synchronized_system(seed) for seed in range(SYSTEMS // 2)]
    systems += [ddsrta.load(CORPUS / "inline_callback_grows.yaml")]
    plain = Refinements.none()  # without groups, of which the least counts
    bounded = 0
    for number, system in enumerate(systems):
        problem = compile_system(system, plain).problem
        solver = compiled.Solver(problem, STEPS)
        solver.solve()
        for unit, response in enumerate(solver.response):
            if response < UNBOUNDED and not problem.is_load[unit]:
                bounded += 1
                again = solver.evaluate(unit)
                assert (again.response, again.latency) == (response, solver.latency[unit]), number
    assert bounded > SYSTEMS


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_given_up_has_no_bound_nor_has_what_it_delays(kind: type[solver.Solver]) -> None:
    problem = compile_system(two_threads()).problem
    known, other = kind(problem), kind(problem)
    known.solve()
    other.give_up([0])
    other.solve()
    assert max(known.response) < UNBOUNDED
    assert min(other.response[0], other.latency[0]) >= UNBOUNDED
    assert all(more >= least for more, least in zip(other.latency, known.latency, strict=True))


def test_arrays_keep_their_length_while_a_solver_has_them() -> None:
    problem = compile_system(two_threads()).problem
    held = compiled.Solver(problem)
    with pytest.raises(BufferError):
        problem.cost.append(1)
    del held
    problem.cost.append(1)


def test_other_numbers_are_refused() -> None:
    problem = compile_system(two_threads()).problem
    problem.cost = array("d", problem.cost)
    with pytest.raises(TypeError, match="64 bits"):
        compiled.Solver(problem)


def test_the_collector_looks_at_no_array_twice() -> None:
    problem = compile_system(two_threads()).problem
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        held = compiled.Solver(problem)
        more = len(gc.get_objects()) - before
    finally:
        gc.enable()
    assert held.solve()
    assert more < 20 < len(Problem.columns)
