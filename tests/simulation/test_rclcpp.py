"""When the simulator begins callbacks, rclcpp itself began them in the runs of `rclcpp.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ddsrta_simulator.program import RUNS
from tests.simulation.drawings import Scene

KINDS = {
    "single_threaded": "release: humble, order: registered",
    "static": "release: humble, order: registered",
    "events": "release: jazzy",
}


class Entity(NamedTuple):
    """A callback; of a timer, also how often and from when on."""

    kind: str
    name: str
    cost: int
    period: int = 0
    first: int = 0


class Line(NamedTuple):
    """A run: what came when, and when which callback began."""

    release: str
    kind: str
    entities: list[Entity]
    arrivals: list[tuple[str, int]]
    begun: list[str]


def read(text: str) -> Line:
    """A line of the file."""
    what, entities, arrivals, begun = text.split(" | ")
    found = [entity.split(":") for entity in entities.split()]
    came = [arrival.split("@") for arrival in arrivals.split()]
    return Line(
        *what.split(),
        [Entity(kind, name, *map(int, numbers)) for kind, name, *numbers in found],
        [(name, int(time)) for name, time in came],
        begun.split(),
    )


FILE = Path(__file__).with_name("rclcpp.txt").read_text(encoding="utf-8")
LINES = [read(text) for text in FILE.splitlines() if not text.startswith("#")]


def system(line: Line, kind: str) -> str:
    """The executor alone on its core; whoever sends has a core as well, and sends once."""
    kinds = {entity.name: entity.kind for entity in line.entities}
    topics = [f"{name}: {{size: 1B}}" for name in kinds if kinds[name] == "sub"]
    services = [f"{name}: {{request: 1B, reply: 1B}}" for name in kinds if kinds[name] == "srv"]
    executors = [f"ex: {{core: m/e, priority: 5, kind: {kind}, {KINDS[kind]}}}"]
    threads, callbacks = [], []
    for number, (name, _) in enumerate(line.arrivals):
        place = f"{{core: m/d{number}, priority: 5"
        if kinds[name] == "sub":
            sends = f"publishes: [{{topic: {name}, delay: 0ns}}]"
            threads.append(f"d{number}: {place}, wcet: 1ns, period: 1s, {sends}}}")
        else:
            executors.append(f"x{number}: {place}}}")
            sends = f"calls: [{{service: {name}, delay: 0ns}}]"
            callbacks.append(f"d{number}: {{executor: x{number}, wcet: 1ns, timer: 1s, {sends}}}")
    for entity in line.entities:
        comes = {
            "sub": f"subscribes: {{topics: [{entity.name}], listener: L, delay: 0ns}}",
            "srv": f"serves: {{service: {entity.name}, listener: L, delay: 0ns}}",
            "timer": f"timer: {entity.period}ns",
        }[entity.kind]
        callbacks.append(f"{entity.name}: {{executor: ex, wcet: {entity.cost}ns, {comes}}}")
    parts = {
        "topics": topics,
        "services": services,
        "listeners": ["L: {core: m/l, priority: 9}"],
        "executors": executors,
        "threads": threads,
        "callbacks": callbacks,
    }
    written = {part: "".join(f"\n  {one}" for one in of) for part, of in parts.items() if of}
    return "".join(f"{part}:{of}\n" for part, of in written.items())


def simulated(line: Line, kind: str) -> list[str]:
    """When each callback begins in the simulator, up to the last arrival."""
    last = max(time for _, time in line.arrivals)
    releases = {f"d{number}": [time - 1] for number, (_, time) in enumerate(line.arrivals)}
    for entity in line.entities:
        if entity.kind == "timer":
            releases[entity.name] = list(range(entity.first, 2 * last, entity.period))
    cores = ", ".join(["e", "l", *releases])
    made = Scene(system(line, kind), releases, f"machines: {{m: {{cores: [{cores}]}}}}\n")
    names = [name for _, name in made.program.stages[: len(made.program.thread_worst)]]
    ours = {names.index(entity.name) for entity in line.entities}
    rows = made.trace(last + 1)
    return [f"{row[0]}:{names[row[2]]}" for row in rows if row[1] == RUNS and row[2] in ours]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.release} {line.kind}")
def test_the_simulator_begins_callbacks_when_rclcpp_did(line: Line) -> None:
    assert simulated(line, line.kind) == line.begun


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.release} {line.kind}")
def test_another_kind_of_executor_would_not(line: Line) -> None:
    assert all(simulated(line, kind) != line.begun for kind in KINDS if kind != line.kind)
