"""Builds the tree of a YAML text from the events of libyaml.

Nothing is constructed from tags. Aliases share their node, and a count of what the file expands to
stops alias bombs. Merge keys (`<<`) work as people expect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown
from ddsrta.base.yaml_errors import check_characters, syntax_error
from ddsrta.base.yaml_tree import (
    DEEPEST_NESTING,
    MOST_ALIASED,
    MOST_ANCHORS,
    MOST_DIAGNOSTICS,
    MOST_VALUES,
    Entry,
    Node,
)

# The tags that say what the reader finds out anyway. '!!str' makes a word of a number.
_KNOWN_TAGS = {
    None, *(f"tag:yaml.org,2002:{t}" for t in ("bool", "float", "int", "map", "null", "seq"))
}  # fmt: skip
_STRING_TAG = "tag:yaml.org,2002:str"
_TOO_MANY = f"more than {MOST_VALUES} keys and values"


def build(text: bytes, file: str, may_be_list: bool = False) -> Node:
    """The root of the one document in a text: a mapping, unless it may be a list as well."""
    check_characters(text, file)
    try:
        return _Builder(file, _events(text), may_be_list).document()
    except yaml.YAMLError as error:
        raise InputError([syntax_error(error, text, file)]) from None


def _events(text: bytes) -> Callable[[], Any]:
    """The next event, at each call; None at the end. libyaml's where it is, else Python's."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    get_event: Callable[[], Any] = loader(text).get_event
    return get_event


class _Builder:
    def __init__(self, file: str, next_event: Callable[[], Any], may_be_list: bool) -> None:
        self.file = file
        self.may_be_list = may_be_list
        self.next_event = next_event
        self.anchors: dict[str, tuple[Node, int]] = {}
        self.texts: dict[str, str] = {}  # each text is kept once: most of a file repeats
        self.values = 0
        self.aliased = 0
        self.line = 0  # nodes of one line share the number
        self.problems: list[Diagnostic] = []

    def document(self) -> Node:
        root: Node | None = None
        while (event := self.next_event()) is not None:
            if isinstance(event, DocumentStartEvent):
                if root is not None:
                    self.fail(event, "a second document", "one file describes one system")
                root = self.root(event, self.next_event())
        if root is None:
            raise InputError([Diagnostic(Position(self.file, 1, 1), "the file is empty")])
        if self.problems:
            raise InputError(self.problems)
        return root

    def root(self, start: Any, event: Any) -> Node:
        """The mapping that a document is; no use in reading millions of values of anything else."""
        if event.__class__ is ScalarEvent:
            if not event.value and not event.style:
                self.fail(start, "the document is empty")  # its end may be behind the last line
            self.fail(event, f"expected a mapping of 'key: value' lines, not {shown(event.value)}")
        if event.__class__ is SequenceStartEvent and not self.may_be_list:
            self.fail(event, "expected a mapping of 'key: value' lines, not a list")
        return self.node(event, 0)

    def fail(self, event: Any, message: str, advice: str = "") -> NoReturn:
        """Stop at once: going on would not be bounded or not make sense."""
        raise InputError([*self.problems, self.diagnostic(event, message, advice)])

    def report(self, event: Any, message: str, advice: str = "") -> None:
        """Remember a problem and go on."""
        if len(self.problems) >= MOST_DIAGNOSTICS:
            self.fail(event, "too many errors: the rest of the file was not read")
        self.problems.append(self.diagnostic(event, message, advice))

    def diagnostic(self, event: Any, message: str, advice: str) -> Diagnostic:
        mark = event.start_mark
        return Diagnostic(Position(self.file, mark.line + 1, mark.column + 1), message, advice)

    def place(self, event: Any) -> tuple[int, int]:
        """Line and column of an event that adds a value to the tree."""
        self.values += 1
        if self.values > MOST_VALUES:
            self.fail(event, f"more than {MOST_VALUES} keys and values")
        mark = event.start_mark
        line = mark.line + 1
        if line == self.line:
            line = self.line
        else:
            self.line = line
        return line, mark.column + 1

    def node(self, event: Any, depth: int) -> Node:
        """The node that begins with the event. Called for each value, so it calls little."""
        kind = event.__class__
        if kind is AliasEvent:
            return self.alias(event)
        mark = event.start_mark
        line = mark.line + 1
        if line == self.line:
            line = self.line  # the same object: one number for all nodes of a line
        else:
            self.line = line
        plain = True
        if event.tag is not None:
            plain = self.tag(event)
        before = self.values
        self.values = before + 1
        if kind is ScalarEvent:
            text = event.value
            text = self.texts.setdefault(text, text)
            node = Node(line, mark.column + 1, text, plain and not event.style)
        else:
            before += self.aliased
            if depth >= DEEPEST_NESTING:
                self.fail(event, f"nested more than {DEEPEST_NESTING} levels deep")
            if event.anchor is not None:  # an alias within would be of this node
                self.anchors.pop(event.anchor, None)
            sequence = kind is SequenceStartEvent
            value = self.items(depth + 1) if sequence else self.entries(depth + 1)
            node = Node(line, mark.column + 1, value, False)
            before -= self.aliased
        if event.anchor is not None:
            if len(self.anchors) >= MOST_ANCHORS:
                self.fail(event, f"more than {MOST_ANCHORS} anchors")
            self.anchors[event.anchor] = (node, self.values - before)
        return node

    def tag(self, event: Any) -> bool:
        """Whether a number with this tag remains a number; other tags are none of ours."""
        if event.tag in _KNOWN_TAGS:
            return True
        if event.tag != _STRING_TAG:
            name = shown(event.tag.replace("tag:yaml.org,2002:", "!!"))
            self.report(
                event, f"tags such as {name} have no meaning here", "write the value itself"
            )
        return False

    def alias(self, event: Any) -> Node:
        """The node that an alias stands for; what it adds to the file is counted."""
        if event.anchor not in self.anchors:
            self.fail(event, f"no anchor '&{event.anchor[:40]}' ends before this alias")
        node, weight = self.anchors[event.anchor]
        self.aliased += weight
        if self.aliased > MOST_ALIASED:
            self.fail(event, f"the aliases repeat more than {MOST_ALIASED} values")
        return node

    def items(self, depth: int) -> list[Node]:
        items: list[Node] = []
        next_event, node = self.next_event, self.node
        while (event := next_event()).__class__ is not SequenceEndEvent:
            if self.values >= MOST_VALUES:
                self.fail(event, _TOO_MANY)
            items.append(node(event, depth))
        return items

    def entries(self, depth: int) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        merged: list[tuple[Any, Node]] = []
        next_event, node = self.next_event, self.node
        while (event := next_event()).__class__ is not MappingEndEvent:
            if self.values >= MOST_VALUES:
                self.fail(event, _TOO_MANY)
            key = node(event, depth)
            name = key.value
            entry = Entry(key.line, key.column, node(next_event(), depth))
            if not isinstance(name, str):
                self.report(event, f"a key must be a word, not {key.kind}")
            elif name == "<<" and key.plain:
                merged.append((event, entry.node))
            elif name in entries:
                first = entries[name]
                self.report(
                    event,
                    f"duplicate key {shown(name, 60)}",
                    f"first at line {first.line}, column {first.column}",
                )
            else:
                entries[name] = entry
        for event, source in merged:
            self.merge(event, source, entries)
        return entries

    def merge(self, event: Any, source: Node, entries: dict[str, Entry]) -> None:
        """Add what a merge key brings; the mapping's own keys win, then the first of the list."""
        for part in source.value if isinstance(source.value, list) else [source]:
            if isinstance(part.value, dict):
                for name, entry in part.value.items():
                    entries.setdefault(name, entry)
            else:
                self.report(event, f"'<<' merges mappings, not {part.kind}")
