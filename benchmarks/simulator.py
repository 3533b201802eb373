"""Simulates the reference system in a process of its own, and says what it took as JSON.

Usage: `simulator.py SECONDS`, simulated. Interpreted with DDSRTA_SIMULATOR=interpreted.
"""

from __future__ import annotations

import json
import sys
from time import process_time_ns
from typing import Any

from ars import ars
from ours import peak_memory

from ddsrta.simulation import Run, program_of, random_choices
from ddsrta_simulator import COMPILED

SLICES = 10


def measure(seconds: int) -> dict[str, Any]:
    """One run on one core, all that is measured put into histograms."""
    horizon = seconds * 1_000_000_000
    program = program_of(ars())
    run = Run(program, random_choices(program, 1, horizon))
    run.advance(horizon // SLICES)
    early = peak_memory()
    begin, events = process_time_ns(), run.events
    run.advance(horizon)
    return {
        "compiled": COMPILED,
        "simulated_s": seconds,
        "events": run.events,
        "event_ns": (process_time_ns() - begin) / (run.events - events),
        "peak_bytes": peak_memory(),
        "grown_bytes": peak_memory() - early,
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
