"""What is taken of cores that are there for a part of the time only (definition thread-supply)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ddsrta.models.assumptions import Assumption
from ddsrta.models.system import System

_PARTITIONS = (
    "each partition of core {}{} has its budget in each period, to the nanosecond, whatever it or "
    "others had before: one that is adaptive has it on the average of a window, which is looked at "
    "by ticks, pays back what it had beyond, and waits for critical threads of others"
)
_RESERVATION = (
    "core {}{} is there for its budget in each period, to the nanosecond, whatever it was there "
    "for before"
)


def supplied(system: System) -> Iterator[Assumption]:
    """That whatever divides a core keeps budgets: a hypervisor, or adaptive partitions."""
    cores = [core for core in system.cores.values() if core.reservation or core.partitions]
    for core in islice(cores, 1):
        of = "of " if core.partitions else ""
        others = f" (and {of}{len(cores) - 1} more)" if cores[1:] else ""
        message = _PARTITIONS if core.partitions else _RESERVATION
        yield Assumption(
            "core-budgets",
            message.format(core.path, others),
            system.where("machines", core.machine, "cores", core.name),
        )
