"""Analyses the six configurations of the Autoware reference system and says what it took as JSON.

Usage: `reference_system.py SECONDS` (for each); or `reference_system.py --verdicts COUNT`, to have
the instructions of the largest counted. The analysis is the fixed point alone; `verdict_ns`
is all from the model to the verdict, with the figures of each chain, `whole_ns` to all that a
result has, with each step of the chains, and `checked_ns` the same with its check.
Times are those of the processor, so that a busy machine matters less. The systems are those of
casestudies/ars.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import monotonic, process_time_ns
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))  # case studies are not installed

from casestudies.ars.graph import REDUCED, entities, text, without
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.models.reader import loads
from ddsrta.models.system import System
from ddsrta_kernel import COMPILED, Solver


def measure(chains: int, seconds: float) -> dict[str, Any]:
    """One configuration: medians of some runs, at least one."""
    gone = without(chains)
    system = loads(text(gone, every_path=True), f"{chains} chains")
    problem = compile_system(system).problem
    paths, _ = named_paths(system)
    return {
        "chains": len(paths),
        "entities": entities(gone),
        "solve_ns": _time(lambda: Solver(problem).solve(), seconds),
        "verdict_ns": _time(lambda: _verdict(system), seconds) if COMPILED else None,
        "whole_ns": _time(lambda: _whole(system), seconds) if COMPILED else None,
        "checked_ns": _time(lambda: analyze(system), seconds) if COMPILED else None,
    }


def _verdict(system: System) -> object:
    result = analyze(system, check=False)
    return result.verdict, [chain.latency for chain in result.chains.values()]


def _whole(system: System) -> object:
    result = analyze(system, check=False)
    return result.assumptions, [chain.hops for chain in result.chains.values()]


def _time(run: Callable[[], object], seconds: float) -> int:
    times = []
    started = monotonic()
    while not times or monotonic() - started < seconds:
        begin = process_time_ns()
        run()
        times.append(process_time_ns() - begin)
    return int(median(times))


def verdicts(count: int) -> None:
    """So many of the largest, for who counts instructions: a busy machine does not change these."""
    system = loads(text(without(max(REDUCED)), every_path=True), "most chains")
    for _ in range(count):
        _verdict(system)


if __name__ == "__main__" and sys.argv[1] == "--verdicts":
    verdicts(int(sys.argv[2]))
elif __name__ == "__main__":
    found = [measure(chains, float(sys.argv[1])) for chains in sorted(REDUCED)]
    print(json.dumps({"compiled": COMPILED, "configurations": found}))
