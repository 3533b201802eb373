"""The system of a seed: a row of a covering array, and a scene with about the load that is wanted."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import link_loads, utilization
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.solve import solve
from ddsrta.models.bandwidth import sent_by
from ddsrta.models.system import System
from tests.soundness.costs import rates
from tests.soundness.pipeline.covering import Row, covering
from tests.soundness.pipeline.filling import filled, loads
from tests.soundness.pipeline.product import known
from tests.soundness.pipeline.registry import NONE, POOL
from tests.soundness.pipeline.scene import Scene
from tests.soundness.pipeline.scene_links import SECOND

FIRST = 1000  # the base that loads are measured with
LOADS = (0.3, 0.5, 0.7, 0.85, 0.95, 0.99)
POOL_LOADS = (0.05, 0.1, 0.2, 0.3)
CALM_LOADS = (0.03, 0.06, 0.1, 0.2)  # of what is filled
FILLED = 0.8  # how many are
BUSY = (0.5, 0.95)  # the load of the busiest supply of what is filled; others have less
FITS = 4  # times that what has no bound is drawn again with a third of the load
UNFITTED = 8  # one of so many systems stays as it was drawn first
MOST_STEPS = 1000  # of a window; one that takes more is called unbounded
SLOWER = 64  # times, where frames take their time
WAITING_LOADS = (0.01, 0.02, 0.05, 0.1)  # where waits come on top


class Drawn(NamedTuple):
    """A system, the row that it is of, its file as data, and its solution."""

    seed: str
    row: Row
    data: dict[str, Any]
    system: System
    solution: Solution


@lru_cache(maxsize=4)
def rows(array: int) -> list[Row]:
    """A covering array, kept while its systems are drawn."""
    return covering(array)


def drawn(array: int, number: int) -> Drawn:
    """The system of a row of a covering array."""
    seed = f"{array}.{number}"
    return of_row(rows(array)[number], seed)


def of_row(row: Row, seed: str) -> Drawn:
    """A system with the features of a row; the same seed draws the same one."""
    first = Scene(row, seed, FIRST)
    system = loaded(known(first.draw()), first.files)
    compiled = compile_system(system)
    load = max(utilization(compiled).values())
    bits = {
        name: sum(parts.values()) * system.media[name].rate
        for name, parts in link_loads(compiled).items()
    }
    some = POOL_LOADS if row["executor"] == POOL else LOADS
    if row["lock"] != NONE or row["limit"] == "binding":
        some = WAITING_LOADS
    random = Random(f"load {seed}")
    is_filled = random.random() < FILLED
    wanted = random.choice(CALM_LOADS if is_filled and max(some) > max(CALM_LOADS) else some)
    base = max(20, ceil(FIRST * load / wanted)) * (SLOWER if bits else 1)
    sent = FIRST * samples(system)
    fits = FITS if Random(f"fit {seed}").randrange(UNFITTED) else 0
    if row["synchronizer"] == "approximate_time":
        fits = min(fits, 1)  # most have no bound at any load
    for calm in range(0, fits + 1, 2 if is_filled else 1):
        here = base * 3**calm
        wires = {name: each * FIRST / SECOND / here for name, each in bits.items()}
        scene = Scene(row, seed, here, sent / here, calm, wires)
        data = known(scene.draw())
        system = loaded(data, scene.files)
        solution = solve(system, None, most_steps=MOST_STEPS)
        if is_bounded(solution):
            break
    found = Drawn(seed, row, data, system, solution)
    return _filled(found, scene.files, random) if is_filled and is_bounded(solution) else found


def _filled(one: Drawn, files: dict[str, str], random: Random) -> Drawn:
    """With more load, but still bounded: on all supplies, on the busiest alone, or less there."""
    most = random.uniform(*BUSY)
    before = loads(one.solution.compiled)
    if not before:
        return one
    first = max(before, key=lambda number: before[number])
    everywhere = {number: random.uniform(0, most) for number in before}
    for wanted in ({**everywhere, first: most}, {first: most}, {first: BUSY[0]}):
        data = filled(one.data, one.solution.compiled, wanted)
        system = loaded(data, files)
        solution = solve(system, None, most_steps=MOST_STEPS)
        if is_bounded(solution):
            return one._replace(data=data, system=system, solution=solution)
    return one


def is_bounded(solution: Solution) -> bool:
    """Whether each job and each message has a bound."""
    return None not in map(solution.response, solution.compiled.stage_number)


def samples(system: System) -> float:
    """How many samples flow controller F sends in each ns, in the long run."""
    found = rates(system)
    return float(sum(found[thread.name] * p.count for thread, p in sent_by(system, "F")))


def loaded(data: dict[str, Any], files: dict[str, str]) -> System:
    """The system that a file describes."""
    text = json.dumps(data)
    if not files:
        return ddsrta.loads(text)
    with _folder() as folder:
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
        (folder / "system.yaml").write_text(text, encoding="utf-8")
        return ddsrta.load(folder / "system.yaml")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        yield Path(name)
