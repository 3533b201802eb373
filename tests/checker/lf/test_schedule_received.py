"""Starts of federates that wait for messages, worked out by the checker itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ddsrta.checker import check
from ddsrta.lf.bounds.schedulers.judge import SchedulerName
from ddsrta.lf.program.examples import CENTRALIZED, TWO_FEDERATES
from tests.checker.lf.test_rti import CYCLE
from tests.checker.lf.test_schedule import OWN, certificate, start
from tests.checker.lf.test_stp import ABSENT, RING
from tests.effort import draws
from tests.lf.bounds.schedulers.test_schedule_receivers import PHYSICAL
from tests.lf.run.simulation.classes import draw_class
from tests.lf.run.simulation.draw import draw

LATER = RING.replace("after: 5ms", "after: 8ms")
TARDY = TWO_FEDERATES.replace("inputs: [in]", "inputs: [in]\n    maxwait: 1ms")
CROWDED = TWO_FEDERATES.replace("front: {cores: 2", "front: {cores: 1").replace(
    "    host: front\n", "    host: front\n    workers: 2\n"
)
FOREVER = TWO_FEDERATES.replace("inputs: [in]", "inputs: [in]\n    maxwait: forever")
UNTOLD = CENTRALIZED.replace(" service: 10us", "")


def claiming(claimed: dict[str, Any], lag: int) -> dict[str, Any]:
    raw = start(claimed)
    raw.update(latest_start=lag, slack=raw["deadline"] - lag, met=lag <= raw["deadline"])
    met = all(row["met"] for row in claimed["columns"][0]["starts"])
    claimed["verdict"] = claimed["columns"][0]["verdict"] = "met" if met else "missed"
    return claimed


@pytest.mark.parametrize("source", [
    TWO_FEDERATES, ABSENT, LATER, CENTRALIZED, PHYSICAL,
    PHYSICAL.replace("  f:\n", "  f:\n    maxwait: 20ms\n"),
    CYCLE.replace("10us}", "10us, dnet: false}"),
])  # fmt: skip
@pytest.mark.parametrize("scheduler", OWN)
def test_a_nanosecond_less_is_refuted(source: str, scheduler: SchedulerName) -> None:
    claimed = certificate(source, [scheduler])
    verdict = check(claimed)
    assert (verdict.status, verdict.failure) == ("confirmed", None)
    lag = start(claimed)["latest_start"]
    assert lag
    assert check(claiming(claimed, lag - 1)).status == "refuted"
    assert check(claiming(claimed, lag + 1)).ok


@pytest.mark.parametrize(("source", "because"), [
    (TARDY, "can get tardy messages"), (CROWDED, "more workers than cores"),
    (FOREVER, "any time later"), (RING, "any time later"), (UNTOLD, "any time later"),
])  # fmt: skip
def test_no_bound_is_confirmed_where_there_is_none(source: str, because: str) -> None:
    claimed = certificate(source, ["np"])
    assert start(claimed)["latest_start"] is None
    assert check(claimed).ok
    verdict = check(claiming(claimed, 10**9))
    assert verdict.status == "refuted"
    assert because in (verdict.failure or "")


def test_all_that_is_found_is_confirmed() -> None:
    bounded = 0
    for seed in range(draws(5, of=16)):
        for federation in (draw(seed), draw(seed, "centralized", 5000), draw_class(seed)[0]):
            hosts = {name: replace(host, cores=None) for name, host in federation.hosts.items()}
            claimed = certificate(replace(federation, hosts=hosts), OWN)
            verdict = check(claimed)
            assert (verdict.status, verdict.failure) == ("confirmed", None), seed
            receivers = {c.target for c in federation.connections if not c.physical}
            bounded += sum(
                raw["latest_start"] is not None and raw["environment"] in receivers
                for column in claimed["columns"]
                for raw in column["starts"]
            )
    assert bounded > 9


def test_with_an_rti_the_first_tag_is_assumed_to_leave_time() -> None:
    """Its grant comes a way and back after the start, whatever runs where."""
    claimed = certificate(CENTRALIZED, OWN)
    for rule in ("first-grant", "net-told"):
        said = [other for other in claimed["assumptions"] if other != rule]
        assert len(said) < len(claimed["assumptions"])
        assert rule in (check({**claimed, "assumptions": said}).failure or "")
    assert "first-grant" not in certificate(TWO_FEDERATES, OWN)["assumptions"]
