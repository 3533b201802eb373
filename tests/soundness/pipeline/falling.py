"""What fell, made small and kept: a file with one line of what it was, and the simplest system."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from ddsrta.models.system import System
from ddsrta.models.validate import validate
from tests.soundness.pipeline.drawn import Drawn
from tests.soundness.pipeline.harder import HARDER
from tests.soundness.pipeline.relations import bounds, not_below, read_again
from tests.soundness.pipeline.stations import Failure, through
from tests.soundness.shrink import Shrinker
from tests.soundness.yaml_text import to_yaml

LOWER = "lower: "
TRIES = 4  # of a move that picks something at random


class FailureShrinker(Shrinker):
    """Searches for the simplest system that fails in the same way."""

    def __init__(self, failure: Failure, without: str | None, **options: Any) -> None:
        super().__init__((failure.kind,), **options)
        self.without = without

    def violation(self, system: System) -> Failure | None:
        """A failure of the kind."""
        (kind,) = self.kind
        if kind == "written and read":
            return next(read_again(system), None)
        if kind.startswith(LOWER):
            return self.lowered(system, kind.removeprefix(LOWER))
        seen = through(system, self.seed, self.without, self.runs)
        return next((failure for failure in seen.failures if failure.kind == kind), None)

    def lowered(self, system: System, name: str) -> Failure | None:
        known = bounds(system)
        for seed in range(TRIES):
            harder = HARDER[name](system, Random(seed)) if name in HARDER else None
            if harder is None or harder == system or validate(harder):
                continue
            if found := next(not_below(name, bounds(harder), known, system), None):
                return found
        return None


def keep(folder: Path, drawn: Drawn, failure: Failure, seconds: float) -> str:
    """Shrink a failure and write it down; the name of the file."""
    folder.mkdir(parents=True, exist_ok=True)
    small = drawn.system
    if seconds:
        without = drawn.row["refinement"]
        search = FailureShrinker(
            failure, None if without == "all" else without, runs=24,
            seed=int(drawn.seed.split(".")[1]), seconds=seconds,
        )  # fmt: skip
        small = search.shrink(drawn.system)
    name = f"{drawn.seed}-{'-'.join(failure.kind.replace(':', '').split())}.yaml"
    said = str(failure).replace("\n", "\n# ")
    head = f"# {said}. Before shrinking: system {drawn.seed}.\n"
    (folder / name).write_text(head + to_yaml(small), encoding="utf-8")
    return name
