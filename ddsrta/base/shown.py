"""How things show themselves: the one door to `report`, which is above all that it shows."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def document(thing: object) -> dict[str, Any]:
    """The JSON form of a thing: times in integer nanoseconds."""
    found: dict[str, Any] = import_module("ddsrta.report.door").document(thing)
    return found


def page(thing: object) -> str:
    """A thing as notebooks show it."""
    found: str = import_module("ddsrta.report.door").page(thing)
    return found
