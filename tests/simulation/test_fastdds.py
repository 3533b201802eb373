"""What Fast DDS does beyond the ten rules: seen in a run, above the bounds without, below those with.

Each scene is a run. The bound without `middleware` is below what happens.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from tests.simulation.drawings import Scene

MODE = 'middleware: {fastdds: "2.9", write: 1ns}\n'
TOPICS = "topics: {a: {size: 1B, priority: 0}, b: {size: 1B, priority: 5}}\n"
READERS = """listeners: {L: {core: m/c4, priority: 50}}
"""
READER = "  R: {core: m/c4, priority: 1, wcet: 1ns, subscribes: {topics: [a, b], listener: L}}\n"

# A sends by itself what B's flow controller must not send meanwhile: one participant
MUTEX = f"""{MODE}{TOPICS}{READERS}flow_controllers: {{F: {{core: m/c2, priority: 5}}}}
threads:
  A: {{core: m/c0, priority: 9, wcet: 10ns, period: 1s, publishes: [{{topic: a}}]}}
  B: {{core: m/c1, priority: 9, wcet: 1ns, period: 1s, publishes: [{{topic: b, flow_controller: F}}]}}
{READER}"""
# the same, while X preempts F, which has the lock
INVERSION = MUTEX + "  X: {core: m/c2, priority: 9, wcet: 50ns, period: 1s}\n"
PROCESSES = """processes: {p: {listener: L}, q: {listener: M}}
"""
# five less urgent samples leave in one datagram
BATCH = f"""{MODE}{TOPICS}{READERS}
flow_controllers: {{F: {{core: m/c2, priority: 5, policy: HIGH_PRIORITY}}}}
threads:
  A: {{core: m/c0, priority: 9, wcet: 2ns, period: 1s, publishes: [{{topic: a, flow_controller: F}}]}}
  B: {{core: m/c1, priority: 9, wcet: 1ns, period: 1s,
       publishes: [{{topic: b, flow_controller: F, count: 5}}]}}
{READER}"""
# the second write() waits while the first sample is being sent
WRITE = f"""{MODE}{TOPICS}{READERS}flow_controllers: {{F: {{core: m/c2, priority: 5}}}}
threads:
  A: {{core: m/c0, priority: 9, wcet: 2ns, period: 1s,
       publishes: [{{topic: a, flow_controller: F, delay: 40ns}}]}}
  B: {{core: m/c1, priority: 9, wcet: 1ns, period: 1s, publishes: [{{topic: b}}]}}
{READER}"""

SCENES = {
    "send mutex": (MUTEX, {"A": [0], "B": [0]}, ("job", "A"), 21),
    "priority inversion": (INVERSION, {"A": [0], "B": [0], "X": [5]}, ("job", "A"), 71),
    "datagram": (BATCH, {"A": [0], "B": [0]}, ("sample", "A", "a"), 59),
    "write": (WRITE, {"A": [0, 15], "B": []}, ("job", "A"), 28),
}


def scene(name: str) -> tuple[Scene, tuple[str, ...], int]:
    text, releases, key, seen = SCENES[name]
    return Scene(text, releases), key, seen


def bound(system, key):
    result = ddsrta.analyze(system, check=False)
    if key[0] == "job":
        return result.threads[key[1]].wcrt
    return next(m.flow_controller for m in result.messages if m.topic == key[2])


@pytest.mark.parametrize("name", SCENES)
def test_a_run_is_above_the_bound_without_and_below_the_one_with(name: str) -> None:
    drawn, key, expected = scene(name)
    drawn.trace(1000)
    seen = drawn.seen("response")[key]
    assert seen == expected
    assert bound(replace(drawn.system, fastdds=None), key) < seen
    assert bound(drawn.system, key) >= seen


@pytest.mark.parametrize("name", SCENES)
def test_without_the_key_nothing_waits(name: str) -> None:
    text, releases, key, seen = SCENES[name]
    drawn = Scene(text.replace(MODE, ""), releases)
    drawn.trace(1000)
    assert drawn.seen("response")[key] < seen


def test_a_process_has_a_send_mutex_of_its_own() -> None:
    text = MUTEX.replace("listeners: {L: {core: m/c4, priority: 50}}\n",
                         "listeners: {L: {core: m/c4, priority: 50}, M: {core: m/c4, priority: 51}}\n")  # fmt: skip
    text = PROCESSES + text.replace("period: 1s, publishes: [{topic: a}]", "period: 1s, process: p, publishes: [{topic: a}]")  # fmt: skip
    drawn = Scene(text, {"A": [0], "B": [0]})
    drawn.trace(1000)
    assert drawn.seen("response")["job", "A"] == 20
    assert ddsrta.analyze(drawn.system).threads["A"].wcrt == 20


@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("send mutex", "waiting"),
        ("priority inversion", "_preempting"),
        ("datagram", "held"),
        ("write", "writing"),
    ],
)
def test_each_term_of_the_bound_is_needed(
    name: str, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, key, seen = scene(name)
    monkeypatch.setattr(f"ddsrta.bounds.locks.waits._Waiting.{term}", lambda *_: 0)
    assert bound(drawn.system, key) < seen
