"""What the thread that watches the timers of an events executor asks of it."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.system import System
from ddsrta.models.timers import has_timers_thread


def timers_problems(system: System) -> Iterator[Diagnostic]:
    """Linux lets a SCHED_DEADLINE thread make no thread of its own policy."""
    for name, executor in system.executors.items():
        if executor.reservation is not None and has_timers_thread(system, executor):
            yield Diagnostic(
                system.where("executors", name, "reservation"),
                f"events executor '{name}' has timers, and under SCHED_DEADLINE it cannot make its "
                "timers thread",
                "this is not modelled: give it a priority, or its timers another executor",
            )
