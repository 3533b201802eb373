"""No run of systems of bursts and joins is above a bound that counts by number (lemma
bursts-once)."""

from __future__ import annotations

import pytest

from ddsrta.bounds.assemble import present
from ddsrta.bounds.solve import solve
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.effort import draws
from tests.soundness.attack import attack, span_of, violations
from tests.soundness.bounds import bounds_of
from tests.soundness.bursts import bursts_system

SYSTEMS = draws(16, of=40)
PARTS = 4


@pytest.mark.parametrize("first", range(PARTS))
def test_no_run_is_above_a_bound(first):
    compared = paced = 0
    for seed in range(first, SYSTEMS, PARTS):
        system = bursts_system(seed)
        solution = solve(system, most_steps=5000)
        program = program_of(system)
        bounds = bounds_of(program, present(solution))
        wanted = [measure for measure, bound in enumerate(bounds) if bound >= 0]
        hints, span = hints_of(solution, program, wanted), span_of(system, program, bounds)
        worst = attack(program, bounds, seed, Budget(runs=60, events=200_000), span, hints=hints)
        assert not violations(worst, bounds), seed
        compared += len(wanted)
        stages = range(len(solution.compiled.stages))
        paced += sum(solution.paced(n) != solution.latency(n) for n in stages)
    assert compared > 2 * SYSTEMS
    assert paced
