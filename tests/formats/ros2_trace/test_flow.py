"""What a trace shows of how messages flow: circles, alternatives, and in which order they leave."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
import yaml

import ddsrta
from ddsrta.formats.ros2_trace import Observation, observe_events
from ddsrta.formats.ros2_trace.draft import draft_of
from ddsrta.formats.yaml_writer import write
from ddsrta.validation.ros2_model import hold_ros2
from tests.effort import draws
from tests.formats.ros2_trace.robot import MS, Robot

NODES = ("start", "ping", "pong", "more")


class Rally:
    """A timer sends on /in; `ping` hears it and sends /to, `pong` hears that and sends /in."""

    def __init__(self, timed: bool = True) -> None:
        self.robot = Robot()
        self.now, self.stamp = 0, 0
        for node, name in enumerate(NODES, 1):
            self.robot.node(node, name)
        self.robot.timer(20, 1, 100 * MS, 30)
        self.robot.publisher(10, 1, "/in")
        self.robot.publisher(11, 2, "/to")
        self.robot.publisher(12, 3, "/in")
        self.robot.subscription(13, 2, "/in", 31)
        self.robot.subscription(14, 3, "/to", 32)
        self.timed = timed

    def send(self, publisher: int) -> int:
        robot, now = self.robot, self.now
        self.stamp = now + 1
        robot.add(now, "rclcpp_publish", message=now)
        robot.add(now, "rcl_publish", publisher_handle=publisher, message=now)
        robot.add(now, "rmw_publish", rmw_publisher_handle=publisher + 1000, message=now,
                  timestamp=self.stamp)  # fmt: skip
        return self.stamp

    def job(
        self, callback: int, heard: int | None, sends: tuple[int, ...], ends: bool = True
    ) -> None:
        """One job, of 1 ms, that publishes; what it sent last is `stamp`."""
        if heard is not None:
            self.robot.add(self.now, "rmw_take", message=3, taken=1, source_timestamp=heard,
                           rmw_subscription_handle=1)  # fmt: skip
        self.robot.start(self.now, callback)
        self.now += MS
        for publisher in sends:
            self.send(publisher)
        if ends:
            self.robot.end(self.now, callback)
        self.now += MS

    def begin(self) -> None:
        if self.timed:
            self.job(30, None, (10,))
        else:
            self.send(10)

    def play(self, rounds: int, followed: bool = True) -> None:
        """A message from outside, and so many rounds."""
        self.now += 100 * MS
        self.begin()
        for number in range(rounds + 1):
            self.job(31, self.stamp if followed else None, (11,))
            self.job(32, self.stamp if followed else None, (12,) if number < rounds else ())

    def seen(self) -> Observation:
        return observe_events(self.robot.events)

    def text(self) -> str:
        return write(draft_of(self.seen(), "rally"))


def closing(text: str) -> dict[str, str]:
    (entry,) = yaml.safe_load(text)["callbacks"]["pong.callback_0"]["publishes"]
    return entry


def test_a_circle_goes_round_as_often_as_was_seen() -> None:
    rally = Rally()
    for rounds in (1, 3, 0, 2):
        rally.play(rounds)
    (circle,) = rally.seen().circles
    assert circle.callbacks == ("/ping/callback_0", "/pong/callback_0")
    assert (circle.rounds, circle.messages, circle.unknown, circle.open) == (3, 6, 0, False)
    text = rally.text()
    assert closing(text)["rounds"] == 3
    (line,) = [one for one in text.splitlines() if "rounds" in one]
    assert "6 went round, at most 3 one after the other" in line
    assert line.endswith("a longer run may show more: confirm it")
    result = ddsrta.analyze(ddsrta.loads(text))
    (said,) = [one for one in result.assumptions if one.rule == "message-flow"]
    assert said.message.startswith("jobs of pong.callback_0 send '/in' no more often than")
    assert result.callbacks["ping.callback_0"].wcrt is not None
    assert result.check.status == "confirmed"


def test_what_is_not_followed_may_be_the_next_part_of_any_rally() -> None:
    rally = Rally()
    rally.play(2)
    rally.play(2, followed=False)
    (circle,) = rally.seen().circles
    assert (circle.rounds, circle.messages, circle.unknown) == (2, 4, 6)
    assert closing(rally.text())["rounds"] == 4
    assert "6 jobs of the circle had messages that are not followed" in rally.text()


def test_a_rally_that_goes_on_when_the_trace_ends_is_told() -> None:
    rally = Rally()
    rally.play(1)
    rally.begin()
    for _ in range(3):
        rally.job(31, rally.stamp, (11,))
        rally.job(32, rally.stamp, (12,))
    (circle,) = rally.seen().circles
    assert (circle.rounds, circle.open) == (3, True)
    assert "which was not seen to end" in rally.text()
    rally.job(31, rally.stamp, ())
    assert not rally.seen().circles[0].open
    rally.job(31, rally.stamp, (), ends=False)
    assert rally.seen().circles[0].rounds == 3


def test_somebody_begins_what_no_callback_did() -> None:
    rally = Rally(timed=False)
    for rounds in (2, 1):
        rally.play(rounds)
    text = rally.text()
    assert yaml.safe_load(text)["threads"]["source of /in"]["arrival"] == {"sporadic": "112ms"}
    assert "2 messages that no callback published, the least time between two" in text
    system = ddsrta.loads(text)
    assert [circle.rounds for circle in system.circles.values()] == [2]
    path = yaml.safe_load(text)["chains"]["path 1"]["path"]
    assert path == ["source of /in", "/in", "ping.callback_0", "/to", "pong.callback_0"]


def test_circles_that_no_counter_ends_are_told() -> None:
    rally = Rally()
    rally.robot.publisher(15, 4, "/to")
    rally.robot.timer(21, 4, 100 * MS, 33)
    rally.play(1)
    rally.job(33, None, (15,))
    text = rally.text()
    assert "rounds" not in closing(text)
    told = "left out: 'rounds' of the circle /ping/callback_0 → /pong/callback_0 → /ping/callback_0"
    entered = "it is entered at several callbacks: /ping/callback_0, /pong/callback_0"
    (line,) = [one for one in text.splitlines() if "left out: 'rounds'" in one]
    assert line == f"# {told}: {entered}"
    both = Rally()
    both.play(1)
    both.job(32, None, (12, 12))
    assert "a job of /pong/callback_0 sends several messages round" in both.text()


def drawn(seed: int) -> tuple[Rally, int]:
    """Rallies of drawn lengths, of which now and then a message is not followed."""
    random = Random(seed)
    rally, most = Rally(), 0
    for _ in range(random.randint(1, 6)):
        rounds = random.randint(0, 5)
        rally.now += 50 * MS
        rally.begin()
        for number in range(rounds + 1):
            for callback, sends in ((31, 11), (32, 12)):
                heard = None if random.random() < 0.1 else rally.stamp
                rally.job(callback, heard, (sends,) if number < rounds or sends == 11 else ())
        most = max(most, rounds)
    return rally, most


@pytest.mark.parametrize("seed", range(draws(15, of=40)))
def test_no_draft_says_less_than_happened(seed: int) -> None:
    rally, most = drawn(seed)
    for circle in rally.seen().circles:
        assert circle.most >= most


def decisions(which: Iterator[tuple[int, ...]]) -> str:
    return write(draft_of(choices(which), "decisions"))


def choices(which: Iterator[tuple[int, ...]]) -> Observation:
    robot = Robot()
    robot.node(1, "n")
    robot.timer(20, 1, 10 * MS, 30)
    for number in range(3):
        robot.publisher(10 + number, 1, f"/{'abc'[number]}")
    for job, sends in enumerate(which):
        robot.start(10 * job * MS, 30)
        for place, number in enumerate(sends):
            robot.add(10 * job * MS + place, "rcl_publish", publisher_handle=10 + number, message=job * 9 + place)  # fmt: skip
        robot.end((10 * job + 1) * MS, 30)
    return observe_events(robot.events)


def sent(text: str) -> list[tuple[str, str | None, str | None]]:
    found = yaml.safe_load(text)["callbacks"]["n.callback_0"]["publishes"]
    return [(one["topic"], one.get("jobs"), one.get("one_of")) for one in found]


def test_one_of_several() -> None:
    text = decisions((job % 3 // 2,) for job in range(9))
    assert sent(text) == [("/a", "2 of 3", "/a"), ("/b", "1 of 3", "/a")]
    assert "no job sent two of /a, /b" in text
    system = ddsrta.loads(text)
    assert ddsrta.analyze(system).check.status == "confirmed"
    chance = decisions((0,) if job == 3 else (1,) if job in (5, 8) else () for job in range(9))
    assert {one[2] for one in sent(chance)} == {None}
    often = decisions(((0, 2), (1, 2), (0,), ())[job % 4] for job in range(24))
    assert sent(often) == [
        ("/a", "1 of 2", "/a"),
        ("/b", "1 of 4", "/a"),
        ("/c", "2 of 4", None),
    ]


def test_in_the_order_of_the_job() -> None:
    text = decisions(((1,), (0, 1), (0, 1, 2))[job % 3] for job in range(9))
    assert [one[0] for one in sent(text)] == ["/a", "/b", "/c"]
    assert "in no fixed order" not in text
    text = decisions(((1, 0), (0, 1))[job % 2] for job in range(9))
    assert "/n/callback_0 published on /a and /b in no fixed order: the bounds take" in text


def against(text: str, seen: Observation) -> set[str]:
    """What a trace says against a system."""
    held = hold_ros2(ddsrta.loads(text), seen, lambda _: None)
    return {one.text for one in held.contradictions if one.subject == "messages per job"}


def test_another_trace_may_say_otherwise() -> None:
    short, long = Rally(), Rally()
    short.play(2)
    long.play(3)
    assert not against(short.text(), short.seen())
    assert not against(long.text(), short.seen())
    (told,) = against(short.text(), long.seen())
    assert told == "'/in' went round 3 times, 2 at most in the model"


def test_so_may_one_in_which_alternatives_go_together() -> None:
    text = decisions((job % 3 // 2,) for job in range(9))
    assert not against(text, choices((job % 3 // 2,) for job in range(9)))
    found = against(text, choices(((0,), (0, 1))[job % 3 // 2] for job in range(9)))
    assert "a job published '/a' and '/b', of which each sends one in the model" in found
    closer = decisions(((0,), (), ())[job % 3] for job in range(9))
    found = against(closer, choices((0,) if job in (0, 2, 8) else () for job in range(9)))
    assert found == {"'/a': 2 of 3 jobs in a row published, and 1 of 3 publish in the model"}


def test_or_one_in_which_more_than_two_of_five_jobs_publish() -> None:
    text = decisions((0,) if job % 5 < 2 else () for job in range(30))
    assert sent(text) == [("/a", "2 of 5", None)]
    assert not against(text, choices((0,) if job % 5 < 2 else () for job in range(30)))
    found = against(text, choices((0,) if job in (9, 10, 11) else () for job in range(30)))
    assert found == {"'/a': 3 of 3 jobs in a row published, and 2 of 5 publish in the model"}
    once = choices((0,) if job in (9, 10, 14) else () for job in range(30))
    assert not against(text, once)
