"""Locks that are not handed over: no run, and no attack that knows of them, is above a bound."""

from __future__ import annotations

from random import Random

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.models.validate import validate
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.attack.draw import drawn
from ddsrta_simulator.twin import Engine
from tests.soundness.barging import barging_system
from tests.soundness.test_middleware import exceeded

SYSTEMS = 40


def test_no_run_is_above_a_bound() -> None:
    claimed = 0
    for seed in range(SYSTEMS):
        system = barging_system(seed)
        assert validate(system) == [], f"seed {seed}"
        over, bounds = exceeded(program_of(system), analyze(system), seed)
        assert not over, f"seed {seed}"
        claimed += bounds
    assert claimed > 10 * SYSTEMS


def test_certificates_hold() -> None:
    for seed in range(SYSTEMS):
        verdict = check(certificate(barging_system(seed)))
        assert verdict.ok, f"seed {seed}: {verdict.failure}"


def test_both_engines_wake_the_same() -> None:
    for seed in range(12):
        program = program_of(barging_system(seed))
        for choices in (random_choices(program, seed, 3000), drawn(program, Random(seed), 500)):
            run, twin = Run(program, choices), Engine(program, choices)
            run.advance(6000)
            twin.advance(6000)
            assert list(run.worst) == list(twin.measured.worst), f"seed {seed}"
