"""How long an analysis may take."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from ddsrta.base.diagnostics import expect, is_number

_SHARE = 0.75  # of what is left, for an attempt that others may follow

_FOREVER = 1e9


class OverError(Exception):
    """It is time to end."""


class Watch:
    """Says when the time of an analysis is over. An attempt may take a `share` of what is left."""

    def __init__(self, seconds: float, share: float = _SHARE) -> None:
        expect("time limit", seconds, is_number(seconds), "a number of seconds")
        if not 0 < seconds < float("inf"):
            raise ValueError(f"the time limit is {seconds} s: it must be positive, and end")
        self.end = self.until = monotonic() + seconds
        self.share = share

    def begin_attempt(self) -> None:
        """One begins: it leaves time for the next."""
        now = monotonic()
        self.until = now + self.share * (self.end - now)

    def for_all_or_nothing(self) -> Watch:
        """One for an analysis of which nothing counts unless it is through: no attempt leaves time
        to others, so that where any was ended both are over. Raises OverError where time is."""
        return Watch(self.left, share=1)

    def end_attempts(self) -> None:
        """What comes then may take all that is left."""
        self.until = self.end

    @property
    def left(self) -> float:
        """The seconds that are left; raises OverError where none is."""
        self.go_on()
        return max(self.end - monotonic(), 1e-9)

    def go_on(self) -> None:
        """Raises OverError where it is time to end."""
        if self.is_over():
            raise OverError

    def is_over(self) -> bool:
        """Whether it is time to end."""
        return monotonic() >= self.until


class Asked(Watch):
    """Says that it is over once somebody asks to `stop`, however long that takes."""

    def __init__(self, stop: Callable[[], bool]) -> None:
        super().__init__(_FOREVER, share=1)
        self.stop = stop

    def is_over(self) -> bool:
        return self.stop()
