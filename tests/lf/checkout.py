"""Programs of lingua-franca itself, where a checkout or a bare repository of it is at hand."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

VARIABLE = "DDSRTA_LINGUA_FRANCA"


def programs(folder: str) -> Iterator[tuple[str, str]]:
    """Path and text of each program below a folder; skips the test without a checkout."""
    place = os.environ.get(VARIABLE)
    if not place:
        pytest.skip(f"no programs: set {VARIABLE} to a checkout of lf-lang/lingua-franca")
    if (Path(place) / folder).is_dir():
        for path in sorted(Path(place, folder).rglob("*.lf")):
            yield str(path), path.read_text("utf-8", "replace")
    else:
        yield from _of_repository(place, folder)


def _of_repository(place: str, folder: str) -> Iterator[tuple[str, str]]:
    def git(*command: str, given: bytes = b"") -> bytes:
        return subprocess.run(
            ["git", "-C", place, *command], input=given, capture_output=True, check=True
        ).stdout

    names = [
        n
        for n in git("ls-tree", "-r", "-z", "--name-only", "HEAD", folder).decode().split("\0")
        if n.endswith(".lf")
    ]
    data = git("cat-file", "--batch", given="".join(f"HEAD:{name}\n" for name in names).encode())
    offset = 0
    for name in names:
        end = data.index(b"\n", offset)
        size = int(data[offset:end].split()[2])
        yield name, data[end + 1 : end + 1 + size].decode("utf-8", "replace")
        offset = end + 1 + size + 1
