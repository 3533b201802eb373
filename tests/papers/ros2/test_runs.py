"""Bounds against runs: where the published analyses hold, and where real executors break them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ddsrta.models.arrivals import Periodic, superadditive
from ddsrta.papers.ros2 import (
    Callback,
    Constant,
    Dedicated,
    Executor,
    Horizon,
    Polled,
    Stream,
    Timer,
    Unbounded,
    bw,
    ecrts19_executor,
    late,
    rr,
    settle,
)

from .ready_set import STYLES, Style, Work, longest_responses, responses

UNTIL = 4000
HORIZON = Horizon(20_000)


def draw(seed: int, known_order: bool, most: int = 50) -> tuple[Executor, list[Work]]:
    """Two to four polled callbacks that ask for less than the whole processor."""
    rng = random.Random(seed)
    callbacks, works = [], []
    size = rng.randint(2, 4)
    for index in range(size):
        period = rng.choice([20, 25, 40, 60, 100])
        cost = rng.randint(1, min(most, period // size - 1))
        offset = rng.randrange(period)
        kind = Polled(index) if known_order else Polled()
        callbacks.append(Callback(f"c{index}", kind, Stream(Periodic(period)), Constant(cost)))
        times = range(offset, UNTIL, period)
        works.append(Work(f"c{index}", times, cost))
    return Executor(tuple(callbacks), Dedicated()), works


@pytest.mark.parametrize("seed", range(40))
def test_polled_callbacks_stay_below_all_three_bounds(seed: int) -> None:
    executor, works = draw(seed, known_order=seed % 2 == 0)
    round_robin = settle(executor, rr.response, HORIZON)
    busy_window = settle(executor, bw.response, HORIZON)
    assert not isinstance(busy_window, Unbounded)
    chance = random.Random(seed) if seed % 4 == 0 else None
    for name, longest in responses(works, UNTIL, "rounds", chance).items():
        demand = ecrts19_executor.response(executor, name, HORIZON)
        assert longest <= busy_window[name]
        assert isinstance(demand, Unbounded) or longest <= demand
        assert isinstance(round_robin, Unbounded) or longest <= round_robin[name]


@pytest.mark.parametrize("seed", range(20))
def test_a_chain_stays_below_the_round_robin_aware_bound(seed: int) -> None:
    """c1 is activated by c0 alone: its curve is that of c0, late by c0's response time."""
    executor, works = draw(seed, known_order=False, most=3)
    follows = {"c1": "c0"}
    assumed = settle(executor, rr.response, HORIZON, follows)
    assert not isinstance(assumed, Unbounded)
    bound = rr.response(late(executor, follows, assumed), ["c0", "c1"], assumed, HORIZON)
    works[0] = replace(works[0], then="c1")
    works[1] = replace(works[1], times=())
    seen = longest_responses(works, UNTIL, "rounds")
    assert isinstance(bound, int)
    assert seen.response["c0"] <= assumed["c0"]
    assert seen.response["c1"] <= assumed["c1"]
    assert 0 < seen.chain["c1"] <= bound


def tick_and_scans() -> tuple[Executor, list[Work]]:
    tick = Callback("tick", Timer(0), Stream(Periodic(200)), Constant(1))
    scans = [Callback(f"scan{i}", Polled(i), Stream(Periodic(200)), Constant(10)) for i in range(3)]
    works = [Work("tick", [1, 201], 1, timer=True)]
    works += [Work(scan.name, [0, 200], 10) for scan in scans]
    return Executor((tick, *scans), Dedicated()), works


def test_timers_looked_at_before_every_callback_wait_for_one() -> None:
    """ECRTS 2019 was written for this executor: one callback of cost 10, then the timer."""
    executor, works = tick_and_scans()
    bound = ecrts19_executor.response(executor, "tick", HORIZON)
    assert bound == 10 + 1
    assert responses(works, 400, "timers first")["tick"] == 9 + 1


def test_timers_in_the_ready_set_wait_for_a_round() -> None:
    """Since ROS 2 Eloquent a timer waits for the whole round: the bound of ECRTS 2019 is broken."""
    executor, works = tick_and_scans()
    seen = responses(works, 400, "rounds")["tick"]
    bound = ecrts19_executor.response(executor, "tick", HORIZON)
    assert seen == 29 + 1
    assert isinstance(bound, int)
    assert bound < seen
    settled = settle(executor, bw.response, HORIZON)
    assert not isinstance(settled, Unbounded)
    assert settled["tick"] >= seen


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(10))
def test_all_demand_of_others_bounds_every_executor(seed: int, style: Style) -> None:
    """ECRTS 2019 for polled callbacks, with timers described as such: no idle time, one thread."""
    executor, works = draw(seed, known_order=False)
    works[0] = replace(works[0], timer=True)
    for name, longest in responses(works, UNTIL, style).items():
        bound = ecrts19_executor.response(executor, name, HORIZON)
        assert isinstance(bound, Unbounded) or longest <= bound


@pytest.mark.parametrize(
    ("style", "holds"), [("rounds", True), ("one a poll", False), ("queue", False)]
)
def test_without_rounds_a_burst_goes_first_as_a_whole(style: Style, holds: bool) -> None:
    """The analyses of RTSS 2021 need rounds: static executors of Jazzy and events have none."""
    burst, once = superadditive((0, 0, 0, 0, 1000)), Periodic(1000)
    callbacks = (
        Callback("burst", Polled(), Stream(burst), Constant(10)),
        Callback("own", Polled(), Stream(once), Constant(1)),
    )
    executor = Executor(callbacks, Dedicated())
    works = [Work("burst", [0] * 4, 10), Work("own", [0], 1)]
    seen = responses(works, 100, style)["own"]
    for analysis in (rr.response, bw.response):
        settled = settle(executor, analysis, HORIZON)
        assert not isinstance(settled, Unbounded)
        assert (seen <= settled["own"]) == holds
