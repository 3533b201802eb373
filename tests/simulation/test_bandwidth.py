"""Limits of bytes and reservations: seen in a run, above the bounds without their terms, below those
with. Each scene is a run."""

from __future__ import annotations

import pytest

from ddsrta_simulator import Engine
from ddsrta_simulator.program import BEST
from tests.simulation.drawings import Scene
from tests.simulation.test_fastdds import bound

READERS = "listeners: {L: {core: m/c4, priority: 50}}\n"
READER = "  R: {core: m/c4, priority: 1, wcet: 1ns, subscribes: {topics: [a, b], listener: L}}\n"
TOPICS = "topics: {a: {size: 1B, priority: 0}, b: {size: 1B, priority: 5}}\n"
LIMIT = "limit: {bytes: 600B, period: 100ns}"  # two samples, of 257 B each

# the third sample of a job waits for the next period
SLEEP = f"""{TOPICS}{READERS}flow_controllers: {{F: {{core: m/c2, priority: 5, {LIMIT}}}}}
threads:
  A: {{core: m/c0, priority: 9, wcet: 2ns, period: 1s,
       publishes: [{{topic: a, flow_controller: F, count: 3}}]}}
{READER}"""
# two samples that waited together preempt W one after the other
BURST = f"""{TOPICS}{READERS}flow_controllers: {{F: {{core: m/c2, priority: 5, {LIMIT}}}}}
threads:
  A: {{core: m/c0, priority: 9, wcet: 1ns, period: 1s,
       publishes: [{{topic: a, flow_controller: F}}]}}
  W: {{core: m/c2, priority: 1, wcet: 10ns, period: 1s}}
{READER}"""
# less urgent samples with a reservation go before a more urgent one
RESERVED = f"""{TOPICS}{READERS}
flow_controllers: {{F: {{core: m/c2, priority: 5, policy: PRIORITY_WITH_RESERVATION,
                         limit: {{bytes: 10kB, period: 1ns}}}}}}
threads:
  A: {{core: m/c0, priority: 9, wcet: 2ns, period: 1s, publishes: [{{topic: a, flow_controller: F}}]}}
  B: {{core: m/c1, priority: 9, wcet: 1ns, period: 1s,
       publishes: [{{topic: b, flow_controller: F, count: 5, reservation: 50%}}]}}
{READER}"""

SCENES = {
    "sleep": (
        SLEEP,
        {"A": [0]},
        ("sample", "A", "a"),
        108,
        "bounds.locks.limits.Sleeping.asleep",
    ),
    "burst": (
        BURST,
        {"A": [0, 30, 60, 90], "W": [100]},
        ("job", "W"),
        30,
        "bounds.locks.limits.Sleeping.carried",
    ),
    "reserved": (
        RESERVED,
        {"A": [0], "B": [0]},
        ("sample", "A", "a"),
        59,
        "models.senders.share",
    ),
}


def scene(name: str) -> Scene:
    text, releases, *_ = SCENES[name]
    drawn = Scene(text, releases)
    if ("limit", "F") in drawn.program.decisions:
        drawn.decide(("limit", "F"), habit=BEST)
    return drawn


@pytest.mark.parametrize("name", SCENES)
def test_each_term_of_the_bound_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = scene(name)
    *_, key, expected, term = SCENES[name]
    drawn.trace(1000)
    seen = drawn.seen("response")[key]
    assert seen == expected
    assert bound(drawn.system, key) >= seen
    monkeypatch.setattr(f"ddsrta.{term}", lambda *_: 0)
    assert bound(drawn.system, key) < seen


def test_a_run_that_stops_while_a_flow_controller_sleeps_goes_on_as_before() -> None:
    first = scene("sleep")
    one = Engine(first.program, first.choices, 0, 10**6)
    one.advance(50)
    again = Engine(first.program, first.choices, 0, 10**6)
    again.restore(one.state())
    for each in (one, again):
        each.advance(1000)
    assert one.worst() == again.worst()
    assert max(one.worst()) >= 108
