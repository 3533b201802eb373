"""A run held against models that it is not of: none of them may be OK, and its own must be."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.models.reader import loads
from ddsrta.validation.compare import Validation, compare, limits
from ddsrta.validation.reading import read_measured
from tests.validation.run_of import RunOf

MS, US = 1_000_000, 1_000
TEXT = """\
ddsrta: 1
name: mobile robot
machines: {ecu: {cores: [c0, c1]}}
delays:
  flow_controller: {1kB: 60us}
  listener: {1kB: 70us}
  publisher: {1kB: 100us}
topics:
  scan: {size: 1kB, priority: 0, history: 8}
  odom: {size: 1kB, priority: 5, history: 8}
  cmd: {size: 1kB}
flow_controllers:
  F: {core: ecu/c0, priority: 60, policy: HIGH_PRIORITY, queue: 16}
listeners:
  L: {core: ecu/c1, priority: 90}
threads:
  lidar:
    core: ecu/c0
    priority: 80
    wcet: 1ms
    bcet: 500us
    period: 10ms
    publishes: [{topic: scan, mode: async, flow_controller: F, count: 3}]
  wheels:
    core: ecu/c0
    priority: 85
    wcet: 400us
    arrival: {period: 5ms, jitter: 1ms}
    publishes: [{topic: odom, mode: async, flow_controller: F}]
  plan:
    core: ecu/c1
    priority: 70
    wcet: 300us
    subscribes: {topics: [scan, odom], listener: L}
    publishes: [{topic: cmd, mode: sync}]
  log:
    core: ecu/c1
    priority: 50
    wcet: 100us
    follows: {threads: [plan]}
  drive:
    core: ecu/c0
    priority: 70
    wcet: 200us
    subscribes: {topics: [cmd], listener: L}
chains:
  loop: {path: [lidar, scan, plan, cmd, drive], deadline: 20ms}
  logged: {path: [wheels, odom, plan, log], deadline: 20ms}
"""
LATE = (0, 400 * US, 1 * MS, 0, 900 * US, 300 * US)
RELEASES = {
    "lidar": [k * 10 * MS for k in range(40)],
    "wheels": [k * 5 * MS + LATE[k % len(LATE)] for k in range(80)],
}


@cache
def trace_text() -> str:
    """A run of the model as it is."""
    return RunOf(loads(TEXT), RELEASES, 400 * MS).run().text()


def validated(text: str, folder: Path, trace: str = "") -> Validation:
    system = loads(text)
    result = analyze(system)
    (folder / "run").write_text(trace or trace_text(), encoding="utf-8")
    paths = {name: chain.path for name, chain in result.chains.items()}
    measured = read_measured(str(folder / "run"), system, paths, limits(system, result))
    return compare(system, result, measured)


def test_the_model_that_ran_is_ok(tmp_path: Path) -> None:
    found = validated(TEXT, tmp_path)
    assert found.verdict == "ok", (found.contradicted, found.violations, found.broken)
    assert found.compared >= 10
    assert "releases" in found.held and "queues" in found.held


MUTATIONS = {
    "period of lidar x 100": ("period: 10ms", "period: 1s", "releases"),
    "period of lidar / 100": ("wcet: 1ms\n    bcet: 500us\n    period: 10ms", "wcet: 1us\n    period: 100us", "releases"),
    "period of lidar, a little shorter": ("period: 10ms", "period: 9999us", "releases"),
    "period of lidar, a little longer": ("period: 10ms", "period: 10001us", "releases"),
    "period of wheels x 100": ("period: 5ms, jitter", "period: 500ms, jitter", "releases"),
    "period of wheels, longer": ("period: 5ms, jitter", "period: 5050us, jitter", "releases"),
    "no jitter": (", jitter: 1ms", "", "releases"),
    "less jitter": ("jitter: 1ms", "jitter: 999us", "releases"),
    "min distance": ("jitter: 1ms", "jitter: 1ms, min_distance: 4600us", "releases"),
    "sporadic": ("period: 5ms, jitter: 1ms}", "sporadic: 5ms}", "releases"),
    "bursts": ("period: 5ms, jitter: 1ms}", "burst: {count: 2, distance: 1ms, period: 20ms}}", "releases"),
    "another offset": ("period: 10ms", "arrival: {period: 10ms, offset: 3ms}", ""),
    "waits for all": ("subscribes: {topics: [scan, odom], listener: L}", "subscribes: {topics: [scan, odom], listener: L, activation: and}", "releases"),
    "reads by time": ("wcet: 200us", "wcet: 200us\n    period: 5ms", "releases"),
    "wcet of plan / 10": ("wcet: 300us", "wcet: 30us", "execution times"),
    "wcet of log / 10": ("wcet: 100us\n    follows", "wcet: 10us\n    follows", "execution times"),
    "a greater bcet": ("bcet: 500us", "bcet: 950us", "execution times"),
    "delays of the controller / 2": ("flow_controller: {1kB: 60us}", "flow_controller: {1kB: 30us}", "execution times"),
    "delays of the listener / 2": ("listener: {1kB: 70us}", "listener: {1kB: 35us}", "execution times"),
    "one message a job": (", count: 3", "", "messages per job"),
    "four messages a job": ("count: 3", "count: 4", "messages per job"),
    "synchronous": ("{topic: odom, mode: async, flow_controller: F}", "{topic: odom, mode: sync}", "messages per job"),
    "no publication": ("    publishes: [{topic: odom, mode: async, flow_controller: F}]\n", "", "edges"),
    "a publication more": ("follows: {threads: [plan]}", "follows: {threads: [plan]}\n    publishes: [{topic: cmd, mode: sync}]", "messages per job"),
    "a subscription less": ("topics: [scan, odom]", "topics: [scan]", "edges"),
    "a subscription more": ("topics: [cmd]", "topics: [cmd, scan]", "edges"),
    "follows another": ("follows: {threads: [plan]}", "follows: {threads: [lidar]}", "edges"),
    "a thread less": ("  log:\n    core: ecu/c1\n    priority: 50\n    wcet: 100us\n    follows: {threads: [plan]}\n", "", "threads"),
    "a thread more": ("  drive:", "  more:\n    core: ecu/c1\n    priority: 1\n    wcet: 1us\n    period: 1s\n  drive:", "threads"),
    "another name": ("  lidar:", "  ladar:", "threads"),
    "another core": ("    core: ecu/c1\n    priority: 50", "    core: ecu/c0\n    priority: 50", "cores"),
    "another core of the listener": ("L: {core: ecu/c1", "L: {core: ecu/c0", "cores"),
    "another priority": ("priority: 50", "priority: 75", "priorities"),
    "another priority of the controller": ("priority: 60", "priority: 88", "priorities"),
    "a queue of 1": ("queue: 16", "queue: 1", "queues"),
    "a history of 1": ("scan: {size: 1kB, priority: 0, history: 8}", "scan: {size: 1kB, priority: 0, history: 1}", "queues"),
}  # fmt: skip


def mutant(name: str) -> str:
    old, new, _ = MUTATIONS[name]
    assert TEXT.count(old) == 1, (name, TEXT.count(old))
    chains = TEXT.index("chains:")
    if name in ("no publication", "a thread less", "follows another", "a subscription less",
                "another name", "reads by time"):  # fmt: skip
        return TEXT[:chains].replace(old, new) + "chains:\n  c: {path: [plan, cmd, drive]}\n"
    return TEXT.replace(old, new)


@pytest.mark.parametrize("name", MUTATIONS)
def test_no_other_model_is_ok(name: str, tmp_path: Path) -> None:
    found = validated(mutant(name), tmp_path)
    if name == "another offset":  # of one thread alone an offset says nothing
        assert found.verdict == "ok"
        return
    assert found.verdict in ("violation", "assumption broken")
    assert MUTATIONS[name][2] in {one.subject for one in found.contradicted}, found.contradicted


def test_offsets_are_held_against_each_other(tmp_path: Path) -> None:
    text = TEXT.replace("period: 10ms", "arrival: {period: 10ms, offset: OFFSET}")
    text = text.replace("jitter: 1ms}", "jitter: 1ms, offset: 0ms}")
    assert validated(text.replace("OFFSET", "0ms"), tmp_path).verdict == "ok"
    found = validated(text.replace("OFFSET", "2ms"), tmp_path)
    assert {one.subject for one in found.contradicted} == {"releases"}


def test_bounds_that_are_all_infinite_are_held_against_nothing(tmp_path: Path) -> None:
    found = validated(TEXT.replace("wcet: 400us", "wcet: 5001us"), tmp_path)
    assert all(row.bound is None for row in found.rows)
    assert (found.verdict, found.compared, found.contradicted) == ("vacuous", 0, ())


def test_a_trace_of_something_else_is_held_against_nothing_and_contradicts(tmp_path: Path) -> None:
    names = ("lidar", "wheels", "plan", "drive", "log")
    text = TEXT
    for name in names:
        text = text.replace(name, f"other_{name}")
    found = validated(text, tmp_path)
    assert (found.verdict, found.compared) == ("assumption broken", 0)
