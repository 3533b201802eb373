"""What is wrong with an input, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from operator import index
from os import PathLike
from typing import NamedTuple, SupportsIndex

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


def expect(name: str, value: object, is_fine: bool, what: str) -> None:
    """Raises TypeError where a call gives something else, before that is found deep inside.

    >>> expect("time_limit", "5", is_number("5"), "a number of seconds")
    Traceback (most recent call last):
    ...
    TypeError: wanted as time_limit: a number of seconds, not str
    """
    if not is_fine:
        raise TypeError(f"wanted as {name}: {what}, not {type(value).__name__}")


def is_number(value: object) -> bool:
    """Of Python, NumPy or whoever; a truth is none."""
    return hasattr(value, "__float__") and not isinstance(value, bool)


def whole(**given: object) -> dict[str, int]:
    """Whole numbers of 64 bits, of Python or NumPy, by the names of a call.

    >>> whole(seed=7)
    {'seed': 7}
    """
    found = {}
    for name, value in given.items():
        is_fine = isinstance(value, SupportsIndex) and not isinstance(value, bool)
        expect(name, value, is_fine, "a whole number")
        found[name] = index(value)  # type: ignore[arg-type]
        if not -(2**63) <= found[name] < 2**63:
            message = f"{name} is {shown(str(found[name]), 24)}: it must be a number of 64 bits"
            raise InputError([Diagnostic(None, message)])
    return found


def expect_files(**given: object) -> None:
    """Files or folders, by the names of a call. A number would be a file that somebody has open."""
    for name, value in given.items():
        expect(name, value, isinstance(value, str | PathLike), "the name of a file")


def given(**values: object) -> dict[str, object]:
    """Those that are."""
    return {name: value for name, value in values.items() if value is not None}


def expect_texts(**given: object) -> None:
    """Lists of texts, by the names of a call: a text is no list of its letters."""
    for name, value in given.items():
        is_list = isinstance(value, Collection) and not isinstance(value, str | bytes)
        is_fine = is_list and all(isinstance(each, str) for each in value)  # type: ignore[attr-defined]
        expect(name, value, is_fine, "a list of texts")


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
