"""Numbers that other tools published or printed, where a folder `shared` with them is at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

_REPOSITORY = Path(__file__).resolve().parents[2]


def known_answers(name: str) -> dict[str, Any]:
    """The answers of one tool; skips the test module where the folder is missing."""
    shared = Path(os.environ.get("DDSRTA_SHARED") or _REPOSITORY.parent / "shared")
    path = shared / "data" / "known_answers" / name
    if not path.is_file():
        pytest.skip(
            f"{name} is not at hand: set DDSRTA_SHARED to the folder that holds data/known_answers",
            allow_module_level=True,
        )
    return json.loads(path.read_text(encoding="utf-8"))
