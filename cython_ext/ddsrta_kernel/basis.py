"""Kinds of numbers, and what all records are."""

from __future__ import annotations

from array import array
from typing import Any, TypeAlias

Int = int
Bool = bool
Float = float
Ints: TypeAlias = "array[int]"
Floats: TypeAlias = "array[float]"
Flags = bytearray
Owner = Any  # a Memory


class Struct:
    """A record, all of it nil at first."""

    def __init_subclass__(cls) -> None:
        for name, kind in cls.__annotations__.items():
            if kind in ("Int", "Bool"):
                setattr(cls, name, 0)
