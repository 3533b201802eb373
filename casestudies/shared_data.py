"""Data of others that case studies read but do not contain."""

from __future__ import annotations

import os
from pathlib import Path

_BESIDE = Path(__file__).resolve().parents[2] / "shared"


class MissingDataError(Exception):
    """What a table needs is not at hand."""


def shared(name: str) -> Path:
    """A file or folder of the data; raises MissingDataError where it is not at hand."""
    path = Path(os.environ.get("DDSRTA_SHARED") or _BESIDE) / "data" / name
    if not path.exists():
        raise MissingDataError(f"{name} is not at hand: set DDSRTA_SHARED to the folder with data/")
    return path
