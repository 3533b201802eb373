"""Draws the pictures of docs/theory, the worst run that a short search finds of each example, and
that of docs/how-to/report.md.

`python -m tests.docs.pictures` writes them anew. The systems are the ```yaml fences of the chapters.
Those of federations are drawn by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import ddsrta
from ddsrta.exploration.attacks import attack_system
from ddsrta.report.gantt import svg
from ddsrta.report.page.report import graph_svg
from ddsrta.report.worst_instance import instance_of
from ddsrta.simulation.attack import Budget
from tests.docs.console import FENCE, ROOT

THEORY = ROOT / "docs" / "theory"
REPORT = ROOT / "docs" / "how-to" / "report.md"
GRAPH = ROOT / "docs" / "pictures" / "rover.svg"
PICTURE = re.compile(r"\]\(pictures/(\w+)\.svg\)")
RUNS = 100

# What is attacked of a system: a message where it is not the only chain.
MESSAGES = {
    "job": "x",
    "level": "z",
    "limit": "x",
    "open": "t",
    "readers": "camera -> image -> a",
    "reserved": "z",
    "slow_copies": "camera -> image -> c",
    "tandem": "t",
    "urgent": "z",
    "window": "speed",
}


def examples() -> dict[str, str]:
    """The files that the chapters of the theory write."""
    return {
        name: body
        for page in sorted(THEORY.glob("*.md"))
        for _, name, body in FENCE.findall(page.read_text(encoding="utf-8"))
        if name
    }


def pictures() -> Iterator[str]:
    """The names of all pictures that the chapters show, each once."""
    text = "".join(page.read_text(encoding="utf-8") for page in sorted(THEORY.glob("*.md")))
    yield from dict.fromkeys(PICTURE.findall(text))


def by_hand(name: str) -> bool:
    """Whether no run of the simulator shows it."""
    return not examples()[f"{name}.yaml"].startswith("ddsrta:")


def drawn(name: str) -> str:
    """The picture of an example."""
    system = ddsrta.loads(examples()[f"{name}.yaml"], f"{name}.yaml")
    wanted = MESSAGES.get(name) or next(iter(system.chains))
    (attacked,) = attack_system(system, [wanted], budget=Budget(runs=RUNS)).attacked
    instance = instance_of(attacked.found)
    if instance is None:
        raise ValueError(f"{name}: no run shows {wanted!r}")
    return svg(instance)


def place(name: str) -> Path:
    """Where it is kept."""
    return THEORY / "pictures" / f"{name}.svg"


def graph() -> str:
    """The graph of the system of docs/how-to/report.md."""
    (text,) = (body for _, name, body in FENCE.findall(REPORT.read_text(encoding="utf-8")) if name)
    system = ddsrta.loads(text)
    return graph_svg(system, ddsrta.analyze(system))


if __name__ == "__main__":
    GRAPH.write_text(graph(), encoding="utf-8")
    for each in pictures():
        if by_hand(each):
            continue
        place(each).write_text(drawn(each), encoding="utf-8")
