"""Colour, where it helps: on a terminal, unless NO_COLOR (no-color.org) says otherwise. Lines that
a person reads there are broken; those of a file or pipe are whole, for grep."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TextIO

from ddsrta.base.frozen import frozen
from ddsrta.base.text import columns_of

WIDEST = 100  # columns: longer lines are hard to read


@frozen
class Style:
    """Paints text and breaks lines, or leaves them alone.

    >>> Style().bad("late"), Style(colour=True).bad("late")
    ('late', '\\x1b[31mlate\\x1b[0m')
    """

    colour: bool = False
    columns: int = 0  # of a terminal

    def broken(self, line: str, indent: str = "    ") -> str:
        """A line as lines that a terminal shows whole, the first as it begins.

        >>> print(Style(columns=20).broken("  note: locks are fair [locks]"))
          note: locks are
            fair [locks]
        """
        if not 0 < self.columns < len(line):
            return line
        from textwrap import wrap

        lines = wrap(
            line,
            self.columns,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "\n".join(lines)

    def good(self, text: str) -> str:
        """In time, confirmed."""
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        """Missed, refuted."""
        return self._paint("31", text)

    def unsure(self, text: str) -> str:
        """Unbounded, or worth a look."""
        return self._paint("33", text)

    def faint(self, text: str) -> str:
        """What the eye may skip."""
        return self._paint("2", text)

    def strong(self, text: str) -> str:
        """What the eye should find."""
        return self._paint("1", text)

    def paint(self, how: str, text: str) -> str:
        """In one of these ways, by its name; "": as it is."""
        painted: str = getattr(self, how)(text) if how else text
        return painted

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


PLAIN = Style()


def style_for(stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> Style:
    """The style that suits a stream."""
    if stream is None or not stream.isatty():
        return PLAIN
    is_plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return Style(not is_plain, min(WIDEST, columns_of(stream, environment) or WIDEST))
