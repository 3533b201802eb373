"""What a solver keeps of curves is what it would count anew."""

from __future__ import annotations

import pytest

from casestudies.ars.graph import text, without
from ddsrta.bounds.compile import compile_system
from ddsrta.models.reader import loads
from ddsrta.models.system import System
from ddsrta_kernel import memory, solver
from ddsrta_kernel.structs import Kept, Node
from tests.kernel.random_systems import random_system
from tests.soundness.draw import drawn

STEPS = 300


class Forgetful(Kept):
    """A range in which no window is."""

    @property
    def most(self):
        return 0

    @most.setter
    def most(self, value):
        pass


class ForgetfulNode(Node):
    """Asked for nothing so far."""

    @property
    def asked(self):
        return 0

    @asked.setter
    def asked(self, value):
        pass


def solved(system: System) -> tuple[object, ...]:
    """All that is found, and whether sources are far apart."""
    found = solver.Solver(compile_system(system).problem, STEPS)
    answer = found.solve()
    return (answer, found.response, found.latency, found.window), found.system.is_calm


def test_nothing_that_is_kept_is_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = loads(text(without(5), every_path=True), "5 chains")
    systems = [reference, *map(drawn, range(10))]
    systems += [random_system(seed, 0.8) for seed in range(30)]
    systems += [drawn(11), drawn(20), random_system(71, 0.3)]  # sums of levels get out of date
    known = [solved(system) for system in systems]
    assert {is_calm for _, is_calm in known} == {False, True}
    monkeypatch.setattr(memory, "Kept", Forgetful)
    monkeypatch.setattr(memory, "Node", ForgetfulNode)
    for system, (found, _) in zip(systems, known, strict=True):
        assert solved(system)[0] == found, system.name
