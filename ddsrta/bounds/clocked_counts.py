"""Which bases come by one clock, so that their events meet only as their offsets let them (lemma
clocked-counts)."""

from __future__ import annotations

from ddsrta.bounds.compiled import Compiled
from ddsrta.models.arrivals import Periodic


def use_clocks(compiled: Compiled) -> None:
    """Tells the kernel by which clock the events of each base are due, and when the first is."""
    problem, system = compiled.problem, compiled.system
    numbers: dict[str, int] = {}
    for stage, stream in zip(compiled.stages, compiled.streams.of, strict=True):
        arrival = stage.arrival
        if isinstance(arrival, Periodic) and arrival.offset is not None:
            machine = system.machine_of(system.threads[stage.key[1]].core)
            problem.node_clock[stream.node] = numbers.setdefault(machine, len(numbers))
            problem.node_at[stream.node] = arrival.offset - stream.best
