"""How much work an analysis takes, by its size."""

import pytest

from ddsrta.analysis.assemble import present
from ddsrta.analysis.solve import solve
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
