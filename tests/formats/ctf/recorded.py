"""Small traces, written and read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ddsrta.formats.ctf import open_trace
from tests.formats.ctf_writer import Int, TraceWriter

TICK = {"tick": {"n": Int(32)}}


def written(folder: Path, writer: TraceWriter, **files: bytes) -> Path:
    writer.write_metadata(folder)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def read(folder: Path, **kwargs: Any) -> list[tuple[int, str, int | None, dict[str, Any]]]:
    return [tuple(event) for event in open_trace(folder).events(**kwargs)]  # type: ignore[misc]
