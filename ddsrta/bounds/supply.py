"""Reservations that a core cannot keep: then none of them is a supply."""

from __future__ import annotations

from fractions import Fraction

from ddsrta.models.system import Reservation, System


def reserved_shares(system: System) -> dict[str, Fraction]:
    """The share of each core that its partitions and SCHED_DEADLINE threads reserve.

    >>> from ddsrta.examples import two_threads
    >>> reserved_shares(two_threads())
    {}
    """
    shares: dict[str, Fraction] = {}

    def add(core: str, reservation: Reservation) -> None:
        share = Fraction(reservation.budget, reservation.period)
        shares[core] = shares.get(core, Fraction(0)) + share

    for path, core in system.cores.items():
        for partition in core.partitions.values():
            add(path, partition)
    for thread in system.threads.values():
        if thread.reservation is not None and thread.executor is None:
            add(thread.core, thread.reservation)
    for executor in system.executors.values():
        if executor.reservation is not None:
            add(executor.core, executor.reservation)
    for things in (system.flow_controllers, system.listeners):
        for thing in things.values():
            if thing.reservation is not None:
                add(thing.core, thing.reservation)
    return shares


def overcommitted(system: System) -> set[str]:
    """The cores whose reservations add up to more than there is."""
    return {core for core, share in reserved_shares(system).items() if share > 1}
