"""Messages that go round in the engine, held against the definitions, and against their bounds."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta.simulation.attack.ways import ways_of
from ddsrta_simulator import simulator
from tests.effort import draws
from tests.simulation.oracle.choices import covered
from tests.simulation.oracle.compare import differs
from tests.simulation.test_engines import choices_of
from tests.soundness.bounds import bounds_of
from tests.soundness.rounds import rounds_system

pytestmark = pytest.mark.usefixtures("soon_over")

HORIZON = 1500


def test_the_engine_does_what_the_definitions_say():
    compared = 0
    for seed in range(draws(15, of=40)):
        system = rounds_system(seed)
        program = program_of(system)
        if covered(program):
            assert not differs(system, program, choices_of(program, seed), HORIZON), seed
            compared += 1
    assert compared > 11


def test_no_run_is_above_its_bound_and_all_bounds_are_checked():
    bounded = 0
    for seed in range(draws(15, of=40)):
        system = rounds_system(seed)
        result = ddsrta.analyze(system)
        assert (result.check.status, result.check.without) == ("confirmed", ())
        program = program_of(system)
        for number in range(6):
            choices = random_choices(program, number, HORIZON) if number else worst_choices(program)
            run = Run(program, choices)
            run.advance(2 * HORIZON)
            for measure, seen, bound in zip(
                program.measures, run.worst, bounds_of(program, result), strict=True
            ):
                assert bound < 0 or seen <= bound, (seed, measure)
                bounded += bound >= 0
    assert bounded > 1000


PINGPONG = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {ping: {size: 1B}, pong: {size: 1B}}
listeners: {L: {core: m/c, priority: 80}}
threads:
  start: {core: m/a, priority: 9, wcet: 1us, bcet: 1us, period: 1ms, publishes: [{topic: ping, delay: 0ns}]}
  wall: {core: m/b, priority: 8, wcet: 2us, bcet: 2us, subscribes: {topics: [ping], listener: L, delay: 0ns}, publishes: [{topic: pong, delay: 0ns}]}
  player: {core: m/a, priority: 7, wcet: 3us, bcet: 3us, subscribes: {topics: [pong], listener: L, delay: 0ns}, publishes: [{topic: ping, delay: 0ns, rounds: 5}]}
"""


@pytest.mark.parametrize("engine", ["compiled", "interpreted"])
def test_a_counter_ends_it(engine, monkeypatch):
    if engine == "interpreted":
        monkeypatch.setattr("ddsrta.simulation.run.Engine", simulator.Engine)
    program = program_of(ddsrta.loads(PINGPONG))
    run = Run(program, worst_choices(program))
    run.advance(10_000_000)
    rallies = run.counts[program.measures.index(("response", ("job", "start")))]
    for name in ("wall", "player"):
        number = program.measures.index(("response", ("job", name)))
        assert run.counts[number] == 6 * rallies > 0


def test_an_attack_follows_what_goes_round_a_few_times():
    program = program_of(ddsrta.loads(PINGPONG))
    ways = [way for found in ways_of(program) for way in found]
    assert len({way.stage for way in ways}) == len(program.stages)
    player = program.stages.index(("job", "player"))
    (way,) = (one for one in ways if one.stage == player)
    assert way.latest > way.best
