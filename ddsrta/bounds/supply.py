"""Reservations: those that a core cannot keep, and those that serve each job by its deadline."""

from __future__ import annotations

from fractions import Fraction

from ddsrta.models.reservations import reserved, served
from ddsrta.models.system import System


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
    names = served(system)
    if not names:
        return {}
    from ddsrta.bounds.deadline_servers import waits

    return waits(system, names)
