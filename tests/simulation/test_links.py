"""Links that send one frame at a time: schedules worked out by hand."""

from __future__ import annotations

from io import StringIO

import ddsrta
from ddsrta.formats.perfetto import write
from ddsrta.simulation.instance import worst_instance
from ddsrta.simulation.simulate import simulate
from ddsrta.simulation.timelines import timeline
from ddsrta_simulator.program import BEST
from tests.simulation.drawings import Scene

BUS = """machines: {}
links:
  bus:
    kind: can
    rate: 1 Gbit/s
    frames:
      low: {size: 0B, period: 1ms, can_id: 9}
      mid: {size: 0B, period: 1ms, can_id: 5}
      high: {size: 0B, period: 1ms, can_id: 1}
"""


def test_the_bus_takes_the_least_identifier_and_no_frame_is_interrupted():
    """55 ns each: low from 0 to 55, then high, then mid."""
    names = {"link bus/low": [0], "link bus/mid": [1], "link bus/high": [2]}
    scene = Scene("", names, machines=BUS)
    scene.trace(1_000)
    found = {of[2]: value for of, value in scene.seen("response").items()}
    assert found == {"low": 55, "high": 2 * 55 - 2, "mid": 3 * 55 - 1}
    assert scene.seen("pending")["bus"] == 3


PORT = """machines: {m: {cores: [c0, c1]}, n: {cores: [c0]}}
links:
  port:
    kind: ethernet
    rate: 8 Gbit/s
    mtu: 100B
    overhead: 0B
    best_effort: 46B
    frames: {high: {size: 46B, period: 1ms, pcp: 7}}
network: [{from: m, to: n, link: port, delay: 5ns}]
"""
TWO = """
topics: {x: {size: 200B, pcp: 3}, y: {size: 46B, pcp: 3}}
listeners: {L: {core: n/c0, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 10ns, period: 1ms, publishes: [{topic: x, mode: sync, delay: 10ns}]}
  q: {core: m/c1, priority: 2, wcet: 15ns, period: 1ms, publishes: [{topic: y, mode: sync, delay: 10ns}]}
  r: {core: n/c0, priority: 1, wcet: 1ns, subscribes: {topics: [x], listener: L, delay: 1ns}}
  s: {core: n/c0, priority: 1, wcet: 1ns, subscribes: {topics: [y], listener: L, delay: 1ns}}
"""
X, Y = ("p", "x", "r"), ("q", "y", "s")


def port(begun=BEST, late=0):
    """x leaves at 20, in frames of 142, 142 and 110 ns; high comes at 30, y of 116 ns at 25."""
    scene = Scene(TWO, {"link port/high": [30]}, machines=PORT)
    scene.decide(("begun", "port"), habit=begun)
    for stream in (X, Y):
        scene.decide(("late", "transfer", *stream, "port"), habit=late)
    return scene


def test_what_is_more_urgent_goes_between_frames_and_equals_in_their_order():
    scene = port()
    scene.trace(1_000)
    found = scene.seen("response")
    assert found["frame", "port", "high"] == 162 + 88 - 30
    assert found["transfer", *X, "port"] == 394 + 88
    assert found["transfer", *Y, "port"] == 20 + 394 + 88 + 116 - 25
    assert scene.seen("ddl")[X] == 20 + 394 + 88 + 5 + 1
    assert scene.seen("pending")["port"] == 3


def test_something_less_urgent_has_begun():
    scene = port(begun=0)
    scene.trace(1_000)
    found = scene.seen("response")
    assert found["begun", "port"] == 88
    assert found["transfer", *X, "port"] == 88 + 394 + 88


def test_a_message_is_received_before_the_gap_behind_its_last_frame():
    scene = port(late=BEST)
    scene.trace(1_000)
    assert scene.seen("ddl")[X] == 20 + 394 + 88 + 5 + 1 - 12
    assert scene.seen("response")["transfer", *X, "port"] == 394 + 88


def test_timelines_show_links():
    scene = port()
    rows = [number for row in scene.trace(1_000) for number in row]
    found = timeline(scene.program, rows)
    stream = StringIO()
    write(found, stream)
    for text in ("x #0 of p to r on port", "high #0 on port", "core link port"):
        assert text in stream.getvalue()
    ddl = next(i for i, m in enumerate(scene.program.measures) if m == ("ddl", X))
    assert worst_instance(scene.program, lambda: [rows], ddl).value == scene.seen("ddl")[X]


def loads():
    return ddsrta.loads(f"ddsrta: 1\n{PORT}{TWO}".replace("1ms", "2us"))


def test_no_run_is_above_a_bound():
    simulation = simulate(loads(), horizon="1ms", seeds=5)
    assert not simulation.violations and simulation.queues["port"].backlog.max


CLOSE = """ddsrta: 1
machines: {m: {cores: [c0]}, n: {cores: [c0, c1]}}
links: {l: {kind: can, rate: 1 Gbit/s}}
network: [{from: m, to: n, link: l}]
topics: {x: {size: 8B, can_id: 3}}
listeners: {L: {core: n/c0, priority: 9}}
threads:
  p: {core: m/c0, priority: 2, wcet: 10ns, period: 2us, publishes: [{topic: x, mode: sync, count: 3, delay: 1ns}]}
  r: {core: n/c1, priority: 1, wcet: 1ns, subscribes: {topics: [x], listener: L, delay: 110ns}}
"""


def test_a_message_received_early_may_come_close_behind_one_received_late():
    """110 bits apart at least, the first taken at its end and the next 4 bits before: the listener,
    which takes 110 ns for each, has two at once."""
    simulation = simulate(ddsrta.loads(CLOSE), horizon="2ms", seeds=17)
    assert not simulation.violations
    assert simulation.queues["L"].backlog.max == 2
