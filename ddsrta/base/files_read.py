"""Files that a document names and that were read with it: nothing may be written over them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_READ: set[tuple[int, int]] = set()


def begin() -> None:
    """Forget those of an earlier command of the process."""
    _READ.clear()


def note(path: str | Path) -> None:
    """Remember a file by its inode."""
    found = os.stat(path)
    _READ.add((found.st_dev, found.st_ino))


def was_read(path: str | Path) -> bool:
    """Whether a name is that of such a file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    return (found.st_dev, found.st_ino) in _READ
