"""YAML as a tree that remembers where everything was written; `yaml_reader` reads it in bounded
time and memory."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.diagnostics import Position, shown

LARGEST_FILE = 64 << 20
DEEPEST_NESTING = 32
MOST_VALUES = 5_000_000  # keys and values; a system of 100,000 threads has some 3 million
MOST_ALIASED = 1_000_000  # what aliases may add to that
MOST_ANCHORS = 250_000  # each takes the memory of two values more
MOST_DIAGNOSTICS = 100
NULLS = ("", "~", "null", "Null", "NULL")


class Node:
    """A scalar (`value` is its text), a list, or a mapping (a dict of names to entries).

    `plain` scalars were written without quotes. There are millions of nodes: no slot to spare.
    """

    __slots__ = ("column", "line", "plain", "value")

    def __init__(
        self, line: int, column: int, value: str | list[Node] | dict[str, Entry], plain: bool
    ) -> None:
        self.line = line
        self.column = column
        self.value = value
        self.plain = plain

    @property
    def is_null(self) -> bool:
        """Nothing was written: `key:` or `key: ~`."""
        return self.plain and self.value in NULLS

    @property
    def kind(self) -> str:
        """What a person would call it."""
        if isinstance(self.value, dict):
            return "a mapping"
        if isinstance(self.value, list):
            return "a list"
        return "nothing" if self.is_null else shown(self.value)


class Entry:
    """Where a key of a mapping was written, and the node behind it."""

    __slots__ = ("column", "line", "node")

    def __init__(self, line: int, column: int, node: Node) -> None:
        self.line = line
        self.column = column
        self.node = node


Place = Node | Entry


class Tree:
    """The root of a file's nodes, the file's name, and where the file ends.

    >>> from ddsrta.base.yaml_reader import read_text
    >>> read_text("a: {b: 1ms}", "a.yaml").find(["a", "b"])
    Position(file='a.yaml', line=1, column=8)
    """

    def __init__(self, file: str, root: Node, end: Position) -> None:
        self.file = file
        self.root = root
        self.end = end

    def position(self, place: Place) -> Position:
        """Where a node or a key was written; libyaml puts a last empty value behind the end."""
        if place.line > self.end.line:
            return self.end
        return Position(self.file, place.line, place.column)

    def names(self, *path: str) -> list[str]:
        """The keys, as they were written, of the mapping that a path of keys leads to."""
        node = self.root
        for step in path:
            if not isinstance(node.value, dict) or step not in node.value:
                return []
            node = node.value[step].node
        return list(node.value) if isinstance(node.value, dict) else []

    def has(self, path: Sequence[str | int]) -> bool:
        """Whether anything stands at a path."""
        node = self.root
        for step in path:
            if isinstance(node.value, dict) and step in node.value:
                node = node.value[str(step)].node
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
            else:
                return False
        return True

    def find(self, path: Sequence[str | int]) -> Position:
        """Where the part of the file is that a path leads to (`place_of`)."""
        return self.position(place_of(self.root, self.root, path))


def place_of(node: Node, place: Place, path: Sequence[str | int]) -> Place:
    """The deepest part of a path below a node that exists, or else the `place` that it has: a
    mapping is at its key, all else at its value."""
    for step in path:
        if isinstance(node.value, dict) and step in node.value:
            entry = node.value[str(step)]
            node = entry.node
            place = entry if isinstance(node.value, dict) else node
        elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
            place = node = node.value[step]
        else:
            break
    return place
