"""Random systems with the locks of Fast DDS: no run is above a bound, every certificate holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ddsrta import loads
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.models.document import to_document
from ddsrta.models.validate import validate
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from tests.effort import draws
from tests.soundness.bounds import bounds_of
from tests.soundness.middleware import fastdds_system
from tests.soundness.yaml_text import to_yaml

HORIZON = 6000
EACH = draws(2, of=5)  # of four parts


def exceeded(program, result, seed):
    """The measures of which a run saw more than the result claims, and how many it claims."""
    bounds = bounds_of(program, result)
    over = set()
    for number in range(3):
        choices = random_choices(program, 10 * seed + number, HORIZON // 2)
        run = Run(program, worst_choices(program) if number == 0 else choices)
        run.advance(HORIZON)
        over |= {
            measure
            for measure, bound, seen in zip(program.measures, bounds, run.worst, strict=True)
            if 0 <= bound < seen
        }
    return over, sum(bound >= 0 for bound in bounds)


@pytest.mark.parametrize("part", range(4))
def test_no_run_is_above_a_bound(part: int) -> None:
    claimed = 0
    for seed in range(EACH * part, EACH * part + EACH):
        system = fastdds_system(seed)
        assert validate(system) == []
        over, bounds = exceeded(program_of(system), analyze(system), seed)
        assert not over, f"seed {seed}"
        claimed += bounds
    assert claimed > 7 * EACH


def test_bounds_of_the_ten_rules_do_not_hold() -> None:
    over = 0
    for seed in range(draws(12, of=40)):
        system = fastdds_system(seed)
        found, _ = exceeded(program_of(system), analyze(replace(system, fastdds=None)), seed)
        over += len(found)
    assert over


def test_certificates_hold() -> None:
    for seed in range(100, 100 + draws(6, of=15)):
        verdict = check(certificate(fastdds_system(seed)))
        assert verdict.ok, f"seed {seed}: {verdict.failure}"


def test_systems_can_be_kept_as_files() -> None:
    for seed in range(20):
        system = fastdds_system(seed)
        assert to_document(loads(to_yaml(system))) == to_document(system)
