"""The lemmas of ECRTS 2019, on vectors restated from the Rust crate response-time-analysis."""

from __future__ import annotations

import pytest

from ddsrta.bounds.unbounded import NOT_SERVED
from ddsrta.models.arrivals import Periodic, Sporadic
from ddsrta.papers.ros2 import (
    Callback,
    Constant,
    Dedicated,
    Demand,
    EventSource,
    Executor,
    Horizon,
    Polled,
    Reserved,
    Stream,
    Timer,
    Total,
    Unbounded,
    ecrts19,
    ecrts19_executor,
)

from .small_executors import polled_executor

SUPPLY = Reserved(3, 5)
FAR = Horizon(1000)


def test_chain_of_the_crate() -> None:
    """`ros2_chain`: costs 1, 2, 3 every 25 beside two chains of cost 3 every 20 with jitter 25."""
    last, prefix, full = (Demand(Stream(Periodic(25)), Constant(c)) for c in (3, 3, 6))
    other = Demand(Stream(Sporadic(20, jitter=25)), Constant(3))
    assert ecrts19.chain(SUPPLY, last, prefix, full, Total((other, other)), FAR) == 72


def test_chain_of_the_crate_as_an_executor() -> None:
    own, other = Stream(Periodic(25)), Stream(Sporadic(20, jitter=25))
    costs = [("a", own, 1), ("b", own, 2), ("c", own, 3)]
    costs += [("d", other, 1), ("e", other, 1), ("f", other, 1), ("g", other, 2), ("h", other, 1)]
    callbacks = tuple(Callback(name, Polled(), curve, Constant(c)) for name, curve, c in costs)
    executor = Executor(callbacks, SUPPLY)
    assert ecrts19_executor.chain_response(executor, ["a", "b", "c"], FAR) == 72
    assert ecrts19_executor.response(executor, "c", FAR) == 72


def test_timers_of_lower_priority_block_once() -> None:
    """The vector `ros2_timer_periodic` (20 with blocking 4), now as an executor."""
    table = [("own", 2, 10, 1), ("first", 0, 10, 1), ("second", 1, 20, 3), ("later", 3, 50, 4)]
    callbacks = [
        Callback(name, Timer(priority), Stream(Periodic(period)), Constant(cost))
        for name, priority, period, cost in table
    ]
    executor = Executor(tuple(callbacks), SUPPLY)
    assert ecrts19_executor.response(executor, "own", FAR) == 20


def test_timers_of_unknown_order_are_all_ahead() -> None:
    callbacks = [
        Callback(name, Timer(), Stream(Periodic(100)), Constant(10)) for name in ("a", "b", "c")
    ]
    assert ecrts19_executor.response(Executor(tuple(callbacks), Dedicated()), "a", FAR) == 30


def test_overload_has_no_bound_and_says_why() -> None:
    found = ecrts19_executor.response(polled_executor([(60, 100), (50, 100)]), "c0", FAR)
    assert found == Unbounded(NOT_SERVED.of(longest=1000))


def test_an_event_source_needs_a_supply_of_its_own() -> None:
    source = Callback("lidar", EventSource(), Stream(Periodic(10)), Constant(1))
    scan = Callback("scan", Polled(), Stream(Periodic(10)), Constant(1))
    assert ecrts19_executor.response(Executor((source,), SUPPLY), "lidar", FAR) == 5
    with pytest.raises(ValueError, match="'lidar' shares its executor"):
        ecrts19_executor.response(Executor((source, scan), SUPPLY), "scan", FAR)


def test_a_chain_is_activated_by_its_first_callback_alone() -> None:
    executor = polled_executor([(1, 10), (1, 20)])
    with pytest.raises(ValueError, match="'c1' has other activations"):
        ecrts19_executor.chain_response(executor, ["c0", "c1"], FAR)
