"""Timers of rclcpp, and the thread that watches those of an events executor (lemmas timer-skips
and timers-thread)."""

from __future__ import annotations

from ddsrta.models.executors import Executor
from ddsrta.models.system import System, Thread


def is_timer(thread: Thread) -> bool:
    """Whether a thread is a timer of an executor: what is due when it is called late is skipped.

    >>> from ddsrta.examples import two_threads
    >>> is_timer(two_threads().threads["sensor"])
    False
    """
    return thread.executor is not None and thread.entity == "timer"


def has_timers_thread(system: System, executor: Executor) -> bool:
    """Whether timers of an executor wait for a thread of their own before they are in its queue."""
    return executor.kind == "events" and any(
        thread.executor == executor.name and is_timer(thread) for thread in system.threads.values()
    )
