"""A flow controller may have the lock of a writer when it finds that its limit leaves no room.

With Fast DDS 2.9.1, sends of 40 ms, 132 bytes beside each payload and 80,200 bytes in 60 ms, the
second write() of p took 84.5 ms: it waited for the second datagram of y, and for the third.
"""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.locks.waits import _Waiting
from ddsrta_simulator.program import COMPLETED, RANDOM
from tests.simulation.drawings import Scene

TEXT = """middleware: {fastdds: "2.9", write: 1ns}
topics: {y: {size: 40kB, priority: 0}, z: {size: 100B, priority: 5}}
flow_controllers: {F: {core: m/f, priority: 5, policy: HIGH_PRIORITY, limit: {bytes: LIMIT, period: 2us}}}
listeners: {L: {core: m/l, priority: 50}}
threads:
  q0: {core: m/b, priority: 1, wcet: 1ns, period: 1s, publishes: [{topic: y, flow_controller: F, delay: 1us}]}
  q1: {core: m/c, priority: 1, wcet: 1ns, period: 1s, publishes: [{topic: y, flow_controller: F, delay: 1us}]}
  q2: {core: m/d, priority: 1, wcet: 1ns, period: 1s, publishes: [{topic: y, flow_controller: F, delay: 1us}]}
  p: {core: m/a, priority: 1, wcet: 800ns, period: 1s, publishes: [{topic: z, flow_controller: F, count: 2, delay: 1ns}]}
  hug: {core: m/a, priority: 8, wcet: 5ns, period: 1s}
  r: {core: m/l, priority: 1, wcet: 1ns, subscribes: {topics: [y, z], listener: L, delay: 1ns}}
"""
RELEASED = {"q0": [0], "q1": [100], "q2": [1600], "p": [500], "hug": [1998]}
MACHINES = "machines: {m: {cores: [a, b, c, d, f, l]}}\n"


def scene(limit: str) -> Scene:
    """p writes at two points of its job: one before q1's sample is sent, and one while it is."""
    drawn = Scene(TEXT.replace("LIMIT", limit), RELEASED, MACHINES)
    return drawn.decide(("point", "p"), habit=RANDOM, seed=13 * 7919 + 3)


def waited(limit: str) -> int:
    """How long p takes beside what it executes: it waits, and is preempted for 5 ns."""
    drawn = scene(limit)
    drawn.trace(9000)
    return drawn.seen("response")["job", "p"] - 800


def test_a_write_waits_for_two_turns_of_one_sample_where_the_first_is_refused() -> None:
    assert 1700 < waited("80515B") < 2010


def test_and_for_one_where_there_is_room() -> None:
    assert waited("90kB") < 1010


def test_a_refused_sample_is_sent_behind_what_came_meanwhile() -> None:
    drawn = scene("80515B")
    done = [drawn.program.stages[what] for _, kind, what, *_ in drawn.trace(9000) if kind == COMPLETED]  # fmt: skip
    samples = [stage[1] for stage in done if stage[0] == "sample"]
    assert samples == ["q0", "q1", "q2", "p", "p"]


def test_no_run_is_above_the_bound_and_with_one_turn_for_each_sample_one_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = scene("80515B")
    drawn.trace(9000)
    seen = drawn.seen("response")["job", "p"]
    result = ddsrta.analyze(drawn.system)
    assert result.check.status == "confirmed"
    assert result.threads["p"].wcrt >= seen
    monkeypatch.setattr(_Waiting, "refusals", lambda self, controller, window: 0)
    assert ddsrta.analyze(drawn.system).check.status == "refuted"
    assert ddsrta.analyze(drawn.system, check=False).threads["p"].wcrt < seen
