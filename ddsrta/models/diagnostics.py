"""What is wrong with an input, where, and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple


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


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Advice that names the nearest of the candidates, or lists a few of them.

    >>> did_you_mean("perod", ["period", "priority"])
    "did you mean 'period'?"
    >>> did_you_mean("xyz", ["or", "and"])
    'expected one of: or, and'
    """
    names = list(candidates)
    if near := difflib.get_close_matches(word[:64], names, n=1):
        return f"did you mean '{near[0]}'?"
    if not names:
        return "none is defined"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"expected one of: {shown}"
