"""Reservations: those that a core cannot keep, and those that serve each job by its deadline."""

from __future__ import annotations

from fractions import Fraction

from ddsrta.models.executors import Executor
from ddsrta.models.system import Middleware, Reservation, System, Thread

Reserved = tuple[Reservation, Thread | Executor | Middleware | None]  # None: a partition


def reserved(system: System) -> dict[str, list[Reserved]]:
    """What each core promises, to its partitions and SCHED_DEADLINE threads."""
    found: dict[str, list[Reserved]] = {}
    for path, core in system.cores.items():
        for partition in core.partitions.values():
            found.setdefault(path, []).append((partition, None))
    things: list[Thread | Executor | Middleware] = []
    things += (thread for thread in system.threads.values() if thread.executor is None)
    things += (*system.executors.values(), *system.flow_controllers.values())
    for thing in (*things, *system.listeners.values()):
        if thing.reservation is not None:
            found.setdefault(thing.core, []).append((thing.reservation, thing))
    return found


def reserved_shares(system: System) -> dict[str, Fraction]:
    """The share of each core that its partitions and SCHED_DEADLINE threads reserve.

    >>> from ddsrta.examples import two_threads
    >>> reserved_shares(two_threads())
    {}
    """
    return {
        core: sum((Fraction(one.budget, one.period) for one, _ in found), Fraction())
        for core, found in reserved(system).items()
    }


def overcommitted(system: System) -> set[str]:
    """The cores whose reservations add up to more than there is."""
    return {core for core, share in reserved_shares(system).items() if share > 1}


def deadline_servers(system: System) -> dict[str, int]:
    """How long threads that are served (definition constant-bandwidth-server) may wait for others.

    >>> from ddsrta.examples import two_threads
    >>> deadline_servers(two_threads())
    {}
    """
    promised = reserved(system)
    if not promised:
        return {}
    from ddsrta.bounds.deadline_servers import waits

    return waits(system, promised)
