"""The nodes of a YAML text, out of the events of PyYAML, in bounded time and memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from ddsrta.checker.reading import CertificateError
from ddsrta.checker.yaml.nodes import Mapping, Node, NotReadError, Scalar, Sequence, cut, wrong

LONGEST = 64 * 2**20
MOST_VALUES = 2_000_000  # of a gigabyte, less than half
MOST_REPEATED = 1_000_000
DEEPEST = 32
_CORE = "tag:yaml.org,2002:"
_STRING = f"{_CORE}str"
_TAGS = {
    None,
    *(f"{_CORE}{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map")),
}


def compose(text: str) -> Node:
    """The one document of a text."""
    if len(text) > LONGEST:
        raise NotReadError(f"1:1: not read by the checker: more than {LONGEST} characters")
    try:
        return _Composer(_events(text)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        raise CertificateError(f"{place}: not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise CertificateError(f"1:1: not valid YAML: {type(error).__name__}") from None


def _events(text: str) -> Callable[[], Any]:
    """Gives the next event at each call; the parser written in C, where there is one."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        return yaml.SafeLoader(text).get_event
    get_event: Callable[[], Any] = CParser(text).get_event
    return get_event


class _Composer:
    """Counts what it makes; `anchors` are those whose node has ended."""

    def __init__(self, next_event: Callable[[], Any]) -> None:
        self.next = next_event
        self.anchors: dict[str, Node] = {}
        self.texts: dict[str, str] = {}  # each is kept once
        self.values = 0
        self.repeated = 0
        self.depth = 0

    def document(self) -> Node:
        self._expect(StreamStartEvent)
        event = self.next()
        if isinstance(event, StreamEndEvent):
            raise CertificateError("1:1: the text is empty")
        root = self._node(self.next())
        self._expect(DocumentEndEvent)
        event = self.next()
        if isinstance(event, DocumentStartEvent):
            raise CertificateError(f"{_place(event)}: a second document")
        return root

    def _expect(self, kind: type) -> None:
        event = self.next()
        assert isinstance(event, kind), event

    def _node(self, event: Any) -> Node:
        kind = type(event)
        if kind is AliasEvent:
            return self._alias(event)
        self.values += 1
        if self.values > MOST_VALUES:
            raise NotReadError(f"{_place(event)}: not read by the checker: too many values")
        if event.tag not in _TAGS:
            raise CertificateError(f"{_place(event)}: the tag {cut(event.tag)} has no meaning here")
        node: Node
        if kind is ScalarEvent:
            mark = event.start_mark
            plain = not event.style and event.tag != _STRING
            text = self.texts.setdefault(event.value, event.value)
            node = Scalar(text, plain, mark.line + 1, mark.column + 1)
        else:
            node = self._collection(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def _collection(self, event: Any) -> Node:
        if event.anchor is not None:  # an alias of it cannot be within it
            self.anchors.pop(event.anchor, None)
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotReadError(f"{_place(event)}: not read by the checker: too deep")
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        node: Node
        if type(event) is SequenceStartEvent:
            items = []
            while type(inner := self.next()) is not SequenceEndEvent:
                items.append(self._node(inner))
            node = Sequence(items, 1 + sum(map(_size, items)), line, column)
        else:
            assert type(event) is MappingStartEvent, event
            node = self._mapping(line, column)
        self.depth -= 1
        return node

    def _alias(self, event: Any) -> Node:
        node = self.anchors.get(event.anchor)
        if node is None:
            raise CertificateError(f"{_place(event)}: no such anchor ends before this alias")
        self._repeat(_size(node), event)
        return node

    def _repeat(self, count: int, event: Any) -> None:
        self.repeated += count
        if self.repeated > MOST_REPEATED:
            raise NotReadError(f"{_place(event)}: not read by the checker: too much is repeated")

    def _mapping(self, line: int, column: int) -> Mapping:
        """Own keys come first, whatever is merged then, the first of equal keys."""
        items: dict[str, Node] = {}
        merged: list[tuple[Any, Mapping]] = []
        size = 1
        while type(event := self.next()) is not MappingEndEvent:
            key = self._node(event)
            if not isinstance(key, Scalar):
                raise wrong(key, "a key is a word")
            value = self._node(self.next())
            if key.plain and key.value == "<<":
                merged += [(event, source) for source in _sources(value)]
                continue
            if key.value in items:
                raise wrong(key, f"the key {cut(key.value)} is given twice")
            items[key.value] = value
            size += 1 + _size(value)
        for event, source in merged:
            self._repeat(len(source.items), event)
            for name, value in source.items.items():
                if name not in items:
                    items[name] = value
                    size += 1 + _size(value)
        return Mapping(items, size, line, column)


def _sources(value: Node) -> list[Mapping]:
    """The mappings that are merged."""
    found = value.items if isinstance(value, Sequence) else [value]
    for source in found:
        if not isinstance(source, Mapping):
            raise wrong(source, "'<<' merges mappings")
    return [source for source in found if isinstance(source, Mapping)]


def _size(node: Node) -> int:
    return 1 if isinstance(node, Scalar) else node.size


def _place(event: Any) -> str:
    return f"{event.start_mark.line + 1}:{event.start_mark.column + 1}"
