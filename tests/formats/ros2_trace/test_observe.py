"""What a trace of a ROS 2 system shows, whatever the release that wrote it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.ctf import Event, LossyTraceError
from ddsrta.formats.ros2_trace import ObservedPublication, observe, observe_events
from tests.formats.ctf_writer import CALLBACKS, UST, TraceWriter
from tests.formats.real_traces import shared
from tests.formats.ros2_trace.robot import MS, Robot, pipeline

RELEASES = ("foxy", "humble", "jazzy", "caret")


@pytest.mark.parametrize("release", RELEASES)
def test_nodes_callbacks_and_times(release: str) -> None:
    seen = observe_events(pipeline(release).events)
    assert seen.processes == {7: "robot7", 8: "robot8"}
    assert [(node.name, node.publishes, node.subscribes) for node in seen.nodes] == [
        ("/sensor", ("/scan",), ()),
        ("/planner", (), ("/scan",)),
    ]
    timer, reader = seen.callbacks["/sensor/callback_0"], seen.callbacks["/planner/callback_0"]
    assert (timer.kind, timer.period, timer.topic) == ("timer", 10 * MS, None)
    assert (reader.kind, reader.topic, reader.queue_depth) == ("subscription", "/scan", 10)
    assert reader.symbol == "on /scan"
    assert list(timer.durations.values) == [2 * MS + 100] * 4
    assert list(reader.durations.values) == [3 * MS] * 4
    assert list(timer.gaps.values) == [10 * MS] * 3
    assert (timer.cpus, reader.cpus) == ({0}, {1})
    assert not timer.preemption_removed
    assert any("wall time" in note for note in seen.notes)


@pytest.mark.parametrize("release", ["humble", "jazzy", "caret"])
def test_a_message_counts_once_and_is_followed_to_its_reader(release: str) -> None:
    """Three layers report each publication; its time is that of the first."""
    seen = observe_events(pipeline(release).events)
    assert seen.callbacks["/sensor/callback_0"].publishes == (ObservedPublication("/scan", 4, 1),)
    (link,) = seen.links
    assert (link.publisher, link.topic, link.subscriber) == (
        "/sensor/callback_0", "/scan", "/planner/callback_0")  # fmt: skip
    assert list(link.to_take.values) == [1 * MS] * 4
    assert list(link.to_start.values) == [1 * MS + 10] * 4
    by_time = (
        "4 messages were followed by the time of their publication alone: whether others were lost "
        "does not show"
    )
    assert (by_time in seen.notes) == (release == "humble")


def test_without_events_of_publishing_it_says_so() -> None:
    notes = observe_events(pipeline("foxy").events).notes
    assert "no event of publishing: which callback publishes what is not known" in notes
    assert "no message could be followed from its publication to a callback" in notes


def test_several_messages_of_one_job() -> None:
    robot = Robot()
    robot.node(1, "n")
    robot.publisher(10, 1, "/a")
    robot.publisher(11, 1, "/b")
    robot.timer(20, 1, 10 * MS, 30)
    for begin, topics in ((MS, (10, 11, 10)), (5 * MS, (10,))):
        robot.start(begin, 30)
        for i, handle in enumerate(topics):
            robot.add(begin + i, "rcl_publish", publisher_handle=handle, message=77)
        robot.end(begin + MS, 30)
    robot.add(9 * MS, "rcl_publish", publisher_handle=11, message=1)
    seen = observe_events(robot.events)
    assert seen.callbacks["/n/callback_0"].publishes == (
        ObservedPublication("/a", 2, 2), ObservedPublication("/b", 1, 1))  # fmt: skip
    assert seen.published_outside == {"/b": 1}


def test_threads_do_not_mix() -> None:
    """Two threads of one process interleave; what each publishes is of its own job."""
    robot = Robot()
    one, two = (7, 1), (7, 2)
    robot.node(1, "n")
    robot.publisher(10, 1, "/a")
    robot.publisher(11, 1, "/b")
    robot.timer(20, 1, 10 * MS, 30)
    robot.timer(21, 1, 20 * MS, 31)
    robot.start(100, 30, thread=one)
    robot.start(110, 31, thread=two)
    robot.add(120, "rcl_publish", two, publisher_handle=11, message=5)
    robot.add(121, "rcl_publish", one, publisher_handle=10, message=5)
    robot.end(150, 30, thread=one)
    robot.end(170, 31, thread=two)
    seen = observe_events(robot.events)
    shown = {
        name: (list(c.durations.values), [p.topic for p in c.publishes])
        for name, c in seen.callbacks.items()
    }
    assert shown == {"/n/callback_0": ([50], ["/a"]), "/n/callback_1": ([60], ["/b"])}
    assert [(e.kind, e.threads, e.guessed) for e in seen.executors] == [
        ("single_threaded", 1, True), ("single_threaded", 1, True)]  # fmt: skip


def test_addresses_that_are_used_again_are_somebody_new() -> None:
    robot = Robot()
    robot.node(1, "old")
    robot.timer(20, 1, 10 * MS, 30)
    robot.start(1, 30)
    robot.end(5, 30)
    robot.node(1, "new")
    robot.timer(20, 1, 20 * MS, 30)
    robot.start(11, 30)
    robot.end(18, 30)
    seen = observe_events(robot.events)
    assert {name: (c.period, list(c.durations.values)) for name, c in seen.callbacks.items()} == {
        "/old/callback_0": (10 * MS, [4]), "/new/callback_0": (20 * MS, [7])}  # fmt: skip


def test_two_nodes_of_one_name_keep_apart() -> None:
    robot = Robot()
    for handle in (1, 2):
        robot.node(handle, "twin")
        robot.timer(20 + handle, handle, 10 * MS, 30 + handle)
    seen = observe_events(robot.events)
    assert [node.name for node in seen.nodes] == ["/twin", "/twin #2"]
    assert list(seen.callbacks) == ["/twin/callback_0", "/twin #2/callback_0"]


def test_jobs_that_the_trace_cuts() -> None:
    """An end without a start tells nothing; a start without an end tells how long at least."""
    robot = Robot()
    robot.node(1, "n")
    robot.timer(20, 1, 10 * MS, 30)
    robot.timer(21, 1, 10 * MS, 31)
    robot.end(100, 30)
    robot.start(200, 31)
    robot.end(300, 99)
    robot.add(900, "rcl_publish", publisher_handle=1, message=1)
    seen = observe_events(robot.events)
    assert seen.callbacks["/n/callback_0"].durations.count == 0
    assert seen.callbacks["/n/callback_1"].durations.count == 0
    assert seen.callbacks["/n/callback_1"].longest_unfinished == 700
    assert "2 callbacks began before the trace, or never ended" in seen.notes


def switches(name: str = "robot7", state: int = 0) -> Robot:
    """A job of 100 ns that is put aside for 30 of them, in a given state."""
    robot = Robot()
    robot.node(1, "n")
    robot.timer(20, 1, 10 * MS, 30)
    robot.add(
        50, "sched_switch", prev_tid=0, next_tid=7, prev_comm="idle", next_comm=name, prev_state=0
    )
    robot.start(100, 30)
    robot.add(
        140, "sched_switch", prev_tid=7, next_tid=9, prev_comm=name, next_comm="x", prev_state=state
    )
    robot.add(
        170, "sched_switch", prev_tid=9, next_tid=7, prev_comm="x", next_comm=name, prev_state=1
    )
    robot.end(200, 30)
    for event in robot.events:
        if event.name == "sched_switch":
            for key in ("vpid", "vtid", "procname"):
                del event.fields[key]
    robot.start(300, 30)
    robot.add(
        310, "sched_switch", prev_tid=7, next_tid=9, prev_comm=name, next_comm="x", prev_state=0
    )
    robot.add(
        311, "sched_switch", prev_tid=9, next_tid=7, prev_comm="x", next_comm=name, prev_state=0
    )
    robot.end(320, 30)
    return robot


def test_preemption_is_taken_off_where_the_scheduler_tells() -> None:
    callback = observe_events(switches().events).callbacks["/n/callback_0"]
    assert list(callback.durations.values) == [70, 19]
    assert callback.preemption_removed


def test_waiting_is_no_preemption() -> None:
    callback = observe_events(switches(state=1).events).callbacks["/n/callback_0"]
    assert list(callback.durations.values) == [100, 19]


def test_a_thread_of_the_same_number_and_another_name_is_somebody_else() -> None:
    """In a container thread numbers are its own; wall time is the longer, safe figure."""
    callback = observe_events(switches("kworker").events).callbacks["/n/callback_0"]
    assert list(callback.durations.values) == [100, 20]
    assert not callback.preemption_removed


def test_thread_numbers_of_two_processes_are_not_told_apart() -> None:
    robot = switches()
    robot.start(400, 30, thread=(8, 7))
    robot.end(410, 30, thread=(8, 7))
    robot.start(500, 30)
    robot.add(
        510, "sched_switch", prev_tid=7, next_tid=9, prev_comm="robot7", next_comm="x", prev_state=0
    )
    robot.add(
        560, "sched_switch", prev_tid=9, next_tid=7, prev_comm="x", next_comm="robot7", prev_state=0
    )
    robot.end(600, 30)
    seen = observe_events(robot.events)
    assert seen.callbacks["/n/callback_0"].durations.values[-1] == 100
    assert not seen.callbacks["/n/callback_0"].preemption_removed


def test_executors_and_groups_of_caret() -> None:
    robot = Robot()
    robot.add(
        0,
        "ros2_caret:construct_executor",
        executor_addr=1,
        executor_type_name="single_threaded_executor",
    )
    robot.add(0, "ros2_caret:construct_static_executor", executor_addr=2, entities_collector_addr=3,
              executor_type_name="static_single_threaded_executor")  # fmt: skip
    robot.add(0, "ros2_caret:rmw_implementation", rmw_impl="rmw_fastrtps_cpp")
    robot.node(1, "n")
    robot.timer(20, 1, 10 * MS, 30)
    robot.timer(21, 1, 10 * MS, 31)
    for group, timer in ((50, 20), (51, 21)):
        robot.add(
            0, "ros2_caret:callback_group_add_timer", callback_group_addr=group, timer_handle=timer
        )
    robot.add(
        0,
        "ros2_caret:add_callback_group",
        executor_addr=1,
        callback_group_addr=50,
        group_type_name="reentrant",
    )
    robot.add(0, "ros2_caret:add_callback_group_static_executor", entities_collector_addr=3, callback_group_addr=51,
              group_type_name="mutually_exclusive")  # fmt: skip
    seen = observe_events(robot.events)
    assert [(e.kind, e.guessed, [(g.kind, g.callbacks) for g in e.groups]) for e in seen.executors] == [
        ("single_threaded", False, [("reentrant", ("/n/callback_0",))]),
        ("static", False, [("mutually_exclusive", ("/n/callback_1",))]),
    ]  # fmt: skip
    assert seen.callbacks["/n/callback_1"].executor == seen.executors[1].name
    assert seen.middleware == ("rmw_fastrtps_cpp",)


def test_callbacks_that_share_threads_share_a_guessed_executor() -> None:
    robot = Robot()
    robot.node(1, "n")
    for i in range(4):
        robot.timer(20 + i, 1, 10 * MS, 30 + i)
    for time, (callback, thread) in enumerate([(30, 1), (31, 1), (31, 2), (32, 3)]):
        robot.start(10 * time, callback, thread=(7, thread))
        robot.end(10 * time + 5, callback, thread=(7, thread))
    seen = observe_events(robot.events)
    assert [(e.kind, e.threads, e.guessed) for e in seen.executors] == [
        ("multi_threaded", 2, True), ("single_threaded", 1, True)]  # fmt: skip
    executors = {name: callback.executor for name, callback in seen.callbacks.items()}
    assert list(executors.values()) == ["executor_0", "executor_0", "executor_1", "executor_0"]


def test_a_take_that_took_nothing_is_no_message() -> None:
    robot = pipeline("jazzy")
    for event in robot.events:
        if event.name == "ros2:rmw_take":
            event.fields["taken"] = 0
    assert observe_events(robot.events).links == ()


def test_messages_within_a_process_count_once_and_are_not_followed() -> None:
    robot = Robot()
    robot.node(1, "n")
    robot.publisher(10, 1, "/a")
    robot.timer(20, 1, 10 * MS, 30)
    robot.start(1, 30)
    robot.add(2, "rclcpp_intra_publish", publisher_handle=10, message=4)
    robot.add(3, "rclcpp_publish", message=4)
    robot.add(4, "rcl_publish", publisher_handle=10, message=4)
    robot.end(5, 30)
    robot.add(6, "dispatch_intra_process_subscription_callback", message=4, callback=31)
    seen = observe_events(robot.events)
    assert seen.callbacks["/n/callback_0"].publishes == (ObservedPublication("/a", 1, 1),)
    assert any(note.startswith("1 messages were taken within a process") for note in seen.notes)


def test_messages_from_outside_the_trace() -> None:
    robot = pipeline("jazzy")
    events = [event for event in robot.events if "publish" not in event.name]
    seen = observe_events(events)
    (note,) = (each for each in seen.notes if each.startswith("4 messages were taken whose"))
    assert note.endswith("not in the trace: whether others of their topics were lost does not show")


def test_fields_of_another_kind_are_left_aside() -> None:
    robot = Robot()
    robot.node(1, "n")
    robot.add(0, "rcl_node_init", node_handle=[1], node_name="x")
    robot.add(0, "rcl_timer_init", period=5)
    robot.timer(20, 1, "soon", 30)  # type: ignore[arg-type]
    seen = observe_events(robot.events)
    assert [node.name for node in seen.nodes] == ["/n"]
    assert seen.callbacks["/n/callback_0"].period is None
    assert (
        "events ros2:rcl_timer_init have no field 'timer_handle': they were left aside"
        in seen.notes
    )
    assert any("rcl_node_init have unknown fields" in note for note in seen.notes)


def test_a_trace_of_something_else() -> None:
    with pytest.raises(InputError, match="no event of ROS 2 among 1"):
        observe_events([Event(1, "my:event", 0, {})])
    with pytest.raises(InputError, match=r"more than 104 days .* clock must be damaged"):
        observe_events([Event(0, "my:event", 0, {}), Event(2**63, "my:event", 0, {})])
    with pytest.raises(InputError, match="events without the context 'vtid'"):
        observe_events([Event(1, "ros2:callback_start", 0, {"callback": 1, "vpid": 1})])


def test_a_lossy_trace_is_inconclusive(tmp_path: Path) -> None:
    writer = TraceWriter(CALLBACKS, context={f"_{name}": kind for name, kind in UST.items()})
    context = {"_vpid": 1, "_procname": "a", "_vtid": 1}
    events = [(1, "ros2:callback_start", {"callback": 1, "is_intra_process": 0})]
    writer.write_metadata(tmp_path)
    (tmp_path / "s0").write_bytes(writer.packet(events, context=context, discarded=1))
    with pytest.raises(LossyTraceError, match="inconclusive: 1 event lost in stream"):
        observe(tmp_path)


def test_the_trace_of_ping_and_pong() -> None:
    """Foxy's layout, recorded by others: 248 events of two processes."""
    events = []
    path = shared("traces/tracetools_analysis_pingpong/events.jsonl")
    for line in path.read_text().splitlines():
        fields = json.loads(line)
        events.append(
            Event(fields.pop("_timestamp"), fields.pop("_name"), fields.pop("cpu_id"), fields)
        )
    seen = observe_events(sorted(events, key=lambda event: event.time))
    assert [node.name for node in seen.nodes] == ["/test_pong", "/test_ping"]
    timer = seen.callbacks["/test_ping/callback_0"]
    assert (timer.period, timer.durations.count) == (500 * MS, 30)
    assert seen.callbacks["/test_pong/callback_0"].topic == "/ping"
    assert sum(callback.durations.count for callback in seen.callbacks.values()) == 91


def test_who_has_callbacks_that_are_not_traced_is_told() -> None:
    robot = Robot()
    robot.node(1, "n")
    robot.subscription(10, 1, "/seen", 30)
    robot.add(0, "rcl_client_init", client_handle=11, node_handle=1, service_name="/add")
    robot.add(0, "rcl_subscription_init", subscription_handle=12, node_handle=1, topic_name="/raw")
    for handle, part in enumerate(("send_goal", "cancel_goal", "get_result"), 13):
        name = f"/fib/_action/{part}"
        robot.add(0, "rcl_service_init", service_handle=handle, node_handle=1, service_name=name)
    (note,) = (one for one in observe_events(robot.events).notes if "names no callback" in one)
    parts = "'client of /add (node /n)', 'reader of /raw (node /n)', 'action server /fib (node /n)'"
    assert note.startswith(f"the trace names no callback of {parts}: ")


def test_only_ten_callbacks_that_are_not_traced_are_named() -> None:
    robot = Robot()
    for handle in range(12):
        robot.add(
            0, "rcl_client_init", client_handle=handle, node_handle=1, service_name=f"/{handle}"
        )
    (note,) = (one for one in observe_events(robot.events).notes if "names no callback" in one)
    assert "'client of /9', and 2 more: " in note
