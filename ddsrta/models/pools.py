"""Pools: executors whose threads are pinned to several cores, one to each (definition
pinned-pool)."""

from __future__ import annotations

from ddsrta.models.executors import Executor
from ddsrta.models.system import System, Thread

DEFAULT_GROUP = ""  # of all callbacks that name none


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


def overlaps(system: System, thread: Thread) -> bool:
    """Whether two jobs of a thread may run at the same time, so that a later one ends first."""
    return thread.reentrant and pool_of(system, thread) is not None


def cores_of(system: System, thread: Thread) -> str:
    """Where a thread runs, for people: all cores of a pool.

    >>> from ddsrta.examples import two_threads
    >>> cores_of(two_threads(), two_threads().threads["sensor"])
    'ecu/c0'
    """
    pool = pool_of(system, thread)
    return ", ".join(pool.cores) if pool else thread.core
