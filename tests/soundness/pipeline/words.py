"""The words of the grammar, and those that a file uses: nothing that can be written is left undrawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ddsrta.base.shapes import Choice, Flag
from ddsrta.base.structures import Either, ListOf, MapOf, Record
from ddsrta.models.grammar import SYSTEM


def of_grammar() -> set[str]:
    """Every key, as 'record.key', and every value of which a key has some: 'record.key=value'."""
    return set(_words(SYSTEM, "", set()))


def _words(shape: Any, key: str, above: set[int]) -> Iterator[str]:
    if isinstance(shape, Record) and id(shape) not in above:
        for name, part in shape.keys.items():
            yield f"{shape.title}.{name}"
            said = f"{shape.title}.{name}={part.default}"  # it goes without saying
            inner = _words(part.shape, f"{shape.title}.{name}", above | {id(shape)})
            yield from (word for word in inner if word != said)
    elif isinstance(shape, ListOf | MapOf):
        yield from _words(shape.item, key, above)
    elif isinstance(shape, Either):
        for part in (shape.scalar, shape.sequence, shape.mapping):
            yield from _words(part, key, above)
    elif isinstance(shape, Choice):
        yield from (f"{key}={value}" for value in shape.words)
    elif isinstance(shape, Flag):
        yield from (f"{key}={value}" for value in ("true", "false"))


def used(data: Any, shape: Any = SYSTEM, key: str = "") -> Iterator[str]:
    """Those of a file."""
    if isinstance(shape, Either):
        kinds = {dict: shape.mapping, list: shape.sequence}
        yield from used(data, kinds.get(type(data), shape.scalar), key)
    elif isinstance(shape, Record) and isinstance(data, dict):
        for name, value in data.items():
            yield f"{shape.title}.{name}"
            yield from used(value, shape.keys[name].shape, f"{shape.title}.{name}")
    elif isinstance(shape, MapOf):
        for value in data.values():
            yield from used(value, shape.item, key)
    elif isinstance(shape, ListOf):
        for value in data:
            yield from used(value, shape.item, key)
    elif isinstance(shape, Choice | Flag):
        yield f"{key}={str(data).lower() if isinstance(data, bool) else data}"
