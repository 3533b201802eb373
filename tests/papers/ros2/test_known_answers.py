"""All vectors of the Rust crate response-time-analysis that the published ROS 2 analyses give."""

from __future__ import annotations

from typing import Any

import pytest

from ddsrta.models.arrivals import Arrival, Periodic, Sporadic, superadditive
from ddsrta.papers.ros2 import (
    Constant,
    CostCurve,
    Dedicated,
    Demand,
    Horizon,
    Never,
    Prefix,
    Reserved,
    Stream,
    Sum,
    Timer,
    Total,
    Unbounded,
    bw,
    ecrts19,
    multiframe,
    observed,
    observed_costs,
    rr,
)
from tests.bounds.shared_data import known_answers

from .small_executors import FAR, polled_executor, single

ANSWERS = known_answers("response_time_analysis_rs.json")
THREE_OF_FIVE = Reserved(3, 5)
NEAR = Horizon(100)


def entry(prefix: str) -> Any:
    """The entry of that name; some keys carry a remark behind it."""
    return next(value for key, value in ANSWERS.items() if key.startswith(prefix))


def figures(section: str, prefix: str) -> Any:
    return next(value for key, value in entry(section).items() if key.startswith(prefix))


def ecrts(name: str, figure: str = "R") -> int:
    found = next(v for v in entry("ros2_ecrts19") if v["name"].startswith(name))
    assert isinstance(found[figure], int)
    return found[figure]


def demand(cost: int, arrival: Arrival) -> Demand:
    return Demand(Stream(arrival), Constant(cost))


OWN = demand(1, Periodic(10))
OTHERS = Total((demand(1, Periodic(10)), demand(3, Periodic(20))))
CHAINS = Total((demand(3, Sporadic(20, jitter=25)), demand(3, Sporadic(20, jitter=25))))


def test_event_source() -> None:
    own = demand(2, Sporadic(5, jitter=2))
    assert ecrts19.event_source(THREE_OF_FIVE, own, NEAR) == ecrts("event_source")


def test_what_never_arrives() -> None:
    own = Demand(Never(), Constant(2))
    assert ecrts19.event_source(THREE_OF_FIVE, own, NEAR) == ecrts("never")


@pytest.mark.parametrize("blocking", [0, 4])
def test_timer(blocking: int) -> None:
    expected = ecrts("timer_periodic", f"blocking {blocking} -> R")
    assert ecrts19.timer(THREE_OF_FIVE, OWN, OTHERS, blocking, NEAR) == expected


def test_timer_with_sporadic_interference() -> None:
    others = Total((demand(1, Periodic(10)), demand(3, Sporadic(20, jitter=10))))
    assert ecrts19.timer(THREE_OF_FIVE, OWN, others, 0, NEAR) == ecrts("timer_sporadic")


def test_polling_point_callback() -> None:
    assert ecrts19.polled(THREE_OF_FIVE, OWN, OTHERS, NEAR) == ecrts("polling_point_callback")


def test_chain() -> None:
    last, prefix, full = (demand(cost, Periodic(25)) for cost in (3, 1 + 2, 1 + 2 + 3))
    found = ecrts19.chain(THREE_OF_FIVE, last, prefix, full, CHAINS, Horizon(1000))
    assert found == ecrts("chain", "R_chain")


def test_chain_as_polling_point_callback() -> None:
    others = Total((*CHAINS.parts, demand(3, Periodic(25))))
    found = ecrts19.polled(THREE_OF_FIVE, demand(3, Periodic(25)), others, Horizon(1000))
    assert found == ecrts("chain2")


def test_overload() -> None:
    curve = superadditive((0, 491, 991, 1491, 1591, 1991, 2491, 2991))
    found = ecrts19.polled(Dedicated(), demand(1000, curve), Total(()), Horizon(1000))
    assert isinstance(found, Unbounded)


@pytest.mark.parametrize(
    ("section", "analysis"), [("ros2_rr", rr.response), ("ros2_bw", bw.response)]
)
def test_three_polled_callbacks(section: str, analysis: Any) -> None:
    vector = entry(section)[0]
    executor = polled_executor(vector["CT"])
    assumed = {c.name: r for c, r in zip(executor.callbacks, vector["assumed_R"], strict=True)}
    found = [analysis(executor, [name], assumed, FAR) for name in assumed]
    assert found == vector["bound"]


@pytest.mark.parametrize(
    ("section", "analysis"), [("ros2_rr", rr.response), ("ros2_bw", bw.response)]
)
def test_timer_alone(section: str, analysis: Any) -> None:
    vector = entry(section)[1]
    ((cost, period),) = vector["CT"]
    executor = single(Timer(), Stream(Periodic(period)), Constant(cost), THREE_OF_FIVE)
    (assumed,) = vector["assumed_R"]
    assert [analysis(executor, ["own"], {"own": assumed}, FAR)] == vector["bound"]


def test_activations_after_that_of_the_chain_interfere() -> None:
    vector = entry("ros2_bw")[2]
    once = Stream(Periodic(1000))
    twice = Stream(superadditive(observed([0, 5, 1000], 4)))
    arrivals = [once] * 5 + [Sum((once, twice))] * 3 + [twice]
    executor = polled_executor([(1, arrival) for arrival in arrivals])
    names = [callback.name for callback in executor.callbacks]
    found = bw.response(executor, names[:8], dict.fromkeys(names, 16), FAR)
    assert found == vector["bound"]


def test_periodic_resource() -> None:
    times = figures("supply_periodic", "service_time")
    assert [THREE_OF_FIVE.time(work) for work in range(len(times))] == times
    provided = figures("supply_periodic", "provided")
    assert [THREE_OF_FIVE.provided(window) for window in range(len(provided))] == provided


@pytest.mark.parametrize(
    ("section", "supply"),
    [
        ("supply_constrained P=11 B=2 D=5", Reserved(2, 11, deadline=5)),
        ("supply_constrained P=100 B=7 D=10", Reserved(7, 100, deadline=10)),
    ],
)
def test_constrained_resource(section: str, supply: Reserved) -> None:
    provided = entry(section)["provided"]
    assert {window: supply.provided(int(window)) for window in provided} == provided


@pytest.mark.parametrize(
    ("prefix", "arrival", "windows"),
    [
        ("periodic T=10", Periodic(10), (0, 1, 8, 10, 11, 100, 101, 105)),
        ("sporadic T=10 J=3", Sporadic(10, 3), (0, 1, 8, 10, 11, 100, 107, 108, 1108)),
        ("sporadic T=10 J=16", Sporadic(10, 16), (0, 1, 4, 5)),
    ],
)
def test_activations_in_a_window(prefix: str, arrival: Arrival, windows: tuple[int, ...]) -> None:
    stream = Stream(arrival)
    assert [stream.events(window) for window in windows] == figures("arrival", prefix)


@pytest.mark.parametrize("jitter", [3, 16])
def test_windows_in_which_one_more_arrives(jitter: int) -> None:
    steps = figures("arrival", f"steps T=10 J={jitter}")
    assert list(Stream(Sporadic(10, jitter)).windows(steps[-1])) == steps


def test_least_distances_of_a_period() -> None:
    expected = figures("arrival", "dmin T=10")
    assert [Periodic(10).least_distance(count) for count in range(6)] == expected


def test_sum_of_arrivals() -> None:
    both = Sum((Stream(Periodic(3)), Stream(Periodic(5))))
    expected = figures("arrival", "sum sporadic(3)+periodic(5)")
    assert [both.events(window) for window in range(len(expected))] == expected


def test_continued_curve() -> None:
    expected = figures("arrival", "curve from dmin")
    curve = Prefix((0, 1, 2, 12, 15, 18, 21))
    assert [curve.least_distance(count) for count in range(len(expected))] == expected


@pytest.mark.parametrize(
    ("prefix", "curve"),
    [
        ("multiframe", multiframe([3, 2, 1])),
        ("from trace", observed_costs([1, 1, 3, 1, 2, 2, 1, 3, 1, 0, 0, 3, 2, 0, 1, 1], 3)),
        ("curve", CostCurve((15, 25, 30))),
    ],
)
def test_costs_of_consecutive_activations(prefix: str, curve: CostCurve) -> None:
    expected = figures("wcet_curve", prefix)
    assert [curve.of(count) for count in range(len(expected))] == expected
