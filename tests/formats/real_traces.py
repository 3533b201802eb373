"""Traces of real systems, where a folder `shared` with them is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).resolve().parents[2]


def shared(name: str) -> Path:
    """A file or folder below `data`; skips the test where it is missing."""
    folder = Path(os.environ.get("DDSRTA_SHARED") or _REPOSITORY.parent / "shared")
    path = folder / "data" / name
    if not path.exists():
        pytest.skip(
            f"{name} is not at hand: set DDSRTA_SHARED to the folder that holds data/{name}"
        )
    return path
