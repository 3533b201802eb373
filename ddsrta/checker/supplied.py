"""What is assumed of the time that cores, SCHED_DEADLINE and SCHED_OTHER give to threads."""

from __future__ import annotations

from ddsrta.checker.members import fits
from ddsrta.checker.things import FAIR, Reservation, System


def relies_on_budgets(system: System) -> bool:
    """Whether a core, or a partition of it, is there for a part of the time only."""
    return any(core.reservation or core.partitions for core in system.cores.values())


def relies_on_deadlines(system: System) -> bool:
    """Whether SCHED_DEADLINE keeps what threads of some core are promised."""
    promised: dict[str, list[Reservation]] = {}
    places = [one.place for one in system.threads.values() if one.executor is None]
    places += [one.place for one in system.executors.values()]
    places += [one.place for one in (*system.controllers.values(), *system.listeners.values())]
    for place in places:
        if place.reservation is not None:
            promised.setdefault(place.core, []).append(place.reservation)
    return any(
        not system.cores[core].partitions and fits(tuple(some)) for core, some in promised.items()
    )


def relies_on_shares(system: System) -> bool:
    """Whether threads of SCHED_OTHER are on a core of which the tick is said."""
    cores: set[str] = set()
    for thread in system.threads.values():
        if thread.place.priority == FAIR:
            executor = system.executors.get(thread.executor or "")
            cores.update((executor and executor.cores) or (thread.place.core,))
    return any(system.cores[core].tick is not None for core in cores)
