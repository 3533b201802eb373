"""Lags of timers under real-time throttling: known answers, a plain run, the command."""

from __future__ import annotations

import json
from random import Random

import pytest

from ddsrta.__main__ import main
from ddsrta.lf.bounds.schedulers.lag import TimerLoad, timer_lag
from ddsrta.lf.bounds.schedulers.throttling import Throttle

MS = 1_000_000


@pytest.mark.parametrize("period", [MS // 10, MS, 10 * MS])
def test_a_timer_is_on_time_up_to_95_percent_and_never_beyond(period: int) -> None:
    """The defaults of Linux, where the period divides a second."""
    assert timer_lag(TimerLoad(period, period * 95 // 100)).lag == 0
    assert timer_lag(TimerLoad(period, period * 95 // 100 + 1)).lag is None


def test_busy_waiting_brings_throttling_and_then_50_ms() -> None:
    """Soyer sees spikes of up to 50 ms at 1 ms and 95 %."""
    found = timer_lag(TimerLoad(MS, 950_000, busy_wait=68_000))
    assert found.throttled
    assert found.lag == 50 * MS
    assert not timer_lag(TimerLoad(MS, 800_000, busy_wait=150_000)).throttled
    assert timer_lag(TimerLoad(MS, 800_000, busy_wait=150_001)).throttled


def test_without_throttling_a_full_core_is_enough() -> None:
    off = Throttle(100, 100)
    assert timer_lag(TimerLoad(10, 10, busy_wait=5, wake=2), off).lag == 2
    assert timer_lag(TimerLoad(10, 11), off).lag is None


def run(load: TimerLoad, throttle: Throttle, random: Random, until: int) -> int:
    """One nanosecond after the other: the largest lag; the throttle's phase is drawn."""
    phase = random.randrange(throttle.period)
    longest = random.random() < 0.6
    used = worst = tick = left = 0
    for now in range(until):
        if (now + phase) % throttle.period == 0:
            used = 0
        if used >= throttle.runtime:
            continue
        tag = tick * load.period
        if left == 0 and now >= tag:
            worst = max(worst, now - tag)
            tick += 1
            left = load.work if longest else random.randint(0, load.work)
            if left == 0:
                continue
        if left:
            left -= 1
            used += 1
        elif now >= tag - load.busy_wait:
            used += 1
    return worst


def test_no_run_is_later() -> None:
    bounded = late = reached = 0
    for seed in range(400):
        random = Random(seed)
        period = random.randint(2, 15)
        load = TimerLoad(period, random.randint(0, period), random.choice([0, 0, 1, 4]))
        throttle = Throttle(random.randint(10, 40), 40)
        found = timer_lag(load, throttle)
        seen = max(run(load, throttle, random, 1200) for _ in range(3))
        if found.lag is None:
            continue
        assert seen <= found.lag, (seed, load, throttle)
        bounded += 1
        late += found.lag > 0
        reached += found.lag > 0 and seen >= found.lag - 1
    assert bounded > 150
    assert late > 40
    assert reached > 10


def call(*arguments: str) -> int:
    try:
        return main(["lf", "lag", *arguments])
    except SystemExit as stop:
        return int(str(stop.code))


def test_the_command_prints_a_table_or_integers(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--period", "1ms", "--utilization", "95%", "--utilization", "80.5") == 0
    assert "805 us" in capsys.readouterr().out
    assert call("--period", "1ms", "--utilization", "96", "--format", "json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["runtime"] == 950 * MS
    assert document["lags"][0]["lag"] is None
    assert document["lags"][0]["unbounded_because"].startswith("throttling")
    assert call("--period", "1ms", "--runtime", "1s") == 0
    assert "without throttling" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong",
    [
        ("--period", "0ms"),
        ("--period", "5"),
        ("--period", "1ms", "--runtime", "2s"),
        ("--period", "1ms", "--utilization", "nan"),
        ("--period", "1ms", "--utilization", "1e9"),
        (),
    ],
)
def test_a_wrong_call_ends_with_2(
    wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*wrong) == 2
    assert capsys.readouterr().err
