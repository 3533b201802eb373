"""What candidates of a search cost: the Autoware reference system with its 24 chains and default
load, with drawn priorities of all listeners and of the flow controller, and drawn execution times.

Usage: `candidates.py ROWS`: so many by an `Evaluator` on one processor and on all, and a few one by
one, as a user of `analyze` would. `compiled` says whether the kernel is: where it is interpreted,
a line on stderr says so, too. `each_ns` is processor time, `rate` candidates a second by the clock;
`equal` says whether all figures are the same.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter, process_time_ns
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))  # case studies are not installed

from casestudies.ars.graph import text, without
from ddsrta.base.yaml_changes import Step
from ddsrta.bounds.analyze import analyze
from ddsrta.exploration.edits import Edit, edited
from ddsrta.exploration.evaluation import Evaluator, Measure, available
from ddsrta.models.reader import loads
from ddsrta.models.system import System, Thread
from ddsrta_kernel import COMPILED

CHAINS = 24
Places = Sequence[tuple[Step, ...]]


def places_of(system: System) -> Places:
    """Whatever is drawn."""
    ranks = [("listeners", name, "priority") for name in system.listeners]
    costs = [("callbacks", each.name, "wcet") for each in _callbacks(system)]
    return [*ranks, ("flow_controllers", "F", "priority"), *costs]


def _callbacks(system: System) -> list[Thread]:
    """Those that the file has; subscriptions are parts of them."""
    return [thread for name, thread in system.threads.items() if thread.declared_as == name]


def drawn(system: System, rnd: Random) -> list[str]:
    """A row: an order of listeners, and times of half to one and a half times the usual."""
    ranks = [str(60 + n) for n in range(len(system.listeners))]
    rnd.shuffle(ranks)
    costs = (rnd.randint(each.wcet // 2, 3 * each.wcet // 2) for each in _callbacks(system))
    return [*ranks, str(rnd.randint(80, 90)), *(f"{cost}ns" for cost in costs)]


def one_by_one(system: System, places: Places, row: Sequence[str]) -> tuple[Any, ...]:
    """The latencies of a row, as `analyze` says them."""
    edits = [Edit(path, value) for path, value in zip(places, row, strict=True)]
    result = analyze(edited(system, edits), check=False)
    return tuple(chain.latency for chain in result.chains.values())


def measure(count: int) -> dict[str, Any]:
    """All of it, in one process."""
    system, rnd = loads(text(without(CHAINS), every_path=True), f"{CHAINS} chains"), Random(1)
    places = places_of(system)
    rows = [drawn(system, rnd) for _ in range(count)]
    few = rows[: max(3, count // 50)]
    begin = process_time_ns()
    known = [one_by_one(system, places, row) for row in few]
    each = (process_time_ns() - begin) // len(few)
    found: dict[str, Any] = {"compiled": COMPILED, "each_ns": each, "equal": True}
    chains = [Measure("latency", name) for name in analyze(system, check=False).chains]
    for name, threads in (("one", 1), ("all", available())):
        with Evaluator(system, places, chains, threads=threads) as evaluate:
            evaluate(rows[:2])
            begin, wall = process_time_ns(), perf_counter()
            values = evaluate(rows)
            each = (process_time_ns() - begin) // len(rows)
            rate = len(rows) / (perf_counter() - wall)
        found[name] = {"threads": threads, "each_ns": each, "rate": round(rate)}
        found["equal"] = found["equal"] and values[: len(few)] == known
    return found


if __name__ == "__main__":
    if not COMPILED:
        print("the kernel is interpreted: these are not its speeds", file=sys.stderr)
    print(json.dumps(measure(int(sys.argv[1]))))
