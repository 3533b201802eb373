"""What to say when a command does not come to its end."""

from __future__ import annotations

import os
import sys

from ddsrta.cli.parser import DEFECT, WRONG
from ddsrta.models.diagnostics import InputError
from ddsrta.report.text import plural, shown


def report(error: Exception) -> int:
    """Explain an exception on stderr and choose the exit status."""
    if isinstance(error, InputError):
        _wrong_input(error)
        return WRONG
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        _say(f"ddsrta: {shown(f'{place}{error.strerror or error}')}")
        return WRONG
    _defect(error)
    return DEFECT


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _wrong_input(error: InputError) -> None:
    """Every diagnostic on a line of its own, and how many there are."""
    for diagnostic in error.diagnostics:
        _say(shown(str(diagnostic)))
    _say(f"{plural(len(error.diagnostics), 'error')}")


def _defect(error: Exception) -> None:
    if os.environ.get("DDSRTA_DEBUG"):
        import traceback

        traceback.print_exception(error)
    _say(f"ddsrta: internal error: {type(error).__name__}: {shown(str(error))[:500]}")
    _say("This is a defect in ddsrta, not in your file. Please report it, with the file if you")
    _say("may share it; with DDSRTA_DEBUG=1 in the environment it says where it happened.")
