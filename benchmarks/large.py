"""What a large system costs, in a process of its own: its analysis, from the model to the
certificate, and the check of it.

Usage: `large.py THREADS SHAPE`, on ten cores with 41 priorities: `hops`, one chain to and fro;
`pairs` of a publisher and a subscriber, each with a topic of its own; `fan`, one publisher and all
others its subscribers.
"""

from __future__ import annotations

import json
import sys
from time import process_time_ns
from typing import Any

from ours import peak_memory

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

CORES = 10
PRIORITIES = 41
Threads = dict[str, dict[str, Any]]


def hops(count: int) -> Threads:
    """Each follows the one before."""
    found = {f"t{n}": _on(n * 7 % CORES, n) for n in range(count)}
    for n in range(1, count):
        found[f"t{n}"]["follows"] = {"threads": [f"t{n - 1}"]}
    return found | {"t0": _on(0, 0) | {"period": "1s"}}


def pairs(count: int) -> Threads:
    """The first of two publishes for the second."""
    found: Threads = {}
    for n in range(count // 2):
        place = 2 * n % CORES
        found[f"p{n}"] = _on(place, n) | _publishing(f"T{n}", place)
        found[f"s{n}"] = _on(place + 1, n) | _subscribing(f"T{n}", place + 1)
    return found


def fan(count: int) -> Threads:
    """The first publishes for all others."""
    found = {f"s{n}": _on(n % CORES, n) | _subscribing("T", n % CORES) for n in range(count)}
    return {"p": _on(0, 0) | _publishing("T", 0)} | found


def _on(core: int, number: int) -> dict[str, Any]:
    return {"core": f"m/c{core}", "priority": 1 + number % PRIORITIES, "wcet": "100ns"}


def _publishing(topic: str, core: int) -> dict[str, Any]:
    return {"period": "1s", "publishes": [{"topic": topic, "flow_controller": f"F{core}"}]}


def _subscribing(topic: str, core: int) -> dict[str, Any]:
    return {"subscribes": {"topics": [topic], "listener": f"L{core}"}}


SHAPES = {each.__name__: each for each in (hops, pairs, fan)}


def document(threads: Threads) -> dict[str, Any]:
    """Of threads; with the topics that they name, a flow controller and a listener a core."""
    named = {one["topic"] for thread in threads.values() for one in thread.get("publishes", ())}
    found: dict[str, Any] = {
        "ddsrta": 1,
        "machines": {"m": {"cores": [f"c{n}" for n in range(CORES)]}},
        "threads": threads,
    }
    if named:
        found["topics"] = {topic: {"size": "1kB"} for topic in sorted(named)}
        found["delays"] = {key: {"1kB": "10ns"} for key in ("flow_controller", "listener")}
        for kind, letter, priority in (("flow_controllers", "F", 94), ("listeners", "L", 95)):
            found[kind] = {
                f"{letter}{n}": {"core": f"m/c{n}", "priority": priority} for n in range(CORES)
            }
    return found


def measure(count: int, shape: str) -> dict[str, Any]:
    """One analysis and one check."""
    system = ddsrta.loads(json.dumps(document(SHAPES[shape](count))))
    begin = process_time_ns()
    claimed = certificate(system)
    analysed, before = process_time_ns(), peak_memory()
    verdict = check(claimed)
    return {
        "tasks": count,
        "shape": shape,
        "whole_ns": analysed - begin,
        "check_ns": process_time_ns() - analysed,
        "work": verdict.work,
        "status": verdict.status,
        "whole_bytes": before,
        "peak_bytes": peak_memory(),
    }


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), sys.argv[2])))
