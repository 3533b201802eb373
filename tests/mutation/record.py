"""What became of each mutant, kept in a file of lines so that a killed run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.mutation.mutants import Mutant, mutants


def sampled(files: Iterable[str], count: int | None, seed: int) -> list[Mutant]:
    """So many mutants of these files, drawn evenly; all, if there are no more."""
    found = [mutant for file in files for mutant in mutants(file)]
    Random(seed).shuffle(found)
    return found if count is None else found[:count]


def record(
    path: Path, wanted: Sequence[Mutant], attempt: Callable[[Mutant], dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The results of all that is wanted, by name; only what the file does not have is tried."""
    path.parent.mkdir(parents=True, exist_ok=True)
    known = read(path)
    with path.open("a", encoding="utf-8") as file:
        for mutant in wanted:
            if mutant.name not in known:
                known[mutant.name] = attempt(mutant)
                file.write(json.dumps([mutant.name, known[mutant.name]]) + "\n")
                file.flush()
    names = {mutant.name for mutant in wanted}
    return {name: result for name, result in known.items() if name in names}


def read(path: Path) -> dict[str, dict[str, Any]]:
    """What a file of results has."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(json.loads(line) for line in lines)
