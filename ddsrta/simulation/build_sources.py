"""Arrival models as the engine's flat arrays."""

from __future__ import annotations

from ddsrta.models.arrivals import Arrival, Burst, Periodic, Sporadic
from ddsrta.models.system import System
from ddsrta.simulation.build_links import beside, source_name
from ddsrta_simulator import Program
from ddsrta_simulator.program import ANCHORED, BURST, CURVE


def add_sources(program: Program, system: System) -> None:
    """The arrival models of all threads that are released by time, and of frames on links."""
    for number, thread in enumerate(system.threads.values()):
        if thread.arrival is not None:
            _add_source(program, number, thread.name, thread.arrival)
    for number, each in enumerate(beside(system), len(system.threads)):
        if each.arrival is not None:
            _add_source(program, number, source_name(each.medium, each.stage[2]), each.arrival)
    program.source_distance.append(len(program.distances))
    _add_clocks(program, system)


def _add_source(program: Program, number: int, name: str, arrival: Arrival) -> None:
    """The arrival model of a thread; of a recorded trace, what the model keeps of it."""
    program.sources.append(name)
    program.source_thread.append(number)
    program.source_distance.append(len(program.distances))
    program.source_gap.append(max(1, arrival.least_distance(2)))
    most = 0 if isinstance(arrival, Periodic) else arrival.largest_gap
    program.source_pause.append(arrival.least_distance(5) // 2 + 1 if most is None else most)
    program.source_most.append(most or 0)
    if isinstance(arrival, Periodic):
        row = (ANCHORED, arrival.period, arrival.jitter, arrival.min_distance)
    elif isinstance(arrival, Sporadic):
        row = (ANCHORED, arrival.distance, arrival.jitter, 0)
    elif isinstance(arrival, Burst):
        row = (BURST, arrival.period, arrival.count, arrival.distance)
    else:
        row = (CURVE, arrival.period, arrival.repeat, 0)
        program.distances.extend(arrival.distances)
    program.source_model.append(row[0])
    program.source_period.append(row[1])
    program.source_b.append(row[2])
    program.source_c.append(row[3])


def _add_clocks(program: Program, system: System) -> None:
    """What the sources of a machine with known offsets share: one with the least jitter leads, as
    what decides about time 0 cannot gather its own releases elsewhere."""
    clocks: dict[str, list[tuple[int, Periodic]]] = {}
    for number, name in enumerate(program.sources):
        thread = system.threads.get(name)
        if thread and isinstance(thread.arrival, Periodic) and thread.arrival.offset is not None:
            machine = system.machine_of(thread.core)
            clocks.setdefault(machine, []).append((number, thread.arrival))
    program.source_leader.extend([-1] * len(program.sources))
    program.source_offset.extend([0] * len(program.sources))
    program.source_span.extend([0] * len(program.sources))
    program.source_early.extend([0] * len(program.sources))
    for sources in clocks.values():
        offsets = {number: arrival.offset or 0 for number, arrival in sources}
        least = min(offsets.values())
        first: dict[int, int] = {}  # by period: the first release of its sources
        for number, arrival in sources:
            offset = offsets[number] - least
            first[arrival.period] = min(offset, first.get(arrival.period, offset))
        span = min(period - offset for period, offset in first.items())
        early = min(offsets[number] - least + arrival.jitter for number, arrival in sources)
        leader, _ = min(sources, key=lambda source: source[1].jitter)
        for number, _ in sources:
            program.source_leader[number] = leader
            program.source_offset[number] = offsets[number] - least
            program.source_span[number] = span
            program.source_early[number] = early
