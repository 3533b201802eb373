"""Threads that are preempted in write() or under the lock of a queue, and flow controllers that spin.

Each scene is a run, below the bound. Without some terms of lemma lock-waits it is
above.
"""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta_simulator.program import BEST
from tests.simulation.drawings import Scene

TOPICS = """topics: {a: {size: 1B, priority: 0}, b: {size: 1B, priority: 5}, h: {size: 1B}, v: {size: 1B}}
listeners: {L: {core: m/c4, priority: 50}}
flow_controllers: {F: {core: m/c2, priority: 5}}
"""
READER = "  R: {core: m/c4, priority: 1, wcet: 1ns, subscribes: {topics: [%s], listener: L}}\n"

# A is preempted by X right after its sample is in the queue: F spins until A leaves write()
SPINNING = f"""middleware: {{fastdds: "2.9", write: 30ns}}
{TOPICS}threads:
  A: {{core: m/c0, priority: 9, wcet: 40ns, period: 1s, publishes: [{{topic: a, flow_controller: F}}]}}
  X: {{core: m/c0, priority: 19, wcet: 100ns, period: 1s}}
{READER % "a"}"""
# X preempts B, which has the lock of F's queue. A sleeps for it in its second write(). F spins for
# the first sample of A, and keeps H from running, which has the send mutex: V waits for X.
STALLED = f"""middleware: {{fastdds: "2.9", write: 5ns}}
{TOPICS}threads:
  A: {{core: m/c0, priority: 9, wcet: 10ns, period: 1s,
       publishes: [{{topic: a, flow_controller: F, count: 2}}]}}
  B: {{core: m/c1, priority: 9, wcet: 2ns, period: 1s, publishes: [{{topic: b, flow_controller: F}}]}}
  X: {{core: m/c1, priority: 19, wcet: 500ns, period: 1s}}
  H: {{core: m/c2, priority: 1, wcet: 1ns, period: 1s, publishes: [{{topic: h}}]}}
  V: {{core: m/c3, priority: 1, wcet: 1ns, period: 1s, publishes: [{{topic: v}}]}}
{READER % "a, b, h, v"}"""
# X preempts B under the lock of the queue that A needs
QUEUE = f"""middleware: {{fastdds: "2.9", write: 5ns}}
{TOPICS}threads:
  A: {{core: m/c0, priority: 9, wcet: 10ns, period: 1s, publishes: [{{topic: a, flow_controller: F}}]}}
  B: {{core: m/c1, priority: 9, wcet: 2ns, period: 1s, publishes: [{{topic: b, flow_controller: F}}]}}
  X: {{core: m/c1, priority: 19, wcet: 500ns, period: 1s}}
{READER % "a, b"}"""
# the same with F, which looks into its queue after it has sent
LOOK = f"""middleware: {{fastdds: "2.9", write: 5ns}}
{TOPICS}threads:
  A: {{core: m/c0, priority: 9, wcet: 10ns, period: 1s, publishes: [{{topic: a, flow_controller: F}}]}}
  B: {{core: m/c1, priority: 9, wcet: 2ns, period: 1s, publishes: [{{topic: b, flow_controller: F}}]}}
  X: {{core: m/c2, priority: 19, wcet: 500ns, period: 1s}}
{READER % "a, b"}"""

SCENES = {
    "spinning": (
        SPINNING, {"A": [0], "X": [15]}, [("point", "A"), ("split", "A", "a")],
        ("sample", "A", "a"), 140, ("spinning",),
    ),
    "stalled": (
        STALLED, {"H": [0], "A": [6], "V": [7], "B": [8], "X": [9]},
        [("point", "A"), ("split", "A", "a")], ("job", "V"), 551, ("spinning", "stalled"),
    ),
    "queue": (
        QUEUE, {"A": [0], "B": [7], "X": [8]}, [], ("job", "A"), 510, ("waiting",),
    ),
    "look": (
        LOOK, {"A": [6], "B": [0], "X": [11]}, [("look", "B", "b")], ("job", "A"), 507, ("waiting",),
    ),
}  # fmt: skip


def scene(name: str) -> Scene:
    text, releases, decided, *_ = SCENES[name]
    drawn = Scene(text, releases)
    for what in decided:
        drawn.decide(what, habit=BEST)
    return drawn


def bound(system, key):
    result = ddsrta.analyze(system, check=False)
    if key[0] == "job":
        return result.threads[key[1]].wcrt
    return next(m.flow_controller for m in result.messages if m.topic == key[2])


@pytest.mark.parametrize("name", SCENES)
def test_a_run_is_below_the_bound_and_above_it_without_its_terms(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = scene(name)
    *_, key, expected, terms = SCENES[name]
    drawn.trace(2000)
    seen = drawn.seen("response")[key]
    assert seen == expected
    assert bound(drawn.system, key) >= seen
    for term in terms:
        monkeypatch.setattr(f"ddsrta.bounds.locks.waits._Waiting.{term}", lambda *_, **__: 0)
    assert bound(drawn.system, key) < seen
