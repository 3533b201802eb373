"""Timers of rclcpp: a call skips what was due until then.

Written from the behaviour of rcl. A timer that is due waits until it is called; then it is next due
at the first of its times that is later. The thread that watches the timers of an events executor
calls them when it runs, and puts them into the queue of the executor.
"""

from __future__ import annotations

from ddsrta_simulator.orders import TIMERS
from ddsrta_simulator.program import NEVER, Program
from ddsrta_simulator.twin_threads import Unit


class Timers:
    """Which timers wait to be called, and when each was called last."""

    def __init__(self, program: Program) -> None:
        self.caller = program.thread_caller
        self.is_watched = [c >= 0 and program.server_order[c] == TIMERS for c in self.caller]
        self.waits = [False] * len(self.caller)
        self.called_at = [-NEVER] * len(self.caller)

    def skips(self, thread: int, due: int) -> bool:
        """Whether a release is none, as the call before it skips it; else the timer waits."""
        if self.caller[thread] < 0:
            return False
        if self.waits[thread] or due <= self.called_at[thread]:
            return True
        self.waits[thread] = True
        return False

    def begun(self, unit: Unit, now: int) -> None:
        """The thread that serves a timer calls it, unless another one has."""
        if not self.watches(unit):
            self.called(unit, now)

    def watches(self, unit: Unit) -> bool:
        """Whether a thread of its own watches the timer that a unit is of, if any."""
        return unit.stage < len(self.caller) and self.is_watched[unit.stage]

    def called(self, unit: Unit, now: int) -> None:
        """A timer is called; what is of no timer does not mind."""
        if unit.stage < len(self.caller):
            self.waits[unit.stage] = False
            self.called_at[unit.stage] = now
