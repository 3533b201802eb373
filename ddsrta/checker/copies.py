"""The place of each reader among the copies of a message, where it is declared (lemma
copy-order)."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.checker.things import System


class Place(NamedTuple):
    """The number of a copy, from 1 on, and how many come after it."""

    number: int
    behind: int


def copies(system: System, writer: str, topic: str) -> dict[str, Place]:
    """The places of all readers that get a copy from a writer; none in an unknown order, or where
    threads sleep for locks or limits (note lost-refinements)."""
    declared = system.copies.get(topic)
    if declared is None or system.sleeps:
        return {}
    through = set(system.receivers(writer, topic))
    order = [reader for reader in declared.readers if reader in through]
    if declared.order == "priority":
        order.sort(key=lambda name: _urgency(system, name), reverse=True)
    return {name: Place(i + 1, len(order) - i - 1) for i, name in enumerate(order)}


def _urgency(system: System, name: str) -> tuple[bool, int]:
    """SCHED_DEADLINE runs before all of SCHED_FIFO; equals keep the order of the file."""
    place = system.threads[name].place
    return (True, 0) if place.reservation else (False, place.priority)
