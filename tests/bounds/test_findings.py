"""Findings: each rule fires where it should, at the place in the file, and healthy systems are silent."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import pytest

from ddsrta.bounds.findings import _OTHERS, RULES, findings, reference, result_findings
from ddsrta.bounds.result import QueueResult
from ddsrta.examples import two_threads
from ddsrta.models.reader import load, loads
from tests.bounds.healthy import HEALTHY, changed, line_of, only


def test_healthy_systems_are_silent():
    for system in (two_threads(), loads(HEALTHY)):
        assert findings(system) == []
        cores = dict.fromkeys(system.cores, 0.9)
        backlog = {
            "F": QueueResult(2, None, {"P → fast": 1, "Q → slow": 1, "sensor → speed": 1}),
            "L": QueueResult(2),
            "S < fast": QueueResult(1),
        }
        assert result_findings(system, cores, backlog) == []


CONFIGURATIONS = [
    # rule, severity, what is changed, the line that is to blame, words of the message
    (
        "coarse-delays", "note",
        [("listener: {1kB: 1us}", "listener: {100B: 1us, 4kB: 2us}")],
        "delays: {", ["'fast' (1 kB) and 1 more take as long as 4 kB"],
    ),
    (
        "livelock", "error",
        [("core: m/a, priority: 10", "core: m/a, priority: 45")],
        "F: {core", ["'Q'", "45", "at most 40"],
    ),
    (
        "livelock", "error",
        [("core: m/a, priority: 10", "core: m/a, priority: 51")],
        "F: {core", ["'P' and 'Q'", "at most 40"],
    ),
    (
        "livelock", "error", [("priority: 40", "policy: other")],
        "F: {core", ["'Q'", "give it publishers of SCHED_FIFO, or another core"],
    ),
    (
        "spin-across-cores", "note",
        [
            ("core: m/a, priority: 10", "core: m/b, priority: 60"),
            ("threads:\n", "threads:\n  X: {core: m/b, priority: 1, wcet: 1us, period: 1ms}\n"),
        ],
        "F: {core", ["'Q' is preempted", "from 'X'"],
    ),
    (
        "pool-spins", "warning",
        [
            (
                "threads:\n",
                "callbacks: {k: {executor: E, wcet: 1us, timer: 1ms}}\nexecutors:\n"
                "  E: {cores: [m/b, m/spare], priority: 5, kind: multi_threaded}\n"
                "threads:\n  X: {core: m/b, priority: 1, wcet: 1us, period: 1ms}\n",
            ),
        ],
        "E: {cores", ["thread of 'E' may spin", "from 'X'"],
    ),
    (
        "sync-with-flow-controller", "error",
        [("{topic: fast, flow_controller: F}", "{topic: fast, mode: sync, flow_controller: F}")],
        "topic: fast, ", ["'P'", "'fast'", "'F'"],
    ),
    (
        "priority-range", "error",
        [("core: n/c\n    priority: 30", "core: n/c\n    priority: 0")],
        "priority: 0", ["'S'", "1 … 99"],
    ),
    (
        "priority-range", "error",
        [("core: n/c, priority: 90", "core: n/c, priority: 100")],
        "L: {core", ["'L'", "1 … 99"],
    ),
    (
        "priority-range", "error",
        [("priority: 3,", "priority: 11,")],
        "slow: {size", ["'slow'", "takes 10", "-10 … 10"],
    ),
    (
        "priority-range", "warning",
        [("priority: 3,", "priority: 11,"), ("topic: slow, flow_controller: F", "topic: slow")],
        "slow: {size", ["'slow'"],
    ),
    (
        "priority-without-effect", "note",
        [("HIGH_PRIORITY", "ROUND_ROBIN")],
        "F: {core", ["ROUND_ROBIN", "'fast' and 'slow'"],
    ),
    (
        "not-of-fastdds", "note",
        [("HIGH_PRIORITY", "WEIGHTED_ROUND_ROBIN"), ("priority: 3,", "priority: -1,")],
        "F: {core", ["WEIGHTED_ROUND_ROBIN", "policies.md"],
    ),
    (
        "equal-topic-priorities", "note",
        [("priority: 3,", "priority: -1,")],
        "F: {core", ["priority -1", "works as FIFO"],
    ),
    (
        "equal-topic-priorities", "note",
        [("priority: 3,", "priority: -1,"), ("HIGH_PRIORITY", "PRIORITY_WITH_RESERVATION")],
        "F: {core", ["priority -1", "registered"],
    ),
    (
        "equal-priorities", "warning",
        [("priority: 40", "priority: 50  # here")],
        "# here", ["'P' and 'Q'", "50", "m/a"],
    ),
    (
        "equal-priorities", "warning",
        [("priority: 40", "priority: 10")],
        "F: {core", ["'Q' and 'F'"],
    ),
    (
        "trace-arrival", "note",
        [("priority: 40\n    wcet: 1us\n    period: 1ms", "priority: 40\n    wcet: 1us\n    arrival: {trace: TRACE}")],
        "arrival:", ["'Q'"],
    ),
    (
        "unpublished-topic", "warning",
        [("topics: [fast, slow]", "topics: [fast, slow, lost]"), ("topics:\n", "topics:\n  lost: {size: 1kB}\n")],
        "lost: {size", ["'lost'", "'S'"],
    ),
    (
        "unread-topic", "note",
        [("topics: [fast, slow]", "topics: [fast]")],
        "slow: {size", ["'slow'", "'Q'"],
    ),
    ("unused", "note", [("topics:\n", "topics:\n  lost: {size: 1kB}\n")], "lost: {size", ["'lost'"]),
    (
        "unused", "note",
        [("listeners:\n", "listeners:\n  M: {core: m/b, priority: 1}\n")],
        "M: {core", ["listener 'M'"],
    ),
    (
        "unused", "note",
        [("flow_controllers:\n", "flow_controllers:\n  G: {core: m/b, priority: 1}\n")],
        "G: {core", ["flow controller 'G'"],
    ),
    (
        "unused", "note", [("slow: {size: 1kB,", "slow: {size: 1kB, deadline: 5ms,")],
        "slow: {size", ["'deadline' of topic 'slow'", "EARLIEST_DEADLINE_FIRST"],
    ),
    ("unused", "note", [("machines:\n", "machines:\n  o: {cores: [c]}\n")], "o: {cores", ["machine 'o'"]),
]  # fmt: skip


@pytest.mark.parametrize("case", CONFIGURATIONS, ids=lambda case: case[0])
def test_configuration_rules(case, tmp_path):
    rule, severity, changes, line, words = case
    (tmp_path / "stamps.txt").write_text("0\n1000000\n1900000\n")
    text = HEALTHY
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new.replace("TRACE", "stamps.txt"))
    path = tmp_path / "system.yaml"
    path.write_text(text)
    found = only(findings(load(path)))
    assert (found.rule, found.severity) == (rule, severity)
    assert found.position is not None
    assert (found.position.file, found.position.line) == (str(path), line_of(text, line))
    for word in words:
        assert word in found.message


def test_a_controller_that_nobody_needs_to_fear():
    """No livelock at equal priority, on another core, or where nobody reads what it would send."""
    rules = {
        f.rule for f in findings(changed(("core: m/a, priority: 10", "core: m/a, priority: 40")))
    }
    assert rules == {"equal-priorities"}
    elsewhere = changed(("core: m/a, priority: 10", "core: m/b, priority: 99"))
    assert findings(elsewhere) == []
    unread = changed(
        ("core: m/a, priority: 10", "core: m/a, priority: 45"), ("[fast, slow]", "[fast]")
    )
    assert [f.rule for f in findings(unread)] == ["unread-topic"]


RESERVED = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  A: {core: m/a, reservation: {budget: 5ms, period: 10ms}, wcet: 1us, period: 10ms}
  B: {core: m/a, reservation: {budget: %s, period: 10ms}, wcet: 1us, period: 10ms}
  C: {core: m/b, reservation: {budget: 9ms, period: 10ms}, wcet: 1us, period: 10ms}
"""


@pytest.mark.parametrize(
    ("budget", "severity"),
    [("4500us", None), ("4501us", "warning"), ("5ms", "warning"), ("5001us", "error")],
)
def test_reservations_that_linux_does_not_admit(budget, severity):
    found = findings(loads(RESERVED % budget))
    assert [f.severity for f in found] == ([severity] if severity else [])
    assert all(f.rule == "reservation-overcommit" for f in found)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("", "", []),
        ("period: 10ms,", "period: 9ms,", ["two releases may be 9 ms apart"]),
        ("wcet: 2ms", "wcet: 2001us", ["a job may take 2.001 ms, and its budget is 2 ms"]),
        (
            "wcet: 2ms, period: 10ms",
            "wcet: 2ms, subscribes: {topics: [t], delay: 1us, listener: L}",
            ["messages release it"],
        ),
        ("topics", "middleware: {fastdds: 2.9}\ntopics", ["may sleep for locks of Fast DDS"]),
    ],
)
def test_why_a_thread_is_not_served_by_its_reservation(before, after, why):
    text = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {t: {size: 1B}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  T: {core: m/a, wcet: 2ms, period: 10ms, reservation: {budget: 2ms, period: 10ms}}
  V: {core: m/b, priority: 1, wcet: 1us, period: 1s, publishes: [{topic: t, delay: 1us}]}
"""
    found = [f for f in findings(loads(text.replace(before, after, 1))) if "supply" in f.message]
    assert [f.rule for f in found] == ["unserved-reservation"] * len(found)
    assert [f for f, words in zip(found, why, strict=True) if words not in f.message] == []


def test_findings_come_worst_first_then_in_the_order_of_the_file():
    system = changed(
        ("core: m/a, priority: 10", "core: m/a, priority: 45"),
        ("core: n/c\n    priority: 30", "core: n/c\n    priority: 90"),
        ("priority: 3,", "priority: -1,"),
    )
    assert [f.rule for f in findings(system)] == [
        "livelock",
        "equal-priorities",
        "equal-topic-priorities",
    ]


def test_a_system_made_in_python_has_no_positions():
    system = two_threads().replace("flow_controllers", "F", priority=86)
    assert only(findings(dataclasses.replace(system, tree=None))).position is None


NOWHERE = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {t: {size: 1B, pcp: 3}, u: {size: 1B}}
listeners: {L: {core: m/b, priority: 9}}
delays: {publisher: {1B: 1us}, listener: {1B: 1us}}
threads:
  p: {core: m/a, priority: 1, wcet: 1us, period: 1ms, publishes: [{topic: t}, {topic: u, can_id: 7}]}
  r: {core: m/b, priority: 1, wcet: 1us, subscribes: {topics: [t, u], listener: L}}
"""


def test_a_priority_on_a_link_that_no_message_takes_is_told():
    found = [(each.rule, each.message) for each in findings(loads(NOWHERE))]
    assert found == [
        (
            "unused",
            "'pcp' of topic 't' is never used: no message takes a link of kind ethernet by it",
        ),
        (
            "unused",
            "'can_id' of what 'p' sends on 'u' is never used: no message takes a link of kind can or can_fd by it",
        ),
    ]


SHARED = """
ddsrta: 1
machines: {m: {cores: [a]}}
executors:
  E: {core: m/a, reservation: {budget: 6ms, period: 10ms}}
  D: {core: m/a, reservation: {budget: 3ms, period: 10ms}}
callbacks:
  one: {executor: E, wcet: 3ms, timer: 100ms}
  two: {executor: E, wcet: 2ms, timer: 50ms}
  three: {executor: D, wcet: 1ms, timer: 50ms}
"""


def test_callbacks_of_one_executor_share_its_reservation():
    assert findings(loads(SHARED)) == []
    (found,) = findings(loads(SHARED.replace("6ms", "8ms")))
    assert (found.rule, found.severity) == ("reservation-overcommit", "error")
    assert "reserve 110 % of m/a" in found.message
    assert "largest is that of 'E'" in found.message


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("kind: events, order: registered", "'order' of executor 'E' is never used"),
        ("kind: static, release: jazzy, order: registered", "'order' of executor 'E' is"),
        ("kind: rclc, release: humble", "'release' of executor 'E' is never used"),
        ("kind: rclc, order: registered", None),
        ("kind: static, release: humble, order: registered", None),
    ],
)
def test_a_key_at_which_a_kind_of_executors_does_not_look_is_told(keys, message):
    own = "reservation: {budget: 6ms, period: 10ms}"
    found = findings(loads(SHARED.replace(own, f"priority: 3, {keys}")))
    assert [(each.rule, each.message.startswith(message)) for each in found] == (
        [("unused", True)] if message else []
    )


NODES = """
ddsrta: 1
machines: {m: {cores: [a]}}
executors: {E: {core: m/a, priority: 1}, D: {core: m/a, priority: 2}}
nodes:
  n:
    executor: E
    callbacks: {one: {wcet: 3ms, timer: 100ms}, two: {executor: D, wcet: 2ms, timer: 50ms}}
"""


def test_a_group_is_of_one_executor():
    (found,) = findings(loads(NODES))
    assert (found.rule, found.severity) == ("split-group", "note")
    assert "group 'n' are in executors 'E' and 'D'" in found.message
    apart = NODES.replace("executor: D", "executor: D, group: d")
    assert findings(loads(apart)) == []


# --- the reference


def test_the_reference_page_is_in_step():
    page = Path(__file__).parents[2] / "docs" / "reference" / "findings.md"
    assert page.read_text(encoding="utf-8") == reference()


def test_a_deadline_over_a_timer_that_does_not_say_what_it_is_for():
    text = """
ddsrta: 1
machines: {m: {cores: [a]}}
threads:
  source: {core: m/a, priority: 5, wcet: 1ms, period: 20ms}
  sampler: {core: m/a, priority: 4, wcet: 1ms, period: 50ms, follows: {threads: [source]}}
chains: {c: {path: [source, sampler], deadline: 60ms}}
"""
    assert [each.rule for each in findings(loads(text))] == ["open-constraint"]
    assert findings(loads(text.replace("60ms", "60ms, constraint: data_age"))) == []


def test_every_rule_is_tested():
    rooms = (
        "findings",
        "result_findings",
        "synchronizers",
        "fastdds",
        "timers",
        "links",
        "checked",
    )
    files = [f"bounds/test_{room}.py" for room in rooms]
    files += [f"papers/test_dds_{room}.py" for room in ("unsound", "executors")]
    here = "".join((Path(__file__).parents[1] / file).read_text() for file in files)
    assert [rule for rule in RULES if f'"{rule}"' not in here] == []


def test_rules_that_are_not_asked_for_errors_tell_none():
    grave = [name for name, rule in RULES.items() if rule.severity == "error"]
    for rule in _OTHERS:
        text = inspect.getsource(rule)
        assert "severity=" not in text
        assert not any(f'"{name}"' in text for name in grave)


@pytest.mark.parametrize(
    "rows",
    ["{100B: 1us, 3999B: 2us}", "{100B: 2us, 4kB: 3us}", "{4kB: 9us}", "{1kB: 1us, 4kB: 9us}"],
)
def test_rows_that_are_near_or_cost_little_more_are_nothing_to_say(rows):
    assert findings(changed(("listener: {1kB: 1us}", f"listener: {rows}"))) == []
