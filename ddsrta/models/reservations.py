"""Reservations of cores, and the threads whose budgets are enough for each of their jobs."""

from __future__ import annotations

from fractions import Fraction

from ddsrta.models.executors import Executor
from ddsrta.models.system import Middleware, Publication, Reservation, System, Thread

Budgeted = tuple[Reservation, Thread | Executor | Middleware]
Reserved = Budgeted | tuple[Reservation, None]  # None: a partition


def job_cost(system: System, thread: Thread) -> int:
    """The WCET of a job together with what it sends by itself."""
    own = thread.wcet + system.taking_cost(thread).worst
    return own + sum(sending_costs(system, thread).values()) if thread.publishes else own


def sending_costs(system: System, thread: Thread) -> dict[tuple[str, bool], int]:
    """What own sending takes at most, of alternatives the dearest (lemma alternatives)."""
    found: dict[tuple[str, bool], int] = {}
    for publication in thread.publishes:
        if publication.mode != "sync":
            continue
        name = publication.one_of or publication.topic, publication.one_of is not None
        found[name] = max(found.get(name, 0), own_cost(system, thread, publication))
    return found


def own_cost(system: System, thread: Thread, publication: Publication) -> int:
    """The same of one publication: its copies, and what readers of the process do."""
    if publication.mode != "sync":
        return 0
    cost = copies_cost(system, thread, publication)
    if system.processes:
        cost += system.local_cost(thread, publication.topic).worst
    return publication.count * cost


def copies_cost(system: System, thread: Thread, publication: Publication) -> int:
    """What all copies of one message take."""
    copies = len(system.receivers(thread, publication.topic))
    return copies * system.sending_cost(publication).worst if copies else 0


def reserved(system: System) -> dict[str, list[Reserved]]:
    """What each core promises, to its partitions and SCHED_DEADLINE threads."""
    found: dict[str, list[Reserved]] = {}
    for path, core in system.cores.items():
        for partition in core.partitions.values():
            found.setdefault(path, []).append((partition, None))
    things: list[Thread | Executor | Middleware] = [*system.threads.values()]
    things += (*system.executors.values(), *system.flow_controllers.values())
    things += system.listeners.values()
    for thing in things:
        if thing.reservation is not None and getattr(thing, "executor", None) is None:
            found.setdefault(thing.core, []).append((thing.reservation, thing))
    return found


def supply_of(system: System, thing: Thread | Executor | Middleware) -> Reservation | None:
    """What a thread runs on: its own reservation, its partition or that of its core; None: all."""
    core = system.cores[thing.core]
    if thing.reservation is not None:
        return thing.reservation
    return core.reservation if thing.partition is None else core.partitions[thing.partition]


def served(system: System) -> set[str]:
    """The threads whose reservations serve each job by its deadline (definition
    constant-bandwidth-server).

    >>> from ddsrta.examples import two_threads
    >>> served(two_threads())
    set()
    """
    return {
        thing.name
        for promised in by_deadlines(system).values()
        if sum(share_of(one) for one, _ in promised) < 1
        for reservation, thing in promised
        if isinstance(thing, Thread) and is_enough(system, thing, reservation)
    }


def by_deadlines(system: System) -> dict[str, list[Budgeted]]:
    """What is promised on cores where SCHED_DEADLINE keeps it: to threads, and no more than there
    is. Where locks of Fast DDS count, threads may sleep for them.

    >>> from ddsrta.examples import two_threads
    >>> by_deadlines(two_threads())
    {}
    """
    return {} if system.fastdds is not None else servers(system)


def servers(system: System) -> dict[str, list[Budgeted]]:
    """The same, also where locks of Fast DDS count: threads may sleep for them, and have as much of
    their budgets then as SCHED_DEADLINE leaves a thread that wakes."""
    return {
        core: [(one, thing) for one, thing in promised if thing is not None]
        for core, promised in reserved(system).items()
        if not system.cores[core].partitions and sum(share_of(one) for one, _ in promised) <= 1
    }


def share_of(reservation: Reservation) -> Fraction:
    """The part of a core that it is."""
    return Fraction(reservation.budget, reservation.period)


def is_enough(system: System, thread: Thread, reservation: Reservation) -> bool:
    """Whether a budget is enough for each job, and jobs are at least a period apart."""
    if thread.arrival is None or thread.arrival.least_distance(2) < reservation.period:
        return False
    return job_cost(system, thread) <= reservation.budget
