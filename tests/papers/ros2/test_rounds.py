"""Theorems 2 and 3 of RTSS 2021, on vectors restated from the Rust crate and on kinds and costs."""

from __future__ import annotations

import pytest

from ddsrta.models.arrivals import Periodic, superadditive
from ddsrta.papers.ros2 import (
    Analysis,
    Callback,
    Constant,
    CostCurve,
    Dedicated,
    Executor,
    Horizon,
    Kind,
    Polled,
    Stream,
    Sum,
    Timer,
    Unbounded,
    bw,
    rr,
    settle,
)

from .small_executors import FAR, polled_executor, single

THREE = [(10, 100), (230, 10000), (190, 1000)]
OVERLOADED = Stream(superadditive((0, 491, 991, 1491, 1591, 1991, 2491, 2991)))


def test_least_fixed_points_are_those_of_the_crate() -> None:
    """`ros2_rr_subchain_analysis` and `ros2_bw_subchain_analysis` assume what they then find."""
    executor = polled_executor(THREE)
    assert settle(executor, rr.response, FAR) == {"c0": 530, "c1": 440, "c2": 440}
    assert settle(executor, bw.response, FAR) == {"c0": 430, "c1": 449, "c2": 449}


def test_a_chain_is_not_known_to_begin_when_its_last_callback_is_activated() -> None:
    """`ros2_post_chain_arrival_self_interference_bw`: a second activation 5 later counts in full."""
    once = Stream(Periodic(1000))
    twice = Stream(superadditive((0, 5, 1000)))
    arrivals = [once] * 5 + [Sum((once, twice))] * 3 + [twice]
    executor = polled_executor([(1, arrival) for arrival in arrivals])
    names = [callback.name for callback in executor.callbacks]
    assert bw.response(executor, names[:8], dict.fromkeys(names, 16), FAR) == 16


def test_windows_are_half_open() -> None:
    """A response time of a period does not yet bring the activation a period before into play."""
    executor = single(Polled(), Stream(Periodic(100)), Constant(10), Dedicated())
    assert rr.response(executor, ["own"], {"own": 100}, FAR) == 10
    assert rr.response(executor, ["own"], {"own": 101}, FAR) == 20


@pytest.mark.parametrize("analysis", [rr.response, bw.response])
def test_overload_of_one_callback(analysis: Analysis) -> None:
    """`ros2_overloaded_executor_*`: cost 1000 about every 500."""
    executor = single(Polled(), OVERLOADED, Constant(1000), Dedicated())
    assert isinstance(analysis(executor, ["own"], {"own": 10_000}, FAR), Unbounded)


def test_overload_by_another_callback() -> None:
    """`ros2_overloaded_executor2_rr`."""
    executor = polled_executor([(1000, 500), (1, 100)])
    found = rr.response(executor, ["c1"], {"c0": 1001, "c1": 2021}, Horizon(10_000))
    assert isinstance(found, Unbounded)


@pytest.mark.parametrize(
    ("own", "other", "least"),
    [(Polled(0), Polled(1), 10), (Polled(1), Polled(0), 20), (Polled(), Polled(1), 20)],
)
def test_who_is_known_to_come_later_delays_less(own: Kind, other: Kind, least: int) -> None:
    """With one polling point another callback runs before it once, or twice if it may go first."""
    callbacks = (
        Callback("own", own, Stream(Periodic(1000)), Constant(1)),
        Callback("other", other, Stream(Periodic(5)), Constant(10)),
    )
    found = rr.response(Executor(callbacks, Dedicated()), ["own"], {"own": 50, "other": 50}, FAR)
    assert found == least + 1


@pytest.mark.parametrize(("kind", "times"), [(Timer(), 4), (Polled(), 2)])
def test_timers_delay_as_often_as_they_come(kind: Kind, times: int) -> None:
    """Bursts of four: all of a timer's get ahead, of a polled callback one round and one more."""
    burst = Stream(superadditive((0, 0, 0, 0, 1000)))
    callbacks = (
        Callback("own", Polled(), Stream(Periodic(1000)), Constant(1)),
        Callback("other", kind, burst, Constant(10)),
    )
    executor = Executor(callbacks, Dedicated())
    assert rr.response(executor, ["own"], {"own": 50, "other": 50}, FAR) == 10 * times + 1


def test_a_cost_curve_is_used() -> None:
    """Ten activations in a burst: 100 at most once, so 100 + 9 · 10 and not 1000."""
    burst = Stream(superadditive((*[0] * 10, 10_000)))
    curve = CostCurve(tuple(100 + 10 * count for count in range(10)))
    found = bw.response(single(Polled(), burst, curve, Dedicated()), ["own"], {"own": 0}, FAR)
    assert found == 190


def test_what_is_assumed_must_be_complete() -> None:
    with pytest.raises(ValueError, match="no response time is assumed for callback 'c1'"):
        rr.response(polled_executor(THREE), ["c0"], {"c0": 1}, FAR)


def test_curves_of_followers_are_not_for_the_busy_window_aware_analysis() -> None:
    with pytest.raises(ValueError, match="late curves"):
        settle(polled_executor(THREE), bw.response, FAR, {"c1": "c0"})


def test_a_circle_of_followers_is_refused() -> None:
    with pytest.raises(ValueError, match="'c0' follows itself"):
        settle(polled_executor(THREE), rr.response, FAR, {"c1": "c0", "c0": "c1"})


def test_overload_does_not_settle() -> None:
    found = settle(polled_executor([(60, 100), (50, 100)]), rr.response, FAR)
    assert isinstance(found, Unbounded)
    assert str(found).startswith("unbounded, because of callback 'c0'")
