"""XML as a tree that remembers where everything was written; no entities, no DTD, within limits.

Namespaces and prefixes are dropped: profiles of all versions are read alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown

LARGEST_FILE = 16 << 20
DEEPEST_NESTING = 64
MOST_ELEMENTS = 100_000
_ENDS = tuple(
    expat.errors.codes[kind]
    for kind in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN)
)


@dataclass
class Element:
    """An element: its name without a namespace, its attributes, children, and text."""

    name: str
    position: Position
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text between its tags, without the spaces around it."""
        return "".join(self.texts).strip()

    def all(self, *names: str) -> Iterator[Element]:
        """The children of these names, in the order of the file."""
        return (child for child in self.children if child.name in names)

    def find(self, *path: str) -> Element | None:
        """The first child along a path of names."""
        found: Element | None = self
        for name in path:
            found = next(found.all(name), None) if found is not None else None
        return found

    def text_at(self, *path: str) -> str | None:
        """The text of the first child along a path of names."""
        found = self.find(*path)
        return None if found is None else found.text


def read_xml(path: str | Path) -> Element:
    """The root of a file; raises InputError with a position for whatever is wrong with it."""
    name = str(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "cannot be read"
        raise InputError([Diagnostic(Position(name, 1, 1), reason)]) from error
    return parse_xml(data, name)


def parse_xml(data: bytes, name: str = "<text>") -> Element:
    """The root of a text.

    >>> parse_xml(b"<dds><profiles/></dds>").children[0].position.column
    6
    >>> parse_xml(b"<dds>")
    Traceback (most recent call last):
    ...
    ddsrta.base.diagnostics.InputError: <text>:1:6: not valid XML: no element found; \
the file ends inside <dds>, opened at line 1, column 1
    """
    if len(data) > LARGEST_FILE:
        limit = f"the limit is {LARGEST_FILE >> 20} MiB"
        raise InputError([Diagnostic(Position(name, 1, 1), f"the file is too large: {limit}")])
    return _Parser(name).parse(data)


class _Parser:
    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[Element] = []
        self.root: Element | None = None
        self.elements = 0
        self.parser = expat.ParserCreate(namespace_separator=None)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.entity

    def parse(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise InputError([self.syntax_error(error)]) from None
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            self.fail(f"not valid XML: {shown(str(error), 100)[1:-1]}", "save the file as UTF-8")
        assert self.root is not None, "expat tells of a text without an element"
        return self.root

    def syntax_error(self, error: expat.ExpatError) -> Diagnostic:
        advice = ""
        if self.open:
            last = self.open[-1]
            place = f"line {last.position.line}, column {last.position.column}"
            inside = f"inside <{shown(last.name)[1:-1]}>, opened at {place}"
            ends = error.code in _ENDS
            advice = f"the file ends {inside}" if ends else inside
        position = Position(self.file, error.lineno, error.offset + 1)
        return Diagnostic(position, f"not valid XML: {expat.ErrorString(error.code)}", advice)

    def here(self) -> Position:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber
        return Position(self.file, line, column + 1)

    def fail(self, message: str, advice: str = "") -> NoReturn:
        raise InputError([Diagnostic(self.here(), message, advice)])

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > MOST_ELEMENTS:
            self.fail(f"more than {MOST_ELEMENTS} elements")
        if len(self.open) >= DEEPEST_NESTING:
            self.fail(f"nested more than {DEEPEST_NESTING} levels deep")
        element = Element(_local(name), self.here(), {_local(k): v for k, v in attributes.items()})
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, _name: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        self.open[-1].texts.append(text)

    def doctype(self, *_: object) -> None:
        self.fail("a document type (<!DOCTYPE …>) is refused", "profiles need none: remove it")

    def entity(self, *_: object) -> None:
        self.fail("entities are refused", "write the text itself")


def _local(name: str) -> str:
    """The name without its prefix."""
    return name.rpartition(":")[2]
