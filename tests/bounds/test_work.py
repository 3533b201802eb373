"""How much work an analysis takes, by its size."""

import pytest

from ddsrta.bounds.assemble import present
from ddsrta.bounds.solve import solve
from ddsrta_kernel import Solver, solver
from tests.checker.test_work import path_of
from tests.effort import growth


@pytest.mark.parametrize("cores", [1, 10])
def test_a_chain_of_threads_takes_work_by_its_length(cores):
    def solving(count):
        system = path_of(count, cores, False)
        return lambda: solve(system)

    def presenting(count):
        solution = solve(path_of(count, cores, False))
        return lambda: present(solution)

    assert growth(solving, 100, 300) <= 1.4
    assert growth(presenting, 100, 300) <= 1.4


@pytest.mark.parametrize(("topics", "small"), [(False, 250), (True, 60)])
def test_a_chain_to_and_fro_takes_few_windows(topics, small):
    some, more = (solve(path_of(count, 10, topics)).solver.solved for count in (small, 2 * small))
    assert more <= (4 if topics else 2.3) * some


@pytest.mark.parametrize("topics", [False, True])
def test_the_kernel_finds_the_same_where_it_is_interpreted(topics):
    problem = solve(path_of(30, 3, topics)).compiled.problem
    one, other = Solver(problem), solver.Solver(problem)
    assert one.solve() == other.solve()
    assert list(one.response) == list(other.response)
    assert list(one.latency) == list(other.latency)
