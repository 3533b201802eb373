"""How much work a check takes: what groups confirm, and units that cannot matter, take none."""

import pytest

from ddsrta.analysis.certificate import certificate
from ddsrta.checker import budget, chains, check, points, streams
from ddsrta_kernel import Solver, twin
from tests.checker.varied import varied_system
from tests.soundness.draw import drawn


@pytest.mark.skipif(Solver is twin.Solver, reason="busy systems take long without compiling")
@pytest.mark.parametrize(
    ("seed", "kind", "most"),
    [
        (1, "any", 400_000),
        (1, "chains", budget.TOTAL),
        (44, "chains", 1_500_000),
        (55, "synchronized", 1_500_000),
    ],
)
def test_busy_systems_are_confirmed_with_little_work(seed, kind, most, monkeypatch):
    monkeypatch.setattr(budget, "TOTAL", most)
    verdict = check(certificate(drawn(seed, kind)))
    assert verdict.ok, verdict.failure


def systems():
    yield from (varied_system(seed, 0.3) for seed in range(12))
    for kind in ("small", "focused", "ros2", "synchronized"):
        yield from (drawn(seed, kind) for seed in range(6))


@pytest.fixture(scope="module")
def found():
    return [certificate(system) for system in systems()]


def figures(claims, monkeypatch):
    """All that the checker finds for paths."""
    values = []
    monkeypatch.setattr(chains, "compare_with", lambda what, claimed, value: values.append(value))
    assert check(claims).ok
    return values


def test_units_without_a_look_would_not_change_a_figure(found, monkeypatch):
    looked = []
    kept = points.Points.later

    def at_once(self, key, make):
        kept(self, key, make)
        self.look([key])
        looked.extend(self.found.get(key, ()))

    monkeypatch.setattr(points.Points, "later", at_once)
    some = [figures(claims, monkeypatch) for claims in found]
    few = len(looked)
    monkeypatch.setattr(streams.Streams, "spacings", lambda self, key: None)
    assert [figures(claims, monkeypatch) for claims in found] == some
    assert len(looked) > 2 * few


def test_a_window_that_a_path_needs_and_that_takes_too_long_is_named_a_limit(monkeypatch):
    claims = certificate(drawn(4, "small"))
    monkeypatch.setattr(budget.Budget, "renew_spare", lambda self: setattr(self, "stage", 0))
    failure = check(claims).failure
    assert failure.startswith("message ")
    assert failure.endswith(": cannot be confirmed within the limits of work")
