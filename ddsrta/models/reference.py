"""The reference of system.yaml, as `python -m ddsrta.models.reference` prints it.

The tables come from the grammar that the reader uses; the explanations from reference_text.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import singledispatch
from importlib.resources import files
from typing import Any

from ddsrta.base.shapes import (
    Choice,
    Constant,
    Flag,
    Integer,
    Quantity,
    Reference,
    Text,
    singular,
)
from ddsrta.base.structures import Brief, Either, Key, ListOf, MapOf, Record
from ddsrta.base.units import BYTES, NANOSECONDS
from ddsrta.models.grammar import SYSTEM
from ddsrta.models.messages import PartShape

_TABLES = "<!-- tables -->"
_UNITS = "<!-- units -->"


def reference() -> str:
    """The whole page.

    >>> reference().splitlines()[0]
    '# system.yaml'
    """
    text = files("ddsrta.models").joinpath("reference_text.md").read_text("utf-8")
    return filled(text, SYSTEM)


def filled(text: str, grammar: Record) -> str:
    """A text with the tables of a grammar, and the units, in their places."""
    tables = "\n\n".join(map(_table, records(grammar)))
    return text.replace(_UNITS, _units()).replace(_TABLES, tables)


def records(grammar: Record = SYSTEM) -> list[Record]:
    """Every kind of mapping of a grammar, each once, the outer ones first."""
    found: list[Record] = []
    queue: list[Any] = [grammar]
    while queue:
        shape = queue.pop(0)
        if isinstance(shape, Record) and shape not in found:
            found.append(shape)
        queue += [part for part in _parts(shape) if part not in found]
    return found


@singledispatch
def _parts(shape: object) -> list[Any]:
    return []


@_parts.register
def _(shape: Record) -> list[Any]:
    return [key.shape for key in shape.keys.values()]


@_parts.register
def _(shape: ListOf | MapOf) -> list[Any]:
    return [shape.item]


@_parts.register
def _(shape: Either) -> list[Any]:
    return [part for part in (shape.scalar, shape.sequence, shape.mapping) if part]


@_parts.register
def _(shape: Brief) -> list[Any]:
    return [shape.shape]


@singledispatch
def describe(shape: Any) -> str:
    """What may be written for a value of a shape.

    >>> describe(Integer(1, 10)), describe(Choice(("or", "and")))
    ('whole number, 1 … 10', '`or`, `and`')
    """
    raise TypeError(shape)


@describe.register
def _(shape: PartShape) -> str:
    return "so many of so many jobs, such as `1 of 3`"


@describe.register
def _(shape: Quantity) -> str:
    what = shape.what.partition(" with ")[0].partition(" such as ")[0].removeprefix("a ")
    return f"{what}, more than 0" if shape.least else what


@describe.register
def _(shape: Integer) -> str:
    if shape.most == Integer.most:
        return "whole number"
    return f"whole number, {shape.least} … {shape.most}"


@describe.register
def _(shape: Flag) -> str:
    return "`true`, `false`"


@describe.register
def _(shape: Constant) -> str:
    return f"`{shape.value}`"


@describe.register
def _(shape: Text) -> str:
    return f"name without `{shape.without}`" if shape.without else "text"


@describe.register
def _(shape: Choice) -> str:
    return ", ".join(f"`{word}`" for word in shape.words)


@describe.register
def _(shape: Reference) -> str:
    kinds = " or ".join(map(singular, shape.kinds))
    return f"name of {'an' if kinds[0] in 'aeiou' else 'a'} {kinds}"


@describe.register
def _(shape: ListOf) -> str:
    return "list: " + describe(shape.item)


@describe.register
def _(shape: MapOf) -> str:
    name = describe(shape.name) if isinstance(shape.name, Quantity) else "name"
    return f"{name}: {describe(shape.item)}, …"


@describe.register
def _(shape: Record) -> str:
    return f"[{shape.title}](#{shape.title.replace(' ', '-')})"


@describe.register
def _(shape: Brief) -> str:
    return describe(shape.shape)


@describe.register
def _(shape: Either) -> str:
    return "; or ".join(map(describe, _parts(shape)))


def _table(record: Record) -> str:
    lines = [f"### {record.title}", ""]
    if record.either:
        sets = " or ".join(" and ".join(f"`{name}`" for name in names) for names in record.either)
        lines += [f"Either {sets} is needed.", ""]
    if record.some:
        names = ", ".join(f"`{name}`" for name in record.some)
        lines += [f"At least one of {names} is needed.", ""]
    lines += ["| key | value | meaning | if missing |", "| --- | --- | --- | --- |"]
    lines += [f"| {row} |" for row in _rows(record)]
    return "\n".join(lines)


def _rows(record: Record) -> Iterator[str]:
    for name, key in record.keys.items():
        yield " | ".join((f"`{name}`", describe(key.shape), key.meaning, _missing(key)))
    for name, meaning in record.later.items():
        yield " | ".join((f"`{name}`", "—", meaning, ""))


def _missing(key: Key) -> str:
    if key.required:
        return "an error"
    return "" if key.default is None else f"`{key.default}`"


def _units() -> str:
    times = ", ".join(f"`{unit}`" for unit in NANOSECONDS if unit != "μs")
    sizes = ", ".join(f"`{unit}`" for unit in BYTES)
    return f"Units of time: {times}. Units of size: {sizes}."


if __name__ == "__main__":
    sys.stdout.write(reference())
