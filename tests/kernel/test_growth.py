"""Twice the threads on as many cores are hardly more than twice the work of the fixed point, in
calls of the interpreter: what many windows of a core count is not counted for each of them."""

from __future__ import annotations

from typing import Any

import pytest

from ddsrta.bounds.compile import compile_system
from ddsrta_kernel import phases, solver
from tests.bounds.test_growth import chain, pairs, system
from tests.effort import calls, growth

MOST = 1.35  # times as much for each thread as at half of the size


def solved(shape: Any, count: int) -> Any:
    """What it takes to solve so many threads on two cores, without what it takes to read them."""
    found = solver.Solver(compile_system(system(shape, count, 2)).problem)
    return found.solve


def test_windows_of_a_core_count_once_what_they_share() -> None:
    """Each summed up all units that preempt it, and all of its queue: 1.9 times as much."""
    assert growth(lambda count: solved(pairs, count), 200, 400) < MOST


def test_phases_look_up_what_one_event_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each summed up all that follows the same source: that takes four times as much."""
    known = calls(solved(chain, 120))
    monkeypatch.setattr(phases, "LOOKS", 1_000_000)
    assert 3 * known < calls(solved(chain, 120))
