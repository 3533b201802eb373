"""Locks that are not handed over: what an attack finds, and who may be woken."""

from __future__ import annotations

from random import Random

import pytest

import ddsrta
from ddsrta.simulation import Run, program_of
from ddsrta.simulation.attack.attack import attack
from ddsrta.simulation.attack.draw import drawn
from ddsrta_simulator import Measure
from ddsrta_simulator.program import BEST, RANDOM, WORST
from tests.bounds.test_locks import starved


def test_an_attack_finds_that_a_thread_is_starved_of_the_send_mutex() -> None:
    """Each of two holds of 600 us, and a gap of 400 us behind it; 10 us for the one that was woken, 20
    us of its own, of which 1 us may be before the first hold."""
    system = ddsrta.loads(starved(2))
    measure = Measure("response", ("job", "victim"))
    found = attack(system, measure, 8, runs=2000).worst
    assert 2_031_000 <= found <= ddsrta.analyze(system).threads["victim"].wcrt


@pytest.mark.parametrize("habit", [WORST, BEST, RANDOM])
def test_a_release_wakes_the_most_urgent_the_least_urgent_or_any(habit: int) -> None:
    system = ddsrta.loads(starved(5))
    program = program_of(system)
    (number,) = [i for i, what in enumerate(program.decisions) if what[0] == "wake"]
    responses = set()
    for seed in range(8):
        choices = drawn(program, Random(seed), 1000)
        choices.decision_habit[number] = habit
        run = Run(program, choices)
        run.advance(20_000_000)
        responses.add(tuple(run.worst))
    assert len(responses) > 1
