"""YAML as a tree that remembers where everything was written, read in bounded time and memory.

Events come from libyaml; nothing is constructed from tags. Aliases share their node, and a count of
what the file expands to stops alias bombs. Merge keys (`<<`) work as people expect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from ddsrta.models.diagnostics import Diagnostic, InputError, Position

LARGEST_FILE = 64 << 20
DEEPEST_NESTING = 32
MOST_NODES = 8_000_000
MOST_EXPANDED = 8_000_000
MOST_DIAGNOSTICS = 200


class Node:
    """A scalar (`value` is its text), a sequence (a list) or a mapping (a dict of key to entry)."""

    __slots__ = ("column", "file", "line", "plain", "value", "weight")

    def __init__(self, file: str, line: int, column: int, value: Any, plain: bool = False) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.value: str | list[Node] | dict[str, Entry] = value
        self.plain = plain
        self.weight = 1

    @property
    def position(self) -> Position:
        """Where the node starts."""
        return Position(self.file, self.line, self.column)

    @property
    def is_null(self) -> bool:
        """Nothing was written: `key:` or `key: ~`."""
        return self.plain and self.value in ("", "~", "null")

    @property
    def kind(self) -> str:
        """What a person would call it."""
        if isinstance(self.value, dict):
            return "a mapping"
        if isinstance(self.value, list):
            return "a list"
        return "nothing" if self.is_null else f"'{self.value[:40]}'"

    def find(self, path: Sequence[str | int]) -> Position:
        """The position of the deepest part of the path that exists."""
        node, position = self, self.position
        for step in path:
            if isinstance(node.value, dict) and step in node.value:
                entry = node.value[str(step)]
                node, position = entry.node, entry.key.position
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                position = node.position
            else:
                break
        return position if isinstance(node.value, dict) else node.position


class Entry:
    """A key of a mapping and the node behind it."""

    __slots__ = ("key", "node")

    def __init__(self, key: Node, node: Node) -> None:
        self.key = key
        self.node = node


def read_file(path: str | Path) -> Node:
    """The tree of a file; raises InputError with a position for whatever is wrong with it."""
    name = str(path)
    try:
        with open(path, "rb") as stream:
            text = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise InputError([Diagnostic(Position(name, 1, 1), f"{reason}")]) from error
    return read_text(text, name)


def read_text(text: bytes | str, name: str = "<text>") -> Node:
    """The tree of a text.

    >>> read_text("a: {b: 1ms}").find(["a", "b"]).column
    8
    """
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    if len(text) > LARGEST_FILE:
        limit = f"the limit is {LARGEST_FILE >> 20} MiB"
        raise InputError([Diagnostic(Position(name, 1, 1), f"the file is too large: {limit}")])
    _check_characters(text, name)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder(name, iter(yaml.parse(text, Loader=loader))).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        position = Position(name, mark.line + 1, mark.column + 1) if mark else Position(name, 1, 1)
        message = f"not valid YAML: {error.problem or error.context}"
        raise InputError([Diagnostic(position, message)]) from None
    except (yaml.YAMLError, UnicodeError, ValueError) as error:
        message = "not valid YAML: " + str(error).split("\n", 1)[0][:200]
        raise InputError([Diagnostic(Position(name, 1, 1), message)]) from None


def _check_characters(text: bytes, name: str) -> None:
    """libyaml names no position for a bad character: find it first."""
    try:
        text.decode("utf-8")
        at = text.find(b"\x00")
        problem = "a NUL character"
    except UnicodeDecodeError as error:
        at = error.start
        problem = "not UTF-8 text"
    if at >= 0:
        line = text.count(b"\n", 0, at) + 1
        column = at - text.rfind(b"\n", 0, at)
        raise InputError([Diagnostic(Position(name, line, column), problem)])


class _Builder:
    """Turns the events of one document into nodes."""

    def __init__(self, file: str, events: Iterator[Any]) -> None:
        self.file = file
        self.events = events
        self.anchors: dict[str, Node] = {}
        self.nodes = 0
        self.problems: list[Diagnostic] = []

    def document(self) -> Node:
        root: Node | None = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    self.fail(event, "a second document", "one file describes one system")
                root = self.node(next(self.events), 0)
        if root is None:
            raise InputError([Diagnostic(Position(self.file, 1, 1), "the file is empty")])
        if self.problems:
            raise InputError(self.problems)
        return root

    def fail(self, event: Any, message: str, advice: str = "") -> None:
        """Stop at once: going on would not be bounded or not make sense."""
        mark = event.start_mark
        position = Position(self.file, mark.line + 1, mark.column + 1)
        raise InputError([*self.problems, Diagnostic(position, message, advice)])

    def node(self, event: Any, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                self.fail(event, f"unknown alias '*{event.anchor[:40]}'")
            return self.anchors[event.anchor]
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self.fail(event, f"more than {MOST_NODES} values")
        if depth > DEEPEST_NESTING:
            self.fail(event, f"nested more than {DEEPEST_NESTING} levels deep")
        mark = event.start_mark
        node = Node(self.file, mark.line + 1, mark.column + 1, None)
        if isinstance(event, yaml.ScalarEvent):
            node.value, node.plain = event.value, not event.style
        elif isinstance(event, yaml.SequenceStartEvent):
            node.value = self.items(node, depth)
        else:
            node.value = self.entries(node, depth)
        if node.weight > MOST_EXPANDED:
            self.fail(event, "the aliases expand to too many values")
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def items(self, parent: Node, depth: int) -> list[Node]:
        items: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            item = self.node(event, depth + 1)
            parent.weight += item.weight
            items.append(item)
        return items

    def entries(self, parent: Node, depth: int) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        merged: list[Node] = []
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            parent.weight += key.weight + value.weight
            if not isinstance(key.value, str):
                self.report(key, f"a key must be a word, not {key.kind}")
            elif key.value == "<<" and key.plain:
                merged += value.value if isinstance(value.value, list) else [value]
            elif key.value in entries:
                first = entries[key.value].key
                self.report(
                    key,
                    f"duplicate key '{key.value[:60]}'",
                    f"first at line {first.line}, column {first.column}",
                )
            else:
                entries[key.value] = Entry(key, value)
        for source in merged:
            if isinstance(source.value, dict):
                for name, entry in source.value.items():
                    entries.setdefault(name, entry)
            else:
                self.report(source, f"'<<' merges mappings, not {source.kind}")
        return entries

    def report(self, node: Node, message: str, advice: str = "") -> None:
        """Remember a problem and go on."""
        self.problems.append(Diagnostic(node.position, message, advice))
        if len(self.problems) > MOST_DIAGNOSTICS:
            raise InputError(self.problems)
