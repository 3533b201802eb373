"""Executors over several cores whose idle threads may miss a group, or spin while one is busy."""

from __future__ import annotations

from ddsrta.checker import kinds
from ddsrta.checker.things import Executor, System


def keeps_wait_set(executor: Executor) -> bool:
    """Whether threads on several cores keep a wait set from which a busy group is left out."""
    return executor.is_pool and kinds.keeps_wait_set(executor.release, executor.groups)


def relies_on_idleness(system: System) -> bool:
    """Whether such a thread may spin, beside what is less urgent (note idle-threads)."""
    placed = [(t.place, t.place.cores) for t in system.threads.values() if t.executor is None]
    placed += [(e.place, e.cores) for e in system.executors.values()]
    placed += [(m.place, ()) for m in (*system.controllers.values(), *system.listeners.values())]
    return any(
        place.reservation is None
        and place.priority < executor.place.priority
        and not set(executor.cores).isdisjoint(cores or (place.core,))
        for executor in filter(keeps_wait_set, system.executors.values())
        for place, cores in placed
    )
