"""No more sets than the messages of each topic make (lemmas set-counts and set-curves)."""

from __future__ import annotations

import random

import pytest

import ddsrta
from ddsrta.bounds.solve import solve
from ddsrta.bounds.synchronizers.bounds import Input, bounds
from ddsrta.bounds.synchronizers.counts import SetCounts
from ddsrta.models.synchronization import Synchronizer, SyncPolicy
from ddsrta.models.system import System
from tests.bounds.test_closed_sets import OVER, fused
from tests.bounds.test_synchronizers import SENSORS
from tests.simulation.synchronizers import machine
from tests.soundness.synchronized import synchronized_system


def merged_scans(synchronize: str) -> System:
    """The scans are those of two threads: they have no stamps, or none that grow."""
    text = SENSORS.format(
        synchronize=f"synchronize: {synchronize}", lidar="period: 40ms", camera="period: 100ms"
    )
    text = text.replace("lidar: {core: m/a, priority: 9, wcet: 1ms, period: 40ms",
                        "lidar: {core: m/a, priority: 9, wcet: 1ms, "
                        "follows: {threads: [camera, tick]}")  # fmt: skip
    text = text.replace(
        "  fuse:", "  tick: {core: m/b, priority: 5, wcet: 1ms, period: 1s}\n  fuse:"
    )
    return ddsrta.loads(text.replace(", constraint: reaction_time", ""))


@pytest.mark.parametrize(
    ("synchronize", "sets"),
    [
        ("approximate_time", None),  # any number may be kept
        ("approximate_time, queue: 2", 2 + 1),  # and one more image
        ("exact_time", 1 + 1),  # at most one at each arrival
        ("exact_time, queue: 1", 1 + 1),
    ],
)
def test_without_stamps_no_more_sets_come_than_messages(synchronize: str, sets: int | None) -> None:
    system = merged_scans(synchronize)
    result, solution = ddsrta.analyze(system), solve(system)
    assert result.synchronizers["fuse"].disparity is None
    assert (result.threads["fuse"].wcrt is None) == (sets is None)
    assert sets is None or solution.count(("job", "fuse"), 1) == sets
    assert result.check is not None and result.check.status == "confirmed"


@pytest.mark.parametrize(
    ("policy", "queue", "counts"),
    [
        ("mtd", None, SetCounts("and", 0, 1)),
        ("latest", None, SetCounts("or")),
        ("approximate_time", None, SetCounts("and", 2 - 1)),
        ("approximate_time", 1, SetCounts("and", 2 - 1, 1)),
        ("exact_time", None, SetCounts("and")),
        ("exact_time", 2, SetCounts("and", 0, 2)),
    ],
)
def test_no_part_of_a_run_has_more_sets_and_some_have_as_many(
    policy: SyncPolicy, queue: int | None, counts: SetCounts
) -> None:
    """Whatever was there before."""
    draw, met = random.Random(f"{policy} sets"), 0
    for _ in range(40):
        sets = machine(Synchronizer(policy, queue), 2)
        arrivals, stamps, made = [], [0, 0], []
        weights = draw.choice(((1, 1), (1, 4)))
        for now in range(60):
            (topic,) = draw.choices((0, 1), weights)
            stamps[topic] += 1 if policy == "exact_time" else draw.choice((1, 2, 9))
            arrivals.append(topic)
            made.append(len(sets.add(topic, stamps[topic], now)))
        for first in range(len(arrivals)):
            brought, total = [0, 0], 0
            for topic, new in zip(arrivals[first:], made[first:], strict=True):
                brought[topic] += 1
                total += new
                most = counts.most(brought)
                assert most is not None and total <= most
                met += total == most > 0
    assert met > 100


def test_sporadic_sources_make_sets_with_a_curve():
    """No next message need come, so nothing bounds how long one may be kept."""
    for policy in ("approximate_time", "approximate_time, queue: 2"):
        system = fused(policy, left="arrival: {sporadic: 50ms}", right=OVER)
        result = ddsrta.analyze(system)
        assert result.threads["act"].wcrt is not None
        assert result.check is not None and result.check.status == "confirmed"


@pytest.mark.parametrize("seed", [7, 31])
def test_no_response_is_higher_by_it(seed):
    system = synchronized_system(seed)
    without = ddsrta.analyze(system, refinements=ddsrta.Refinements(set_counts=False))
    now = ddsrta.analyze(system)
    assert now.check.status == "confirmed"
    for name, one in without.threads.items():
        bound = now.threads[name].wcrt
        assert one.wcrt is None or (bound is not None and bound <= one.wcrt)


def test_no_member_of_a_set_of_two_topics_is_older_than_both_take_to_go_on():
    """The pivot waits for the next message of the other topic, and what is before it for the next
    one of its own, or for the pivot; of three topics any two may be apart."""
    scan = Input("scan", 40, 40, 40, 1, 2, lambda window: -(-window // 40))
    image = Input("image", 250, 250, 250, 5, 9, lambda window: -(-window // 250))
    slow = Input("slow", 40, 40, 40, 1, 90, lambda window: -(-window // 40))
    policy = Synchronizer("approximate_time")
    assert bounds(policy, [scan, image]).ages == (9 + 250, 250 + 9)
    near = 11 * 250 // 21 + 1
    assert bounds(policy, [slow, image]).ages == (9 + 250, max(250 + 9, 90 + near))
    three = bounds(policy, [scan, image, slow])  # one begins within 40, and is 40 apart
    assert three.ages == (250 + 9 + 40,) * 3
