"""Certificates of `ddsrta lf schedule`: what is true is confirmed, and nothing better than that."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ddsrta.checker import CertificateError, check
from ddsrta.checker.budget import Budget, ExhaustedError
from ddsrta.checker.lf.windows import in_time
from ddsrta.lf.bounds.schedulers.certificate import schedule_certificate
from ddsrta.lf.bounds.schedulers.judge import SchedulerName, schedule
from ddsrta.lf.program.federation import SHORT_WAIT, Federation
from ddsrta.lf.program.reader import loads
from tests.effort import draws
from tests.lf.bounds.schedulers import test_schedulers_linux as linux
from tests.lf.bounds.schedulers import test_schedulers_own as own
from tests.lf.run.simulation.classes import draw_class
from tests.lf.run.simulation.draw import draw

OWN: list[SchedulerName] = ["np", "gedf-np"]
LINUX: list[SchedulerName] = ["fifo", "deadline-monotonic", "edf"]
TASKS = """\
federation: 1
coordination: decentralized
hosts: {pi: {cores: 1}}
federates:
  control:
    host: pi
    overhead: 1ms
    timers: {tick: {period: 50ms}}
    outputs: [done]
    reactions:
      work: {reactor: task, triggers: [tick], effects: [done], wcet: 30ms, always: true}
      end: {reactor: check, triggers: [done], wcet: 0 ms, deadline: 45ms}
  sensor:
    host: pi
    timers: {tick: {period: 25ms, offset: 1ms}}
    outputs: [done]
    reactions:
      work: {reactor: task, triggers: [tick], effects: [done], wcet: 3ms, always: true}
      end: {reactor: check, triggers: [done], wcet: 0 ms, deadline: 23ms}
"""
LONE = TASKS.replace("period: 50ms", "period: 50000001ns").replace(
    "period: 25ms", "period: 24999983ns"
)
CORES = TASKS.replace("cores: 1", "cores: 2")


def certificate(
    source: str | Federation, schedulers: list[SchedulerName], workers: tuple[int, ...] = ()
) -> dict[str, Any]:
    federation = loads(source, "f.yaml") if isinstance(source, str) else source
    federation = replace(federation, short_wait=SHORT_WAIT)
    report = schedule(federation, schedulers, workers)
    found: dict[str, Any] = json.loads(json.dumps(schedule_certificate(report)))
    return found


def start(claimed: dict[str, Any], column: int = 0, row: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = claimed["columns"][column]["starts"][row]
    return found


def test_known_starts_are_confirmed() -> None:
    claimed = certificate(TASKS, ["deadline-monotonic", "edf"])
    verdict = check(claimed)
    assert (verdict.status, verdict.claims) == (
        "confirmed", "claimed: met; 4 of 4 deadlines and chains met",
    )  # fmt: skip
    figures = [start(claimed, column, row) for column in (0, 1) for row in (0, 1)]
    lags = [raw["latest_start"] for raw in figures]
    assert lags == [37_000_000, 3_000_000, 34_000_000, 11_000_000]


def test_what_is_found_is_never_refuted() -> None:
    statuses = set()
    for seed in range(draws(4, of=12)):
        random = Random(seed)
        cases = [(linux.draw(random), OWN + LINUX), (draw(seed), OWN + LINUX),
                 (draw_class(seed)[0], OWN + LINUX),
                 (own.with_deadlines(own.draw(random), random), OWN)]  # fmt: skip
        for federation, schedulers in cases:
            for scheduler in schedulers:
                verdict = check(certificate(federation, [scheduler]))
                assert verdict.status != "refuted", (seed, scheduler, verdict.failure)
                statuses.add(verdict.status)
    assert "confirmed" in statuses


@pytest.mark.parametrize(("source", "schedulers"), [
    (TASKS, ["deadline-monotonic", "edf"]), (CORES, OWN), (CORES, ["edf"]),
])  # fmt: skip
def test_nothing_better_is_confirmed(source: str, schedulers: list[SchedulerName]) -> None:
    claimed = certificate(source, schedulers)
    assert check(claimed).ok
    tried = 0
    for index, column in enumerate(claimed["columns"]):
        for row, raw in enumerate(column["starts"]):
            for key, value in raw.items():
                if key in ("environment", "reaction", "seen", "blockers"):
                    continue
                better = not value if isinstance(value, bool) else value + 1
                forged = deepcopy(claimed)
                start(forged, index, row)[key] = better
                if key == "latest_start":
                    start(forged, index, row).update(
                        latest_start=value - 1, slack=raw["slack"] + 1, exact=False
                    )
                if key == "exact" and not value:
                    continue
                unsaid = key == "exact"  # that less is claimed is true
                assert check(forged).status == ("confirmed" if unsaid else "refuted"), key
                tried += 1
    assert tried > 7


@pytest.mark.parametrize(("source", "schedulers"), [
    (TASKS, ["deadline-monotonic", "edf"]), (CORES, OWN), (CORES, ["edf"]), (LONE, ["deadline-monotonic"]),
])  # fmt: skip
def test_who_takes_the_time_is_what_a_run_or_bound_shows(
    source: str, schedulers: list[SchedulerName]
) -> None:
    claimed = certificate(source, schedulers)
    assert check(claimed).ok
    tried = 0
    for column in claimed["columns"]:
        for raw in column["starts"]:
            blockers, tag = raw["blockers"], raw["tag"]
            for changed in range(len(blockers)):
                for worse in ({"time": blockers[changed]["time"] + 1}, {"name": "nobody"}):
                    raw["blockers"] = deepcopy(blockers)
                    raw["blockers"][changed] |= worse
                    assert check(claimed).status == "refuted"
                    tried += 1
            raw["blockers"] = blockers[1:]
            assert not blockers or check(claimed).status == "refuted"
            raw["blockers"], raw["tag"] = blockers, 3 if tag is None else None
            assert check(claimed).status == "refuted"
            raw["tag"] = tag
    assert tried
    assert check(claimed).ok


def test_only_what_a_run_shows_is_exact() -> None:
    claimed = certificate(TASKS, ["deadline-monotonic"])
    raw = start(claimed)
    assert raw["exact"]
    raw.update(latest_start=raw["latest_start"] + 1, slack=raw["slack"] - 1)
    assert check(claimed).status == "refuted"
    raw["exact"] = False
    assert check(claimed).ok


@pytest.mark.parametrize("source", [
    TASKS.replace("deadline: 23ms", "deadline: 2ms"), TASKS.replace("wcet: 3ms", "wcet: 23ms"),
    TASKS.replace(", wcet: 3ms", ""), TASKS.replace("cores: 1", "cores: 3").replace("host: pi\n", "host: pi\n    workers: 3\n"),
    TASKS.replace("period: 25ms", "period: 3ms"),
])  # fmt: skip
@pytest.mark.parametrize("scheduler", ["np", "deadline-monotonic", "edf"])
def test_met_has_to_be_earned(source: str, scheduler: SchedulerName) -> None:
    claimed = certificate(source, [scheduler])
    if claimed["verdict"] == "met":
        return
    assert check(claimed).status == "confirmed"
    column = claimed["columns"][0]
    claimed["verdict"] = column["verdict"] = "met"
    assert check(claimed).status == "refuted"
    for raw in column["starts"]:
        raw.update(latest_start=0, met=True, exact=False, seen=None, slack=raw["deadline"])
    assert check(claimed).status == "refuted"


def test_assumptions_are_said() -> None:
    claimed = certificate(CORES, [*OWN, "edf", "deadline-monotonic"])
    rules = ["linux-alone", "own-cores", "shared-clock", "start-tag", "wake-order"]
    assert claimed["assumptions"] == rules
    for rule in rules:
        forged = {**claimed, "assumptions": [other for other in rules if other != rule]}
        assert rule in (check(forged).failure or "")


def test_hostile_certificates_are_undecided_at_last() -> None:
    claimed = certificate(TASKS, ["deadline-monotonic"])
    assert check(claimed, work=3).status == "undecided"


def test_ticks_of_a_timer_that_nobody_uses_are_not_followed() -> None:
    timer = "timers: {tick: {period: 50ms}, idle: {period: 1ns}}"
    claimed = certificate(
        TASKS.replace("timers: {tick: {period: 50ms}}", timer).replace(
            "overhead: 1ms", "workers: 1"
        ),
        ["fifo"],
    )
    assert check(claimed).work < 10_000


def test_demand_of_very_many_steps_is_undecided() -> None:
    with pytest.raises(ExhaustedError):
        in_time([(10**9 - 1, 10**9, 10**9), (0, 1, 10), (999, 999, 10**12)], Budget())


@pytest.mark.parametrize(("key", "value"), [("columns", {}), ("throttle", None), ("throttle", {"runtime": 2, "period": 1})])  # fmt: skip
def test_what_is_no_certificate_is_said_to_be_none(key: str, value: Any) -> None:
    with pytest.raises(CertificateError):
        check({**certificate(TASKS, ["edf"]), key: value})


def test_throttling_is_that_of_linux() -> None:
    claimed = certificate(TASKS, ["edf"])
    claimed["throttle"] = {"runtime": 10**9, "period": 10**9}
    assert check(claimed).status == "refuted"


def test_windows_confirm_what_no_run_does() -> None:
    """Tags that are too many to be followed."""
    source = TASKS.replace("period: 25ms, offset: 1ms", "period: 24999983ns")
    claimed = certificate(
        source.replace("period: 50ms", "period: 50000001ns"), ["deadline-monotonic"]
    )
    verdict = check(claimed)
    assert verdict.status == "confirmed", verdict.failure
    for raw in claimed["columns"][0]["starts"]:
        assert not raw["exact"]
        less = raw["latest_start"] // 2
        raw.update(latest_start=less, slack=raw["deadline"] - less, met=less <= raw["deadline"])
    met = all(raw["met"] for raw in claimed["columns"][0]["starts"])
    claimed["verdict"] = claimed["columns"][0]["verdict"] = "met" if met else "missed"
    assert check(claimed).status == "undecided"
