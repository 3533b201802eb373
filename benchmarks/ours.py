"""Compiles and solves one chain system in a process of its own, and says what it took as JSON.

Usage: `ours.py TASKS SECONDS [--bounds] [--plain]`. With --plain, without refinements: the plain
busy windows that peers compute. The kernel is interpreted with DDSRTA_KERNEL=interpreted.
"""

from __future__ import annotations

import json
import resource
import sys
from statistics import median
from time import monotonic, process_time_ns
from typing import Any

from systems import generate, to_system

from ddsrta.base.collecting import collecting_rarely
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.refinements import Refinements
from ddsrta_kernel import COMPILED, UNBOUNDED, Solver

RUSAGE_UNIT = 1 if sys.platform == "darwin" else 1024


def measure(count: int, seconds: float, refinements: Refinements) -> dict[str, Any]:
    """Times of one compilation and of the median solution, and the peak memory of both."""
    system = to_system(generate(count))
    before = peak_memory()
    with collecting_rarely():  # as `analyze` does
        begin = process_time_ns()
        compiled = compile_system(system, refinements)
        compilation = process_time_ns() - begin
    times, solver = [], None
    started = monotonic()
    while len(times) < 3 or monotonic() - started < seconds:
        del solver  # as an analysis has one
        solver = Solver(compiled.problem)
        begin = process_time_ns()
        solver.solve()
        times.append(process_time_ns() - begin)
        if times[0] > 3e9 * seconds:
            break
    bounds = [solver.latency[compiled.unit(("job", name))] for name in system.threads]
    return {
        "tasks": count,
        "compiled": COMPILED,
        "compile_ns": compilation,
        "solve_ns": int(median(times)),
        "runs": len(times),
        "windows": solver.solved,
        "peak_bytes": peak_memory(),
        "model_bytes": before,
        "bounds": [None if bound >= UNBOUNDED else bound for bound in bounds],
    }


def peak_memory() -> int:
    """The most that this process held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RUSAGE_UNIT


if __name__ == "__main__":
    chosen = Refinements.none() if "--plain" in sys.argv else Refinements.all()
    result = measure(int(sys.argv[1]), float(sys.argv[2]), chosen)
    if "--bounds" not in sys.argv:
        del result["bounds"]
    print(json.dumps(result))
