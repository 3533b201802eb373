"""docs/measured.md is what the bounds of today make of the run that is kept."""

from __future__ import annotations

import json

import pytest

from casestudies import measured_page
from casestudies.measured import DATA, PAGE, POLICIES, system_text
from ddsrta.bounds.analyze import analyze
from ddsrta.models.reader import load, loads

DELAYS = "{flow_controller: {1kB: 9us}, listener: {1kB: 9us}, publisher: {1kB: 9us}}"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == measured_page.text(DATA, POLICIES), (
        "run: python -m casestudies.measured table"
    )


@pytest.mark.parametrize("name", POLICIES)
def test_enough_was_measured(name: str) -> None:
    rows = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    assert sum(row["count"] for row in rows if row["kind"] == "message") >= 50_000


@pytest.mark.parametrize("name", POLICIES)
def test_everything_that_was_measured_has_a_bound(name: str) -> None:
    result = analyze(load(DATA / f"{name}.yaml"))
    assert all(message.ddl is not None for message in result.messages)
    assert all(chain.latency is not None for chain in result.chains.values())


@pytest.mark.parametrize("name", [name for name, policy in POLICIES.items() if policy])
def test_as_published_the_watchdog_ended_the_run(name: str) -> None:
    said = json.loads((DATA / f"{name}_livelock.json").read_text(encoding="utf-8"))["said"]
    assert said["ended"].startswith("by the watchdog")
    system = loads(system_text(name, f"delays: {DELAYS}\n", urgent=True))
    publisher, controller = system.threads["publisher"], system.flow_controllers["controller"]
    assert controller.priority > publisher.priority
    assert controller.core == publisher.core


@pytest.mark.parametrize("name", POLICIES)
def test_what_nothing_disturbed_is_within_the_bounds_with_locks_and_stops(name: str) -> None:
    result = analyze(measured_page.with_stops(DATA, name))
    bounds: dict[tuple[str, str], int | None] = {
        **{("message", message.topic): message.ddl for message in result.messages},
        **{("response", thread): found.wcrt for thread, found in result.threads.items()},
        **{("chain", chain): found.latency for chain, found in result.chains.items()},
    }
    rows = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    for row in rows:
        if row["kind"] != "chain" or row["figure"] == "latency":
            bound = bounds[row["kind"], row["name"][row["kind"] == "message"]]
            assert bound is not None
            assert row["calm"] > 500
            assert row["undisturbed"] <= bound, row["name"]


@pytest.mark.parametrize("name", [name for name, policy in POLICIES.items() if policy])
def test_the_publisher_hardly_waits_in_write(name: str) -> None:
    """So no lock is why some of its responses are above the bound."""
    found = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["publisher"]
    assert found["asleep"] * 1000 < found["jobs"]
    assert found["used_p99"] < 1_000_000 < found["late_p50"] + 1_000_000
