"""A real trace (tier4/caret_demos, end_to_end_sample: Humble with CARET, 2880 events) beside what
others read out of it: babeltrace2's events, tables of its callbacks and messages, CARET's own file."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from ddsrta.base.yaml_reader import read_file
from ddsrta.base.yaml_tree import Node
from ddsrta.formats.ctf import open_trace
from ddsrta.formats.ros2_trace import Observation, observe
from tests.formats.real_traces import shared

DEMO = "traces/caret_demos_end_to_end_sample"
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|[^ ,]+)')
LINE = re.compile(r"\[(\d+)\.(\d+)\] \S+ (\S+): \{ cpu_id = (\d+) \}, (.*)")


@pytest.fixture(scope="module")
def folder() -> Path:
    return shared(DEMO)


@pytest.fixture(scope="module")
def seen(folder: Path) -> Observation:
    return observe(folder)


@pytest.fixture(scope="module")
def architecture() -> Any:
    return plain(
        read_file(str(shared("caret/caret_demos_end_to_end_sample_architecture.yaml"))).root
    )


def plain(node: Node) -> Any:
    if isinstance(node.value, dict):
        return {key: plain(entry.node) for key, entry in node.value.items()}
    return [plain(part) for part in node.value] if isinstance(node.value, list) else node.value


def test_every_event_is_that_of_babeltrace2(folder: Path) -> None:
    events = [tuple(event) for event in open_trace(folder).events()]
    expected = []
    for line in (folder / "trace.babeltrace.txt").read_text().splitlines():
        match = LINE.fullmatch(line)
        assert match, line
        fields = {
            name: value[1:-1] if value[0] == '"' else int(value, 0)
            for name, value in FIELD.findall(match[5])
        }
        expected.append((int(match[1]) * 10**9 + int(match[2]), match[3], int(match[4]), fields))
    assert len(events) == 2880
    assert events == expected


def test_nodes_and_callbacks_are_those_of_caret(seen: Observation, architecture: Any) -> None:
    """Names, periods, topics, symbols and groups agree with CARET's architecture file."""
    assert {node.name for node in seen.nodes} == {n["node_name"] for n in architecture["nodes"]}
    expected = {}
    for node in architecture["nodes"]:
        groups = {
            name: group["callback_group_name"]
            for group in node["callback_groups"]
            for name in group["callback_names"]
        }
        for one in node["callbacks"]:
            name = one["callback_name"]
            period = int(one["period_ns"]) if "period_ns" in one else None
            expected[name] = (
                one["callback_type"],
                period,
                one.get("topic_name"),
                one["symbol"],
                groups[name],
            )
    found = {
        one.name: (f"{one.kind}_callback", one.period, one.topic, one.symbol, one.group)
        for one in seen.callbacks.values()
        if one.name in expected
    }
    assert found == expected
    rest = [one for one in seen.callbacks.values() if one.name not in expected]
    assert all(one.kind == "service" or one.topic == "/parameter_events" for one in rest)
    assert (len(expected), len(rest)) == (8, 36 + 6)


def test_executor_of_caret(seen: Observation, architecture: Any) -> None:
    (executor,), (expected,) = seen.executors, architecture["executors"]
    assert f"{executor.kind}_executor" == expected["executor_type"]
    assert executor.name == expected["executor_name"]
    assert not executor.guessed
    assert {group.name for group in executor.groups} == set(expected["callback_group_names"])


def test_publications_agree_with_caret_and_fill_its_gaps(
    seen: Observation, architecture: Any
) -> None:
    """Where CARET's file leaves the publishing callback undefined, the trace shows it."""
    shown = {
        (one.node, publication.topic): one.name
        for one in seen.callbacks.values()
        for publication in one.publishes
    }
    undefined = []
    for node in architecture["nodes"]:
        for entry in node.get("publishes", []):
            key = node["node_name"], entry["topic_name"]
            if entry["callback_names"] == ["UNDEFINED"]:
                undefined.append(shown[key])
            else:
                assert [shown[key]] == entry["callback_names"]
    assert undefined == ["/message_driven_node/callback_1", "/timer_driven_node/callback_0"]


def test_durations_are_those_of_the_table(seen: Observation, folder: Path) -> None:
    expected: dict[str, list[int]] = {}
    with open(folder / "callbacks.csv", newline="") as stream:
        for row in csv.DictReader(stream):
            expected.setdefault(row["callback"], []).append(int(row["duration_ns"]))
    found = [sorted(one.durations.values) for one in seen.callbacks.values() if one.durations.count]
    assert sorted(found) == sorted(sorted(values) for values in expected.values())
    assert sum(map(len, found)) == 480


def test_latencies_are_those_of_the_table(seen: Observation, folder: Path) -> None:
    expected: dict[str, list[int]] = {}
    with open(folder / "messages.csv", newline="") as stream:
        for row in csv.DictReader(stream):
            latency = int(row["callback_start_ns"]) - int(row["publish_ns"])
            expected.setdefault(row["topic"], []).append(latency)
    found: dict[str, list[int]] = {}
    for link in seen.links:
        found.setdefault(link.topic, []).extend(link.to_start.values)
    assert {t: sorted(v) for t, v in found.items()} == {t: sorted(v) for t, v in expected.items()}
