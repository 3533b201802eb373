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
    same_supply = (
        low.core == high.core
        and low.partition == high.partition
        and low.reservation is None
        and high.reservation is None
    )
    return same_supply and low.priority < high.priority
