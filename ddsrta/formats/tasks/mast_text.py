"""The text of a model of MAST as a tree: parts, each with keys and values that know their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\f]+|--[^\n]*)|(?P<line>\n)|(?P<sign>=>|[(),;])
    |(?P<number>[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?(?![A-Za-z0-9_.:-]))
    |(?P<word>"[^"\n]*"|[A-Za-z0-9][A-Za-z0-9_.:-]*)""",
    re.VERBOSE,
)
_DEEPEST = 20


class Token(NamedTuple):
    """A word, number or sign, and where it stands."""

    kind: str
    text: str
    at: Position


class Node(NamedTuple):
    """A word, a number, a list, or keys with values; keys and words are in lower case."""

    value: str | Fraction | list[Node] | dict[str, Node]
    at: Position

    @property
    def word(self) -> str:
        """The word, or nothing."""
        return self.value if isinstance(self.value, str) else ""


class Part(NamedTuple):
    """One part of the model, such as an operation."""

    kind: str
    said: Node


def parse(text: str, file: str) -> list[Part]:
    """The parts of a model; raises InputError at the first that cannot be read.

    >>> part, = parse("Operation (Type => Simple, Name => a);", "m.txt")
    >>> part.kind, part.said.value["name"].word
    ('operation', 'a')
    """
    parser = _Parser(list(_tokens(text, file)), file)
    parts = []
    while parser.next.kind != "end":
        kind = parser.take("word")
        parts.append(Part(kind.text.lower(), parser.inside(0)))
        parser.take("sign", ";")
    return parts


def wrong(at: Position, message: str, advice: str = "") -> InputError:
    """What is wrong at a place."""
    return InputError([Diagnostic(at, message, advice)])


def _tokens(text: str, file: str) -> Iterator[Token]:
    line, begin, place = 1, 0, 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        at = Position(file, line, place - begin + 1)
        if match is None or match.lastgroup is None:
            raise wrong(at, f"{shown(text[place], 4)} is no part of a model of MAST")
        place = match.end()
        if match.lastgroup == "line":
            line, begin = line + 1, place
        elif match.lastgroup != "space":
            yield Token(match.lastgroup, match.group().strip('"'), at)
    yield Token("end", "the end of the file", Position(file, line, place - begin + 1))


class _Parser:
    """Takes tokens in order."""

    def __init__(self, tokens: list[Token], file: str) -> None:
        self.tokens = tokens
        self.place = 0

    @property
    def next(self) -> Token:
        """What comes, without taking it."""
        return self.tokens[self.place]

    def take(self, kind: str, text: str = "") -> Token:
        """The next token, which has to be this."""
        found = self.next
        if found.kind != kind or (text and found.text != text):
            wanted = f"'{text}'" if text else f"a {kind}"
            raise wrong(found.at, f"expected {wanted}, not {shown(found.text, 40)}")
        self.place += 1
        return found

    def is_sign(self, text: str) -> bool:
        return (self.next.kind, self.next.text) == ("sign", text)

    def inside(self, depth: int) -> Node:
        """What stands in parentheses: keys with values, or a list."""
        at = self.take("sign", "(").at
        if depth > _DEEPEST:
            raise wrong(at, f"more than {_DEEPEST} parentheses within each other")
        keys: dict[str, Node] = {}
        values: list[Node] = []
        while not self.is_sign(")"):
            if keys or values:
                self.take("sign", ",")
            after = self.tokens[self.place + 1] if self.next.kind == "word" else self.next
            if (after.kind, after.text) == ("sign", "=>"):
                key = self.take("word")
                self.take("sign", "=>")
                if key.text.lower() in keys or values:
                    raise wrong(key.at, f"{shown(key.text, 40)} stands here twice, or in a list")
                keys[key.text.lower()] = self.value(depth)
            else:
                if keys:
                    raise wrong(self.next.at, "expected 'key => value'")
                values.append(self.value(depth))
        self.take("sign", ")")
        return Node(keys or values, at)

    def value(self, depth: int) -> Node:
        """A word, a number or what is in parentheses."""
        if self.is_sign("("):
            return self.inside(depth + 1)
        found = self.next
        if found.kind == "number":
            self.place += 1
            return Node(Fraction(found.text), found.at)
        return Node(self.take("word").text.lower(), found.at)
