"""Which of two threads keeps the other from the processor."""

from __future__ import annotations

from ddsrta.models.system import Middleware, Thread

Place = Thread | Middleware


def is_below(low: Place, high: Place) -> bool:
    """Whether `low` runs only while `high` has no work: one supply, and strictly less urgent.

    >>> F = Middleware("F", "m/c", 5)
    >>> is_below(F, Middleware("G", "m/c", 6)), is_below(F, Middleware("G", "m/c", 5))
    (True, False)
    """
    return share_supply(low, high) and low.priority < high.priority


def share_supply(one: Place, other: Place) -> bool:
    """Whether two threads compete for the same processor time."""
    return (
        one.core == other.core
        and not (getattr(one, "cores", ()) or getattr(other, "cores", ()))
        and one.partition == other.partition
        and one.reservation is None
        and other.reservation is None
    )
