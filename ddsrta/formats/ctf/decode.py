"""Declared types, compiled into functions that take bytes apart.

Neighbours of a fixed size become one `struct` format, which is where the speed is. Positions count
bits from the start of the packet, because that is what alignments refer to.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import Any

from ddsrta.formats.ctf.leaves import (
    BrokenError,
    Reader,
    Run,
    Scope,
    Step,
    bits,
    code_of,
    fixed,
    is_character,
    read_string,
    text,
)
from ddsrta.formats.ctf.types import Array, Enum, Float, Integer, String, Struct, Type, Variant

# The structs around an event, outermost first: where a path that begins so is looked up.
ROOTS = (
    ("trace", "packet", "header"),
    ("stream", "packet", "context"),
    ("stream", "event", "header"),
    ("stream", "event", "context"),
    ("event", "context"),
    ("event", "fields"),
)


class UnresolvedError(Exception):
    """A length or a tag names a field that is not there."""


class Compiler:
    """Compiles the structs around an event; `frames` are the fields that can be referred to."""

    def __init__(self, byte_order: str) -> None:
        self.byte_order = byte_order
        self.frames: list[dict[str, tuple[str, Type]]] = []

    def root(self, declared: Struct) -> list[Step]:
        """The steps of the next of ROOTS, which later ones may refer to."""
        self.frames.append({})
        return self._steps(declared)

    def flat(self, structs: Iterable[Struct]) -> Reader | None:
        """Reads structs, one after the other, into one scope; None where that cannot be."""
        fields: list[tuple[str, Type, int]] = []
        for one in structs:
            names = shown_names(one)
            align = one.shape.align
            if align > 1 and not one.fields:
                return None
            for name, type_ in one.fields:
                if not (isinstance(type_, String) or code_of(type_)):
                    return None
                fields.append((names[name], type_, max(align, type_.shape.align)))
                align = 1
        if len({name for name, _, _ in fields}) < len(fields):
            return None
        run = Run()
        if fields and all(run.takes(*field, self._order(field[1])) for field in fields):
            return run.reader()
        return _in_turn(self._grouped(fields))

    def _steps(self, declared: Struct) -> list[Step]:
        frame = self.frames[-1]
        names = shown_names(declared)
        steps: list[Step] = []
        plain: list[tuple[str, Type, int]] = []
        if declared.shape.align > 1:
            steps.append(_aligning(declared.shape.align))
        for name, type_ in declared.fields:
            if isinstance(type_, String) or code_of(type_):
                plain.append((names[name], type_, type_.shape.align))
            else:
                steps += self._grouped(plain)
                plain = []
                steps.append(_storing(names[name], self._reader(type_)))
            frame[name] = (names[name], type_)
        return steps + self._grouped(plain)

    def _grouped(self, fields: list[tuple[str, Type, int]]) -> list[Step]:
        """Steps of strings, and of runs of fields whose distances are known."""
        steps: list[Step] = []
        run = Run()
        for name, type_, align in fields:
            order = self._order(type_)
            if not run.takes(name, type_, align, order):
                steps += run.steps()
                run = Run()
                if isinstance(type_, String):
                    steps.append(_storing(name, read_string))
                else:
                    run.takes(name, type_, align, order)
        return steps + run.steps()

    def _order(self, type_: Type) -> str:
        while isinstance(type_, Array):
            type_ = type_.element
        if isinstance(type_, Enum):
            type_ = type_.container
        said = type_.order if isinstance(type_, (Integer, Float)) else None
        return "<" if (said or self.byte_order) == "le" else ">"

    def _reader(self, type_: Type) -> Reader:
        if isinstance(type_, Struct):
            return self._struct(type_)
        if isinstance(type_, Array):
            return self._array(type_)
        if isinstance(type_, Variant):
            return self._variant(type_)
        if isinstance(type_, String):
            return read_string
        if code := code_of(type_):
            return fixed(self._order(type_) + code, type_.shape.align, type_.shape.least)
        integer = type_.container if isinstance(type_, Enum) else type_
        assert isinstance(integer, Integer)
        return bits(integer, self._order(integer) == "<")

    def _struct(self, declared: Struct) -> Reader:
        self.frames.append({})
        steps = self._steps(declared)
        self.frames.pop()

        def read(data: bytes, at: int, scopes: list[Scope]) -> tuple[Any, int]:
            scope: Scope = {}
            scopes.append(scope)
            for step in steps:
                at = step(data, at, scope, scopes)
            scopes.pop()
            return scope, at

        return read

    def _array(self, array: Array) -> Reader:
        element, order = array.element, self._order(array)
        length = self._length(array.length)
        align = element.shape.align
        is_text = is_character(element)
        code = None if isinstance(element, Array) else code_of(element)
        size = element.shape.least
        packed = code if code and size % align == 0 else None
        one = self._reader(element)

        def read(data: bytes, at: int, scopes: list[Scope]) -> tuple[Any, int]:
            count = length(scopes)
            if count * size > len(data) * 8 - at:
                raise BrokenError(f"an array of {count} elements does not fit")
            at = (at + align - 1) & -align
            if packed:
                end = at + count * size
                if end > len(data) * 8:
                    raise BrokenError(f"an array of {count} elements does not fit")
                if is_text:
                    return text(data[at >> 3 : end >> 3]), end
                return list(struct.unpack_from(f"{order}{count}{packed}", data, at >> 3)), end
            values = []
            for _ in range(count):
                value, at = one(data, at, scopes)
                values.append(value)
            return values, at

        return read

    def _length(self, length: int | tuple[str, ...]) -> Callable[[list[Scope]], int]:
        if isinstance(length, int):
            return lambda _scopes: length
        frame, path, type_ = self._resolve(length)
        if not isinstance(type_, Integer):
            raise UnresolvedError(f"the length '{'.'.join(length)}' is no integer")

        def count(scopes: list[Scope]) -> int:
            value = _at(scopes[frame], path)
            if value < 0:
                raise BrokenError(f"an array of {value} elements")
            return int(value)

        return count

    def _variant(self, variant: Variant) -> Reader:
        if variant.tag is None:
            raise UnresolvedError("a variant without a tag")
        frame, path, enum = self._resolve(variant.tag)
        if not isinstance(enum, Enum):
            raise UnresolvedError(f"the tag '{'.'.join(variant.tag)}' is no enum")
        names = {label.lstrip("_"): label for label, _, _ in enum.ranges}
        options = {}
        for name, type_ in variant.options:
            label = name if any(name == r[0] for r in enum.ranges) else names.get(name.lstrip("_"))
            options[label] = self._reader(type_)

        def read(data: bytes, at: int, scopes: list[Scope]) -> tuple[Any, int]:
            value = _at(scopes[frame], path)
            for label in enum.labels(value):
                if label in options:
                    return options[label](data, at, scopes)
            raise BrokenError(f"no option of a variant is selected by {value}")

        return read

    def _resolve(self, path: tuple[str, ...]) -> tuple[int, tuple[str, ...], Type]:
        """Frame, keys from there, and type of the field that a length or a tag names."""
        for frame, root in enumerate(ROOTS[: len(self.frames)]):
            if path[: len(root)] == root and len(path) > len(root):
                return frame, *self._follow(self.frames[frame], path[len(root) :])
        for frame in reversed(range(len(self.frames))):
            if path[0] in self.frames[frame]:
                return frame, *self._follow(self.frames[frame], path)
        raise UnresolvedError(f"no field '{'.'.join(path)}' before its use")

    def _follow(
        self, frame: dict[str, tuple[str, Type]], path: tuple[str, ...]
    ) -> tuple[tuple[str, ...], Type]:
        keys, type_ = [], None
        names = frame
        for name in path:
            if name not in names:
                raise UnresolvedError(f"no field '{'.'.join(path)}' before its use")
            key, type_ = names[name]
            keys.append(key)
            names = {}
            if isinstance(type_, Struct):
                shown = shown_names(type_)
                names = {inner: (shown[inner], one) for inner, one in type_.fields}
        assert type_ is not None
        return tuple(keys), type_


def shown_names(declared: Struct) -> dict[str, str]:
    """Field names without the underscore that LTTng puts before each, where they stay unique.

    >>> byte = Integer(8, 8)
    >>> shown_names(Struct((("_size", byte), ("__size", byte), ("x", byte))))
    {'_size': 'size', '__size': '_size', 'x': 'x'}
    """
    names = [name for name, _ in declared.fields]
    plain = [name[1:] if name.startswith("_") and len(name) > 1 else name for name in names]
    return dict(zip(names, plain if len(set(plain)) == len(plain) else names, strict=True))


def _at(scope: Scope, path: tuple[str, ...]) -> Any:
    value: Any = scope
    for key in path:
        value = value[key]
    return value


def _aligning(align: int) -> Step:
    def step(_data: bytes, at: int, _scope: Scope, _scopes: list[Scope]) -> int:
        return (at + align - 1) & -align

    return step


def _in_turn(steps: list[Step]) -> Reader:
    def read(data: bytes, at: int, scopes: list[Scope]) -> tuple[Any, int]:
        scope: Scope = {}
        for step in steps:
            at = step(data, at, scope, scopes)
        return scope, at

    return read


def _storing(name: str, read: Reader) -> Step:
    def step(data: bytes, at: int, scope: Scope, scopes: list[Scope]) -> int:
        scope[name], at = read(data, at, scopes)
        return at

    return step
