"""Curves and supplies against their definitions, by brute force, and with hostile numbers."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from ddsrta.bounds.unbounded import GIVEN_UP
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.papers.ros2 import (
    ArrivalCurve,
    BoundedDelay,
    Constant,
    CostCurve,
    Dedicated,
    Delayed,
    Horizon,
    Polled,
    Prefix,
    Reserved,
    Stream,
    Sum,
    Supply,
    Unbounded,
    bw,
    ecrts19_executor,
    multiframe,
    observed,
    observed_costs,
    rr,
)

from .small_executors import single

CURVES: list[ArrivalCurve] = [
    Stream(Periodic(7)),
    Stream(Periodic(10, jitter=25, min_distance=2)),
    Stream(Sporadic(10, jitter=16)),
    Stream(Burst(3, 1, 20)),
    Stream(Curve((0, 0, 9), repeat=2, period=9)),
    Stream(Prefix((0, 1, 2, 12, 15))),
    Delayed(Stream(Periodic(7)), 30),
    Sum((Stream(Periodic(7)), Stream(Sporadic(10, jitter=16)))),
]
SUPPLIES: list[Supply] = [
    Dedicated(),
    Reserved(3, 5),
    Reserved(2, 11, deadline=5),
    Reserved(5, 5),
    BoundedDelay(4, 2, 3),
]


@pytest.mark.parametrize("curve", CURVES)
def test_windows_are_all_at_which_the_curve_rises(curve: ArrivalCurve) -> None:
    rises = [w for w in range(1, 101) if curve.events(w) > curve.events(w - 1)]
    assert list(curve.windows(100)) == rises
    assert curve.events(0) == 0


@pytest.mark.parametrize("supply", SUPPLIES)
def test_time_is_the_least_window_that_provides_the_work(supply: Supply) -> None:
    for work in range(40):
        least = next(window for window in range(500) if supply.provided(window) >= work)
        assert supply.time(work) == least


@pytest.mark.parametrize("seed", range(20))
def test_a_prefix_is_continued_by_the_best_split(seed: int) -> None:
    rng = random.Random(seed)
    distances = (0, *sorted(rng.randint(0, 30) for _ in range(5)), 31)
    curve = Prefix(distances)
    values = [curve.least_distance(count) for count in range(1, 60)]
    for count in range(len(distances) + 1, 60):
        splits = [values[a] + values[count - 1 - a] for a in range(1, count - 1)]
        assert values[count - 1] == max(splits)


def test_far_beyond_its_prefix_a_curve_repeats_what_is_known() -> None:
    """Every two activations more take 5 more; little of that is lost."""
    curve = Prefix((0, 0, 5))
    exact = (10**15 - 1) // 2 * 5
    assert 999 * exact <= 1000 * curve.least_distance(10**15) <= 1000 * exact


def test_costs_recur_from_the_worst_beginning() -> None:
    """A window may begin with any frame: [1, 3] costs 3 once, and not 1."""
    assert multiframe([1, 3]).of(1) == 3
    assert multiframe([1, 3]).of(3) == 7


@pytest.mark.parametrize("seed", range(20))
def test_observed_bounds_cover_the_record(seed: int) -> None:
    rng = random.Random(seed)
    times = sorted(rng.randint(0, 300) for _ in range(40))
    costs = [rng.randint(0, 9) for _ in range(40)]
    distances, curve = observed(times, 6), observed_costs(costs, 6)
    for count in range(1, 7):
        seen = [sum(costs[i : i + count]) for i in range(len(costs) - count + 1)]
        assert max(seen) == curve.of(count)
        spans = [times[i + count - 1] - times[i] for i in range(len(times) - count + 1)]
        assert min(spans) == distances[count - 1]
    assert all(a <= b for a, b in pairwise(distances))


@pytest.mark.parametrize(
    "arrival",
    [
        Periodic(1, jitter=10**18),
        Burst(10**18, 0, 10**18),
        Sporadic(10**18),
        Curve((0, 0), repeat=1, period=1),
    ],
)
@pytest.mark.parametrize("cost", [1, 10**18])
def test_hostile_numbers_end_in_bounded_steps(arrival: Periodic | Burst, cost: int) -> None:
    executor = single(Polled(), Stream(arrival), Constant(cost), Reserved(1, 10**9))
    horizon = Horizon(10**18, steps=2000)
    for found in (
        ecrts19_executor.response(executor, "own", horizon),
        rr.response(executor, ["own"], {"own": 10**18}, horizon),
        bw.response(executor, ["own"], {"own": 10**18}, horizon),
    ):
        assert isinstance(found, int | Unbounded)


def test_slow_divergence_is_given_up() -> None:
    """One nanosecond more at each step: the horizon is far, the steps are not."""
    executor = single(Polled(), Stream(Periodic(10, jitter=9)), Constant(10), Dedicated())
    found = ecrts19_executor.response(executor, "own", Horizon(10**15, steps=1000))
    assert found == Unbounded(GIVEN_UP.of(steps=1000))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Reserved(0, 5),
        lambda: Reserved(3, 5, deadline=2),
        lambda: Reserved(3, 5, deadline=6),
        lambda: BoundedDelay(0, 4, 3),
        lambda: BoundedDelay(-1, 1, 1),
        lambda: Constant(-1),
        lambda: CostCurve(()),
        lambda: CostCurve((3, 2)),
        lambda: multiframe([]),
        lambda: multiframe([-1]),
        lambda: Prefix((0,)),
        lambda: Prefix((1, 2)),
        lambda: Prefix((0, 2, 1)),
        lambda: Prefix((0, 0)),
        lambda: Delayed(Stream(Periodic(1)), -1),
        lambda: Horizon(0),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(ValueError, match=r"\w"):
        wrong()
