"""Writes a draft as its record says: keys in their order, quantities with their units, each remark
on its own line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ddsrta.base.shapes import Shape
from ddsrta.base.structures import Either, ListOf, MapOf, Record
from ddsrta.base.text import shown
from ddsrta.base.yaml_tree import NULLS
from ddsrta.formats.draft import Draft, LeftOut, Remark, Value, quantity

_WIDTH = 100
# Texts that mean themselves without quotes, in flow style as well.
_PLAIN = re.compile(r"[A-Za-z0-9_/.+<-](?:[A-Za-z0-9_/.+<>()*~&%=|^@$;-]|:(?=\S)| (?=[^\s#]))*")
_MARKS = ("- ", "? ", "--- ", "... ")


def write(draft: Draft) -> str:
    """The text of the document.

    >>> from ddsrta.formats.draft import guessed
    >>> draft = Draft("a robot", sections={"topics": {"speed": {"size": guessed("1kB")}, "x": {}}})
    >>> draft.section("machines")["m"] = {"cores": ["c0"]}
    >>> print(write(draft), end="")
    ddsrta: 1
    name: a robot
    machines:
      m: {cores: [c0]}
    topics:
      speed:
        size: 1kB  # guessed: not in the file
      x: {}
    """
    lines = [comment(line) for line in draft.head]
    lines += [comment(f"left out: {text}") for text in draft.left_out]
    version = next(iter(draft.form.keys))
    sections = {version: 1, "name": draft.name, **draft.sections}
    written = spelled(sections, draft.form)
    assert isinstance(written, dict)
    for section, value in written.items():
        lines += entry(section, value, 0, fold=False)
    return "\n".join(lines) + "\n"


def spelled(value: Value, shape: Shape | None) -> Value:
    """A value as it stands in a file where a shape is expected.

    >>> from ddsrta.models.grammar import SYSTEM
    >>> topics = {"t": {"history": 3, "size": 2000}}
    >>> spelled({"topics": topics}, SYSTEM)
    {'topics': {'t': {'size': '2kB', 'history': '3'}}}
    """
    if isinstance(value, Remark):
        return Remark(spelled(value.value, shape), value.comment)
    if isinstance(shape, Either):
        of_parts = shape.mapping if isinstance(value, dict) else shape.sequence
        return spelled(value, of_parts if isinstance(value, dict | list) else shape.scalar)
    if isinstance(value, dict):
        known: dict[str, Shape] = {}
        if isinstance(shape, Record):  # its keys come first, in their order
            known = {key: said.shape for key, said in shape.keys.items() if key in value}
        item = shape.item if isinstance(shape, MapOf) else None
        return {key: spelled(value[key], known.get(key, item)) for key in {**known, **value}}
    if isinstance(value, list):
        return [spelled(part, shape.item if isinstance(shape, ListOf) else None) for part in value]
    if shape is None or isinstance(shape, Record | MapOf | ListOf) or not isinstance(value, int):
        return value
    return quantity(shape, value)


def scalar(value: str | int) -> str:
    """A name, quantity or number; quotes where YAML would read something else without them.

    >>> print(scalar("/topic1"), scalar("speed: high"), scalar("a,b"), scalar(-10), scalar("- x"))
    /topic1 "speed: high" "a,b" -10 "- x"
    """
    if isinstance(value, int):
        return str(value)
    plain = _PLAIN.fullmatch(value) and not value.startswith(_MARKS) and value != "-"
    if plain and value not in NULLS and value not in ("---", "...", "<<"):
        return value
    return json.dumps(value, ensure_ascii=not value.isprintable())


def flow(value: Value) -> str:
    """A value on one line; it holds no remark.

    >>> print(flow({"path": ["a", "/t", "b"], "deadline": "8ms"}))
    {path: [a, /t, b], deadline: 8ms}
    """
    if isinstance(value, dict):
        inside = ", ".join(f"{scalar(key)}: {flow(part)}" for key, part in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list):
        return f"[{', '.join(flow(part) for part in value)}]"
    assert isinstance(value, str | int), value
    return scalar(value)


def entry(key: str, value: Value, indent: int, fold: bool = True) -> list[str]:
    """The lines of `key: value`: one where everything fits, else a line for each part."""
    return list(_block(" " * indent + scalar(key) + ":", value, indent + 2, fold))


def _block(head: str, value: Value, indent: int, fold: bool = True) -> Iterator[str]:
    """A value behind the head of its line, which is `key:` or `-`."""
    remark = ""
    if isinstance(value, Remark):
        remark, value = "  " + comment(value.comment), value.value
    if isinstance(value, LeftOut):
        yield head[: len(head) - len(head.lstrip())] + comment(value.comment)
        return
    if isinstance(value, str | int) or not value or (fold and not _remarks(value)):
        line = f"{head} {flow(value)}"
        if isinstance(value, str | int) or not value or len(line) <= _WIDTH or _is_flat(value):
            yield line + remark
            return
    yield head + remark
    if isinstance(value, dict):
        for key, part in value.items():
            yield from entry(key, part, indent)
    elif isinstance(value, list):
        for part in value:
            yield from _item(part, indent)


def _item(value: Value, indent: int) -> Iterator[str]:
    """An entry of a list; where it needs several lines, its first key stands behind the dash."""
    margin = " " * indent
    lines = list(_block(margin + "-", value, indent + 2))
    if len(lines) > 1 and lines[0] == margin + "-":
        lines[:2] = [f"{margin}- {lines[1].lstrip()}"]
    yield from lines


def _remarks(value: Value) -> bool:
    if isinstance(value, dict):
        return any(_remarks(part) for part in value.values())
    if isinstance(value, list):
        return any(_remarks(part) for part in value)
    return not isinstance(value, str | int)


def _is_flat(value: Value) -> bool:
    """A list of names stays on its line, however long it is."""
    return isinstance(value, list) and all(isinstance(part, str | int) for part in value)


def comment(text: str) -> str:
    """A comment: whatever the text holds, it ends with the line."""
    return "# " + shown(" ".join(text.split()))
