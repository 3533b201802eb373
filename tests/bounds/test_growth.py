"""Twice the threads are twice the work, on ten threads a core as on ten cores: of the compilation
in calls of the interpreter, of the fixed point in windows that are examined."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ddsrta
from ddsrta.base.watch import Watch
from ddsrta.bounds.assemble import present
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain_path
from ddsrta.models.system import System
from ddsrta_kernel import Solver
from tests.effort import calls, growth

SIZES = (500, 2000)
MOST = 1.3  # times as much for each thread as at a half or a quarter of the size
PRIORITIES = 41  # on ten cores no more levels at the larger size, each of which is counted


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
    assert compiling[1] < MOST * compiling[0], compiling
    assert solving[1] < MOST * solving[0], solving


def presented(shape: Any, count: int) -> Any:
    """What it takes to say what was found, on ten cores."""
    solution = solve(system(shape, count, 10))
    return lambda: present(solution).verdict


@pytest.mark.parametrize("shape", [pairs, fan], ids=lambda shape: shape.__name__)
def test_saying_what_was_found_grows_like_the_system(shape: Any) -> None:
    """Whether an event is alone was asked of all on the core of each stage: 600 calls a thread."""
    assert growth(lambda count: presented(shape, count), 500, 1000) < MOST
    assert calls(presented(shape, 1000)) < 350 * 1000


def warned(count: int) -> Any:
    """What it takes to warn of queues of which nobody knows what waits: the time was up."""
    result = present(solve(system(pairs, count, 10), watch=Watch(1e-9)))
    assert None in {queue.backlog for queue in result.queues.values()}
    result.links  # noqa: B018  what is found before them
    return lambda: result.warnings


def test_warning_of_queues_grows_like_the_system() -> None:
    """For each sample all senders of its flow controller were looked at."""
    assert growth(warned, 1000, 3000) < MOST


def checked(count: int) -> Any:
    """What it takes to analyse and check a chain with a deadline, on ten threads a core."""
    shape = chain(count, count // 10)
    shape["chains"] = {"all": {"path": [*shape["threads"]], "deadline": "1s"}}
    given = system(lambda *_: shape, count, count // 10)
    return lambda: ddsrta.analyze(given)


def test_checking_a_chain_grows_like_the_chain() -> None:
    """Whether anything goes round was asked of all threads at each hop of each path."""
    checked(20)()  # what is imported is not counted
    assert growth(checked, 200, 600) < MOST


def explained(count: int) -> Any:
    """What it takes to explain a chain on ten cores."""
    shape = chain(count, 10)
    shape["chains"] = {"all": {"path": [*shape["threads"]]}}
    solution = solve(system(lambda *_: shape, count, 10))
    (path,), _ = named_paths(solution.system)
    return lambda: explain_path(solution, path)


def test_explaining_a_chain_grows_like_the_chain() -> None:
    """Of each root of its core it was said that it brings nothing."""
    assert growth(explained, 500, 1000) < MOST
