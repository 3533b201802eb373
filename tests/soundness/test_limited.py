"""Random systems with limits of bytes and reservations: no run is above a bound, and every certificate
holds."""

from __future__ import annotations

import pytest

from ddsrta import loads
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.locks.limits import Sleeping
from ddsrta.bounds.solve import solve
from ddsrta.checker.check import check
from ddsrta.models.document import to_document
from ddsrta.models.validate import validate
from ddsrta.simulation import program_of
from tests.effort import draws
from tests.soundness.limited import limited_system
from tests.soundness.test_middleware import exceeded
from tests.soundness.yaml_text import to_yaml

pytestmark = pytest.mark.usefixtures("soon_over")
EACH = draws(3, of=7)  # of four parts


@pytest.mark.parametrize("part", range(4))
def test_no_run_is_above_a_bound(part: int) -> None:
    claimed = 0
    for seed in range(EACH * part, EACH * part + EACH):
        system = limited_system(seed)
        assert validate(system) == []
        over, bounds = exceeded(program_of(system), analyze(system), seed)
        assert not over, f"seed {seed}"
        claimed += bounds
    assert claimed > 7 * EACH


def test_bounds_without_the_sleep_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sleeping, "asleep", lambda *_: 0)
    over = 0
    for seed in range(draws(15, of=60)):
        system = limited_system(seed)
        found, _ = exceeded(program_of(system), present(solve(system)), seed)
        over += len(found)
    assert over


def test_certificates_hold() -> None:
    for seed in range(100, 100 + draws(6, of=15)):
        verdict = check(certificate(limited_system(seed)))
        assert verdict.ok, f"seed {seed}: {verdict.failure}"


def test_a_certificate_that_sleeps_too_little_is_refuted() -> None:
    refuted = 0
    for seed in range(10):
        claims = certificate(limited_system(seed))
        for stage in claims["stages"]:
            first = stage.get("waits", [0, 0])[1]
            if first and stage["response"] is not None:
                stage["waits"][1] = first - 1
                refuted += 1
                assert not check(claims).ok, f"seed {seed}"
                stage["waits"][1] = first
    assert refuted >= 10


def test_systems_can_be_kept_as_files() -> None:
    for seed in range(20):
        system = limited_system(seed)
        assert to_document(loads(to_yaml(system))) == to_document(system)
