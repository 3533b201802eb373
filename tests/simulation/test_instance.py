"""The worst instance, found and cut out of a run."""

from __future__ import annotations

import pytest

from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.instance import (
    AHEAD,
    BLOCKING,
    OTHER,
    OWN,
    URGENT,
    WAITING,
    Arrow,
    buffers_of,
    worst_instance,
)
from ddsrta_simulator import Measure
from ddsrta_simulator.program import TRACE
from tests.simulation.drawings import Scene
from tests.simulation.test_timeline import chain
from tests.soundness.ros2 import mixed_system


def cut(scene, kind, of, horizon=60):
    rows = [number for row in scene.trace(horizon) for number in row]
    measure = scene.program.measures.index(Measure(kind, of))
    return worst_instance(scene.program, lambda: [rows], measure)


def bars(instance):
    names = instance.program.servers
    return {(names[b.server], b.begin, b.end, b.role) for b in instance.bars}


def test_the_instance_of_a_chain():
    instance = cut(chain(), "latency", ("p", "T", "r"))
    assert (instance.begin, instance.end, instance.value) == (0, 15, 15)
    assert bars(instance) == {
        ("p", 0, 4, OWN),
        ("busy", 4, 7, URGENT),
        ("F", 4, 7, WAITING),
        ("F", 7, 9, OWN),
        ("L", 9, 10, OWN),
        ("r", 10, 15, OWN),
    }
    p, f, listener, r = (instance.program.servers.index(n) for n in ("p", "F", "L", "r"))
    assert instance.arrows == (
        Arrow(p, 4, f, 4, "T"),
        Arrow(f, 9, listener, 9, "T"),
        Arrow(listener, 10, r, 10, "T"),
    )


def test_the_instance_of_a_message_begins_when_it_is_handed_over():
    instance = cut(chain(), "ddl", ("p", "T", "r"))
    assert (instance.begin, instance.end) == (4, 10)
    assert ("busy", 4, 7, URGENT) in bars(instance)
    assert ("r", 10, 11, OTHER) in bars(instance)  # what comes after is shown for a little while


def test_what_runs_before_the_work_is_there_is_in_nobodys_way():
    scene = Scene(
        """
threads:
  low: {core: m/c0, priority: 1, wcet: 4ns, period: 1us}
  high: {core: m/c0, priority: 2, wcet: 20ns, period: 1us}
""",
        {"low": [10], "high": [0]},
    )
    instance = cut(scene, "response", ("job", "low"))
    assert bars(instance) == {
        ("high", 9, 10, OTHER),
        ("high", 10, 20, URGENT),
        ("low", 10, 20, WAITING),
        ("low", 20, 24, OWN),
    }


QUEUES = """
topics: {A: {size: 1B, priority: 0}, B: {size: 1B, priority: 1}}
flow_controllers: {F: {core: m/c1, priority: 5, policy: HIGH_PRIORITY}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  a: {core: m/c0, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: A, flow_controller: F, delay: 2ns}]}
  b: {core: m/c3, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: B, flow_controller: F, delay: 6ns}]}
  s: {core: m/c2, priority: 1, wcet: 1ns, subscribes: {topics: [A, B], listener: L}}
"""


def test_queues_of_a_flow_controller():
    # B 1-7; B again at 3 and A at 4, A is sent 7-9, the second B 9-15
    scene = Scene(QUEUES, {"b": [0, 2], "a": [3]})
    second = cut(scene, "ddl", ("b", "B", "s"))
    assert (second.begin, second.end) == (3, 16)
    roles = bars(second)
    assert ("F", 3, 7, AHEAD) in roles
    assert ("F", 7, 9, URGENT) in roles
    assert ("F", 9, 15, OWN) in roles
    urgent = cut(scene, "ddl", ("a", "A", "s"))
    assert ("F", 4, 7, BLOCKING) in bars(urgent)


def test_a_value_that_was_never_seen_has_no_instance():
    scene = chain()
    rows = [number for row in scene.trace(60) for number in row]
    measure = scene.program.measures.index(Measure("latency", ("p", "T", "r")))
    assert worst_instance(scene.program, lambda: [rows], measure, 14) is None
    assert worst_instance(scene.program, lambda: [[]], measure) is None


def test_what_is_pending_has_no_instance():
    with pytest.raises(ValueError, match="not an instance"):
        cut(chain(), "pending", "F")


MIXING = """
topics: {T: {size: 1B}, U: {size: 1B}}
listeners: {L: {core: m/c0, priority: 1}}
threads:
  p: {core: m/c1, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: T, mode: sync, delay: 1ns}]}
  q: {core: m/c2, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: T, mode: sync, delay: 1ns}]}
  z: {core: m/c3, priority: 1, wcet: 4ns, publishes: [{topic: U, mode: sync, delay: 1ns}],
      subscribes: {topics: [T], listener: L}}
  r: {core: m/c4, priority: 1, wcet: 1ns, subscribes: {topics: [U], listener: L}}
"""


def test_a_message_of_a_job_that_another_went_before():
    """z runs its first job until 8. The third one's message comes at 7, and goes before the second
    one's, of 5, which so waits until 13 and is read by 19."""
    scene = Scene(MIXING, {"p": [0, 2], "q": [4]})
    instance = cut(scene, "ddl", ("z", "U", "r"))
    assert (instance.begin, instance.end) == (5, 19)


@pytest.mark.parametrize("seed", range(8))
def test_the_worst_of_every_measure_is_found(seed):
    program = program_of(mixed_system(seed))
    choices = random_choices(program, seed, 10**9)
    until = Run(program, choices, trace=1500).advance(10**15)
    run = Run(program, choices)
    run.advance(until)
    rows = next(buffers_of(Run(program, choices, trace=10**5), until))
    assert len(rows) % TRACE == 0
    wanted = 0
    for number, (measure, value) in enumerate(zip(program.measures, run.worst, strict=True)):
        if measure.kind == "pending" or value < 0:
            continue
        instance = worst_instance(program, lambda: [rows], number, value)
        assert instance is not None and instance.value == value
        own = [bar.end - bar.begin for bar in instance.bars if bar.role == OWN]
        assert own or value == 0  # a job whose best case is 0 may wait and take no time
        wanted += sum(own) > 0
    assert wanted
