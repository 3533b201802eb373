"""Functions that read what has a size of its own: numbers, texts, and runs of them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ddsrta.formats.ctf.types import Array, Enum, Float, Integer, Type

Scope = dict[str, Any]
Reader = Callable[[bytes, int, list[Scope]], tuple[Any, int]]
Step = Callable[[bytes, int, Scope, list[Scope]], int]

_CODES = {(8, False): "B", (16, False): "H", (32, False): "I", (64, False): "Q"}
_CODES |= {(size, True): code.lower() for (size, _), code in _CODES.items()}
_LONGEST_TEXT_IN_RUN = 256


class BrokenError(Exception):
    """The bytes do not hold what was declared."""


class Run:
    """Fields at known distances from the first one, as one struct format."""

    def __init__(self) -> None:
        self.format = ""
        self.order = ""
        self.align = 0
        self.size = 0
        self.names: list[str] = []
        self.texts: list[str] = []

    def takes(self, name: str, type_: Type, align: int, order: str) -> bool:
        code = code_of(type_)
        if not code or (self.names and (align > self.align or order != self.order)):
            return False
        if not self.names:
            self.align, self.order = align, order
        padding = -self.size % align // 8
        self.format += (f"{padding}x" if padding else "") + code
        self.size += padding * 8 + type_.shape.least
        self.names.append(name)
        if isinstance(type_, Array):
            self.texts.append(name)
        return True

    def steps(self) -> list[Step]:
        """The run as a step; none where there is nothing in it."""
        if not self.names:
            return []
        read = self.reader()

        def step(data: bytes, at: int, scope: Scope, scopes: list[Scope]) -> int:
            fields, at = read(data, at, scopes)
            scope.update(fields)
            return at

        return [step]

    def reader(self) -> Reader:
        """The run as a scope of its own: what most events are, so it is worth being fast."""
        unpack = struct.Struct(self.order + self.format).unpack_from
        names, texts, size = tuple(self.names), tuple(self.texts), self.size
        mask, inverse = self.align - 1, -self.align

        def read(data: bytes, at: int, _scopes: list[Scope]) -> tuple[Any, int]:
            at = (at + mask) & inverse
            fields: Scope = dict(zip(names, unpack(data, at >> 3), strict=True))
            for name in texts:
                fields[name] = _short_text(fields[name])
            return fields, at + size

        return read


def code_of(type_: Type) -> str | None:
    """The struct code of a type of whole bytes at byte positions."""
    if isinstance(type_, Enum):
        type_ = type_.container
    if type_.shape.align % 8:
        return None
    if isinstance(type_, Integer):
        return _CODES.get((type_.size, type_.signed))
    if isinstance(type_, Float):
        return "f" if type_.size == 32 else "d"
    if isinstance(type_, Array) and is_character(type_.element):
        length = type_.length
        fits = isinstance(length, int) and length <= _LONGEST_TEXT_IN_RUN
        return f"{length}s" if fits else None
    return None


def is_character(type_: Type) -> bool:
    return isinstance(type_, Integer) and type_.text and (type_.size, type_.align) == (8, 8)


def text(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode("utf-8", "replace")


_short_text = lru_cache(4096)(text)


def read_string(data: bytes, at: int, _scopes: list[Scope]) -> tuple[Any, int]:
    start = (at + 7) >> 3
    end = data.find(0, start)
    if end < 0:
        raise BrokenError("a string without an end")
    return data[start:end].decode("utf-8", "replace"), (end + 1) << 3


def fixed(code: str, align: int, size: int) -> Reader:
    unpack = struct.Struct(code).unpack_from
    is_text = code.endswith("s")

    def read(data: bytes, at: int, _scopes: list[Scope]) -> tuple[Any, int]:
        at = (at + align - 1) & -align
        value = unpack(data, at >> 3)[0]
        return text(value) if is_text else value, at + size

    return read


def bits(integer: Integer, little: bool) -> Reader:
    """Integers that do not fill bytes: little-endian ones fill a byte from its low end."""
    size, align = integer.size, integer.align
    mask, sign = (1 << size) - 1, 1 << (size - 1)
    order = "little" if little else "big"

    def read(data: bytes, at: int, _scopes: list[Scope]) -> tuple[Any, int]:
        at = (at + align - 1) & -align
        first, last = at >> 3, (at + size + 7) >> 3
        if last > len(data):
            raise BrokenError("an integer is cut off")
        whole = int.from_bytes(data[first:last], order)  # type: ignore[arg-type]
        shift = at & 7 if little else (last << 3) - at - size
        value = (whole >> shift) & mask
        if integer.signed and value & sign:
            value -= 1 << size
        return value, at + size

    return read
