"""What is wrong with an input, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

_MOST_COMPARED = 20_000
_MOST_COMPARED_CLOSELY = 300


class Position(NamedTuple):
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Diagnostic(NamedTuple):
    """One thing that is wrong with an input.

    >>> print(Diagnostic(Position("a.yaml", 3, 5), "unknown key 'wect'", "did you mean 'wcet'?"))
    a.yaml:3:5: unknown key 'wect'; did you mean 'wcet'?
    """

    position: Position | None
    message: str
    advice: str = ""

    def __str__(self) -> str:
        place = f"{self.position}: " if self.position else ""
        return f"{place}{self.message}" + (f"; {self.advice}" if self.advice else "")


class InputError(Exception):
    """The input is wrong: carries every diagnostic found, in the order of the file."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = sorted(
            set(diagnostics), key=lambda d: (d.position or Position("", 0, 0), d.message)
        )
        super().__init__("\n".join(str(d) for d in self.diagnostics))


def shown(text: str, most: int = 40) -> str:
    """A text of the input as a message may quote it: short, on one line, harmless to a terminal.

    >>> print(shown("speed"), shown("a" * 99, most=5), shown("two\\nlines"))
    'speed' 'aaaaa…' 'two\\nlines'
    """
    short = text if len(text) <= most else text[:most] + "…"
    if not short.isprintable():
        short = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in short)
    return f"'{short}'"


def did_you_mean(word: str, candidates: Collection[str]) -> str:
    """Advice that names the nearest of the candidates, or lists a few of them.

    >>> did_you_mean("perod", ["period", "priority"])
    "did you mean 'period'?"
    >>> did_you_mean("fifo", ["FIFO", "ROUND_ROBIN"])
    "did you mean 'FIFO'?"
    >>> did_you_mean("xyz", ["or", "and"])
    'expected one of: or, and'
    """
    if not candidates:
        return "none is defined"
    if near := nearest(word, candidates):
        return f"did you mean {shown(near, 200)}?"
    names = [shown(name)[1:-1] for _, name in zip(range(12), candidates, strict=False)]
    return "expected one of: " + ", ".join(names) + (", …" if len(candidates) > 12 else "")


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that somebody who wrote `word` most likely meant, if there is one.

    Comparing letters with 100,000 names would take seconds for each misspelling: only names of
    about the same length that begin or end alike are looked at closely, and not endlessly many.

    >>> nearest("Flow-Controller", ["flow_controller"])
    'flow_controller'
    """
    plain = _plain(word[:200])
    if not plain:
        return None
    first, last = (plain[0], plain[0].upper()), (plain[-1], plain[-1].upper())
    length, slack = len(word), 2 + len(plain) // 2
    close: dict[str, str] = {}
    for name in islice(candidates, _MOST_COMPARED):
        if abs(len(name) - length) > slack or not (name[:1] in first or name[-1:] in last):
            continue
        other = _plain(name)
        if other == plain:
            return name
        if len(close) < _MOST_COMPARED_CLOSELY:
            close.setdefault(other, name)
    from difflib import get_close_matches

    found = get_close_matches(plain, close, n=1)
    return close[found[0]] if found else None


def _plain(text: str) -> str:
    return text.casefold().replace("_", "").replace("-", "").replace(" ", "")
