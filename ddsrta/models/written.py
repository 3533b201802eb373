"""The text that a system was read from."""

from __future__ import annotations

from typing import NamedTuple


class Written(NamedTuple):
    """A text, and the path that its traces are looked for beside."""

    text: str | bytes
    path: str
