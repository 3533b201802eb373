"""Arrival models as the engine's flat arrays."""

from __future__ import annotations

from ddsrta.models.arrivals import Burst, Periodic, Sporadic
from ddsrta.models.system import Thread
from ddsrta_simulator import Program
from ddsrta_simulator.program import ANCHORED, BURST, CURVE


def add_source(program: Program, number: int, thread: Thread) -> None:
    """The arrival model of a thread; of a recorded trace, what the model keeps of it."""
    arrival = thread.arrival
    assert arrival is not None
    program.sources.append(thread.name)
    program.source_thread.append(number)
    program.source_distance.append(len(program.distances))
    program.source_gap.append(max(1, arrival.least_distance(2)))
    silent = arrival.largest_gap is None
    program.source_pause.append(arrival.least_distance(5) // 2 + 1 if silent else 0)
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
