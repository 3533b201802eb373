"""The engine does what the definitions say: held against `tests/simulation/oracle` on drawn systems."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ddsrta.simulation import Run, program_of, random_choices
from ddsrta_simulator.program import CLOSED, OPENED, TRACE
from ddsrta_simulator.simulator import Engine
from tests.effort import draws
from tests.simulation.oracle.choices import covered, releases
from tests.simulation.oracle.compare import differs
from tests.simulation.test_engines import HORIZON, choices_of, drawn

SYSTEMS = draws(20, of=60)  # of each part
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_the_engine_does_what_the_definitions_say(part):
    compared = 0
    for seed in range(SYSTEMS * part, SYSTEMS * part + SYSTEMS):
        system = drawn(seed)
        program = program_of(system)
        if covered(program):
            assert not differs(system, program, choices_of(program, seed), HORIZON), seed
            compared += 1
    assert compared > 0.7 * SYSTEMS


def test_an_engine_that_does_otherwise_is_noticed(monkeypatch):
    """One that forgets who was ready first."""
    monkeypatch.setattr(Engine, "wake", _at_the_head)
    monkeypatch.setattr("ddsrta.simulation.run.Engine", Engine)
    found = []
    for seed in range(20):
        system = drawn(seed)
        program = program_of(system)
        if covered(program):
            found.append(differs(system, program, choices_of(program, seed), HORIZON))
    assert any("by the engine" in each for each in found) and not all(found)


def _at_the_head(engine, server):
    supply = engine.p.server_supply[server]
    before, following = -1, engine.supply_ready[supply]
    urgency = engine.p.server_priority
    while following >= 0 and urgency[following] > urgency[server]:
        before, following = following, engine.next_ready[following]
    engine.awake[server] = 1
    engine.next_ready[server] = following
    if before < 0:
        engine.supply_ready[supply] = server
    else:
        engine.next_ready[before] = server


def test_sources_release_as_their_arrival_models_allow():
    seen = 0
    for seed in range(100):
        system = drawn(seed)
        program = program_of(system)
        given = releases(program, choices_of(program, seed), 2 * HORIZON)
        for name, own in zip(program.sources, given, strict=True):
            if name not in system.threads:
                continue
            times, arrival = [time for time, _ in own], system.threads[name].arrival
            for count in range(2, min(8, len(times) + 1)):
                closest = min(b - a for a, b in zip(times, times[count - 1 :], strict=False))
                assert closest >= arrival.least_distance(count), (seed, name)
            assert all(a <= b for a, b in pairwise(times))
            seen += len(times)
    assert seen > 5000


def test_reservations_serve_their_budget_in_each_period():
    seen = 0
    for seed in range(60):
        program = program_of(drawn(seed))
        choices = random_choices(program, seed, HORIZON)
        run = Run(program, choices, trace=10**6)
        run.advance(HORIZON)
        rows = run.take_trace()
        for supply, budget in enumerate(program.supply_budget):
            if budget and not program.supply_serves[supply]:
                period = program.supply_period[supply]
                served = [0] * HORIZON
                for begin, end in _intervals(rows, supply):
                    served[begin:end] = [1] * (end - begin)
                first = choices.supply_phase[supply] % period
                for start in range(first, HORIZON - period, period):
                    assert sum(served[start : start + period]) == budget, (seed, supply)
                    seen += 1
    assert seen > 100


def _intervals(rows, supply):
    begin = None
    for time, kind, what, *_ in zip(*(rows[i::TRACE] for i in range(TRACE)), strict=True):
        if what == supply and kind == OPENED:
            begin = time
        elif what == supply and kind == CLOSED:
            yield begin, time
            begin = None
    if begin is not None:
        yield begin, HORIZON
