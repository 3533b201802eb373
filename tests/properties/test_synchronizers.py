"""No set that a synchronizer makes is beyond its bounds, and the bounds can be reached."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ddsrta.bounds.synchronizers.bounds import Input, bounds
from ddsrta.models.arrivals import Periodic
from ddsrta.models.synchronization import Synchronizer, SyncPolicy
from tests.properties.sources import (
    Message,
    Source,
    draw_source,
    merged,
    sets_of,
    stamps_of,
    violations,
    ways_of,
)
from tests.simulation.synchronizers import LatestTime, machine

RUNS = 150


def drawn(seed: int, policy: SyncPolicy) -> tuple[list[Source], list[Message], int]:
    """Sources and a run of them."""
    draw = random.Random(f"{policy} {seed}")
    count = 2 if policy == "mtd" or draw.random() < 0.6 else draw.randint(3, 5)
    sources = [draw_source(draw) for _ in range(count)]
    if policy == "exact_time":
        one = Periodic(sources[0].arrival.period + sources[0].arrival.jitter,
                       sources[0].arrival.jitter)  # fmt: skip
        sources = [replace(source, arrival=one) for source in sources]
    longest = max(source.arrival.largest_gap + source.latest for source in sources)
    end = 12 * longest
    stamps = [stamps_of(draw, source, end) for source in sources]
    if policy == "exact_time":
        stamps = [stamps[0]] * count
    ways = [ways_of(draw, i, source, stamps[i]) for i, source in enumerate(sources)]
    last = min(way[-1].arrives for way in ways)
    return sources, [m for m in merged(draw, ways) if m.arrives <= last], last


@pytest.mark.parametrize("policy", ["exact_time", "approximate_time", "latest", "mtd"])
def test_no_set_is_beyond_the_bounds(policy: SyncPolicy) -> None:
    made = 0
    for seed in range(RUNS):
        sources, messages, last = drawn(seed, policy)
        inputs = [source.known(str(i)) for i, source in enumerate(sources)]
        promised = bounds(Synchronizer(policy), inputs)
        found = sets_of(machine(Synchronizer(policy), len(sources)), messages)
        made += len(found)
        assert not violations(found, messages, inputs, promised, last), (seed, sources, promised)
    assert made > 10 * RUNS


def test_latest_time_of_message_filters_is_within_the_same_bounds() -> None:
    made = 0
    for seed in range(RUNS):
        sources, messages, last = drawn(seed, "latest")
        inputs = [source.known(str(i)) for i, source in enumerate(sources)]
        found = sets_of(LatestTime(len(sources)), messages)
        made += len(found)
        promised = bounds(Synchronizer("latest"), inputs)
        assert not violations(found, messages, inputs, promised, last), (seed, sources)
    assert made > RUNS


@pytest.mark.parametrize("policy", ["exact_time", "approximate_time", "mtd"])
def test_the_queue_that_is_needed_loses_nothing(policy: SyncPolicy) -> None:
    for seed in range(RUNS):
        sources, messages, _ = drawn(seed, policy)
        inputs = [source.known(str(i)) for i, source in enumerate(sources)]
        needed = bounds(Synchronizer(policy), inputs).needed
        assert needed is not None
        enough = Synchronizer(policy, max(1, needed))
        limited = sets_of(machine(enough, len(sources)), messages)
        free = sets_of(machine(Synchronizer(policy), len(sources)), messages)
        assert limited == free, (seed, sources, needed)
        assert bounds(enough, inputs) == bounds(Synchronizer(policy), inputs)


@pytest.mark.parametrize("policy", ["exact_time", "approximate_time", "mtd"])
def test_what_a_short_queue_leaves_holds(policy: SyncPolicy) -> None:
    for seed in range(RUNS):
        sources, messages, last = drawn(seed, policy)
        inputs = [source.known(str(i)) for i, source in enumerate(sources)]
        short = Synchronizer(policy, 1 + seed % 3)
        promised = bounds(short, inputs)
        found = sets_of(machine(short, len(sources)), messages)
        assert not violations(found, messages, inputs, promised, last), (seed, sources, promised)


# Bounds that a constructed run reaches, or nearly does.


def made(policy: SyncPolicy, *ways: list[Message]) -> list[tuple[int, tuple[int, ...]]]:
    arrivals = sorted((m for way in ways for m in way), key=lambda m: (m.arrives, m.topic))
    return sets_of(machine(Synchronizer(policy), len(ways)), arrivals)


def way(topic: int, stamps: list[int], delays: list[int]) -> list[Message]:
    return [Message(s + d, topic, s) for s, d in zip(stamps, delays, strict=True)]


def known(*sources: Source) -> list[Input]:
    return [source.known(str(i)) for i, source in enumerate(sources)]


def test_mtd_reaches_the_bound_of_saito() -> None:
    """The first image comes when the first scan is almost a period old."""
    scan, image = Source(Periodic(40), 0, 0), Source(Periodic(250), 0, 0)
    found = made("mtd", way(0, [0, 40, 80], [0, 0, 0]), way(1, [39], [0]))
    assert found == [(39, (0, 39))]
    assert bounds(Synchronizer("mtd"), known(scan, image)).disparity == 40


def test_mtd_reaches_its_bound_where_delays_count() -> None:
    """The newest scan is late, the image was there at once; the image before is far away."""
    scan, image = Source(Periodic(40), 0, 30), Source(Periodic(250), 0, 0)
    found = made("mtd", way(0, [90, 130, 170], [0, 0, 30]), way(1, [0, 199], [0, 0]))
    assert found[-1] == (199, (130, 199))
    promised = bounds(Synchronizer("mtd"), known(scan, image))
    assert promised.disparity == 70
    assert promised.ages[0] is not None and promised.ages[0] >= 70


def test_latest_reaches_its_bound() -> None:
    """The next message of the slow topic is just about to come, late."""
    slow, fast = Source(Periodic(100), 0, 20), Source(Periodic(10), 0, 0)
    found = made("latest", way(0, [0, 100], [0, 20]), way(1, [119], [0]))
    assert found[0] == (119, (0, 119))
    assert bounds(Synchronizer("latest"), known(slow, fast)).disparity == 120


def test_exact_time_reaches_its_bounds() -> None:
    one, other = Source(Periodic(100), 5, 30), Source(Periodic(100), 1, 40)
    found = made("exact_time", way(0, [0, 100], [5, 5]), way(1, [0, 100], [1, 40]))
    assert found == [(5, (0, 0)), (140, (100, 100))]
    promised = bounds(Synchronizer("exact_time"), known(one, other))
    assert promised.ages == (40, 40)
    assert promised.gap == 140 - 5


def test_approximate_time_reaches_its_disparity() -> None:
    """A pivot in the middle of two images: the older one is kept, by its age penalty."""
    scan, image = Source(Periodic(210), 0, 0), Source(Periodic(210), 0, 0)
    found = made("approximate_time", way(0, [0, 210], [0, 0]), way(1, [110, 320], [0, 0]))
    assert found[0] == (210, (0, 110))
    assert bounds(Synchronizer("approximate_time"), known(scan, image)).disparity == 111


def test_approximate_time_may_have_to_wait_for_the_next_slow_message() -> None:
    scan, image = Source(Periodic(40), 0, 0), Source(Periodic(250), 0, 9)
    found = made("approximate_time", way(0, [39, 79, 119], [0, 0, 0]), way(1, [0, 250], [0, 9]))
    assert found[0] == (259, (39, 0))
    promised = bounds(Synchronizer("approximate_time"), known(scan, image))
    assert promised.disparity == 40
    assert promised.ages[1] is not None
    assert 259 <= promised.ages[1] <= 259 + 40


@pytest.mark.parametrize("policy", ["exact_time", "approximate_time", "mtd"])
def test_a_queue_that_is_asked_for_is_enough_and_nothing_is_open_without_a_reason(policy):
    draw = random.Random(policy)

    def one(topic: str) -> Input:
        gap = draw.choice([5, 10, 40]) + draw.choice([0, 3, 60])
        first, latest = draw.choice([None, gap, gap]), draw.choice([2, 5, 50])
        return Input(topic, first, draw.choice([None, gap]), 5, 2, latest, lambda w: -(-w // 5))

    asked = 0
    for _ in range(RUNS):
        inputs = [one("a"), one("b")]
        short = bounds(Synchronizer(policy, queue=1), inputs)
        enough = bounds(Synchronizer(policy, queue=short.needed), inputs)
        if "it needs" in (short.because or ""):
            asked += 1
            assert "it needs" not in (enough.because or "")
        for found in (short, enough):
            is_open = None in (found.gap, *found.renewals)
            assert is_open == (found.because is not None)
    assert asked
