"""The same holistic iteration as in `rust/`, on pyRTA (PyPI `response-time-analysis`).

Usage: `pyrta.py SYSTEM.json SECONDS`; prints the time of the median run and the bounds as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from statistics import median
from time import monotonic, perf_counter_ns
from typing import Any

from response_time_analysis import fp
from response_time_analysis.model import (
    WCET,
    FloatingNonPreemptive,
    FullyPreemptive,
    IdealProcessor,
    Priority,
    Task,
    taskset,
)


@dataclass(frozen=True)
class Arrivals:
    """Periodic arrivals with jitter, on a clock that starts `lead` before the busy window."""

    period: int
    jitter: int
    lead: int

    def max_arrivals(self, delta: int) -> int:
        """The most arrivals in the first `delta` of the clock."""
        window = delta - self.lead
        return -((window + self.jitter) // -self.period) if window > 0 else 0

    __call__ = max_arrivals

    def steps(self) -> Iterator[int]:
        """Where one more arrives; asked of the task under analysis only, which has no jitter."""
        return count(0, self.period)


class Analysis:
    """Passes over the tasks whose inputs changed, until a pass changes nothing."""

    def __init__(self, tasks: list[dict[str, int]]) -> None:
        self.tasks = tasks
        self.cores: dict[int, list[int]] = {}
        for index in sorted(range(len(tasks)), key=lambda i: -tasks[i]["priority"]):
            self.cores.setdefault(tasks[index]["core"], []).append(index)
        self.rank = {i: r for members in self.cores.values() for r, i in enumerate(members)}
        self.follower = {task["after"]: i for i, task in enumerate(tasks) if task["after"] >= 0}
        self.best = [0] * len(tasks)
        for index, task in enumerate(tasks):
            if (before := task["after"]) >= 0:
                self.best[index] = self.best[before] + tasks[before]["bcet"]
        self.jitter = [0] * len(tasks)
        self.latency: list[int | None] = [0] * len(tasks)
        self.analysed = 0

    def run(self) -> None:
        """Marks what a change reaches: the task released by it, and all below that on its core."""
        dirty = [True] * len(self.tasks)
        while any(dirty):
            for index in range(len(self.tasks)):
                if not dirty[index]:
                    continue
                dirty[index] = False
                latency = self.bound(index)
                if latency == self.latency[index]:
                    continue
                self.latency[index] = latency
                following = self.follower.get(index)
                if latency is not None and following is not None:
                    self.jitter[following] = max(0, latency - self.best[following])
                    core = self.tasks[following]["core"]
                    for behind in self.cores[core][self.rank[following] :]:
                        dirty[behind] = True

    def bound(self, index: int) -> int | None:
        """Latency from the source; see `Method::FromSource` in rust/src/global.rs."""
        self.analysed += 1
        lead = self.jitter[index]
        urgent = self.cores[self.tasks[index]["core"]][: self.rank[index]]
        own = self.task(index, jitter=0, lead=0)
        # pyRTA takes blocking from a less urgent task: one that blocks for `lead`, and never comes.
        blocker = Task(
            Arrivals(1, 0, 1 << 60),
            FloatingNonPreemptive(WCET(lead + 1), lead + 1),
            priority=Priority(0),
        )
        others = [self.task(other, self.jitter[other], lead) for other in urgent]
        found = fp.rta(taskset(own, blocker, *others), own, IdealProcessor(), horizon=1 << 50)
        bound = found.response_time_bound
        return None if bound is None else bound + self.best[index]

    def task(self, index: int, jitter: int, lead: int) -> Task:
        """A task of the file in pyRTA's words."""
        raw = self.tasks[index]
        return Task(
            Arrivals(raw["period"], jitter, lead),
            FullyPreemptive(WCET(raw["wcet"])),
            priority=Priority(raw["priority"]),
        )


def measure(tasks: list[dict[str, int]], seconds: float) -> dict[str, Any]:
    """The median of as many runs as fit, at least one."""
    times = []
    started = monotonic()
    while not times or monotonic() - started < seconds:
        analysis = Analysis(tasks)
        begin = perf_counter_ns()
        analysis.run()
        times.append(perf_counter_ns() - begin)
    return {
        "time_ns": int(median(times)),
        "runs": len(times),
        "analysed": analysis.analysed,
        "latency": analysis.latency,
    }


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        system = json.load(file)
    print(json.dumps(measure(system["tasks"], float(sys.argv[2]))))
