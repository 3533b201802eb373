"""What two trees of one shape say differently, place by place, and trees between the two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ddsrta.base.shapes import INVALID, Context, Quantity, Shape
from ddsrta.base.structures import MapOf
from ddsrta.base.yaml_changes import Step, shape_inside
from ddsrta.base.yaml_tree import Entry, Node, Place, Tree

Path = tuple[Step, ...]


class Difference(NamedTuple):
    """What stands at a path, before and after: None where nothing does.

    With `is_order` only the order of the keys of a mapping differs: what is added is put last else.
    """

    path: Path
    old: Node | None
    new: Node | None
    place: Place
    is_order: bool = False


def differences(
    old: Tree, new: Tree, shape: Shape, contexts: tuple[Context, Context], ordered: Iterable[Path]
) -> list[Difference]:
    """All of them, in the order of the newer file, of which what went stands last.

    Values are compared, not how they are written. Of mappings at `ordered` paths the order of keys
    counts, too.

    >>> from ddsrta.base.shapes import DURATION
    >>> from ddsrta.base.structures import Key, MapOf, Record
    >>> from ddsrta.base.yaml_reader import read_text
    >>> gears = MapOf(Record({"period": Key(DURATION, "of a turn")}))
    >>> old, new = read_text("{a: {period: 1ms}, b: {}}"), read_text("{a: {period: 1000us}, c: {}}")
    >>> both = Context(old), Context(new)
    >>> [d.path for d in differences(old, new, gears, both, ())]
    [('c',), ('b',)]
    """
    return list(_Between(contexts, frozenset(ordered)).at(old.root, new.root, shape, (), new.root))


class _Between:
    def __init__(self, contexts: tuple[Context, Context], ordered: frozenset[Path]) -> None:
        self.contexts = contexts
        self.ordered = ordered

    def at(
        self, old: Node, new: Node, shape: Shape | None, path: Path, place: Place
    ) -> Iterator[Difference]:
        if _equal(old, new):
            return
        if isinstance(old.value, dict) and isinstance(new.value, dict):
            yield from self.in_mapping(old.value, new.value, shape, path)
        elif isinstance(old.value, list) and isinstance(new.value, list):
            yield from self.in_list(old, new, shape, path, place)
        elif not self.same(old, new, shape):
            yield Difference(path, old, new, place)

    def in_mapping(
        self, old: Mapping[str, Entry], new: Mapping[str, Entry], shape: Shape | None, path: Path
    ) -> Iterator[Difference]:
        same = self.respelled(old, new, shape)
        for key, entry in new.items():
            place = entry if isinstance(entry.node.value, dict) else entry.node
            name = same.get(key, key)
            if (before := old.get(name)) is None:
                yield Difference((*path, key), None, entry.node, entry)
            else:
                part = shape_inside(shape, key, entry.node)
                yield from self.at(before.node, entry.node, part, (*path, name), place)
        for key, entry in old.items():
            if key not in new and key not in same.values():
                yield Difference((*path, key), entry.node, None, entry)
        kept = [key for key in old if key in new]
        if path in self.ordered and [*kept, *(k for k in new if k not in old)] != list(new):
            first = next(entry for key, entry in new.items() if key in old)
            yield Difference(path, _mapping(old), _mapping(new), first, is_order=True)

    def respelled(
        self, old: Mapping[str, Entry], new: Mapping[str, Entry], shape: Shape | None
    ) -> dict[str, str]:
        """The keys that are sizes, and written otherwise before: '1000B', which was '1kB'."""
        if not (isinstance(shape, MapOf) and isinstance(shape.name, Quantity)):
            return {}
        before, after = self.contexts
        known = {shape.name.read_text(key, entry, before): key for key, entry in old.items()}
        found = {key: shape.name.read_text(key, entry, after) for key, entry in new.items()}
        return {key: known[size] for key, size in found.items() if size in known}

    def in_list(
        self, old: Node, new: Node, shape: Shape | None, path: Path, place: Place
    ) -> Iterator[Difference]:
        if len(old.value) != len(new.value):
            if not self.same(old, new, shape):
                yield Difference(path, old, new, place)
            return
        for number, (before, after) in enumerate(zip(old.value, new.value, strict=True)):
            assert isinstance(before, Node) and isinstance(after, Node)
            part = shape_inside(shape, number, after)
            yield from self.at(before, after, part, (*path, number), after)

    def same(self, old: Node, new: Node, shape: Shape | None) -> bool:
        """Whether both are read as the same value."""
        if shape is None:
            return False
        values = [
            shape.read(node, context)
            for node, context in zip((old, new), self.contexts, strict=True)
        ]
        return INVALID not in values and values[0] == values[1]


def _mapping(entries: Mapping[str, Entry]) -> Node:
    return Node(0, 0, dict(entries), False)


def _equal(one: Node, other: Node) -> bool:
    """Whether both are written alike, wherever that is."""
    if isinstance(one.value, dict) and isinstance(other.value, dict):
        return list(one.value) == list(other.value) and all(
            _equal(entry.node, other.value[key].node) for key, entry in one.value.items()
        )
    if isinstance(one.value, list) and isinstance(other.value, list):
        return len(one.value) == len(other.value) and all(map(_equal, one.value, other.value))
    return one.value == other.value and one.plain == other.plain


def patched(old: Tree, wanted: Iterable[Difference]) -> Tree:
    """The older tree with some of the differences: with all of them, it says what the newer does.

    >>> from ddsrta.base.shapes import Integer
    >>> from ddsrta.base.structures import MapOf
    >>> from ddsrta.base.yaml_changes import flow
    >>> from ddsrta.base.yaml_reader import read_text
    >>> old, new = read_text("{a: 1, b: 2}"), read_text("{c: 3, b: 2}")
    >>> both = Context(old), Context(new)
    >>> found = differences(old, new, MapOf(Integer()), both, ())
    >>> [flow(patched(old, chosen).root) for chosen in (found[:1], found[1:], found)]
    ['{a: 1, b: 2, c: 3}', '{b: 2}', '{b: 2, c: 3}']
    """
    root = old.root
    for each in sorted(wanted, key=lambda each: each.is_order):
        root = _put(root, each.path, each)
    return Tree(old.file, root, old.end)


def _put(node: Node, path: Path, change: Difference) -> Node:
    if not path:
        assert change.new is not None
        return _in_order(node, change.new) if change.is_order else change.new
    step, *rest = path
    if isinstance(node.value, list):
        items = list(node.value)
        assert isinstance(step, int)
        items[step] = _put(items[step], tuple(rest), change)
        return Node(node.line, node.column, items, False)
    assert isinstance(node.value, dict)
    entries, key = dict(node.value), str(step)
    if rest or change.is_order:
        entry = entries[key]
        entries[key] = Entry(entry.line, entry.column, _put(entry.node, tuple(rest), change))
    elif change.new is None:
        del entries[key]
    else:
        entries[key] = Entry(change.new.line, change.new.column, change.new)
    return Node(node.line, node.column, entries, False)


def _in_order(node: Node, wanted: Node) -> Node:
    """The keys of a mapping as another has them, what that lacks behind them."""
    assert isinstance(node.value, dict) and isinstance(wanted.value, dict)
    found = {key: node.value[key] for key in wanted.value if key in node.value}
    return Node(node.line, node.column, {**found, **node.value}, False)
