"""A search that is ended before its fixed point, and one that is asked whether it is to end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ddsrta.bounds.compile import compile_system
from ddsrta_kernel import UNBOUNDED, Problem, Solver, problem
from ddsrta_kernel.solver import Solver as Interpreted
from tests.kernel.random_systems import random_system


class Stop:
    """Says that it is to end when it is asked for the n-th time."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def after(system: Problem, windows: int) -> Interpreted:
    """Interpreted, where every evaluation asks."""
    solver = Interpreted(system, 2000, Stop(windows))
    solver.solve()
    return solver


@pytest.fixture(autouse=True)
def _asking_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddsrta_kernel.works.ASKS", 1)


def test_what_is_not_finished_is_unbounded_and_the_rest_is_what_it_is_without_a_limit() -> None:
    kept = lost = 0
    for seed in range(12):
        compiled = compile_system(random_system(seed, 0.5)).problem
        full = Solver(compiled, 2000)
        full.solve()
        assert not full.stopped
        for windows in (0, 3, 10, 30, 100, 300):
            part = after(compiled, windows)
            for name in ("response", "latency"):
                for found, wanted in zip(getattr(part, name), getattr(full, name), strict=True):
                    assert found in (wanted, UNBOUNDED), (seed, windows, name)
                    kept += found == wanted < UNBOUNDED
                    lost += found != wanted
    assert kept > 100 and lost > 100


def test_after_the_end_no_other_window_has_a_bound() -> None:
    compiled = compile_system(random_system(1, 0.3)).problem
    solver = after(compiled, 0)
    assert solver.stopped
    assert {solver.evaluate(unit).latency for unit in range(len(compiled))} == {UNBOUNDED}


@pytest.mark.parametrize("kind", [Solver, Interpreted])
def test_what_is_raised_when_it_asks_ends_it(kind: Callable[..., Interpreted]) -> None:
    def interrupt() -> bool:
        raise KeyboardInterrupt

    compiled = compile_system(random_system(1, 0.3)).problem
    with pytest.raises(KeyboardInterrupt):
        kind(compiled, problem.MOST_STEPS, interrupt).solve()
