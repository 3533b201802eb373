"""A folder in which a search is kept while it goes on, and from which it is told once more.

`manifest.json` says which study it is; each batch is a Parquet file of its own, named by its number
and there as a whole or not at all. Batches are all the state there is: a sampler yields the same
points for the same outcomes, so that a search that was killed is gone through again from its
batches, and goes on where they end.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.files import atomic_write, atomic_write_bytes
from ddsrta.base.version import VERSION
from ddsrta.base.yaml_changes import flow
from ddsrta.base.yaml_reader import read_text
from ddsrta.exploration.improve.by_sending import plain
from ddsrta.exploration.study.judge import Outcome
from ddsrta.exploration.study.run import Tried
from ddsrta.exploration.study.samplers import chosen
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.space import Choice, Point

MANIFEST = "manifest.json"
BATCH = "batch-{:06}.parquet"
FORMAT = 1


class Store:
    """The batches of one study in a folder: `known` ones are read, others are written."""

    def __init__(self, folder: str | Path, setup: Setup, resume: bool) -> None:
        _wants_pyarrow()
        self.folder = Path(folder)
        self.setup = setup
        self.resumed = 0  # batches that were there
        manifest = manifest_of(setup)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._is_new(resume):
                self._write(MANIFEST, lambda path: atomic_write(path, _text(manifest)))
            else:
                self._compare(manifest)
        except OSError as error:
            raise _failed(self.folder, error) from error

    def known(self, number: int, points: Sequence[Point]) -> list[Outcome] | None:
        """What became of a batch, if all of it is there: one that was cut short, as the candidates
        ended, is not."""
        path = self.folder / BATCH.format(number)
        if not path.exists():
            return None
        rows = _rows(path)
        both = min(len(rows), len(points))
        if [each[0] for each in rows[:both]] != list(points[:both]):
            raise _unfit(path, "it holds other points than the study asks for")
        if len(rows) < len(points):
            return None
        self.resumed += 1
        return [outcome for _, outcome in rows[:both]]

    def keep(self, number: int, tried: Sequence[Tried]) -> None:
        """Write a batch, whole or not at all."""
        data = _parquet(self.setup, tried)
        self._write(BATCH.format(number), lambda path: atomic_write_bytes(path, data))

    def _write(self, name: str, write: Callable[[Path], None]) -> None:
        try:
            write(self.folder / name)
        except OSError as error:
            raise _failed(self.folder / name, error) from error

    def _is_new(self, resume: bool) -> bool:
        """Whether there is nothing in the folder; what is, is to be gone on with."""
        found = [name for name in os.listdir(self.folder) if not name.startswith(".")]
        if not found:
            return True
        if MANIFEST not in found:
            message = f"'{self.folder}' holds something else"
            raise InputError([Diagnostic(None, message, "name an empty folder, or a new one")])
        if not resume:
            message = f"'{self.folder}' holds a study already"
            raise InputError([Diagnostic(None, message, "add --resume, or name another folder")])
        return False

    def _compare(self, wanted: Mapping[str, Any]) -> None:
        """Refuses to go on with what is another study now."""
        path = self.folder / MANIFEST
        try:
            found = json.loads(path.read_text("utf-8"))
            assert isinstance(found, dict)
        except (ValueError, AssertionError) as error:
            raise _unfit(path, "it is no manifest") from error
        changed = [f"{name} changed" for name in wanted if found.get(name) != wanted[name]]
        if changed:
            old, new = (each.get("study") or {} for each in (found, wanted))
            keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
            where = f": {', '.join(keys)}" if keys else ""
            message = f"'{self.folder}' is of another study ({', '.join(changed)}{where})"
            raise InputError([Diagnostic(None, message, "name another folder for this one")])


def manifest_of(setup: Setup) -> dict[str, Any]:
    """What tells one study from another. How many candidates are wanted does not: more of them go
    on where fewer ended."""
    study = plain(read_text(setup.source.text).root)
    sampler = setup.sampler
    study["sampler"] = {"kind": chosen(setup), "seed": sampler.seed, "batch": sampler.batch}
    if chosen(setup).startswith("nsga"):
        study["sampler"]["population"] = sampler.population
    check = setup.subject.present.check
    base = flow(setup.subject.base.tree.root).encode("utf-8", "surrogateescape")
    return {
        "format": FORMAT,
        "version": VERSION,
        "base": hashlib.sha256(base).hexdigest(),
        "bounds": check.certificate if check else "",
        "study": study,
        "batches": BATCH,
    }


def _text(manifest: Mapping[str, Any]) -> str:
    return json.dumps(manifest, indent=2, ensure_ascii=True) + "\n"


def _parquet(setup: Setup, tried: Sequence[Tried]) -> bytes:
    """A batch: what the search needs, and beside it what a person wants to see."""
    import pyarrow
    import pyarrow.parquet

    whole, text = pyarrow.int64(), pyarrow.string()
    columns: dict[str, tuple[Any, list[Any]]] = {
        "candidate": (whole, [each.number for each in tried]),
        "point": (text, [json.dumps(each.point) for each in tried]),
        "refused": (text, [each.outcome.refused for each in tried]),
    }
    for number, name in enumerate(("wrong", "unbounded", "beyond")):
        columns[name] = whole, [each.outcome.wrong[number] for each in tried]
    for number, goal in enumerate(setup.goals):
        columns[f"goal {number + 1}: {goal.name}"] = (
            whole,
            [
                None if (value := each.outcome.goals[number]) is None else int(value)
                for each in tried
            ],
        )
    for number, one in enumerate(setup.space.parameters):
        columns[f"parameter {number + 1}: {one.name}"] = (
            text,
            [one.word(each.point[number]) for each in tried],
        )
    schema = pyarrow.schema([(name, kind) for name, (kind, _) in columns.items()])
    table = pyarrow.table({name: values for name, (_, values) in columns.items()}, schema=schema)
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _rows(path: Path) -> list[tuple[Point, Outcome]]:
    """The points of a batch, with what became of them."""
    import pyarrow
    import pyarrow.parquet

    try:
        rows = pyarrow.parquet.read_table(path).to_pylist()
        return [_row(row) for row in rows]
    except (OSError, ValueError, KeyError, TypeError, pyarrow.ArrowException) as error:
        raise _unfit(path, "it cannot be read") from error


def _row(row: Mapping[str, Any]) -> tuple[Point, Outcome]:
    goals = tuple(value for name, value in row.items() if name.startswith("goal "))
    wrong = (row["wrong"], row["unbounded"], row["beyond"])
    point = tuple(_choice(each) for each in json.loads(row["point"]))
    return point, Outcome(row["refused"], wrong, goals)


def _choice(value: Any) -> Choice:
    return tuple(value) if isinstance(value, list) else value


def _wants_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        advice = "pip install 'ddsrta[parquet]'"
        raise InputError([Diagnostic(None, "a stored study needs the package pyarrow", advice)])


def _unfit(path: Path, why: str) -> InputError:
    advice = "remove the file to have it made anew"
    return InputError([Diagnostic(None, f"'{path}' does not fit: {why}", advice)])


def _failed(path: Path, error: OSError) -> InputError:
    reason = error.strerror or str(error)
    return InputError([Diagnostic(None, f"cannot write '{path}': {reason}")])
