"""How late a periodic timer's reaction starts under real-time throttling (lemma rt-throttling)."""

from __future__ import annotations

from dataclasses import dataclass

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.schedulers.throttling import DEFAULT_THROTTLE, Throttle
from ddsrta.lf.bounds.unbounded import TICK_TOO_LONG, TICKS_THROTTLED


@dataclass(frozen=True, slots=True)
class TimerLoad:
    """What a thread does at each tick: `work`, and what it waits busily for the tick before.

    `wake`: how late it is woken at most.
    """

    period: int
    work: int
    busy_wait: int = 0
    wake: int = 0

    @property
    def job(self) -> int:
        """All that it takes of the processor for a tick: it waits only for what has not come."""
        return min(self.work + self.busy_wait, max(self.work, self.period))


@dataclass(frozen=True, slots=True)
class TimerLag:
    """The bound (None: it grows without end), and whether throttling can set in."""

    lag: int | None
    throttled: bool
    because: Because | None = None


def timer_lag(load: TimerLoad, throttle: Throttle = DEFAULT_THROTTLE) -> TimerLag:
    """The largest lag of a thread of SCHED_FIFO that has a core to itself.

    >>> ms = 1_000_000
    >>> timer_lag(TimerLoad(ms, 950_000)).lag, timer_lag(TimerLoad(ms, 950_001)).lag
    (0, None)
    >>> timer_lag(TimerLoad(300 * ms, 285 * ms)).lag
    50000000
    """
    if load.work > load.period:
        return TimerLag(None, False, TICK_TOO_LONG.of())
    if most_of_timer(load, throttle.period) <= throttle.runtime:
        return TimerLag(load.wake, False)
    if load.work * throttle.period > throttle.runtime * load.period:
        return TimerLag(None, True, TICKS_THROTTLED.of())
    return TimerLag(throttle.period - throttle.runtime + load.wake, True)


def most_of_timer(load: TimerLoad, window: int) -> int:
    """What the ticks execute at most in a window.

    >>> most_of_timer(TimerLoad(300, 285), 1000)
    955
    """
    whole, rest = divmod(window + load.wake, load.period)
    return min(window, whole * load.job + min(load.job, rest))
