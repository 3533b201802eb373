"""Partitions that the search finds: `python -m casestudies.baseband.found` writes found.json.

It begins with enclaves1, the best of the paper, and takes a minute for each traffic.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from casestudies.baseband.program import TRAFFIC, federation
from ddsrta.lf.bounds.enclaves.partition import Cut, applied
from ddsrta.lf.bounds.enclaves.search import search
from ddsrta.lf.program.federation import Federation

FILE = Path(__file__).parent / "found.json"
BUDGET, SEED = 80, 0


def program(traffic: str) -> Federation:
    """The program with the partition that was found for a traffic."""
    row = _read()[traffic]
    groups = (tuple(row["outside"]), *(tuple(group) for group in row["groups"]))
    cut = Cut(groups, tuple(row["workers"]))
    return applied(federation("enclaves1", traffic), {"radio": cut})


def shape(traffic: str) -> str:
    """How many users, or parts of users, are together on how many workers."""
    row = _read()[traffic]
    parts = []
    for group, workers in zip(row["groups"], row["workers"][1:], strict=True):
        users = len({reactor.split(".")[0] for reactor in group})
        parts.append(f"{len(group)} reactors of {users} users on {workers}")
    outside = f"{len(row['outside'])} reactors outside on {row['workers'][0]}"
    return "; ".join([outside, *parts])


def tried(traffic: str) -> int:
    """How many partitions were looked at."""
    count: int = _read()[traffic]["tried"]
    return count


@cache
def _read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Search anew."""
    result = {}
    for traffic in TRAFFIC:
        found = search(federation("enclaves1", traffic), BUDGET, SEED)
        cut = found.best.cuts["radio"]
        result[traffic] = {
            "tried": found.tried,
            "workers": list(cut.workers),
            "outside": list(cut.groups[0]),
            "groups": [list(group) for group in cut.groups[1:]],
        }
        print(traffic, found.first.worst, found.best.worst, len(found.best.report.rows))
    FILE.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
