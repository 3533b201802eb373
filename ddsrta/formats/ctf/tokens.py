"""The words of TSDL, the language in which a trace describes itself, each with its place."""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from pathlib import Path
from typing import NamedTuple, NoReturn

from ddsrta.base.diagnostics import shown
from ddsrta.formats.ctf.errors import TraceError

MOST_BYTES = 1 << 24
MOST_TOKENS = 4_000_000
_MAGIC = 0x75D11D57
_HEADER = 37  # magic, uuid, checksum, content size, packet size, compression …, version

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
      | (?P<comment>/\*)
      | (?P<name>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<number>0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]{0,3}(?![A-Za-z_0-9])
      | "(?P<string>(?:[^"\\\n]|\\.)*)"
      | (?P<mark>:=|\.\.\.|[{}\[\]();:,=.<>*+-])""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


class Token(NamedTuple):
    """`kind` is name, number, string, mark or end."""

    kind: str
    text: str
    start: int


class Source:
    """The text of a metadata file; a byte of the text is a character, whatever its encoding."""

    def __init__(self, file: str, text: str, pieces: list[tuple[int, int]] | None = None) -> None:
        self.file = file
        self.text = text
        self.pieces = pieces or [(0, 0)]

    def offset(self, start: int) -> int:
        """Where in the file a character of the text stands."""
        at = bisect_right(self.pieces, (start, MOST_BYTES << 8)) - 1
        return self.pieces[at][1] + start - self.pieces[at][0]

    def fail(self, start: int, message: str, advice: str = "") -> NoReturn:
        """Raise an error at a character of the text."""
        raise TraceError(self.file, self.offset(start), message, advice)


def read_metadata(path: Path) -> Source:
    """The text of a metadata file: plain, or in packets as LTTng writes it."""
    name = str(path)
    with open(path, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise TraceError(name, MOST_BYTES, f"metadata of more than {MOST_BYTES >> 20} MiB")
    for order in "<>":
        if data[:4] == struct.pack(f"{order}I", _MAGIC):
            return _unpack(name, data, order)
    if not data.lstrip().startswith(b"/*"):
        raise TraceError(
            name, 0, "this is no metadata of CTF 1.8", "expected '/* CTF 1.8 */' or a packet"
        )
    return Source(name, data.decode("latin-1"))


def _unpack(name: str, data: bytes, order: str) -> Source:
    texts: list[str] = []
    pieces = []
    start = length = 0
    while start < len(data):
        if start + _HEADER > len(data):
            raise TraceError(name, start, "the last packet of the metadata is cut off")
        magic, content, size = struct.unpack_from(f"{order}I20xII", data, start)
        if magic != _MAGIC:
            raise TraceError(name, start, "a packet of the metadata does not start with its magic")
        if data[start + 32] or data[start + 33]:
            raise TraceError(name, start + 32, "compressed or encrypted metadata is not supported")
        if content % 8 or size % 8 or not _HEADER <= content // 8 <= size // 8:
            raise TraceError(name, start + 24, "the sizes of this metadata packet are wrong")
        if start + size // 8 > len(data):
            raise TraceError(name, start, "the last packet of the metadata is cut off")
        text = data[start + _HEADER : start + content // 8].decode("latin-1")
        pieces.append((length, start + _HEADER))
        texts.append(text)
        length += len(text)
        start += size // 8
    return Source(name, "".join(texts), pieces)


class Cursor:
    """The tokens of a source, one ahead."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._at = 0
        self._left = MOST_TOKENS
        self.token = self._scan()

    def fail(self, message: str, advice: str = "", start: int | None = None) -> NoReturn:
        """Raise an error at the next token, or where `start` says."""
        self.source.fail(self.token.start if start is None else start, message, advice)

    def next(self) -> Token:
        """Take a token."""
        taken = self.token
        self.token = self._scan()
        return taken

    def second(self) -> Token:
        """The token after the next one."""
        at = self._at
        token = self._scan()
        self._at = at
        return token

    def sees(self, text: str) -> bool:
        """Whether the next token is this mark or word."""
        return self.token.text == text and self.token.kind in ("name", "mark")

    def takes(self, text: str) -> bool:
        """Take the next token if it is this mark or word."""
        if self.sees(text):
            self.next()
            return True
        return False

    def expect(self, text: str) -> Token:
        """Take this mark or word, which must be here."""
        if not self.sees(text):
            self.fail(f"expected '{text}', found {self.found()}")
        return self.next()

    def name(self) -> str:
        """Take a name."""
        if self.token.kind != "name":
            self.fail(f"expected a name, found {self.found()}")
        return self.next().text

    def integer(self) -> int:
        """Take an integer, perhaps with a sign."""
        negative = self.takes("-")
        if not negative:
            self.takes("+")
        if self.token.kind != "number":
            self.fail(f"expected an integer, found {self.found()}")
        text = self.token.text
        if len(text) > 24:
            self.fail(f"the integer {shown(text)} is too large")
        base = 16 if text[:2] in ("0x", "0X") else 8 if text[0] == "0" else 10
        try:
            value = int(text, base)
        except ValueError:
            self.fail(f"{shown(text)} is no integer")
        self.next()
        return -value if negative else value

    def found(self) -> str:
        """The next token, for a message."""
        return "the end of the metadata" if self.token.kind == "end" else shown(self.token.text)

    def _scan(self) -> Token:
        text = self.source.text
        while self._at < len(text):
            start = self._at
            match = _TOKEN.match(text, start)
            if match is None:
                self.source.fail(start, f"unexpected character {shown(text[start])}")
            self._at = match.end()
            kind = match.lastgroup or ""
            if kind == "comment":
                self._at = text.find("*/", self._at) + 2
                if self._at < 2:
                    self.source.fail(start, "this comment never ends")
            elif kind != "skip":
                self._left -= 1
                if self._left < 0:
                    self.source.fail(start, f"metadata of more than {MOST_TOKENS} words")
                word = match[kind]
                return Token(kind, _plain(word) if kind == "string" else word, start)
        return Token("end", "", len(text))


def _plain(text: str) -> str:
    """The text of a string literal: escapes undone, UTF-8 read."""
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text)
    return text.encode("latin-1").decode("utf-8", "replace")
