"""Names and durations as text that is safe to show and never flatters a bound."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TextIO

from ddsrta.base.units import format_duration

# Control, surrogate, unassigned and private characters, line and paragraph separators, and the
# invisible ones that reorder text: a name must not be able to repaint a terminal or break a line.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})


def shown(text: str) -> str:
    """The text with every character spelled out that a terminal, a log or XML could stumble over.

    >>> shown("speed\\x1b[31m\\n")
    'speed\\\\x1b[31m\\\\n'
    """
    if text.isprintable():
        return text
    return "".join(_spelled(c) if unicodedata.category(c) in _UNSAFE else c for c in text)


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> width("abc"), width("速度")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def columns_of(stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> int:
    """The width of the terminal that a stream is, or COLUMNS; 0 where nothing says it. As `shutil`
    finds it, which loads what compresses files.

    >>> columns_of(None, {"COLUMNS": "72"}), columns_of(None, {})
    (72, 0)
    """
    if (said := environment.get("COLUMNS", "")).isdecimal() and int(said) > 0:
        return int(said)
    try:
        return 0 if stream is None else os.get_terminal_size(stream.fileno()).columns
    except (ValueError, OSError):  # it is closed, or none
        return 0


def rounded_up(nanoseconds: int, digits: int = 4) -> str:
    """A bound for a table: few digits, and never less than it is.

    >>> rounded_up(1_372_001), rounded_up(999_950), rounded_up(62_000)
    ('1.373 ms', '1 ms', '62 us')
    """
    step = _step(nanoseconds, digits)
    return format_duration(-(-nanoseconds // step) * step)


def rounded_down(nanoseconds: int, digits: int = 4) -> str:
    """A slack for a table: few digits, and never more than it is.

    >>> rounded_down(14_999_999), rounded_down(-5_000_001)
    ('14.99 ms', '-5.001 ms')
    """
    step = _step(nanoseconds, digits)
    return format_duration(nanoseconds // step * step)


def _step(nanoseconds: int, digits: int) -> int:
    return int(10 ** max(0, len(str(abs(nanoseconds))) - digits))


def as_written(path: Sequence[str]) -> list[str]:
    """A path without the subscriptions of callbacks that wait for several topics: as in the file.

    >>> as_written(["driver", "scan", "fuse/scan", "fuse", "cloud", "sink"])
    ['driver', 'scan', 'fuse', 'cloud', 'sink']
    """
    return [
        name
        for i, name in enumerate(path)
        if not (0 < i < len(path) - 1 and name == f"{path[i + 1]}/{path[i - 1]}")
    ]


def plural(count: int, noun: str) -> str:
    """A number and its noun.

    >>> plural(1, "deadline"), plural(3, "deadline")
    ('1 deadline', '3 deadlines')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
