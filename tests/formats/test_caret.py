"""CARET architecture files: what is in them stands in the draft, what is not is a marked guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.analyze import analyze
from ddsrta.formats.caret import read
from ddsrta.formats.yaml_writer import write
from ddsrta.models.reader import loads

from . import drafted

ROBOT = """\
named_paths:
- path_name: drive
  node_chain:
  - {node_name: /eye, publish_topic_name: /image, subscribe_topic_name: UNDEFINED}
  - {node_name: /brain, publish_topic_name: /cmd, subscribe_topic_name: /image}
  - {node_name: /wheel, publish_topic_name: UNDEFINED, subscribe_topic_name: /cmd}
executors:
- {executor_type: single_threaded_executor, executor_name: main, callback_group_names: [/eye/g, /brain/g]}
- {executor_type: multi_threaded_executor, executor_name: motor, callback_group_names: [/wheel/g]}
nodes:
- node_name: /eye
  callback_groups:
  - {callback_group_type: mutually_exclusive, callback_group_name: /eye/g, callback_names: [/eye/tick]}
  callbacks:
  - {callback_name: /eye/tick, callback_type: timer_callback, period_ns: 33333333, symbol: Eye}
  publishes:
  - {topic_name: /image, callback_names: [/eye/tick]}
- node_name: /brain
  callback_groups:
  - {callback_group_type: mutually_exclusive, callback_group_name: /brain/g, callback_names: [/brain/see]}
  callbacks:
  - callback_name: /brain/see
    callback_type: subscription_callback
    topic_name: /image
    symbol: "Brain::see(std::unique_ptr<sensor_msgs::msg::Image_<std::allocator<void> > >)"
  publishes:
  - {topic_name: /cmd, callback_names: [UNDEFINED]}
- node_name: /wheel
  callback_groups:
  - {callback_group_type: reentrant, callback_group_name: /wheel/g, callback_names: [/wheel/turn]}
  callbacks:
  - {callback_name: /wheel/turn, callback_type: subscription_callback, topic_name: /cmd, symbol: Wheel}
"""


@pytest.fixture
def draft(tmp_path: Path) -> str:
    return write(read([drafted.written(tmp_path, "robot.yaml", ROBOT)]))


def test_callbacks_executors_and_paths_are_in_the_draft(draft: str) -> None:
    data = drafted.read(draft)
    assert data["name"] == "robot"
    assert data["executors"]["main"]["kind"] == "single_threaded"
    assert data["executors"]["motor"]["kind"] == "multi_threaded"
    tick = data["callbacks"]["eye.tick"]
    assert (tick["executor"], tick["timer"]) == ("main", "33.333333ms")
    assert [p["topic"] for p in tick["publishes"]] == ["/image"]
    see = data["callbacks"]["brain.see"]
    assert see["subscribes"] == {"topics": ["/image"], "listener": "main listener"}
    assert see["group"] == "/brain/g"
    turn = data["callbacks"]["wheel.turn"]
    assert (turn["executor"], turn["reentrant"], "group" in turn) == ("motor", "true", False)
    path = ["eye.tick", "/image", "brain.see", "/cmd", "wheel.turn"]
    assert data["chains"] == {"drive": {"path": path}}


def test_every_guess_ends_its_line(draft: str) -> None:
    lines = draft.splitlines()
    for key in ("wcet: 1ms", "size: 1kB", "cores: [c0]", "priority: 60", "threads: 2"):
        found = [line for line in lines if key in line]
        assert found and all("  # guessed: " in line for line in found), key
    (published,) = [line for line in lines if "topic: /cmd" in line]
    assert "guessed: topic: the only callback of the node" in published
    assert any("not in the file; a sensor_msgs/msg/Image" in line for line in lines)


def test_the_system_of_the_draft_can_be_analysed(draft: str) -> None:
    result = analyze(drafted.system_of(draft))
    assert result.verdict == "met"
    assert result.chains["drive"].latency is not None
    # Once δ was written as 100 us, and nothing said that nobody had measured it.
    assert "placeholder-delays" in {each.rule for each in result.assumptions}


def test_the_draft_reads_back(draft: str) -> None:
    assert set(loads(draft).chains) == {"drive"}


def test_files_of_single_nodes_go_together(tmp_path: Path) -> None:
    nodes = ROBOT.partition("nodes:\n")[2]
    first, _, rest = nodes.partition("- node_name: /brain")
    paths = [
        drafted.written(tmp_path, "a.yaml", first),
        drafted.written(tmp_path, "b.yaml", "- node_name: /brain" + rest),
    ]
    draft = read(paths)
    data = drafted.read(write(draft))
    assert set(data["callbacks"]) == {"eye.tick", "brain.see", "wheel.turn"}
    assert "threads" not in data
    assert any("no executor" in guess for guess in draft.guesses())


def test_who_is_not_in_the_file_gets_a_stand_in(tmp_path: Path) -> None:
    node = "- node_name: /wheel" + ROBOT.partition("- node_name: /wheel")[2]
    text = write(read([drafted.written(tmp_path, "wheel.yaml", node)]))
    threads = drafted.read(text)["threads"]
    assert set(threads) == {"source of /cmd"}
    assert threads["source of /cmd"]["arrival"] == {"sporadic": "100ms"}, "nothing says a period"
    assert "  # guessed: nobody in the file publishes this topic" in text
    assert analyze(drafted.system_of(text)).verdict == "met"


VARIABLE = ROBOT.replace(
    "  publishes:\n  - {topic_name: /cmd",
    "  - {callback_name: /brain/act, callback_type: timer_callback, period_ns: 10000000}\n"
    "  variable_passings:\n"
    "  - {callback_name_write: /brain/see, callback_name_read: /brain/act}\n"
    "  publishes:\n  - {topic_name: /cmd",
).replace("callback_names: [/brain/see]", "callback_names: [/brain/see, /brain/act]")


@pytest.mark.parametrize("publisher", ["/brain/act", "UNDEFINED"])
def test_a_timer_samples_what_a_path_leaves_in_a_variable(publisher: str, tmp_path: Path) -> None:
    text = VARIABLE.replace("[UNDEFINED]", f"[{publisher}]")
    draft = read([drafted.written(tmp_path, "robot.yaml", text)])
    data = drafted.read(write(draft))
    assert data["callbacks"]["brain.act"]["follows"] == {"threads": ["brain.see"]}
    path = ["eye.tick", "/image", "brain.see", "brain.act", "/cmd", "wheel.turn"]
    assert data["chains"] == {"drive": {"path": path}}
    chain = analyze(drafted.system_of(write(draft))).chains["drive"]
    assert chain.data_age is not None and chain.data_age > 33_000_000


def test_a_variable_that_the_file_does_not_tell_is_a_guess(tmp_path: Path) -> None:
    known = write(read([drafted.written(tmp_path, "robot.yaml", VARIABLE)]))
    assert "    follows: {threads: [brain.see]}\n" in known
    passing = "  - {callback_name_write: /brain/see, callback_name_read: /brain/act}\n"
    unknown = VARIABLE.replace(passing, passing.replace("/brain/act", "UNDEFINED"))
    text = write(read([drafted.written(tmp_path, "robot.yaml", unknown)]))
    assert "    follows: {threads: [brain.see]}  # guessed: a path goes this way" in text


def test_a_path_is_cut_where_no_timer_samples_and_no_bound_is_promised(tmp_path: Path) -> None:
    text = VARIABLE.replace(
        "timer_callback, period_ns: 10000000", "subscription_callback, topic_name: /go"
    ).replace("[UNDEFINED]", "[/brain/act]")
    draft = read([drafted.written(tmp_path, "robot.yaml", text)])
    assert drafted.read(write(draft))["chains"] == {
        "drive (part 1)": {"path": ["eye.tick", "/image", "brain.see"]},
        "drive (part 2)": {"path": ["brain.act", "/cmd", "wheel.turn"]},
    }
    assert any("intra-process communication: the file does not tell" in t for t in draft.left_out)
    (told,) = [t for t in draft.left_out if "whole of path 'drive'" in t]
    assert "between 'brain.see' and 'brain.act' data goes in a variable" in told
    assert analyze(drafted.system_of(write(draft))).verdict == "met"


def test_a_service_that_nobody_calls_gets_a_stand_in(tmp_path: Path) -> None:
    old = "callback_type: subscription_callback, topic_name: /cmd, symbol: Wheel"
    assert old in ROBOT
    served = ROBOT.replace(old, "callback_type: service_callback, service_name: /stop")
    served = served.replace(ROBOT[: ROBOT.index("executors:")], "")
    text = write(read([drafted.written(tmp_path, "robot.yaml", served)]))
    callbacks = drafted.read(text)["callbacks"]
    assert callbacks["wheel.turn"]["serves"]["service"] == "stop"
    caller = callbacks["caller of stop"]
    assert caller["calls"] == [{"service": "stop", "mode": "sync"}]
    assert caller["arrival"] == {"sporadic": "100ms"}, "nothing says that it has a timer"
    assert "timer" not in caller
    assert analyze(drafted.system_of(text)).verdict == "met"


def test_an_unknown_publisher_is_the_timer_and_said_to_be_a_guess(tmp_path: Path) -> None:
    text = write(read([drafted.written(tmp_path, "robot.yaml", VARIABLE)]))
    callbacks = drafted.read(text)["callbacks"]
    assert "publishes" not in callbacks["brain.see"]
    assert callbacks["brain.act"]["publishes"] == [{"topic": "/cmd", "mode": "sync"}]
    assert "which callback publishes: its timer, probably" in text


def test_without_a_timer_all_callbacks_publish(tmp_path: Path) -> None:
    text = VARIABLE.replace(
        "timer_callback, period_ns: 10000000", "subscription_callback, topic_name: /go"
    )
    callbacks = drafted.read(write(read([drafted.written(tmp_path, "r.yaml", text)])))["callbacks"]
    for name in ("brain.see", "brain.act"):
        assert callbacks[name]["publishes"] == [{"topic": "/cmd", "mode": "sync"}]


WRONG = {
    "period_ns: 33333333": (
        "period_ns: -5",
        "15:74: 'period_ns' gives no period: it must be above 0",
    ),
    "timer_callback, period_ns: 33333333": (
        "timer_callback, period_ns: .nan",
        "15:74: 'period_ns' must be a number, not '.nan'",
    ),
    "timer_callback, period": (
        "tmer_callback, period",
        "15:47: 'callback_type' cannot be 'tmer_callback'; did you mean 'timer_callback'?",
    ),
    "callback_names: [/eye/tick]}\n- node": (
        "callback_names: [/eye/tock]}\n- node",
        "17:43: the node has no callback '/eye/tock'",
    ),
    "- node_name: /brain\n": ("- node_name: /eye\n", "18:3: there is another node '/eye' already"),
    "callback_name: /wheel/turn": (
        "callback_name: /eye/tick",
        "32:5: there is another callback '/eye/tick' already",
    ),
    "executor_type: single_threaded_executor, ": ("", "8:3: 'executor_type' is missing"),
    "topic_name: /image\n": ("topic_name: [/image]\n", "24:17: expected a name, not a list"),
}


@pytest.mark.parametrize("old", WRONG)
def test_what_is_wrong_is_told_with_its_place(old: str, tmp_path: Path) -> None:
    new, expected = WRONG[old]
    assert old in ROBOT
    path = drafted.written(tmp_path, "robot.yaml", ROBOT.replace(old, new))
    with pytest.raises(InputError) as caught:
        read([path])
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{path}:{expected}")


def test_other_files_are_refused_with_the_reason(tmp_path: Path) -> None:
    for text, reason in (
        ("a: 1\n", "this is no architecture file of CARET: it has no 'nodes'"),
        ("nodes: []\n", "there are no nodes in this file"),
        ("nodes: [1, 2]\n", "expected a mapping with 'node_name', not '1'"),
        ("just text\n", "expected a mapping"),
        ("", "the file is empty"),
    ):
        path = drafted.written(tmp_path, "other.yaml", text)
        with pytest.raises(InputError) as caught:
            read([path])
        assert reason in str(caught.value)
