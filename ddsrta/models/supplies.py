"""What a core supplies to its threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ddsrta.base.frozen import frozen


@frozen
class Reservation:
    """A periodic resource: `budget` of processor time in each `period` (SCHED_DEADLINE, APS)."""

    budget: int
    period: int


@frozen
class Core:
    """A processor: whole, or supplying one reservation, or split into partitions by name."""

    machine: str
    name: str
    reservation: Reservation | None = None
    partitions: Mapping[str, Reservation] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The name by which threads refer to the core: 'ecu1/c0'."""
        return f"{self.machine}/{self.name}"
