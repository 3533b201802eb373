"""Twice the threads on as many cores are hardly more than twice the work of the fixed point, in
calls of the interpreter: what many windows of a core count is not counted for each of them."""

from __future__ import annotations

from typing import Any

import pytest

from ddsrta.bounds.compile import compile_system
from ddsrta_kernel import solver
from tests.bounds.test_growth import pairs, system
from tests.effort import growth

MOST = 1.35  # times as much for each thread as at half of the size


def solved(shape: Any, count: int) -> Any:
    """What it takes to solve so many threads on two cores, without what it takes to read them."""
    found = solver.Solver(compile_system(system(shape, count, 2)).problem)
    return found.solve


@pytest.mark.parametrize("shape", [pairs], ids=lambda shape: shape.__name__)
def test_windows_of_a_core_count_once_what_they_share(shape: Any) -> None:
    """Each summed up all units that preempt it, and all of its queue: 1.9 times as much."""
    assert growth(lambda count: solved(shape, count), 200, 400) < MOST
