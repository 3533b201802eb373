"""Locks that are not handed over: no run, and no attack that knows of them, is above a bound."""

from __future__ import annotations

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.models.validate import validate
from ddsrta.simulation import program_of
from tests.effort import draws
from tests.soundness.barging import barging_system
from tests.soundness.test_middleware import exceeded

SYSTEMS = draws(15, of=40)


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
