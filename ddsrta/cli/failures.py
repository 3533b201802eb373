"""What to say when a command does not come to its end."""

from __future__ import annotations

import os

from ddsrta.base.diagnostics import InputError
from ddsrta.base.text import plural, shown
from ddsrta.cli.parser import DEFECT, WRONG
from ddsrta.cli.say import say


def report(error: Exception) -> int:
    """Explain an exception on stderr and choose the exit status."""
    if isinstance(error, InputError):
        _wrong_input(error)
        return WRONG
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        say(f"ddsrta: {shown(f'{place}{error.strerror or error}')}")
        return WRONG
    if isinstance(error, ImportError) and (error.name or "").endswith(".compiled"):
        say(f"ddsrta: {error}")  # built for other sources, or asked for in other words
        return WRONG
    _defect(error)
    return DEFECT


def _wrong_input(error: InputError) -> None:
    """Every diagnostic on a line of its own, and how many there are."""
    for diagnostic in error.diagnostics:
        say(shown(str(diagnostic)))
    say(f"{plural(len(error.diagnostics), 'error')}")


def _defect(error: Exception) -> None:
    if os.environ.get("DDSRTA_DEBUG"):
        import traceback

        say("".join(traceback.format_exception(error)), end="")
    say(f"ddsrta: internal error: {type(error).__name__}: {shown(str(error))[:500]}")
    say("This is a defect in ddsrta, not in your file. Please report it, with the file if you")
    say("may share it; with DDSRTA_DEBUG=1 in the environment it says where it happened.")
