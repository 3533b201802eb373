"""Other trees out of trees: what is said in one place is changed, all else is shared."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, NoReturn, SupportsIndex

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, shown
from ddsrta.base.shapes import Quantity, Shape, singular, written
from ddsrta.base.structures import Brief, Either, ListOf, MapOf, Record
from ddsrta.base.yaml_tree import Entry, Node, Place, Tree

Step = str | int
# Texts that mean themselves without quotes, wherever they stand.
_PLAIN = re.compile(r"[+-]?[A-Za-z0-9~][A-Za-z0-9_/.]*")


def changed(tree: Tree, shape: Shape, path: Sequence[Step], changes: Mapping[str, Any]) -> Tree:
    """The tree of a shape with other values of some keys, of which those that are None go.

    The path leads to the mapping that has the keys, which need not be there yet. Values are texts,
    as in a file, numbers of the least unit, or lists, mappings and records of these.

    >>> from ddsrta.base.shapes import DURATION
    >>> from ddsrta.base.structures import Key
    >>> from ddsrta.base.yaml_reader import read_text
    >>> gears = MapOf(Record({"period": Key(DURATION, "time of a turn")}))
    >>> flow(changed(read_text("{a: {period: 1ms}, b: {}}"), gears, ["b"], {"period": 1500}).root)
    '{a: {period: 1ms}, b: {period: "1.5 us"}}'
    """
    root = _Change(tree, changes).at(tree.root, tree.root, shape, "file", path)
    return Tree(tree.file, root, tree.end)


class _Change:
    def __init__(self, tree: Tree, changes: Mapping[str, Any]) -> None:
        self.tree = tree
        self.changes = changes

    def at(
        self, node: Node, place: Place, shape: Shape | None, name: str, path: Sequence[Step]
    ) -> Node:
        """What becomes of a node, named so, below which the rest of the path leads on."""
        if isinstance(node.value, list) and path:
            return self.in_list(node, shape, name, path)
        inside = {} if node.is_null else node.value
        if not isinstance(inside, dict):
            self.fail(
                place, f"{shown(name)} is {node.kind}, and has no keys", "change it as a whole"
            )
        if not path:
            return Node(node.line, node.column, self.keys(inside, shape, name, place), False)
        step, *rest = path
        if (entry := inside.get(str(step))) is None:
            self.known(str(step), inside, shape, name, place)
            entry = Entry(place.line, place.column, Node(place.line, place.column, {}, False))
        found = self.at(entry.node, entry, shape_inside(shape, step, entry.node), str(step), rest)
        value = {**inside, str(step): Entry(entry.line, entry.column, found)}
        return Node(node.line, node.column, value, False)

    def in_list(self, node: Node, shape: Shape | None, name: str, path: Sequence[Step]) -> Node:
        step, *rest = path
        items = list(node.value)
        if not isinstance(step, int) or not 0 <= step < len(items):
            message = f"{shown(name)} is a list, and has no {shown(str(step))}"
            which = f"its entries are 0 … {len(items) - 1}" if items else "it is empty"
            self.fail(node, message, which)
        part = items[step]
        assert isinstance(part, Node)
        items[step] = self.at(part, part, shape_inside(shape, step, part), f"{name}[{step}]", rest)
        return Node(node.line, node.column, items, False)  # type: ignore[arg-type]

    def known(
        self, key: str, inside: dict[str, Entry], shape: Shape | None, name: str, place: Place
    ) -> None:
        """Fails where a mapping neither has a key nor may have it."""
        keys = shape.keys if isinstance(shape, Record) else {}
        if key not in inside and key not in keys:
            what = f"no {singular(name)}" if isinstance(shape, MapOf) else "no key"
            advice = did_you_mean(key, [*{**inside, **keys}])
            self.fail(place, f"there is {what} {shown(key)}", advice)

    def keys(
        self, inside: dict[str, Entry], shape: Shape | None, name: str, place: Place
    ) -> dict[str, Entry]:
        """The entries of a mapping, those changed where they were and new ones behind them."""
        found = dict(inside)
        for key, value in self.changes.items():
            old = found.get(key)
            if value is None:
                self.known(key, inside, shape, name, place)
                found.pop(key, None)
                continue
            where: Place = old.node if old else place
            node = node_of(value, shape_inside(shape, key, value), where)
            found[key] = Entry(
                *((old.line, old.column) if old else (place.line, place.column)), node
            )
        return found

    def fail(self, place: Place, message: str, advice: str) -> NoReturn:
        raise InputError([Diagnostic(self.tree.position(place), message, advice)])


def shape_inside(shape: Shape | None, step: Step, value: Any) -> Shape | None:
    """The shape of a part, of which it is known what is there, or is to be."""
    if isinstance(shape, Record):
        found = shape.keys.get(str(step))
        shape = found.shape if found else None
    elif isinstance(shape, MapOf | ListOf):
        shape = shape.item
    else:
        return None
    return _chosen(shape, value.value if isinstance(value, Node) else value)


def _chosen(shape: Shape | None, value: Any) -> Shape | None:
    """The one of several shapes that a value has, and that of a value alone."""
    if isinstance(shape, Either):
        of_parts = shape.mapping if isinstance(value, Mapping) else shape.sequence
        shape = of_parts if isinstance(value, Mapping | list | tuple) else shape.scalar
    return shape.shape if isinstance(shape, Brief) else shape


def node_of(value: Any, shape: Shape | None, place: Place) -> Node:
    """A value as it would be read from the place."""
    if "shape" in getattr(type(value), "__dict__", ()):  # a record
        value = type(value).shape.write(value)
    if isinstance(value, Mapping):
        parts = {
            str(key): node_of(part, shape_inside(shape, key, part), place)
            for key, part in value.items()
        }
        entries = {key: Entry(place.line, place.column, part) for key, part in parts.items()}
        return Node(place.line, place.column, entries, False)
    if isinstance(value, list | tuple):
        items = [node_of(part, shape_inside(shape, 0, part), place) for part in value]
        return Node(place.line, place.column, items, False)
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, SupportsIndex) and isinstance(shape, Quantity):
        value = written(shape, index(value))  # of Python, or of NumPy
    return Node(place.line, place.column, "" if value is None else str(value), True)


def flow(node: Node) -> str:
    """A text, on one line, that is read as the same tree."""
    if isinstance(node.value, dict):
        parts = (f"{_scalar(key)}: {flow(entry.node)}" for key, entry in node.value.items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(node.value, list):
        return f"[{', '.join(map(flow, node.value))}]"
    return _scalar(node.value, node.plain)


def _scalar(text: str, plain: bool = True) -> str:
    if plain and (not text or _PLAIN.fullmatch(text)):
        return text or "~"
    return json.dumps(text, ensure_ascii=False)
