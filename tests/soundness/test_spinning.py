"""Threads preempted in write() and under locks of queues: no run is above a bound."""

from __future__ import annotations

from random import Random

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.checker.check import check
from ddsrta.models.validate import validate
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.attack.draw import drawn
from ddsrta.simulation.attack.lining import lined_up
from tests.effort import draws
from tests.soundness.bounds import bounds_of
from tests.soundness.spinning import spinning_system
from tests.soundness.test_middleware import exceeded

SYSTEMS = draws(15, of=40)
HORIZON = 3000


def seen(program, seed: int, most: int) -> list[int]:
    """The most of each measure in some runs."""
    worst = [-1] * len(program.measures)
    for number in range(most):
        random = Random(100 * seed + number)
        choices = random_choices(program, 10 * seed + number, HORIZON // 2)
        if number % 3:
            draw = drawn if number % 3 == 1 else lined_up
            choices = draw(program, random, random.randrange(300))
        run = Run(program, choices)
        run.advance(HORIZON)
        worst = [max(pair) for pair in zip(worst, run.worst, strict=True)]
    return worst


def test_no_run_is_above_a_bound() -> None:
    claimed = 0
    for seed in range(SYSTEMS):
        system = spinning_system(seed)
        assert validate(system) == [], f"seed {seed}"
        program, result = program_of(system), analyze(system)
        over, bounds = exceeded(program, result, seed)
        assert not over, f"seed {seed}"
        runs = seen(program, seed, 12)
        for bound, most in zip(bounds_of(program, result), runs, strict=True):
            assert bound < 0 or most <= bound, f"seed {seed}"
        claimed += bounds
    assert claimed > 5 * SYSTEMS


def test_bounds_without_spinning_do_not_hold(monkeypatch) -> None:
    for term in ("spinning", "stalled"):
        monkeypatch.setattr(f"ddsrta.bounds.locks.waits._Waiting.{term}", lambda *_: 0)
    over = 0
    for seed in range(SYSTEMS):
        program = program_of(spinning_system(seed))
        bounds = bounds_of(program, present(solve(spinning_system(seed))))
        runs = seen(program, seed, 12)
        over += any(0 <= bound < most for bound, most in zip(bounds, runs, strict=True))
    assert over > 0


def test_certificates_hold() -> None:
    for seed in range(SYSTEMS):
        verdict = check(certificate(spinning_system(seed)))
        assert verdict.ok, f"seed {seed}: {verdict.failure}"
