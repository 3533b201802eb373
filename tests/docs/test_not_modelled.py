"""What docs/not-modelled.md calls refused is refused, with the words that stand there."""

from __future__ import annotations

import re

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from tests.docs.console import ROOT

SYSTEM = """\
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
delays: {flow_controller: {1kB: 10us}, listener: {1kB: 10us}, publisher: {1kB: 10us}}
topics: {t: {size: 1kB}, u: {size: 1kB}}
flow_controllers: {F: {core: m/c0, priority: 40, policy: FIFO}}
listeners: {L: {core: m/c1, priority: 80}}
threads:
  P: {core: m/c0, priority: 50, wcet: 1ms, period: 10ms, publishes: [{topic: t, flow_controller: F}]}
  Q: {core: m/c0, priority: 45, wcet: 1ms, period: 10ms, publishes: [{topic: u, flow_controller: F}]}
executors: {E: {core: m/c1, priority: 50, kind: single_threaded}}
callbacks:
  S: {executor: E, wcet: 1ms, subscribes: {topics: [t], listener: L}}
chains: {c: {path: [P, t, S], deadline: 10ms}}
"""
FASTDDS = 'middleware: {fastdds: "2.9", write: 20us}\ndelays:'
# What the error says → what is written instead of what.
REFUSED = {
    "unknown key 'zenoh'": [("delays:", "middleware: {zenoh: 1}\ndelays:")],
    "expected one of 2.6, 2.9, 2.10, 2.14, 3.2, 3.6, not '2.5'": [
        ("delays:", 'middleware: {fastdds: "2.5"}\ndelays:')
    ],
    "unknown key 'reliability'": [("{size: 1kB}", "{size: 1kB, reliability: RELIABLE}")],
    "one that waits for a lock goes behind its equals, which is not modelled": [
        ("delays:", FASTDDS),
        ("priority: 45", "priority: 50"),
    ],
    "unknown key 'locks'": [("wcet: 1ms,", "wcet: 1ms, locks: [x],")],
    "expected other, not 'SCHED_RR'": [("wcet: 1ms,", "wcet: 1ms, policy: SCHED_RR,")],
    "'core' is missing": [("P: {core: m/c0, ", "P: {")],
    "a thread of SCHED_OTHER has no cores": [
        ("core: m/c0, priority: 50", "cores: [m/c0, m/c1], policy: other")
    ],
    "under SCHED_OTHER they are not modelled on one core": [
        ("priority: 50, kind: single_threaded", "policy: other, kind: multi_threaded")
    ],
    "lets an idle thread of 'E' spin, which takes time from 'Q' on its core": [
        ("core: m/c1, priority: 50, kind: single_threaded", "cores: [m/c0, m/c1], policy: other, kind: multi_threaded"),
        ("priority: 45", "policy: other"),
    ],
    "while others are idle, which is not modelled": [
        ("single_threaded", "events_cbg, threads: 2, release: jazzy")
    ],
    "rclcpp of lyrical has no static executor": [("single_threaded", "static, release: lyrical")],
    "in an executor over several cores it counts whose services these are": [
        ("core: m/c1, priority: 50, kind: single_threaded", "cores: [m/c1, m/c2], priority: 50, kind: multi_threaded, background: {wcet: 1ms, period: 1s}"),
        ("callbacks:", "nodes: {n: {executor: E, callbacks: {N: {wcet: 1ms, timer: 50ms}}}}\ncallbacks:"),
    ],
    "nothing says how urgent its services are": [
        ("kind: single_threaded", "kind: fixed_priority, background: {wcet: 1ms, period: 1s}"),
        ("S: {executor: E,", "S: {executor: E, priority: 5,"),
    ],
    "expected one of single_threaded, multi_threaded, events, events_cbg, static, fixed_priority, rclc": [
        ("single_threaded", "callback_isolated")
    ],
    "it cannot make its timers thread; this is not modelled": [
        ("priority: 50, kind: single_threaded", "reservation: {budget: 2ms, period: 5ms}, kind: events"),
        ("  S: {", "  T: {executor: E, wcet: 1ms, timer: 10ms}\n  S: {"),
    ],
    "would do the work of": [
        ("threads:\n  P: {", "processes: {p: {listener: L, intraprocess_delivery: FULL}}\nthreads:\n  P: {process: p, "),
        ("kind: single_threaded", "kind: single_threaded, process: p"),
        ("policy: FIFO", "policy: FIFO, limit: {bytes: 64kB, period: 10ms}"),
    ],
    "under the lock of that reader": [
        ("delays:", FASTDDS),
        ("threads:\n  P: {", "processes: {p: {listener: L, intraprocess_delivery: FULL}}\nthreads:\n  P: {process: p, "),
        ("kind: single_threaded", "kind: single_threaded, process: p"),
        ("publishes: [{topic: t, flow_controller: F}]", "publishes: [{topic: t, mode: sync}]"),
    ],
    "in rclcpp of humble, messages within the process are forgotten": [
        ("threads:\n  P: {", "processes: {p: {listener: L, intra_process: true}}\nthreads:\n  P: {process: p, "),
        ("core: m/c1, priority: 50, kind: single_threaded", "cores: [m/c1, m/c2], priority: 55, kind: multi_threaded, process: p"),
        ("  S: {", "  T: {executor: E, wcet: 1ms, timer: 10ms}\n  S: {"),
    ],
    "rclcpp sends it there to both, and the executor takes a copy more": [
        ("threads:\n  P: {", "processes: {p: {listener: L, intra_process: true}}\nthreads:\n  P: {process: p, "),
        ("kind: single_threaded", "kind: single_threaded, process: p"),
        ("executors:", "  O: {core: m/c0, priority: 9, wcet: 1ms, subscribes: {topics: [t], listener: M}}\nexecutors:"),
        ("listeners: {", "listeners: {M: {core: m/c2, priority: 80}, "),
    ],
    "messages of one topic may overtake each other": [
        ("core: m/c1, priority: 50, kind: single_threaded", "cores: [m/c1, m/c2], priority: 50, kind: multi_threaded, threads: 2"),
        ("topics: [t], listener: L", "topics: [t, u], listener: L, activation: and"),
        ("S: {executor: E,", "S: {executor: E, reentrant: true,"),
    ],
    "expected one of exact_time, approximate_time, latest, mtd, not 'approximate_epsilon_time'": [
        ("topics: [t], listener: L", "topics: [t, u], listener: L, synchronize: approximate_epsilon_time")
    ],
    "expected one of exact_time, approximate_time, latest, mtd, not 'input_aligner'": [
        ("topics: [t], listener: L", "topics: [t, u], listener: L, synchronize: input_aligner")
    ],
    "expected one of can, can_fd, ethernet, not 'tsn'": [
        ("delays:", "links: {port: {kind: tsn}}\ndelays:")
    ],
    "threads release each other in a circle": [
        ("listener: L}}", "listener: L}, publishes: [{topic: t, flow_controller: F}]}")
    ],
    "expected one of latency, trigger_latency, data_age, reaction_time, not 'throughput'": [
        ("deadline: 10ms", "deadline: 10ms, constraint: throughput")
    ],
    "expected a time with its unit": [("wcet: 1ms", "wcet: {mean: 1ms, deviation: 1us}")],
    "unknown key 'gpu'": [("cores: [c0", "gpu: 1, cores: [c0")],
}  # fmt: skip


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_called_refused_is_refused_in_these_words(said: str) -> None:
    text = SYSTEM
    for old, new in REFUSED[said]:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(InputError) as refused:
        ddsrta.loads(text, "system.yaml")
    assert said in str(refused.value)


def test_the_system_without_these_lines_is_analysed() -> None:
    assert ddsrta.analyze(ddsrta.loads(SYSTEM, "system.yaml")).verdict == "met"


def test_the_page_has_these_and_no_others() -> None:
    page = (ROOT / "docs" / "not-modelled.md").read_text(encoding="utf-8")
    table = page.partition("## Refused")[2].partition("\n## ")[0]
    assert re.findall(r"^\| [^`]+ \| `(.+)` \|$", table, re.M) == list(REFUSED)
