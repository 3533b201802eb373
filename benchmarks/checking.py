"""What it takes to check a result: the certificate of a chain system, as JSON.

Usage: `checking.py TASKS SECONDS`. `whole_ns` is the analysis from the model to the certificate,
`check_ns` the independent check of it, `work` what that counts: evaluations of curves.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from statistics import median
from time import monotonic, process_time_ns
from typing import Any

from systems import generate, to_system

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check


def measure(count: int, seconds: float) -> dict[str, Any]:
    """Medians of some runs, at least one."""
    system = to_system(generate(count))
    claimed = certificate(system)
    verdict = check(claimed)
    return {
        "tasks": count,
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
    print(json.dumps(measure(int(sys.argv[1]), float(sys.argv[2]))))
