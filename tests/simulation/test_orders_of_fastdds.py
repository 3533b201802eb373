"""Random writes of four writers, each with a topic, and the datagrams in which Fast DDS 2.9.1 sent
them: the simulation says the same of each.

There each datagram was kept in the transport until as much was written as is before its end here.
"""

from __future__ import annotations

import pytest

from ddsrta_simulator.program import COMPLETED
from tests.simulation.drawings import Scene

PRIORITIES = {"A": 0, "B": 0, "C": 5, "D": -3}
SEEN = [
    (
        "FIFO",
        "A:170,178 B:194,202,380 C:41,159,332 D:53,67",
        "C DD C AA BB C B",
    ),
    (
        "FIFO",
        "A:292,626,961,1303 B:225 C:205,375 D:245",
        "C B D A C A A A",
    ),
    (
        "FIFO",
        "A:95,117 B:183 C:44 D:164",
        "C AA D B",
    ),
    (
        "FIFO",
        "A:278 B:150,417 C:10 D:215,554,893",
        "C B D A B D D",
    ),
    (
        "FIFO",
        "A:58 B:75,409,751 C:119 D:195",
        "A B C D B B",
    ),
    (
        "ROUND_ROBIN",
        "A:273 B:233 C:253 D:113,226",
        "D D A B C",
    ),
    (
        "ROUND_ROBIN",
        "A:231 B:289,307 C:173,434 D:37",
        "D C A BB C",
    ),
    (
        "ROUND_ROBIN",
        "A:295,633 B:158 C:45,59 D:41",
        "D CC A B A",
    ),
    (
        "ROUND_ROBIN",
        "A:140,197 B:86 C:229,342 D:20",
        "D B AA CC",
    ),
    (
        "ROUND_ROBIN",
        "A:127 B:198,371 C:211,552 D:146,204",
        "A B C D B D C",
    ),
    (
        "HIGH_PRIORITY",
        "A:284 B:5,122,385 C:185,522 D:86,347,614",
        "B D B C A D B C D",
    ),
    (
        "HIGH_PRIORITY",
        "A:112,133 B:287 C:246 D:70,330",
        "D AA D B C",
    ),
    (
        "HIGH_PRIORITY",
        "A:81,90,100 B:25 C:55,62 D:122,234,409",
        "B D AAA C DD C",
    ),
    (
        "HIGH_PRIORITY",
        "A:260,279 B:252 C:148 D:188,223",
        "C DD B AA",
    ),
    (
        "HIGH_PRIORITY",
        "A:134 B:9 C:72,246 D:143",
        "B C D A C",
    ),
    (
        "PRIORITY_WITH_RESERVATION",
        "A:19 B:100 C:300,566 D:73,82",
        "A DD B C C",
    ),
    (
        "PRIORITY_WITH_RESERVATION",
        "A:259 B:203 C:43,217 D:59,115",
        "C DD A B C",
    ),
    (
        "PRIORITY_WITH_RESERVATION",
        "A:223 B:162,275 C:128 D:194",
        "C D A BB",
    ),
    (
        "PRIORITY_WITH_RESERVATION",
        "A:263,277 B:59 C:51 D:257",
        "C B D AA",
    ),
    (
        "PRIORITY_WITH_RESERVATION",
        "A:243 B:170,223 C:139,312 D:289",
        "C BB D A C",
    ),
]


def drawn(policy: str, written: str) -> Scene:
    """A send takes 100 ns, and a write nearly nothing."""
    times = {part[0]: [int(time) for time in part[2:].split(",")] for part in written.split()}
    topics = ", ".join(f"{one}: {{size: 1kB, priority: {PRIORITIES[one]}}}" for one in times)
    text = f"""middleware: {{fastdds: "2.9", write: 1ns}}
topics: {{{topics}}}
listeners: {{L: {{core: m/l, priority: 50}}}}
flow_controllers: {{F: {{core: m/f, priority: 5, policy: {policy}}}}}
threads:
  R: {{core: m/l, priority: 1, wcet: 1ns, subscribes: {{topics: [{", ".join(times)}], listener: L, delay: 1ns}}}}
"""
    for one in times:
        sent = f"publishes: [{{topic: {one}, flow_controller: F, delay: 100ns}}]"
        text += f"  T{one}: {{core: m/{one}, priority: 1, wcet: 1ns, period: 1s, {sent}}}\n"
    released = {f"T{one}": found for one, found in times.items()}
    return Scene(text, released, "machines: {m: {cores: [f, l, A, B, C, D]}}\n")


@pytest.mark.parametrize(("policy", "written", "datagrams"), SEEN)
def test_datagrams_leave_as_in_fast_dds(policy: str, written: str, datagrams: str) -> None:
    scene = drawn(policy, written)
    left: dict[int, str] = {}
    for time, kind, what, *_ in scene.trace(20_000):
        stage = scene.program.stages[what] if kind == COMPLETED else ("", "", "")
        if stage[0] == "sample":
            left[time] = left.get(time, "") + stage[2]
    assert " ".join(left.values()) == datagrams
