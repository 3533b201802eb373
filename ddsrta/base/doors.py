"""Doors upwards: what a thing of a low room does by a high one, as a system shows itself.

Nobody below knows what is behind a door: `ddsrta/__init__.py`, above all rooms, says it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

Door = Literal["show", "update", "published"]

_BEHIND: dict[str, str] = {}


def lead_to(**modules: str) -> None:
    """Say which module is behind a door; it is imported when somebody goes through."""
    _BEHIND.update(modules)


def behind(door: Door) -> Any:
    """The module behind a door.

    >>> behind("show").__name__
    'ddsrta.report.door'
    """
    return import_module(_BEHIND[door])
