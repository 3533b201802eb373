"""Text in a page of Markdown, as the tables of a review are: names mean nothing but themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddsrta.base.text import shown

_MARKS = re.compile(r"[\\`*|<&]|(?<![^\W_])_|_(?![^\W_])")


def cell(text: str) -> str:
    """A text of one line.

    >>> print(cell("a|b <b> at_once *"))
    a\\|b \\<b> at_once \\*
    """
    return _MARKS.sub(lambda mark: "\\" + mark[0], shown(text))


def row(cells: Iterable[str]) -> str:
    """One of a table."""
    return f"| {' | '.join(map(cell, cells))} |"
