"""Which kinds executors may be of that no event names."""

from __future__ import annotations

from ddsrta.formats.ros2_trace import observe_events
from ddsrta.formats.ros2_trace.draft import draft_of
from ddsrta.formats.yaml_writer import write
from tests.formats.drafted import read as data_of
from tests.formats.drafted import system_of
from tests.formats.ros2_trace.robot import pipeline


def test_an_executor_that_asks_for_no_work_is_not_taken_for_one_in_rounds() -> None:
    robot = pipeline("humble")
    robot.add(1, "rclcpp_executor_wait_for_work", timeout=-1)  # the sensor's thread alone
    robot.events.sort(key=lambda event: event.time)
    text = write(draft_of(observe_events(robot.events), "robot"))
    kinds = [one["kind"] for one in data_of(text)["executors"].values()]
    assert kinds == ["single_threaded", "multi_threaded"]
    assert "static, of events, or another" in text
    system_of(text)


def test_one_thread_may_be_of_an_executor_of_several() -> None:
    text = write(draft_of(observe_events(pipeline("humble").events), "robot"))
    assert text.count("the only one of a multi_threaded executor that had a turn") == 2
