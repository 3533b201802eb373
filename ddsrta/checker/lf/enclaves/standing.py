"""Which of two partitions is the better one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.checker.lf.things import Federation

Standing = tuple[int, ...]


def standing(parts: Federation, raw: Mapping[str, Any]) -> Standing:
    """Of a federation that is cut into its enclaves, with what is claimed of it: the less from the
    left on, the better.

    How many times have no bound, how many are late, by how much in all; the slowest chain, the
    latest end of a tag; then enclaves and workers.
    """
    done = [row["done"] for row in raw["enclaves"].values()]
    latencies = {name: row["latency"] for name, row in raw["chains"].items()}
    late = []
    for row in raw["deadlines"]:
        deadline = parts.federates[row["enclave"]].reactions[row["reaction"]].deadline
        if row["latest_start"] is not None and deadline is not None and not row["met"]:
            late.append(row["latest_start"] - deadline)
    for name, latency in latencies.items():
        wanted = parts.chains[name].wanted
        if latency is not None and wanted is not None and latency > wanted:
            late.append(latency - wanted)
    times = [*done, *latencies.values()]
    return (
        times.count(None),
        len(late),
        sum(late),
        max((latency or 0 for latency in latencies.values()), default=0),
        max((time or 0 for time in done), default=0),
        len(done),
        sum(part.workers for part in parts.federates.values()),
    )
