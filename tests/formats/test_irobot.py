"""iRobot topologies: timers, copies, sizes and services as the framework makes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.analyze import analyze
from ddsrta.formats.irobot import read
from ddsrta.formats.yaml_writer import write
from ddsrta.models.reader import loads

from . import drafted

ROBOT: dict[str, Any] = {
    "nodes": [
        {
            "node_name": "paris",
            "executor_id": 3,
            "publishers": [
                {
                    "topic_name": "seine",
                    "msg_type": "stamped_vector",
                    "msg_size": 976,
                    "freq_hz": 64,
                },
                {"topic_name": "marne", "msg_type": "stamped_int64", "period_ms": 2.5},
            ],
        },
        {
            "node_name": "rome",
            "number": 2,
            "subscribers": [
                {"topic_name": "seine", "msg_type": "stamped_vector", "qos_depth": 4},
            ],
            "servers": [{"service_name": "tiber", "srv_type": "stamped10b"}],
        },
        {
            "node_name": "athens",
            "clients": [{"service_name": "tiber", "srv_type": "stamped10b", "period_ms": 20}],
        },
    ]
}


def draft_of(topology: Any, folder: Path, name: str = "robot.json") -> str:
    return write(read([drafted.written(folder, name, json.dumps(topology, indent=1))]))


def test_a_depth_of_zero_is_that_of_fast_dds(tmp_path: Path) -> None:
    """rclcpp takes it for the default of the middleware, which keeps one sample."""
    text = draft_of(ROBOT, tmp_path).replace("history: 4", "history: 1")
    zero = json.loads(json.dumps(ROBOT).replace('"qos_depth": 4', '"qos_depth": 0'))
    assert draft_of(zero, tmp_path) == text


def test_each_publisher_has_a_timer_and_each_subscriber_a_callback(tmp_path: Path) -> None:
    data = drafted.read(draft_of(ROBOT, tmp_path))
    seine = data["callbacks"]["paris publishes seine"]
    assert (seine["timer"], seine["executor"]) == ("15.625ms", "executor_3")
    assert data["callbacks"]["paris publishes marne"]["timer"] == "2.5ms"
    for node in ("rome_1", "rome_2"):
        reads = data["callbacks"][f"{node} reads seine"]
        assert reads["subscribes"] == {"topics": ["seine"], "listener": "listener"}
        assert reads["executor"] == "executor_0"


def test_sizes_are_those_on_the_wire_and_history_is_the_least(tmp_path: Path) -> None:
    topics = drafted.read(draft_of(ROBOT, tmp_path))["topics"]
    assert topics["seine"] == {"size": "1004B", "history": "4"}  # 4 + 20 + 4 + 976
    assert topics["marne"] == {"size": "36B", "history": "10"}  # 4 + 20, aligned to 8, 8


def test_services_are_called_and_served(tmp_path: Path) -> None:
    data = drafted.read(draft_of(ROBOT, tmp_path))
    callbacks = data["callbacks"]
    assert data["services"] == {"tiber": {"request": "34B", "reply": "34B"}}  # 4 + 20 + 10
    calls = callbacks["athens calls tiber"]
    assert (calls["calls"], calls["timer"]) == ([{"service": "tiber", "mode": "sync"}], "20ms")
    serves = callbacks["rome_1 serves tiber"]["serves"]
    assert (serves["service"], serves["reply"]) == ("tiber", {"mode": "sync"})
    assert callbacks["athens gets tiber"]["receives"]["service"] == "tiber"


def test_a_service_that_nobody_serves_has_no_replies(tmp_path: Path) -> None:
    text = draft_of({"nodes": [ROBOT["nodes"][2]]}, tmp_path)
    assert set(drafted.read(text)["callbacks"]) == {"athens calls tiber"}
    assert "# left out: replies of service 'tiber': nobody in the file serves it" in text
    assert analyze(drafted.system_of(text)).verdict == "met"


def test_the_system_of_the_draft_can_be_analysed(tmp_path: Path) -> None:
    topology = {"nodes": [{**ROBOT["nodes"][0]}, {**ROBOT["nodes"][1], "number": 1}]}
    result = analyze(drafted.system_of(draft_of(topology, tmp_path)))
    assert result.verdict == "met"
    assert {message.topic for message in result.messages} >= {"seine"}
    assert "placeholder-delays" in {each.rule for each in result.assumptions}


def test_the_draft_reads_back(tmp_path: Path) -> None:
    assert loads(draft_of(ROBOT, tmp_path)).topics["seine"].size == 1004


def test_each_file_is_a_process_with_a_listener_of_its_own(tmp_path: Path) -> None:
    second = {"nodes": [{"node_name": "rome", "subscribers": ROBOT["nodes"][1]["subscribers"]}]}
    paths = [
        drafted.written(tmp_path, f"{name}.json", json.dumps(topology))
        for name, topology in (("one", ROBOT), ("two", second))
    ]
    data = drafted.read(write(read(paths)))
    assert set(data["listeners"]) == {"one listener", "two listener"}
    reads = data["callbacks"]["two rome reads seine"]
    assert reads["subscribes"]["listener"] == "two listener"
    assert (reads["executor"], "one executor_0" in data["executors"]) == ("two executor_0", True)


@pytest.mark.parametrize(
    ("key", "value", "period"),
    [("period_ms", 0.0015, "1us"), ("freq_hz", 3, "333.333ms"), ("freq_hz", 0.5, "2s")],
)
def test_periods_are_cut_to_microseconds(
    key: str, value: float, period: str, tmp_path: Path
) -> None:
    publisher = {"topic_name": "seine", "msg_type": "stamped10b", key: value}
    text = draft_of({"nodes": [{"node_name": "a", "publishers": [publisher]}]}, tmp_path)
    assert drafted.read(text)["callbacks"]["a publishes seine"]["timer"] == period


def test_an_unknown_type_gets_a_size_that_says_so(tmp_path: Path) -> None:
    publisher = {"topic_name": "seine", "msg_type": "image", "period_ms": 10}
    text = draft_of({"nodes": [{"node_name": "a", "publishers": [publisher]}]}, tmp_path)
    assert "size: 1kB  # guessed: not in the file: the type is 'image'" in text


FREQUENCY = '"freq_hz": 64'
WRONG = [
    (FREQUENCY, '"freq_hz": NaN', "'freq_hz' must be a number, not 'NaN'"),
    (FREQUENCY, '"freq_hz": Infinity', "'freq_hz' must be a number, not 'Infinity'"),
    (FREQUENCY, '"freq_hz": "64"', "'freq_hz' must be a number, not '64'"),
    (FREQUENCY, '"freq_hz": 0', "'freq_hz' must be above 0"),
    (FREQUENCY, '"freq_hz": 1e12', "'freq_hz' gives no period"),
    (f",\n     {FREQUENCY}", "", "'period_ms' or 'freq_hz' is missing"),
    ('"msg_size": 976', '"msg_size": -1', "'msg_size' must be a whole number from 0"),
    ('"topic_name": "marne"', '"topic_name": "seine"', "the node has this one twice"),
    ('"node_name": "paris"', '"node_name": ["paris"]', "expected a name, not a list"),
    ('"number": 2', '"number": 2, "number": 3', "duplicate key 'number'"),
    ('"number": 2', '"number": 0', "'number' must be a whole number from 1 to 10000"),
    ('"number": 2', '"number": 1000000000', "'number' must be a whole number from 1 to 10000"),
]


@pytest.mark.parametrize(("old", "new", "expected"), WRONG)
def test_what_is_wrong_is_told_with_its_place(
    old: str, new: str, expected: str, tmp_path: Path
) -> None:
    text = json.dumps(ROBOT, indent=1)
    assert old in text
    path = drafted.written(tmp_path, "robot.json", text.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        read([path])
    (diagnostic,) = [d for d in caught.value.diagnostics if expected in str(d)]
    assert diagnostic.position is not None
    line = text[: text.index(old)].count("\n") + 1
    assert abs(diagnostic.position.line - line) <= 3


def test_two_nodes_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is another node 'paris' already"):
        draft_of({"nodes": [ROBOT["nodes"][0]] * 2}, tmp_path)


def test_a_performance_target_is_refused_with_the_topology_that_it_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"import the topology that it names: 'mont_blanc\.json'"):
        draft_of({"topology_file": "mont_blanc.json", "resources": {}}, tmp_path)


def test_broken_json_is_called_so(tmp_path: Path) -> None:
    text = json.dumps(ROBOT, indent=1)
    path = drafted.written(tmp_path, "robot.json", text[: len(text) // 2])
    with pytest.raises(InputError, match=rf"{path}:\d+:\d+: not valid JSON: "):
        read([path])
