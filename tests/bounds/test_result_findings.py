"""Findings on a result: each rule fires where it should, at the place in the file."""

from __future__ import annotations

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.findings import findings, result_findings
from ddsrta.bounds.result import Finding, QueueResult
from ddsrta.examples import TWO_THREADS
from ddsrta.models.reader import loads
from ddsrta.models.supplies import Reservation
from tests.bounds.healthy import HEALTHY, PARTITIONED, changed, line_of, only


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


LONG = """\
ddsrta: 1
machines: {m: {cores: {a: {}, b: {}, c: {reservation: {budget: 1ms, period: 2ms}}}}}
executors: {E: {cores: [m/a, m/b], priority: 3, kind: multi_threaded}}
threads: {T: {core: m/c, priority: 5, wcet: 2s, period: 100s}, F: {core: m/a, policy: other, wcet: 2s, period: 100s}}
callbacks: {call: {executor: E, wcet: 951ms, timer: 100s, reentrant: true}}
"""


def test_a_job_that_linux_stops_before_it_is_done():
    found = only(findings(loads(LONG)))
    assert (found.rule, found.severity) == ("throttled-job", "warning")
    assert "a job of 'call' may take 951 ms" in found.message
    assert found.position.line == line_of(LONG, "call:")
    assert findings(loads(LONG.replace("951ms", "950ms"))) == []


TOGETHER = """\
ddsrta: 1
machines: {m: {cores: {a: {}, b: {}, c: {reservation: {budget: 9ms, period: 10ms}}}}}
threads:
  x: {core: m/a, priority: 9, wcet: 500ms, period: 100s}
  y: {core: m/a, priority: 8, wcet: 451ms, period: 100s}
  z: {core: m/b, priority: 8, wcet: 900ms, period: 100s}
  v: {core: m/c, priority: 8, wcet: 900ms, period: 100s}
"""


def test_jobs_that_linux_stops_as_they_follow_one_another():
    found = only(list(analyze(loads(TOGETHER)).warnings))
    assert (found.rule, found.severity) == ("throttled-job", "warning")
    assert "'y' may take 951 ms from its release as others have m/a" in found.message
    assert found.position.line == line_of(TOGETHER, "  y:")
    assert not analyze(loads(TOGETHER.replace("451ms", "450ms"))).warnings
    alone = only(list(analyze(loads(TOGETHER.replace("500ms", "960ms"))).warnings))
    assert "a job of 'x' may take 960 ms" in alone.message  # says it for all of its core


def test_reservations_that_were_made_in_python_are_looked_at_too():
    system = loads(TOGETHER.replace("451ms", "1ms"))
    few = system.altered("threads", "y", priority=0, reservation=Reservation(1000, 99_000))
    assert "reservation-range" in [one.rule for one in analyze(few).warnings]


@pytest.mark.parametrize(
    ("budget", "period", "refused"),
    [
        ("1024ns", "100us", False),
        ("1023ns", "100us", True),
        ("2us", "99999ns", True),
        ("1s", "4194304us", False),
        ("1s", "4194304001ns", True),
    ],
)
def test_reservations_that_linux_refuses_alone(budget, period, refused):
    """As sched_setattr answered on Linux 6.18."""
    text = LONG.replace("951ms", "1ms").replace(
        "policy: other", "reservation: {budget: %s, period: %s}"
    )
    text = text % (budget, period)
    found = [one for one in findings(loads(text)) if one.rule != "unserved-reservation"]
    assert [one.rule for one in found] == ["reservation-range"] * refused
    assert all(one.position.line == line_of(text, "F:") for one in found)


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


@pytest.mark.parametrize(("deadline", "severity"), [(", deadline: 9s", "error"), ("", "warning")])
def test_paths_beyond_the_limit_are_not_judged(deadline, severity):
    text = TWO_THREADS.replace("publishes: [", "publishes: [{topic: slow, mode: sync}, ")
    text = text.replace("topics: [speed]", "topics: [speed, slow]")
    text = text.replace("topics:\n", "topics:\n  slow: {size: 1kB}\n", 1).partition("chains:")[0]
    text += f"chains: {{c: {{from: sensor, to: control, limit: 1{deadline}}}}}\n"
    found = analyze(loads(text)).warnings
    assert [one.severity for one in found if one.rule == "paths-cut"] == [severity]
