"""Bounds and runs of all partitions: `python -m casestudies.baseband.figures` writes figures.json.

It takes two minutes; the tests look at a few of them anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from casestudies.baseband.found import program
from casestudies.baseband.program import PARTITIONS, TRAFFIC, federation
from casestudies.baseband.seen import latest, run
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves

FILE = Path(__file__).parent / "figures.json"
FOUND = "found"
Figures = dict[str, dict[str, int | None]]  # by partition and traffic


def bound(partition: str, traffic: str) -> int | None:
    """The latest end of any user's subframe."""
    system = program(traffic) if partition == FOUND else federation(partition, traffic)
    latencies = [row.latency.latency for row in judge_enclaves(system).chains.values()]
    known = [latency for latency in latencies if latency is not None]
    return max(known) if len(known) == len(latencies) else None


def seen(partition: str, traffic: str) -> int | None:
    """The latest end in a run."""
    return latest(run(partition, traffic))


@cache
def read() -> dict[str, Figures]:
    """What the file has, by kind."""
    figures: dict[str, Figures] = json.loads(FILE.read_text(encoding="utf-8"))
    return figures


def main() -> int:
    """Write the file anew."""
    kinds: dict[str, Callable[[str, str], int | None]] = {"bound": bound, "seen": seen}
    figures = {
        kind: {
            partition: {traffic: find(partition, traffic) for traffic in TRAFFIC}
            for partition in (*PARTITIONS, FOUND)
        }
        for kind, find in kinds.items()
    }
    FILE.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
