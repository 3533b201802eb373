"""Fixed-priority chain systems of any size, for ddsrta and for its peers.

Ten tasks a core, chains of five on random cores, rate-monotonic priorities that all differ on a
core, and a utilisation of 0.6 a core. The same seed gives the same system everywhere.
"""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

from ddsrta.models.arrivals import Periodic
from ddsrta.models.system import Core, Following, System, Thread

COMPARED = 1_000  # tasks in the comparison with the peers
TASKS_PER_CORE = 10
CHAIN_LENGTH = 5
UTILISATION = 0.6
SHORTEST_PERIOD, LONGEST_PERIOD = 1_000_000, 100_000_000  # 1 ms … 100 ms


class Task(NamedTuple):
    """One task: `after` is the index of the task whose completion releases it, -1 for none."""

    core: int
    priority: int
    wcet: int
    bcet: int
    period: int
    after: int


def generate(count: int, seed: int = 1) -> list[Task]:
    """A system of `count` tasks; the last core and the last chain may be smaller.

    >>> [task.after for task in generate(12)]
    [-1, 0, 1, 2, 3, -1, 5, 6, 7, 8, -1, 10]
    """
    rng = random.Random(seed)
    cores = [index // TASKS_PER_CORE for index in range(count)]
    rng.shuffle(cores)
    periods: list[int] = []
    while len(periods) < count:
        exponent = rng.random()
        period = round(SHORTEST_PERIOD * (LONGEST_PERIOD / SHORTEST_PERIOD) ** exponent)
        periods += [period] * CHAIN_LENGTH
    wcets, priorities = [0] * count, [0] * count
    for members in _by_core(cores):
        shares = [rng.uniform(0.2, 1.0) for _ in members]
        for task, share in zip(members, shares, strict=True):
            wcets[task] = max(1, int(UTILISATION * share / sum(shares) * periods[task]))
        urgent_last = sorted(members, key=lambda task: (-periods[task], task))
        for priority, task in enumerate(urgent_last, start=1):
            priorities[task] = priority
    return [
        Task(
            cores[index],
            priorities[index],
            wcets[index],
            wcets[index] // 2,
            periods[index],
            index - 1 if index % CHAIN_LENGTH else -1,
        )
        for index in range(count)
    ]


def _by_core(cores: list[int]) -> list[list[int]]:
    members: list[list[int]] = [[] for _ in range(max(cores) + 1)]
    for task, core in enumerate(cores):
        members[core].append(task)
    return members


def to_system(tasks: list[Task]) -> System:
    """The tasks as ddsrta's threads: each follows the one before it in its chain."""
    cores = [Core("m", f"c{index}") for index in range(max(task.core for task in tasks) + 1)]
    threads = {f"t{index}": _thread(f"t{index}", task) for index, task in enumerate(tasks)}
    return System("benchmark", cores={core.path: core for core in cores}, threads=threads)


def _thread(name: str, task: Task) -> Thread:
    first = task.after < 0
    return Thread(
        name,
        f"m/c{task.core}",
        task.priority,
        task.wcet,
        task.bcet,
        arrival=Periodic(task.period) if first else None,
        follows=None if first else Following((f"t{task.after}",)),
    )


def to_json(tasks: list[Task]) -> str:
    """The tasks for programs that know nothing of ddsrta."""
    return json.dumps({"tasks": [task._asdict() for task in tasks]})


def to_lines(tasks: list[Task]) -> str:
    """The same, a task a line: a program that is built for this alone needs no reader of JSON."""
    return "".join(f"{' '.join(map(str, task))}\n" for task in tasks)


def to_yaml(tasks: list[Task]) -> str:
    """The tasks as a system.yaml with one chain for each five of them."""
    cores = [f"c{index}" for index in range(max(task.core for task in tasks) + 1)]
    threads: dict[str, Any] = {}
    for index, task in enumerate(tasks):
        release = (
            {"period": f"{task.period}ns"}
            if task.after < 0
            else {"follows": {"threads": [f"t{task.after}"]}}
        )
        threads[f"t{index}"] = {
            "core": f"m/c{task.core}",
            "priority": task.priority,
            "wcet": f"{task.wcet}ns",
            "bcet": f"{task.bcet}ns",
            **release,
        }
    chains = {
        f"chain {start // CHAIN_LENGTH}": {
            "path": [f"t{index}" for index in range(len(tasks))[start : start + CHAIN_LENGTH]]
        }
        for start in range(0, len(tasks), CHAIN_LENGTH)
    }
    document = {
        "ddsrta": 1,
        "name": "benchmark",
        "machines": {"m": {"cores": cores}},
        "threads": threads,
        "chains": chains,
    }
    return json.dumps(document, indent=1)  # JSON is YAML
