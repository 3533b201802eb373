"""How long a synchronizer keeps messages that have no stamp, as those of another one (lemma
room-age)."""

from __future__ import annotations

import copy
import random

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.models.synchronization import Synchronizer, SyncPolicy
from ddsrta.models.system import System
from tests.simulation.synchronizers import machine

MS = 1_000_000
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e, f, g]}}
delays: {publisher: {1kB: {worst: 1ms, best: 1ms}}, listener: {1kB: {worst: 1ms, best: 1ms}}}
topics: {image: {size: 1kB}, scan: {size: 1kB}, objects: {size: 1kB}, echo: {size: 1kB}}
listeners: {L: {core: m/d, priority: 9}, K: {core: m/f, priority: 9}}
threads:
  camera:
    {core: m/a, priority: 1, wcet: 2ms, bcet: 2ms, period: 50ms, publishes: [{topic: image, mode: sync}]}
  lidar:
    {core: m/b, priority: 1, wcet: 2ms, bcet: 2ms, period: 100ms, publishes: [{topic: scan, mode: sync}]}
  radar: {core: m/c, priority: 1, wcet: 2ms, period: 40ms, publishes: [{topic: echo, mode: sync}]}
  fuse:
    core: m/e
    priority: 2
    wcet: 3ms
    subscribes: {topics: [image, scan], listener: L, activation: and, synchronize: FIRST}
    publishes: [{topic: objects, mode: sync}]
  track:
    core: m/g
    priority: 2
    wcet: 1ms
    subscribes: {topics: [objects, echo], listener: K, activation: and, synchronize: SECOND}
chains: {far: {path: [camera, image, fuse, objects, track]}}
"""


def twice(first: str, second: str) -> System:
    return ddsrta.loads(TEXT.replace("FIRST", first).replace("SECOND", second))


@pytest.mark.parametrize(
    ("second", "followers"),
    [
        ("latest", 1),
        ("mtd, queue: 1", 1),
        ("mtd, queue: 3", 3),
        ("approximate_time, queue: 2", 2),
        ("approximate_time", None),
        ("mtd", None),
    ],
)
def test_a_message_of_a_set_is_kept_until_as_many_others_have_come(
    second: str, followers: int | None
) -> None:
    result = ddsrta.analyze(twice("mtd", second))
    gap, wait = result.synchronizers["fuse"].gap, result.synchronizers["track"].waits["objects"]
    assert (result.check and result.check.status, gap) == (
        "confirmed",
        102_999_999,
    )  # 5 ms late, or 2 ms and a nanosecond
    assert (wait is None) == (result.chains["far"].latency is None) == (followers is None)
    if followers is not None and wait is not None:
        later = wait - followers * gap  # of one message, on its way
        assert later == 4 * MS - 1


def test_no_message_has_to_come_after_sets_that_are_made_at_times_that_are_not_known() -> None:
    result = ddsrta.analyze(twice("latest", "latest"))
    assert result.synchronizers["track"].waits["objects"] is None
    assert result.chains["far"].latency is None
    left = ddsrta.analyze(twice("mtd", "latest"), refinements=ddsrta.Refinements(room_ages=False))
    assert left.chains["far"].latency is None


@pytest.mark.parametrize("second", ["latest", "mtd, queue: 2", "approximate_time, queue: 2"])
def test_the_checker_finds_it_by_itself(second: str) -> None:
    claims = certificate(twice("mtd", second))
    assert check(claims).ok
    less = copy.deepcopy(claims)
    less["synchronizers"]["track"]["waits"]["objects"] -= 1
    assert "synchronizer 'track': wait of 'objects'" in str(check(less).failure)


@pytest.mark.parametrize(
    ("policy", "room"), [("latest", 1), ("mtd", 1), ("mtd", 3), ("approximate_time", 2)]
)
def test_whatever_its_stamps_are_no_message_waits_longer(policy: SyncPolicy, room: int) -> None:
    """Events of two topics, at most so far apart, so long on their way; stamps that grow."""
    draw, met = random.Random(f"{policy} {room}"), 0
    for _ in range(60):
        gaps, late = (draw.choice((5, 20)), draw.choice((5, 40))), (draw.choice((0, 9)), 3)
        queue = None if policy == "latest" else room
        arrivals, keeper = [], machine(Synchronizer(policy, queue), 2)
        for topic in (0, 1):
            time = arrived = 0
            for _ in range(30):
                time += draw.choice((gaps[topic], draw.randint(1, gaps[topic])))
                arrived = max(arrived, time + draw.choice((0, late[topic])))
                arrivals.append((arrived, draw.random(), topic))
        came: tuple[dict[int, int], dict[int, int]] = ({}, {})
        stamps = [0, 0]
        end = min(max(arrived for arrived, _, of in arrivals if of == topic) for topic in (0, 1))
        for now, _, topic in sorted(arrivals):
            stamps[topic] += draw.choice((1, 2, 30))
            came[topic][stamps[topic]] = now
            for members in keeper.add(topic, stamps[topic], now):
                waits = [now - came[of][stamp] for of, stamp in enumerate(members)]
                most = [room * gap + way for gap, way in zip(gaps, late, strict=True)]
                if now <= end:  # both still come
                    assert all(a <= b for a, b in zip(waits, most, strict=True))
                    met += any(a == b for a, b in zip(waits, most, strict=True))
    assert met or policy == "approximate_time"
