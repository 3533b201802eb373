"""Which lines some work runs through."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from tests.mutation.mutants import ROOT
from tests.mutation.swap import _real


class Lines:
    """Of these files alone, named from the root of the repository."""

    def __init__(self, files: list[str]) -> None:
        self.files = {str(ROOT / file): file for file in files}
        self.known: dict[CodeType, str | None] = {}

    def of(self, work: Callable[[], object]) -> set[tuple[str, int]]:
        """The lines that it runs."""
        found: set[tuple[str, int]] = set()

        def entered(frame: FrameType, event: str, argument: Any) -> Any:
            code = frame.f_code
            if code not in self.known:
                self.known[code] = self.files.get(_real(code.co_filename))
            file = self.known[code]
            if file is None:
                return None

            def ran(frame: FrameType, event: str, argument: Any) -> Any:
                if event == "line":
                    found.add((file, frame.f_lineno))
                return ran

            found.add((file, frame.f_lineno))
            return ran

        before = sys.gettrace()
        sys.settrace(entered)
        try:
            work()
        finally:
            sys.settrace(before)
        return found
