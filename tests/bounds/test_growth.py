"""Twice the threads are twice the work, on ten threads a core as on ten cores: of the compilation
in calls of the interpreter, of the fixed point in windows that are examined."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.models.system import System
from ddsrta_kernel import Solver
from tests.effort import calls

SIZES = (500, 1000, 2000)
MOST = 1.3  # times as much for each thread as at half the size
PRIORITIES = 89


def chain(count: int, cores: int) -> dict[str, Any]:
    """One chain to and fro over all cores."""
    return {
        "threads": {
            f"t{n}": {
                "core": f"m/c{n * 7 % cores}",
                "priority": 1 + n % PRIORITIES,
                "wcet": "100ns",
                **({"follows": {"threads": [f"t{n - 1}"]}} if n else {"period": "1s"}),
            }
            for n in range(count)
        }
    }


def pairs(count: int, cores: int) -> dict[str, Any]:
    """A publisher and a subscriber for each topic."""
    threads: dict[str, Any] = {}
    for n in range(count // 2):
        writes, reads = 2 * n % cores, (2 * n + 1) % cores
        threads[f"p{n}"] = {
            **placed(n, writes), "period": "1s",
            "publishes": [{"topic": f"T{n}", "flow_controller": f"F{writes}"}],
        }  # fmt: skip
        listens = {"topics": [f"T{n}"], "listener": f"L{reads}"}
        threads[f"s{n}"] = {**placed(n, reads), "subscribes": listens}
    topics = {f"T{n}": {"size": "1kB"} for n in range(count // 2)}
    return {"topics": topics, "threads": threads, **middleware(cores)}


def fan(count: int, cores: int) -> dict[str, Any]:
    """One publisher and all others its subscribers."""
    publishes = [{"topic": "T", "flow_controller": "F0"}]
    threads = {"p": {**placed(0, 0), "period": "1s", "publishes": publishes}}
    for n in range(count):
        listens = {"topics": ["T"], "listener": f"L{n % cores}"}
        threads[f"s{n}"] = {**placed(n, n % cores), "subscribes": listens}
    return {"topics": {"T": {"size": "1kB"}}, "threads": threads, **middleware(cores)}


def placed(number: int, core: int) -> dict[str, Any]:
    return {"core": f"m/c{core}", "priority": 1 + number % PRIORITIES, "wcet": "100ns"}


def middleware(cores: int) -> dict[str, Any]:
    return {
        "delays": {"flow_controller": {"1kB": "10ns"}, "listener": {"1kB": "10ns"}},
        "flow_controllers": {f"F{n}": {"core": f"m/c{n}", "priority": 94} for n in range(cores)},
        "listeners": {f"L{n}": {"core": f"m/c{n}", "priority": 95} for n in range(cores)},
    }


def system(shape: Any, count: int, cores: int) -> System:
    machines = {"m": {"cores": [f"c{n}" for n in range(cores)]}}
    text = json.dumps({"ddsrta": 1, "machines": machines, **shape(count, cores)})
    return ddsrta.loads(text)


@pytest.mark.parametrize("fixed", [False, True], ids=["ten threads a core", "ten cores"])
@pytest.mark.parametrize("shape", [chain, pairs, fan], ids=lambda shape: shape.__name__)
def test_work_grows_like_the_system(shape: Any, fixed: bool) -> None:
    compiling, solving = [], []
    for count in SIZES:
        given = system(shape, count, 10 if fixed else count // 10)
        solver = Solver(compile_system(given).problem)
        solver.solve()
        solving.append(solver.solved / count)
        compiling.append(calls(lambda given=given: compile_system(given)) / count)
    for small, large in ((0, 1), (1, 2)):
        assert compiling[large] < MOST * compiling[small], compiling
        assert solving[large] < MOST * solving[small], solving
