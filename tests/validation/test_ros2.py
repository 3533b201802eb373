"""What a trace of a ROS 2 system is held against."""

from __future__ import annotations

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.formats.ros2_trace import observe_events
from ddsrta.models.reader import loads
from ddsrta.validation.compare import Validation, compare, limits
from ddsrta.validation.ros2 import held_against
from tests.formats.ros2_trace.robot import MS, pipeline

SYSTEM = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {listener: {1kB: 100us}, publisher: {1kB: 100us}}
topics: {/scan: {size: 1kB}}
listeners: {L: {core: m/b, priority: 90}}
executors:
  first: {core: m/a, priority: 50, kind: single_threaded}
  second: {core: m/b, priority: 50, kind: single_threaded}
callbacks:
  sensor.callback_0: {executor: first, wcet: 3ms, timer: 10ms, publishes: [{topic: /scan, mode: sync}]}
  planner.callback_0: {executor: second, wcet: READER, subscribes: {topics: [/scan], listener: L}}
"""


def validated(reader: str, release: str = "jazzy", source: str = SYSTEM) -> Validation:
    system = loads(source.replace("READER", reader))
    observation = observe_events(pipeline(release).events)
    result = analyze(system)
    limit_of = limits(system, result)
    return compare(system, result, held_against(system, observation, "trace", limit_of))


@pytest.mark.parametrize("release", ["humble", "jazzy", "caret"])
def test_a_message_counts_from_its_publication_to_the_end_of_the_callback(release: str) -> None:
    found = validated("3ms", release)
    (row,) = found.rows
    assert (row.kind, row.name) == ("message", "sensor.callback_0 → /scan → planner.callback_0")
    assert (row.seen.count, row.seen.most) == (4, 4 * MS + 10)
    # Delivery from the release of the publisher's job: 3 ms + sending + receiving; then 3 ms more.
    assert row.bound is not None
    assert 6 * MS < row.bound < 7 * MS
    assert found.verdict == "ok"
    assert "response planner.callback_0" in found.unmeasured
    assert any("does not say when callbacks are released" in note for note in found.notes)


def test_a_callback_that_takes_longer_than_its_model_breaks_the_bound() -> None:
    source = SYSTEM.replace("wcet: 3ms", "wcet: 0.1ms")
    found = validated("0.1ms", source=source)
    assert [row.violated for row in found.rows] == [True]


def test_another_name_is_told() -> None:
    found = validated("3ms", source=SYSTEM.replace("sensor.", "sensr."))
    assert found.verdict != "ok"
    ((_, advice),) = found.unmatched
    assert "did you mean 'sensr" in advice


def test_an_execution_time_above_the_wcet_of_the_model_contradicts_it() -> None:
    from ddsrta.validation.measured import Key, Measured

    system = loads(SYSTEM.replace("READER", "3ms"))
    measured = Measured("trace", "ros2")
    measured.add_all(Key("execution", ("planner.callback_0",)), [2 * MS, 3 * MS + 1])
    measured.add_all(Key("execution", ("sensor.callback_0",)), [3 * MS])
    found = compare(system, analyze(system), measured)
    assert [(row.name, row.violated) for row in found.rows] == [
        ("planner.callback_0", True), ("sensor.callback_0", False),
    ]  # fmt: skip
    assert found.verdict == "assumption broken"
    assert [one.name for one in found.contradicted] == ["planner.callback_0"]


@pytest.mark.parametrize(
    ("old", "new", "subject"),
    [
        ("timer: 10ms", "timer: 1s", "releases"),
        ("timer: 10ms", "timer: 6ms", "releases"),
        ("wcet: 3ms, timer", "wcet: 300us, timer", "execution times"),
        ("wcet: 3ms, timer", "wcet: 9ms, bcet: 8ms, timer", "execution times"),
        ("mode: sync}", "mode: sync, count: 2}", "messages per job"),
        ("{size: 1kB}", "{size: 1kB, history: 1}", "queues"),
        ("callbacks:", "callbacks:\n  more: {executor: first, wcet: 1us, timer: 1s}", "threads"),
        ("sensor.callback_0:", "another:", "threads"),
    ],
)
def test_no_other_model_is_ok(old: str, new: str, subject: str) -> None:
    assert validated("3ms").verdict == "ok"
    found = validated("3ms", source=SYSTEM.replace(old, new))
    assert found.verdict in ("violation", "assumption broken")
    assert subject in {one.subject for one in found.contradicted}


def test_clocks_that_differ_refuse_the_match() -> None:
    """The reader's host is 1 s behind: what it takes was not published yet."""
    robot = pipeline("jazzy")
    reader = {e.fields["vpid"] for e in robot.events if e.name == "ros2:rmw_take"}
    events = [
        e._replace(time=e.time - 1000 * MS) if e.fields.get("vpid") in reader else e
        for e in robot.events
    ]
    observation = observe_events(sorted(events, key=lambda e: e.time))
    assert observation.backwards and not observation.links
    assert any("clocks in the trace differ" in note for note in observation.notes)
    system = loads(SYSTEM.replace("READER", "3ms"))
    found = compare(system, analyze(system), held_against(system, observation, "trace"))
    assert "clocks" in {one.subject for one in found.contradicted}
    assert found.verdict != "ok"


def test_what_no_trace_shows_is_noted() -> None:
    hosts = "machines: {m: {cores: [a, b]}, n: {cores: [a]}}"
    one = validated("3ms")
    two = validated("3ms", source=SYSTEM.replace("machines: {m: {cores: [a, b]}}", hosts))
    assert any("priorities, policies and listeners do not show" in note for note in one.notes)
    assert [any("clocks of hosts that differ" in note for note in found.notes)
            for found in (one, two)] == [False, True]  # fmt: skip


def test_no_bound_is_confirmed_next_to_an_error_of_the_model() -> None:
    found = validated("3ms", source=SYSTEM.replace("priority: 90", "priority: 190"))
    assert found.verdict == "assumption broken"
    assert [(one.subject, one.name) for one in found.contradicted] == [
        ("findings", "priority-range")
    ]


def with_lost(release: str, jobs: tuple[int, ...], later: int = 0) -> Validation:
    """The pipeline whose reader does not get the messages of some jobs, and lives on for so long."""
    robot = pipeline(release)
    for job in jobs:
        taken = (103 + 10 * job) * MS
        robot.events = [
            one for one in robot.events
            if one.fields["vpid"] != 8 or not taken <= one.time <= taken + 4 * MS
        ]  # fmt: skip
    if later:
        robot.start(later, 99, thread=(8, 8), cpu=1)
        robot.events.sort(key=lambda event: event.time)
    system = loads(SYSTEM.replace("READER", "3ms"))
    result, seen = analyze(system), observe_events(robot.events)
    return compare(system, result, held_against(system, seen, "trace", limits(system, result)))


@pytest.mark.parametrize("release", ["jazzy", "caret"])
def test_a_message_that_never_came_breaks_what_bounds_assume(release: str) -> None:
    found = with_lost(release, (1, 2))
    assert found.verdict == "assumption broken"
    (one,) = found.contradicted
    assert (one.subject, one.name) == ("deliveries", "sensor.callback_0")
    assert one.text.startswith("2 messages on '/scan' to planner.callback_0 did not come")
    assert "4 deliveries" in found.held


@pytest.mark.parametrize("release", ["jazzy", "caret"])
def test_the_last_messages_count_while_their_reader_lives_and_its_bound_is_over(
    release: str,
) -> None:
    assert with_lost(release, (2, 3)).verdict == "ok"  # the trace may have ended
    assert with_lost(release, (2, 3), 125 * MS).verdict == "ok"
    found = with_lost(release, (2, 3), 130 * MS)  # 8 ms after the first of them left
    (one,) = found.contradicted
    assert one.text.startswith("the last 1 message on '/scan'")


def test_what_a_reader_missed_before_its_first_message_is_not_lost() -> None:
    assert with_lost("jazzy", (0, 1)).verdict == "ok"


def test_without_stamps_nobody_knows_which_message_came() -> None:
    found = with_lost("humble", (1,))
    assert found.contradicted == () and "deliveries" not in found.held
    assert any("whether others were lost does not show" in note for note in found.notes)


def test_calls_replies_and_clients_are_in_no_trace() -> None:
    robot, reader = pipeline("jazzy"), (8, 8)
    robot.add(0, "rcl_service_init", reader, service_handle=40, node_handle=1, service_name="/map")
    robot.add(0, "rclcpp_service_callback_added", reader, service_handle=40, callback=50)
    robot.start(200 * MS, 50, thread=reader, cpu=1)
    robot.end(201 * MS, 50, thread=reader, cpu=1)
    robot.events.sort(key=lambda event: event.time)
    called = SYSTEM.replace("READER", "3ms").replace(
        "mode: sync}]}", "mode: sync}], calls: [{service: map}]}"
    )
    source = f"""{called}
  planner service .map: {{executor: second, wcet: 1ms, serves: {{service: map, listener: L}}}}
  got: {{executor: first, wcet: 1ms, receives: {{service: map, listener: L}}}}
services: {{map: {{request: 1kB, reply: 1kB}}}}
"""
    system = loads(source)
    result = analyze(system)
    limit_of = limits(system, result)
    measured = held_against(system, observe_events(robot.events), "trace", limit_of)
    assert list(compare(system, result, measured).contradicted) == []
