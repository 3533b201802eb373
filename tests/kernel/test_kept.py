"""What a solver keeps of curves is what it would count anew."""

from __future__ import annotations

from typing import Any

import pytest

from casestudies.ars.graph import text, without
from ddsrta.bounds.compile import compile_system
from ddsrta.models.reader import loads
from ddsrta.models.system import System
from ddsrta_kernel import UNBOUNDED, curves, kin, memory, parts, phases, searches, solver, works
from ddsrta_kernel.structs import Kept, Node
from tests.bounds.test_growth import chain, fan, pairs, system
from tests.kernel.random_systems import random_system
from tests.soundness.draw import drawn

STEPS = 300
MS = 1_000_000


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
    known = [solved(one) for one in systems]
    assert {is_calm for _, is_calm in known} == {False, True}
    monkeypatch.setattr(memory, "Kept", Forgetful)
    monkeypatch.setattr(memory, "Node", ForgetfulNode)
    for one, (found, _) in zip(systems, known, strict=True):
        assert solved(one)[0] == found, one.name


@pytest.mark.parametrize("shape", [chain, pairs, fan], ids=lambda shape: shape.__name__)
def test_what_is_kept_of_ranges_is_not_out_of_date(
    shape: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long ranges are kept by halves: as if all of each were counted anew."""
    given, kept = system(shape, 80, 1), 0

    def is_kept(*asked: Any) -> bool:
        nonlocal kept
        kept += parts.is_kept(*asked)
        return parts.is_kept(*asked)

    for room in works, searches:
        monkeypatch.setattr(room, "is_kept", is_kept)
    known = solved(given)
    assert kept > 80
    for room in works, searches:
        monkeypatch.setattr(room, "is_kept", lambda *_: False)
    assert solved(given) == known


def test_what_is_looked_up_of_kin_is_what_each_of_them_brings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    systems = [system(chain, 60, 1), system(fan, 30, 1), system(fan, 40, 2)]
    systems += [*map(drawn, range(12)), *(random_system(seed, 0.3) for seed in range(60, 75))]
    asked = [0, 0]

    def one_by_one(found: Any, w: Any, *given: Any) -> Any:
        lined, w.lined, w.looks = w.lined, 0, phases.LOOKS
        again = found(w, *given)
        w.lined = lined
        return again

    def spared_of_event(*given: Any) -> int:
        asked[0] += 1
        found = kin.spared_of_event(*given)
        assert found == one_by_one(phases.spared, *given)
        return found

    def phase_beyond(w: Any, phase: int) -> int:
        asked[1] += 1
        found = kin.phase_beyond(w, phase)
        head = phases.next_phase(w, phase, w.system.place[w.group.head].before)
        assert min(found, head) == one_by_one(phases.phase_after, w, phase)
        return found

    monkeypatch.setattr(kin, "PART", 2)
    monkeypatch.setattr(phases, "LOOKS", 1)
    monkeypatch.setattr(phases, "spared_of_event", spared_of_event)
    monkeypatch.setattr(phases, "phase_beyond", phase_beyond)
    for one in systems:
        solver.Solver(compile_system(one).problem, STEPS).solve()
    assert min(asked) > 500, asked


SETS = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {left: {size: 1kB}, right: {size: 1kB}}
delays: {publisher: {1kB: 10us}, listener: {1kB: 10us}}
listeners: {L: {core: m/b, priority: 90}}
threads:
  one: {core: m/a, priority: 60, wcet: 1ms, period: 10ms, publishes: [{topic: left, mode: sync}]}
  other: {core: m/a, priority: 50, wcet: 1ms, period: 10ms, publishes: [{topic: right, mode: sync}]}
  both:
    core: m/b
    priority: 50
    wcet: 1ms
    subscribes:
      {topics: [left, right], listener: L, activation: and, synchronize: approximate_time, queue: 5}
"""


def test_sets_count_the_same_for_as_long_as_the_input_that_decides_how_many_there_are() -> None:
    # What has no bound comes each ns: a window longer by one has more of it, and no more sets.
    found = solver.Solver(compile_system(loads(SETS)).problem)
    found.solve()
    s = found.system
    sets = next(n for n in range(s.problem.nodes) if s.node[n].kept < UNBOUNDED)
    late = s.node[sets].c
    s.entry_shift[late] = s.entry_paced[late] = UNBOUNDED
    s.node[sets].filled = 0
    window = 25 * MS
    one = curves.joined_span(s, sets, window)
    assert one.least <= window and one.most >= window + 3 * MS
    for longer in (window + 1, (window + one.most) // 2, one.most):
        s.node[sets].filled = 0
        assert curves.joined_span(s, sets, longer).events == one.events
    s.node[sets].filled = 0
    assert curves.joined_span(s, sets, one.most + 1).events > one.events
