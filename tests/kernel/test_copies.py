"""What is compiled and what is interpreted agree where the order of copies is declared."""

from __future__ import annotations

import pytest

from ddsrta.bounds.compile import compile_system
from ddsrta_kernel import solver
from tests.soundness.declared_copies import all_declared

compiled = pytest.importorskip("ddsrta_kernel.compiled", reason="no compiled kernel was built here")
STEPS = 300


def test_what_is_compiled_equals_what_is_interpreted() -> None:
    systems = all_declared(range(200))
    for system in systems:
        problem = compile_system(system).problem
        fast, plain = compiled.Solver(problem, STEPS), solver.Solver(problem, STEPS)
        assert fast.solve() == plain.solve(), system.name
        for name in ("response", "latency", "window"):
            assert getattr(fast, name) == getattr(plain, name), (system.name, name)
    assert len(systems) > 10
