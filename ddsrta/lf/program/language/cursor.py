"""Walks through the words of a program; what does not fit is told with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from ddsrta.base.diagnostics import InputError, shown
from ddsrta.lf.program.language.tokens import Source, Token

_DEEPEST = 50
_Item = TypeVar("_Item")


class Cursor:
    """The next word, and the one behind it.

    >>> cursor = Cursor(Source("timer t(0)", "a.lf"))
    >>> cursor.accept("timer"), cursor.word("a timer").text, cursor.at("(")
    (True, 't', True)
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.next = source.token(0)
        self.depth = 0

    def at(self, *texts: str) -> bool:
        """Whether the next word is one of these; a text in quotes never is."""
        return self.next.text in texts and self.next.kind in ("word", "mark")

    def second(self) -> Token:
        """The word behind the next one."""
        return self.source.token(self.next.end)

    def take(self) -> Token:
        """The next word, which is left behind."""
        taken = self.next
        self.next = self.source.token(taken.end)
        return taken

    def accept(self, text: str) -> bool:
        """Leave a word behind if it is this one."""
        if not self.at(text):
            return False
        self.take()
        return True

    def expect(self, text: str, where: str) -> Token:
        """The next word, which must be this one."""
        if self.at(text):
            return self.take()
        raise self.unexpected(f"'{text}'", where)

    def word(self, what: str) -> Token:
        """A name."""
        if self.next.kind == "word":
            return self.take()
        raise self.unexpected(what)

    def code(self, what: str) -> str:
        """Target code."""
        if self.next.kind == "code":
            return self.take().text
        raise self.unexpected("{= … =}", what)

    def text(self, what: str) -> str:
        """A text without its quotes."""
        if self.next.kind != "text":
            raise self.unexpected(f"{what} in quotes")
        taken = self.take().text
        return taken[3:-3] if taken.startswith('"""') and len(taken) > 5 else taken[1:-1]

    def raw(self, pattern: re.Pattern[str], what: str) -> str:
        """What a pattern finds at the next word, whatever words it is made of."""
        found = pattern.match(self.source.text, self.next.start)
        if found is None or not found.group():
            raise self.unexpected(what)
        self.next = self.source.token(found.end())
        return found.group()

    def listed(self, item: Callable[[], _Item], end: str = "", where: str = "") -> list[_Item]:
        """Items with commas in between; up to `end`, which is left behind, if one is given."""
        items: list[_Item] = []
        while not (end and self.at(end)):
            items.append(item())
            if not self.accept(","):
                break
        if end:
            self.expect(end, where)
        return items

    def nested(self, item: Callable[[], _Item]) -> _Item:
        """An item that may hold itself, but not without end."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.source.error(self.next.start, f"more than {_DEEPEST} levels deep")
        found = item()
        self.depth -= 1
        return found

    def unexpected(self, wanted: str, where: str = "") -> InputError:
        """Why it does not go on here."""
        found = "the end of the file" if self.next.kind == "end" else shown(self.next.text)
        place = f" {where}" if where else ""
        return self.source.error(self.next.start, f"expected {wanted}{place}, not {found}")
