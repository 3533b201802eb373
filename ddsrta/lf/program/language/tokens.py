"""Cuts the text of a program into words: `{= … =}` is one of them, whatever it holds."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import Literal, NamedTuple

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, shown

Kind = Literal["word", "number", "text", "code", "mark", "end"]

_LINE_COMMENT = r"(?://|\#)[^\n\r]*"
_SHORT_TEXT = r'"(?:\\.|[^\\"\t\r\n])*"|' + r"'(?:\\.|[^\\'\t\r\n])'"
# Comments and texts of several lines, by how they begin.
_LONG = {
    "/*": r"/\*(?s:.*?)\*/",
    "'''": r"'''(?s:.*?)'''",
    '"""': r'"""(?s:.*?)"""',
}
_OPENED = tuple(_LONG)
_COMMENT = "|".join((_LINE_COMMENT, _LONG["/*"], _LONG["'''"]))
_TEXT = "|".join((_LONG['"""'], _SHORT_TEXT))
_SKIPPED = re.compile(rf"(?:[ \t\r\n]+|{_COMMENT})*+")
_TOKEN = re.compile(
    rf"(?P<text>{_TEXT})"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*+)"
    r"|(?P<number>(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][+-]?[0-9]++(?![A-Za-z0-9_]))?)"
    r"|(?P<mark>\{=|=\}|->|~>|::|.)"
)


@cache
def _in_code(long: tuple[str, ...]) -> re.Pattern[str]:
    """What target code is made of: '=}' ends it, unless it stands in a text or a comment."""
    parts = [r"=\}", _LINE_COMMENT, *(_LONG[opened] for opened in long), _SHORT_TEXT]
    return re.compile("|".join(parts) + r"""|[^="'/#]++|.""", re.DOTALL)


class Token(NamedTuple):
    """A word of the program and where it stands in the text; `end` is behind its last character."""

    kind: Kind
    text: str
    start: int
    end: int


class Source:
    """The text of a program, with places for messages."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self._lines = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]

    def position(self, offset: int) -> Position:
        """Line and column of a place in the text."""
        line = bisect_right(self._lines, offset)
        return Position(self.file, line, offset - self._lines[line - 1] + 1)

    def error(self, offset: int, message: str, advice: str = "") -> InputError:
        """What is wrong at a place."""
        return InputError([Diagnostic(self.position(offset), message, advice)])

    def token(self, offset: int) -> Token:
        """The first word at or behind a place.

        >>> Source("x = {= a =} // b", "a.lf").token(2)
        Token(kind='mark', text='=', start=2, end=3)
        """
        skipped = _SKIPPED.match(self.text, offset)
        assert skipped is not None
        start = skipped.end()
        if start == len(self.text):
            return Token("end", "", start, start)
        if self.text.startswith(_OPENED, start):
            found = _TOKEN.match(self.text, start)
            if found is None or found.lastgroup != "text" or found.group() == '""':
                message = f"{shown(self.text[start : start + 3])} has no end"
                raise self.error(start, message, "close the comment or text")
        found = _TOKEN.match(self.text, start)
        assert found is not None, "the last choice takes any character"
        kind: Kind = found.lastgroup  # type: ignore[assignment]
        if found.group() == "{=":
            return self._code(start)
        if found.group() in ('"', "'"):
            raise self.error(start, "this text has no end on its line", f"add {found.group()}")
        return Token(kind, found.group(), start, found.end())

    def _code(self, start: int) -> Token:
        offset, long = start + 2, _OPENED
        while found := _in_code(long).match(self.text, offset):
            if found.group() == "=}":
                return Token("code", self.text[start + 2 : offset], start, found.end())
            if found.group() in ("/", "'", '"', '""'):
                # One that has no end is text as any other, and so are all that follow it.
                long = tuple(each for each in long if not self.text.startswith(each, offset))
            offset = found.end()
        raise self.error(start, "'{=' has no '=}'", "end the target code with =}")
