"""The system of the benchmarks, of the size of the Autoware reference system."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ars_yaml() -> str:
    """The file."""
    place = ROOT / "benchmarks" / "ars.py"
    spec = importlib.util.spec_from_file_location("benchmarks_ars", place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.to_yaml()
