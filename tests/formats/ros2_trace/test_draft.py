"""A trace becomes a system to be finished by hand: what was seen, and what was guessed, is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.base.diagnostics import InputError
from ddsrta.formats.ros2_trace import observe_events
from ddsrta.formats.ros2_trace.draft import draft_of
from ddsrta.formats.yaml_writer import write
from tests.formats.ctf_writer import CALLBACKS, UST, TraceWriter
from tests.formats.drafted import read as data_of
from tests.formats.drafted import system_of
from tests.formats.real_traces import shared
from tests.formats.ros2_trace.robot import MS, Robot, pipeline


def text_of(robot: Robot) -> str:
    return write(draft_of(observe_events(robot.events), "robot"))


def line(text: str, part: str) -> str:
    (found,) = [one for one in text.splitlines() if part in one]
    return found


def test_a_pipeline_with_its_observations() -> None:
    text = text_of(pipeline("jazzy"))
    data = data_of(text)
    assert data["callbacks"] == {
        "sensor.callback_0": {
            "executor": "executor_0", "wcet": "2.0001ms", "bcet": "2.0001ms", "timer": "10ms",
            "publishes": [{"topic": "/scan", "mode": "sync"}],
        },
        "planner.callback_0": {
            "executor": "executor_1", "wcet": "3ms", "bcet": "3ms",
            "subscribes": {"topics": ["/scan"], "listener": "robot8 8 listener"},
        },
    }  # fmt: skip
    assert data["chains"] == {
        "path 1": {"path": ["sensor.callback_0", "/scan", "planner.callback_0"]}
    }
    assert data["topics"]["/scan"]["history"] == "10"
    wcet = line(text, "wcet: 3ms")
    assert wcet.endswith("# observed: n=4, 3ms…3ms, wall time, publishing included")
    assert "# observed: n=3, 10ms…10ms, from start to start" in line(text, "timer: 10ms")
    assert "n=4, 1.00001ms…1.00001ms, from publication to start" in line(text, "subscribes")
    assert "guessed: its callbacks ran on cpu 1" in text


@pytest.mark.parametrize("release", ["foxy", "humble", "jazzy", "caret"])
def test_a_draft_is_a_system(release: str) -> None:
    system = system_of(text_of(pipeline(release)))
    assert {"sensor.callback_0", "planner.callback_0"} <= set(system.threads)


def test_whoever_was_not_traced_publishes_as_often_as_its_reader_started() -> None:
    text = text_of(pipeline("foxy"))
    source = data_of(text)["threads"]["source of /scan"]
    assert source["arrival"] == {"sporadic": "10ms"} and "period" not in source
    assert "the least of 3 gaps between starts of /planner/callback_0" in text
    assert data_of(text)["chains"]["path 1"]["path"][0] == "source of /scan"
    assert "/sensor can publish on /scan: no callback of it did in this trace" in text


def test_a_stand_in_sends_as_often_as_the_reader_that_started_most_often() -> None:
    robot = Robot()
    robot.node(1, "n")
    for at, gap in ((40, 3), (41, 9)):  # the second one says more time
        robot.subscription(at, 1, "/scan", at + 100)
        for job in range(3):
            robot.start((10 + job * gap) * MS, at + 100)
            robot.end((11 + job * gap) * MS, at + 100)
    robot.events.sort(key=lambda event: event.time)
    assert data_of(text_of(robot))["threads"]["source of /scan"]["arrival"] == {"sporadic": "3ms"}


def test_what_no_callback_published_comes_as_close_as_it_was_sent() -> None:
    """Not as its reader started, which may have been busy, nor only as a callback sends it."""
    robot = pipeline("jazzy")
    for number, time in enumerate((131, 132, 136)):
        robot.add(time * MS, "rcl_publish", (7, 99), publisher_handle=10, message=900 + number)
    robot.events.sort(key=lambda event: event.time)
    text = text_of(robot)
    source = data_of(text)["threads"]["source of /scan"]
    assert source["arrival"] == {"sporadic": "1ms"}
    assert data_of(text)["callbacks"]["sensor.callback_0"]["publishes"]
    foxy = pipeline("foxy")
    for number, time in enumerate((150, 151)):
        foxy.add(time * MS, "rcl_publish", (7, 99), publisher_handle=10, message=900 + number)
    text = text_of(foxy)
    assert data_of(text)["threads"]["source of /scan"]["arrival"] == {"sporadic": "1ms"}
    assert "guessed: the least time between two that were published" in text


def test_messages_of_nobody_are_told_beside_those_of_somebody() -> None:
    robot = pipeline("jazzy")
    for begin in (200, 210):
        robot.add(begin * MS, "rmw_take", (8, 8), rmw_subscription_handle=1010, message=3,
                  source_timestamp=begin, taken=1)  # fmt: skip
        robot.start(begin * MS + 10, 30, thread=(8, 8))
        robot.end(begin * MS + 20, 30, thread=(8, 8))
    assert "left out: who sent 2 messages on /scan that were taken" in text_of(robot)
    assert "who sent" not in text_of(pipeline("jazzy"))


def test_an_executor_that_nobody_knows_takes_callbacks_in_any_order() -> None:
    robot = Robot()
    robot.node(1, "n")
    robot.timer(20, 1, 10 * MS, 30)
    robot.add(0, "ros2_caret:construct_executor", executor_addr=1, executor_type_name="my_own")
    robot.add(0, "ros2_caret:add_callback_group", executor_addr=1, callback_group_addr=2,
              group_type_name="mutually_exclusive")  # fmt: skip
    robot.add(0, "ros2_caret:callback_group_add_timer", callback_group_addr=2, timer_handle=20)
    text = text_of(robot)
    assert data_of(text)["executors"]["executor_0"]["kind"] == "multi_threaded"
    assert "there is no executor 'my_own' here" in text


def test_what_times_leave_out_is_told() -> None:
    robot = pipeline("jazzy")
    robot.add(135 * MS, "ros2:dispatch_intra_process_subscription_callback")
    text = text_of(robot)
    assert "add to them, or as 'take', what the executor does" in text
    assert "say 'intra_process' of it under 'processes'" in text
    assert "the least, wall time, publishing included" in line(text, "bcet: 3ms")


def test_a_job_that_never_ended_counts() -> None:
    robot = pipeline("jazzy")
    robot.start(200 * MS, 30, thread=(8, 8))
    robot.start(250 * MS, 30)
    wcet = line(text_of(robot), "wcet: 50ms")
    assert wcet.endswith("; one had not ended after 50ms")


def test_callbacks_that_never_ran_are_guessed() -> None:
    robot = Robot()
    robot.node(1, "n")
    robot.timer(20, 1, 10 * MS, 30)
    robot.timer(21, 1, 0, 31)
    text = text_of(robot)
    assert text.count("wcet: 1ms  # guessed: it never ran in this trace: a placeholder") == 2
    assert "timer: 100ms  # guessed: the trace tells no period: a placeholder" in text


def test_what_has_no_place_is_told() -> None:
    robot = pipeline("jazzy")
    robot.add(
        0,
        "rcl_service_init",
        service_handle=60,
        node_handle=1,
        service_name="/sensor/get_parameters",
    )
    robot.add(0, "rclcpp_service_callback_added", service_handle=60, callback=61)
    robot.add(0, "ros2_caret:rmw_implementation", rmw_impl="rmw_zenoh_cpp")
    robot.start(300 * MS, 61)
    robot.end(301 * MS, 61)
    text = text_of(robot)
    assert "they ran 1 times, for at most 1ms; their work is missing in the bounds" in text
    assert "Note: it ran on rmw_zenoh_cpp; Fast DDS is what is modelled." in text


def test_a_service_that_was_called() -> None:
    robot = pipeline("jazzy")
    robot.add(0, "rcl_service_init", service_handle=60, node_handle=1, service_name="/map/save")
    robot.add(0, "rclcpp_service_callback_added", service_handle=60, callback=61)
    for begin in (300 * MS, 340 * MS):
        robot.start(begin, 61)
        robot.end(begin + MS, 61)
    data = data_of(text_of(robot))
    served = data["callbacks"]["sensor service .map.save"]
    assert served["serves"]["service"] == "map.save"
    assert served["wcet"] == "1ms"
    caller = data["callbacks"]["caller of map.save"]
    assert caller["arrival"] == {"sporadic": "40ms"}, "a gap is no period"
    assert "timer" not in caller
    assert "map.save" in data["services"]


def test_groups() -> None:
    """Without CARET, threads of one executor share the default group of each node."""
    robot = Robot()
    robot.node(1, "n")
    for i in range(2):
        robot.timer(20 + i, 1, 10 * MS, 30 + i)
    for time, (callback, thread) in enumerate([(30, 1), (30, 2), (31, 1)]):
        robot.start(10 * time, callback, thread=(7, thread))
        robot.end(10 * time + 5, callback, thread=(7, thread))
    assert [one["group"] for one in data_of(text_of(robot))["callbacks"].values()] == ["/n", "/n"]
    robot.add(
        0,
        "ros2_caret:construct_executor",
        executor_addr=1,
        executor_type_name="multi_threaded_executor",
    )
    robot.add(0, "ros2_caret:callback_group_add_timer", callback_group_addr=5, timer_handle=20)
    robot.add(
        0,
        "ros2_caret:add_callback_group",
        executor_addr=1,
        callback_group_addr=5,
        group_type_name="reentrant",
    )
    robot.events.sort(key=lambda event: event.time)
    callbacks = data_of(text_of(robot))["callbacks"]
    assert callbacks["n.callback_0"]["reentrant"] == "true"
    assert "group" not in callbacks["n.callback_0"]


def test_paths_through_cycles_and_many_branches_end() -> None:
    robot = Robot()
    for i in range(12):
        robot.node(1 + i, f"n{i}")
        robot.publisher(100 + i, 1 + i, f"/t{i}")
        for j in range(12):
            robot.subscription(200 + 12 * i + j, 1 + i, f"/t{j}", 3000 + 12 * i + j)
    for i in range(12):
        for j in range(12):
            callback, thread = 3000 + 12 * i + j, (7, 7)
            robot.start(10 + i, callback, thread=thread)
            robot.add(10 + i, "rcl_publish", publisher_handle=100 + i, message=1)
            robot.end(10 + i, callback, thread=thread)
    chains = data_of(text_of(robot))["chains"]
    assert len(chains) == 20
    assert "only the 20 longest paths of more are here" in text_of(robot)


def test_the_demo_of_caret() -> None:
    folder = shared("traces/caret_demos_end_to_end_sample")
    from ddsrta.formats.ros2_trace.draft import read

    data = data_of(write(read([str(folder)])))
    assert data["executors"]["executor_0"]["kind"] == "multi_threaded"
    assert data["executors"]["executor_0"]["threads"] == "12"
    assert {one["path"][-1]: len(one["path"]) for one in data["chains"].values()} == {
        "message_driven_node.callback_0": 5,
        "timer_driven_node.callback_1": 5,
        "actuator_dummy_node.callback_0": 3,
    }
    assert data["callbacks"]["timer_driven_node.callback_0"] == {
        "executor": "executor_0", "wcet": "45.203701ms", "bcet": "20.13332ms", "timer": "100ms",
        "publishes": [{"topic": "/topic4", "mode": "sync", "jobs": "1 of 1"}],
        "group": "/timer_driven_node/callback_group_0",
    }  # fmt: skip


def test_the_bounds_of_what_was_drafted_from_the_demo_hold_in_it(tmp_path: Path) -> None:
    """Its threads ran on all cores: on one alone nothing would have a bound."""
    folder = shared("traces/caret_demos_end_to_end_sample")
    path = tmp_path / "system.yaml"
    assert main(["import", str(folder), "--output", str(path)]) == 0
    found = ddsrta.validate(ddsrta.load(path), folder)
    assert found.verdict == "ok" and len(found.rows) == 5
    assert all(row.bound is not None for row in found.rows)


@pytest.mark.parametrize(("cpus", "moves"), [((1, 3), True), ((1, 1), False)])
def test_threads_that_ran_on_as_many_cores_as_they_are_may_move(
    cpus: tuple[int, int], moves: bool
) -> None:
    robot = Robot()
    robot.node(1, "n")
    for i, cpu in enumerate(cpus):
        robot.timer(20 + i, 1, 10 * MS, 30 + i)
        for thread in (1, 2):
            robot.start(20 * i + 10 * thread, 30 + i, thread=(7, thread), cpu=cpu)
            robot.end(20 * i + 10 * thread + 5, 30 + i, thread=(7, thread), cpu=cpu)
    data = data_of(text_of(robot))
    executor = data["executors"]["executor_0"]
    assert executor["threads"] == "2" and ("cores" in executor, "core" in executor) == (
        moves,
        not moves,
    )
    if moves:
        assert (executor["cores"], executor["pinned"]) == (["machine/c1", "machine/c3"], "false")
        assert data["machines"]["machine"]["cores"] == ["c0", "c1", "c3"]
    system_of(text_of(robot))


def recorded(folder: Path, discarded: int = 0) -> Path:
    node = {"node_handle": 1, "rmw_handle": 1, "node_name": "n", "namespace": "/"}
    from tests.formats.ctf_writer import Int, Str

    kinds: dict[str, Any] = {
        "ros2:rcl_node_init": {"node_handle": Int(64), "rmw_handle": Int(64), "node_name": Str(), "namespace": Str()},
        "ros2:rcl_timer_init": {"timer_handle": Int(64), "period": Int(64, True)},
        "ros2:rclcpp_timer_callback_added": {"timer_handle": Int(64), "callback": Int(64)},
        "ros2:rclcpp_timer_link_node": {"timer_handle": Int(64), "node_handle": Int(64)},
        **CALLBACKS,
    }  # fmt: skip
    writer = TraceWriter(kinds, context={f"_{name}": kind for name, kind in UST.items()})
    events = [
        (1, "ros2:rcl_node_init", node),
        (2, "ros2:rcl_timer_init", {"timer_handle": 2, "period": 5 * MS}),
        (3, "ros2:rclcpp_timer_callback_added", {"timer_handle": 2, "callback": 3}),
        (4, "ros2:rclcpp_timer_link_node", {"timer_handle": 2, "node_handle": 1}),
        (1000, "ros2:callback_start", {"callback": 3, "is_intra_process": 0}),
        (5000, "ros2:callback_end", {"callback": 3}),
    ]
    place = folder / "session" / "ust" / "uid" / "0" / "64-bit"
    writer.write_metadata(place, packets=1000)
    context = {"_vpid": 1, "_procname": "a", "_vtid": 1}
    (place / "ros2_0").write_bytes(writer.packet(events, context=context, discarded=discarded))
    return folder / "session"


@pytest.mark.parametrize("format_", [[], ["trace"]])
def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: list[str]
) -> None:
    assert main(["import", *format_, str(recorded(tmp_path))]) == 0
    out, err = capsys.readouterr()
    assert data_of(out)["name"] == "session"
    assert data_of(out)["callbacks"]["n.callback_0"]["wcet"] == "4us"
    assert "guessed: executors: 'kind' of executor_0" in err


def test_the_command_refuses_a_lossy_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", str(recorded(tmp_path, discarded=17))]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "inconclusive: 17 events lost in stream" in err


def test_the_command_says_where_a_trace_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = recorded(tmp_path)
    stream = folder / "ust/uid/0/64-bit/ros2_0"
    stream.write_bytes(stream.read_bytes()[:-7])
    assert main(["import", str(folder)]) == 2
    assert "ros2_0: byte 0: the packet is cut off" in capsys.readouterr().err
    assert main(["import", "trace", str(tmp_path / "nowhere"), "more"]) == 2
    assert "2 traces at once; import them one by one" in capsys.readouterr().err


def test_no_folder_at_all(tmp_path: Path) -> None:
    from ddsrta.formats.ros2_trace.draft import read

    with pytest.raises(InputError, match="no such folder"):
        read([str(tmp_path / "nowhere")])


def test_a_trace_without_callbacks_is_refused() -> None:
    robot = Robot()
    robot.node(1, "idle")
    with pytest.raises(InputError, match="no callback of a timer, subscription or called service"):
        draft_of(observe_events(robot.events), "idle")


def test_a_message_taken_before_it_was_published_is_refused() -> None:
    seen = replace(observe_events(pipeline("jazzy").events), backwards=3)
    with pytest.raises(InputError, match="3 messages were taken before they were published"):
        draft_of(seen, "robot")


@pytest.mark.parametrize(
    ("sends", "said"),
    [
        ((0, 3, 6), "1 of 3"),
        ((0, 3, 5), "1 of 2"),
        ((0, 1, 3, 4, 6, 7), "2 of 3"),
        ((4,), "1 of 1"),
        (range(8), "1 of 1"),
        (range(9), None),
    ],
)
def test_who_publishes_in_some_jobs_is_not_said_to_do_so_in_each(sends, said) -> None:
    robot = Robot()
    robot.node(1, "n")
    robot.publisher(10, 1, "/a")
    robot.timer(20, 1, 10 * MS, 30)
    for job in range(9):
        robot.start(10 * job * MS, 30)
        if job in sends:
            robot.add(10 * job * MS + 1, "rcl_publish", publisher_handle=10, message=job)
        robot.end((10 * job + 1) * MS, 30)
    text = text_of(robot)
    (published,) = data_of(text)["callbacks"]["n.callback_0"]["publishes"]
    assert published.get("jobs") == said
    assert f"observed: in {len(sends)} of 9 jobs" in text
    assert system_of(text).threads["n.callback_0"].publishes[0].part is not None or said is None
