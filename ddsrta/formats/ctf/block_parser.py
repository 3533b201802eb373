"""Blocks of TSDL, and the `key = value;` in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from ddsrta.base.diagnostics import shown
from ddsrta.formats.ctf.tokens import Cursor, Source
from ddsrta.formats.ctf.types import DEEPEST, Type

_T = TypeVar("_T")
Value = int | str


class Attribute(NamedTuple):
    """What a block says of one key, and where."""

    value: Value
    start: int


class BlockParser(Cursor):
    """Reads what stands between braces; names declared in a block end with it."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.scopes: list[dict[str, Type]] = [{}]
        self._depth = 0

    @contextmanager
    def block(self) -> Iterator[None]:
        """What stands between braces: names declared in it end with it."""
        self.expect("{")
        self._depth += 1
        if self._depth > DEEPEST:
            self.fail(f"blocks nested more than {DEEPEST} deep")
        self.scopes.append({})
        yield
        self.scopes.pop()
        self._depth -= 1
        self.expect("}")

    def attributes(self) -> dict[str, Attribute]:
        """The `key = value;` of a block, to its end."""
        found: dict[str, Attribute] = {}
        with self.block():
            while not self.sees("}"):
                key, start = self.path(), self.token.start
                self.expect("=")
                self._keep(found, key, Attribute(self.value(), start))
                self.expect(";")
        return found

    def value(self) -> Value:
        """An integer, a string, or a path of names as a string."""
        if self.token.kind == "string":
            return self.next().text
        return self.path() if self.token.kind == "name" else self.integer()

    def path(self) -> str:
        """Names with dots between them."""
        names = [self.name()]
        while self.takes("."):
            names.append(self.name())
        return ".".join(names)

    def _keep(self, found: dict[str, Attribute], key: str, value: Attribute) -> None:
        if key in found:
            self.fail(f"{shown(key)} is said twice", start=value.start)
        found[key] = value

    def number(
        self,
        said: dict[str, Attribute],
        key: str,
        start: int,
        least: int,
        most: int,
        default: int | None = None,
    ) -> int:
        if key not in said:
            if default is None:
                self.fail(f"{shown(key)} is missing", start=start)
            return default
        value, place = said[key]
        if not isinstance(value, int) or not least <= value <= most:
            message = f"{shown(key)} is {shown(str(value))}"
            self.fail(message, f"expected an integer from {least} to {most}", place)
        return value

    def alignment(self, align: int, start: int) -> int:
        if not 1 <= align <= 4096 or align & (align - 1):
            self.fail(f"an alignment of {align}", "expected a power of two up to 4096", start)
        return align

    def choice(
        self, said: dict[str, Attribute], key: str, choices: dict[str, _T], default: _T
    ) -> _T:
        if key not in said:
            return default
        value, place = said[key]
        word = str(value)
        if word not in choices:
            expected = "expected one of: " + ", ".join(choices)
            self.fail(f"{shown(key)} is {shown(word)}", expected, place)
        return choices[word]
