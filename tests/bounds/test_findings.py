"""Findings: each rule fires where it should, at the place in the file, and healthy systems are silent."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.findings import RULES, findings, reference, result_findings
from ddsrta.bounds.result import Finding, QueueResult
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.models.reader import load, loads

# Two publishers, two topics of different priority, one core each side: nothing to say about it.
HEALTHY = """\
ddsrta: 1
machines:
  m: {cores: [a, b, spare]}
  n: {cores: [c]}
network: [{from: m, to: n, delay: 5us}]
delays: {flow_controller: {1kB: 1us}, listener: {1kB: 1us}, publisher: {1kB: 1us}}
topics:
  fast: {size: 1kB, priority: -1, history: 5}
  slow: {size: 1kB, priority: 3, history: 5}
flow_controllers:
  F: {core: m/a, priority: 10, policy: HIGH_PRIORITY, queue: 8}
listeners:
  L: {core: n/c, priority: 90, queue: 8}
threads:
  P:
    core: m/a
    priority: 50
    wcet: 1us
    period: 1ms
    publishes:
      - {topic: fast, flow_controller: F}
  Q:
    core: m/a
    priority: 40
    wcet: 1us
    period: 1ms
    publishes:
      - {topic: slow, flow_controller: F}
  S:
    core: n/c
    priority: 30
    wcet: 1us
    subscribes: {topics: [fast, slow], listener: L}
"""


def changed(*replacements: tuple[str, str], text: str = HEALTHY):
    for old, new in replacements:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return loads(text, "system.yaml")


def line_of(system_text: str, fragment: str) -> int:
    return next(i for i, line in enumerate(system_text.splitlines(), 1) if fragment in line)


def only(found: list[Finding]) -> Finding:
    assert len(found) == 1, found
    return found[0]


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


PARTITIONED = """
ddsrta: 1
machines: {m: {cores: {a: {partitions: {x: {budget: %s, period: 10ms}, y: {budget: 5ms, period: 10ms}}}}}}
threads:
  A: {core: m/a, partition: x, priority: 200, wcet: 1us, period: 1ms}
  B: {core: m/a, partition: y, priority: 200, wcet: 1us, period: 1ms}
"""


def test_partitions_add_up_and_have_priorities_of_their_own():
    assert findings(loads(PARTITIONED % "5ms")) == []
    found = only(findings(loads(PARTITIONED % "5001us")))
    assert (found.rule, found.severity) == ("reservation-overcommit", "error")
    assert "101 %" in found.message and found.position is not None and found.position.line == 3


RESERVED = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  A: {core: m/a, reservation: {budget: 5ms, period: 10ms}, wcet: 1us, period: 1ms}
  B: {core: m/a, reservation: {budget: %s, period: 10ms}, wcet: 1us, period: 1ms}
  C: {core: m/b, reservation: {budget: 9ms, period: 10ms}, wcet: 1us, period: 1ms}
"""


@pytest.mark.parametrize(
    ("budget", "severity"),
    [("4500us", None), ("4501us", "warning"), ("5ms", "warning"), ("5001us", "error")],
)
def test_reservations_that_linux_does_not_admit(budget, severity):
    found = findings(loads(RESERVED % budget))
    assert [f.severity for f in found] == ([severity] if severity else [])
    assert all(f.rule == "reservation-overcommit" for f in found)


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


# --- with a result


@pytest.mark.parametrize(
    ("load_of_core", "severity"),
    [(0.95, None), (0.951, "warning"), (1.0, "warning"), (1.0 + 1e-12, "warning"), (1.01, "error")],
)
def test_core_load(load_of_core, severity):
    found = result_findings(loads(HEALTHY), {"m/a": load_of_core, "m/b": 0.1}, {})
    assert [f.severity for f in found] == ([severity] if severity else [])
    for finding in found:
        assert finding.rule == "core-load" and "m/a" in finding.message
        assert finding.position is not None and finding.position.line == 3


def test_throttling_is_not_for_partitions():
    system = loads(PARTITIONED % "5ms")
    assert result_findings(system, {"m/a": 0.97}, {}) == []
    assert only(result_findings(system, {"m/a": 1.1}, {})).severity == "error"


def controller(*, policy: str = "HIGH_PRIORITY", same: bool = False, **streams: int | None):
    """Findings about a controller with room for 8, histories of 99."""
    system = changed(
        ("HIGH_PRIORITY", policy), ("-1, history: 5", "-1, history: 99"),
        (" 3, history: 5", f" {-1 if same else 3}, history: 99"),
    )  # fmt: skip
    named = {"P → fast": streams["fast"], "Q → slow": streams["slow"]}
    total = None if None in named.values() else sum(named.values())
    found = result_findings(system, {}, {"F": QueueResult(total, 8, named)})
    return [f for f in found if f.rule == "queue-overflow"]


def test_queues_of_a_controller_by_policy():
    """FIFO has one queue, HIGH_PRIORITY one a priority, ROUND_ROBIN one a writer."""
    assert controller(policy="FIFO", fast=4, slow=4) == []
    full = only(controller(policy="FIFO", fast=5, slow=4))
    assert "9 samples" in full.message and "holds 8" in full.message
    assert full.position is not None and full.position.line == line_of(HEALTHY, "F: {core")
    assert controller(fast=5, slow=4) == controller(policy="ROUND_ROBIN", fast=5, slow=4) == []
    assert "9 samples" in only(controller(fast=5, slow=4, same=True)).message
    assert controller(policy="ROUND_ROBIN", fast=5, slow=4, same=True) == []
    assert "any number" in controller(policy="ROUND_ROBIN", fast=1, slow=None)[1].message


def test_histories_of_writers_and_readers():
    system = loads(HEALTHY, "system.yaml")
    writer = only(
        result_findings(system, {}, {"F": QueueResult(7, 8, {"P → fast": 6, "Q → slow": 1})})
    )
    assert writer.rule == "queue-overflow" and "6 samples of 'fast' by 'P'" in writer.message
    assert writer.position is not None and writer.position.line == line_of(HEALTHY, "fast: {size")
    reader = only(
        result_findings(system, {}, {"S < slow": QueueResult(6, 5), "S < fast": QueueResult(5, 5)})
    )
    assert reader.rule == "queue-overflow" and "'slow' can wait for 'S'" in reader.message
    unlimited = changed((" 3, history: 5", " 3"))
    assert result_findings(unlimited, {}, {"S < slow": QueueResult(6)}) == []


def test_the_buffer_of_a_listener():
    system = loads(HEALTHY)
    assert result_findings(system, {}, {"L": QueueResult(8, 8)}) == []
    found = only(result_findings(system, {}, {"L": QueueResult(9, 8)}))
    assert (found.rule, found.severity) == ("queue-overflow", "warning")
    assert found.position is not None and found.position.line == line_of(HEALTHY, "L: {core")


def test_sample_batches():
    """Two samples of the less urgent topic may share a datagram; large ones, or a lone one, do not."""

    def batches(fast: int | None, slow: int | None, *changes: tuple[str, str]) -> list[Finding]:
        queue = QueueResult(None, 8, {"P → fast": fast, "Q → slow": slow})
        return result_findings(changed(*changes), {}, {"F": queue})

    found = only(batches(1, 2))
    assert (found.rule, found.severity) == (
        "sample-batches",
        "warning",
    ) and "'slow'" in found.message
    assert batches(2, 1) == []
    assert batches(1, 2, ("HIGH_PRIORITY", "FIFO")) == []
    assert batches(1, 2, ("HIGH_PRIORITY", "WEIGHTED_ROUND_ROBIN")) == []  # not of Fast DDS
    found = only(batches(2, 1, ("HIGH_PRIORITY", "ROUND_ROBIN")))  # which counts one a turn
    assert "'fast'" in found.message and "others wait" in found.message
    assert only(batches(1, 2, ("HIGH_PRIORITY", "PRIORITY_WITH_RESERVATION")))
    large = [
        ("slow: {size: 1kB", "slow: {size: 100kB"),
        ("{flow_controller: {1kB", "{flow_controller: {100kB"),
    ]
    large += [("listener: {1kB: ", "listener: {100kB: ")]
    assert batches(1, 2, *large) == []


def test_names_with_arrows_do_not_confuse_streams():
    system = changed(("  Q:", "  'P → fast':"))
    found = result_findings(
        system, {}, {"F": QueueResult(7, 8, {"P → fast": 1, "P → fast → slow": 6})}
    )
    assert {f.rule for f in found} == {"queue-overflow", "sample-batches"}


# --- the reference


def test_the_reference_page_is_in_step():
    page = Path(__file__).parents[2] / "docs" / "reference" / "findings.md"
    assert page.read_text(encoding="utf-8") == reference()


def test_every_rule_is_tested():
    rooms = ("findings", "synchronizers", "fastdds", "timers", "links", "checked")
    files = [f"bounds/test_{room}.py" for room in rooms]
    files += ["papers/test_dds.py", "papers/test_dds_executors.py"]
    here = "".join((Path(__file__).parents[1] / file).read_text() for file in files)
    assert [rule for rule in RULES if f'"{rule}"' not in here] == []


@pytest.mark.parametrize(("deadline", "severity"), [(", deadline: 9s", "error"), ("", "warning")])
def test_paths_beyond_the_limit_are_not_judged(deadline, severity):
    text = TWO_THREADS.replace("publishes: [", "publishes: [{topic: slow, mode: sync}, ")
    text = text.replace("topics: [speed]", "topics: [speed, slow]")
    text = text.replace("topics:\n", "topics:\n  slow: {size: 1kB}\n", 1).partition("chains:")[0]
    text += f"chains: {{c: {{from: sensor, to: control, limit: 1{deadline}}}}}\n"
    found = analyze(loads(text)).warnings
    assert [one.severity for one in found if one.rule == "paths-cut"] == [severity]
