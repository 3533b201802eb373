"""What is said on stderr. It never decides how a command ends, and never goes among the data."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def say(text: str, end: str = "\n") -> None:
    """A line on stderr; who cannot be told anything still gets the right exit status."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + end)
        sys.stderr.flush()
    except (OSError, ValueError):
        # What is buffered must not fail once more at exit, and change the status then.
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stderr.fileno())
            os.close(nowhere)


def on_terminal() -> bool:
    """Whether somebody may look at it while it is written."""
    return sys.stderr is not None and sys.stderr.isatty()
