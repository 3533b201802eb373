"""What callbacks are to their executor: timers, and jobs of groups.

A pool is an executor whose threads are pinned to several cores, one to each (definition
pinned-pool).
"""

from __future__ import annotations

from ddsrta.models.executors import Executor
from ddsrta.models.system import System, Thread
from ddsrta.ros2 import kind_of

DEFAULT_GROUP = ""  # of all callbacks that name none


def is_timer(thread: Thread) -> bool:
    """Whether a thread is a timer of an executor: what is due when it is called late is skipped.

    >>> from ddsrta.examples import two_threads
    >>> is_timer(two_threads().threads["sensor"])
    False
    """
    return thread.executor is not None and thread.entity == "timer"


def has_timers_thread(system: System, executor: Executor) -> bool:
    """Whether timers of an executor wait for a thread of their own before they are in its queue
    (lemma timers-thread)."""
    return kind_of(executor).timers_thread and any(
        thread.executor == executor.name and is_timer(thread) for thread in system.threads.values()
    )


def pool_of(system: System, thread: Thread) -> Executor | None:
    """The pool that runs a callback; None for all else."""
    executor = system.executors.get(thread.executor or "")
    return executor if executor is not None and executor.is_pool else None


def group_of(callback: Thread) -> str | None:
    """The mutually exclusive group of a callback; None where its jobs exclude nothing.

    >>> group_of(Thread("t", "m/c", 1, 1, reentrant=True)), group_of(Thread("t", "m/c", 1, 1))
    (None, '')
    """
    return None if callback.reentrant else callback.group or DEFAULT_GROUP


def excludes(system: System, executor: Executor) -> bool:
    """Whether any of its callbacks is in a mutually exclusive group."""
    callbacks = (t for t in system.threads.values() if t.executor == executor.name)
    return any(group_of(callback) is not None for callback in callbacks)


def overlaps(system: System, thread: Thread) -> bool:
    """Whether two jobs of a thread may run at the same time, so that a later one ends first."""
    return thread.reentrant and pool_of(system, thread) is not None


def cores_of(system: System, thread: Thread) -> str:
    """Where a thread runs, for people: all cores of a pool or a set.

    >>> from ddsrta.examples import two_threads
    >>> cores_of(two_threads(), two_threads().threads["sensor"])
    'ecu/c0'
    """
    pool = pool_of(system, thread)
    return ", ".join((pool.cores if pool else thread.cores) or (thread.core,))
