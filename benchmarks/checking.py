"""What it takes to check a result: the certificate of a system, as JSON.

Usage: `checking.py TASKS SECONDS [chain|apart]`: chain systems, one long chain to and fro, or tasks
that no other releases. `whole_ns` is the analysis from the model to the certificate, `check_ns` the
independent check of it, `work` what that counts: evaluations of curves.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from statistics import median
from time import monotonic, process_time_ns
from typing import Any

from systems import Task, generate, to_system

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

LONG = "chain"  # of one chain
APART = "apart"


def tasks(count: int, shape: str) -> list[Task]:
    """The tasks of a system of a shape."""
    if shape == LONG:
        return [Task(n % 10, 1 + n * 7 % 13, 1_000, 1_000, 10_000_000, n - 1) for n in range(count)]
    found = generate(count)
    return [task._replace(after=-1) for task in found] if shape == APART else found


def measure(count: int, seconds: float, shape: str) -> dict[str, Any]:
    """Medians of some runs, at least one."""
    system = to_system(tasks(count, shape))
    claimed = certificate(system)
    verdict = check(claimed)
    return {
        "tasks": count,
        "shape": shape,
        "whole_ns": _time(lambda: certificate(system), seconds),
        "check_ns": _time(lambda: check(claimed), seconds),
        "work": verdict.work,
        "status": verdict.status,
    }


def _time(run: Callable[[], object], seconds: float) -> int:
    times: list[int] = []
    started = monotonic()
    while not times or monotonic() - started < seconds:
        begin = process_time_ns()
        run()
        times.append(process_time_ns() - begin)
    return int(median(times))


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), float(sys.argv[2]), "".join(sys.argv[3:]))))
