"""Every observation as a row of Parquet, streamed while the simulation runs.

One file for each seed and part, written under a temporary name, then renamed: a file that is there
is complete. Parts end where a checkpoint is made, so a run that goes on repeats none of their rows.
"""

from __future__ import annotations

import contextlib
import os
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta_simulator.program import RECORD

if TYPE_CHECKING:
    from ddsrta.simulation.labels import Label

ROWS = 1 << 16  # of a row group
MOST_GROUPS = 256  # of a part: its table of contents is in memory until it is complete
COLUMNS = ("seed", "kind", "name", "completed_ns", "value_ns")


class Parts:
    """The files of one seed; `begin` is the number of the next. Those from there on are removed."""

    def __init__(self, folder: str, seed: int, begin: int, labels: Sequence[Label]) -> None:
        self.seed = seed
        self.number = begin
        self.folder = Path(folder)
        self.groups = 0
        self.writer: Any = None
        for old in self.folder.glob(f".seed-{seed:06d}.part-*.tmp"):
            old.unlink()
        for old in self.folder.glob(f"seed-{seed:06d}.part-*.parquet"):
            if int(old.name.split(".part-")[1].split(".")[0]) >= begin:
                old.unlink()
        self._columns = _Columns(seed, labels)

    def write(self, rows: array[int]) -> None:
        """Append rows of measure, time and value as one row group."""
        if not rows:
            return
        if self.writer is None:
            self.writer = self._columns.writer(self._temporary())
        self.writer.write_table(self._columns.table(rows), row_group_size=len(rows))
        self.groups += 1
        if self.groups >= MOST_GROUPS:
            self.close()

    def close(self) -> int:
        """Complete the part that is open, if one is; returns how many there are."""
        if self.writer is not None:
            self.writer.close()
            with open(self._temporary(), "rb") as stream:
                os.fsync(stream.fileno())
            name = f"seed-{self.seed:06d}.part-{self.number:05d}.parquet"
            os.replace(self._temporary(), self.folder / name)
            self.writer, self.groups = None, 0
            self.number += 1
        return self.number

    def abandon(self) -> None:
        """Remove what is not complete."""
        if self.writer is not None:
            with contextlib.suppress(OSError):
                self.writer.close()
            self.writer = None
        self._temporary().unlink(missing_ok=True)  # there, too, where it could not be begun

    def _temporary(self) -> Path:
        return self.folder / f".seed-{self.seed:06d}.part-{self.number:05d}.{os.getpid()}.tmp"


class _Columns:
    """From rows to Arrow tables: names are written once for each file, rows hold their numbers."""

    def __init__(self, seed: int, labels: Sequence[Label]) -> None:
        import pyarrow
        import pyarrow.parquet

        self.arrow = pyarrow
        self.seed = seed
        kinds = sorted({kind for kind, _ in labels})
        names = sorted({name for _, name in labels})
        kind_number = {kind: i for i, kind in enumerate(kinds)}
        name_number = {name: i for i, name in enumerate(names)}
        self.kind = self._dictionary([kind_number[kind] for kind, _ in labels], kinds)
        self.name = self._dictionary([name_number[name] for _, name in labels], names)
        text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        types = (pyarrow.int64(), text, text, pyarrow.int64(), pyarrow.int64())
        self.schema = pyarrow.schema(list(zip(COLUMNS, types, strict=True)))

    def _dictionary(self, numbers: list[int], texts: list[str]) -> Any:
        indices = self.arrow.array(numbers, self.arrow.int32())
        return self.arrow.DictionaryArray.from_arrays(
            indices, self.arrow.array(texts, self.arrow.string())
        )

    def writer(self, path: Path) -> Any:
        """A new file."""
        return self.arrow.parquet.ParquetWriter(path, self.schema, compression="zstd")

    def table(self, rows: array[int]) -> Any:
        """Rows as columns."""
        measures, completed, values = (self._integers(rows[i::RECORD]) for i in range(RECORD))
        seeds = self._integers(array("q", [self.seed]) * len(measures))
        columns = [seeds, self.kind.take(measures), self.name.take(measures), completed, values]
        return self.arrow.Table.from_arrays(columns, schema=self.schema)

    def _integers(self, values: array[int]) -> Any:
        """Without a copy."""
        buffers = [None, self.arrow.py_buffer(values)]
        return self.arrow.Array.from_buffers(self.arrow.int64(), len(values), buffers)


def check_folder(folder: str, resume: bool) -> None:
    """Whether records can go there; makes the folder."""
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        advice = "install it with: pip install 'ddsrta[parquet]'"
        raise InputError([Diagnostic(None, "Parquet files need the package pyarrow", advice)])
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot write to '{folder}': {error.strerror or error}"
        raise InputError([Diagnostic(None, message)]) from error
    if not resume and any(Path(folder).glob("seed-*.part-*.parquet")):
        message = f"'{folder}' holds the records of another simulation"
        raise InputError([Diagnostic(None, message, "name another folder, or empty this one")])
