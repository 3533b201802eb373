"""How far a long simulation is, on a terminal, and how to stop it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from time import monotonic
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from ddsrta.cli.say import on_terminal, say

if TYPE_CHECKING:
    from ddsrta.simulation.ledger import Ledger

REFRESH = 0.2  # seconds
WIDTH = 24


class Interrupts:
    """Ctrl-C asks to stop; a second one stops at once, and so does one that comes before anybody
    looks: then nothing was found that could be shown.

    So a run is never torn apart between two numbers that belong together.
    """

    def __init__(self) -> None:
        self._came = self._is_heard = False
        self._before: Any = None

    def came(self) -> bool:
        """Whether somebody wants to stop."""
        self._is_heard = True
        return self._came

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._came or not self._is_heard:
            raise KeyboardInterrupt
        self._came = True


class Line:
    """A line on stderr, where that is a terminal, that is written again and again."""

    def __init__(self) -> None:
        self._on = on_terminal()
        self._shown = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._on:
            say("\r\x1b[K", end="")

    def show(self, text: Callable[[], str]) -> None:
        """Write it again, if it is time to."""
        if self._on and monotonic() - self._shown >= REFRESH:
            self._shown = monotonic()
            say(f"\r{text()}\x1b[K", end="")


class Bar:
    """A line on stderr, where that is a terminal: share, speed, and the time that is left."""

    def __init__(self) -> None:
        self._on = on_terminal()
        self._begin = self._shown = monotonic()
        self._first: tuple[float, int] | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: object, trace: TracebackType | None
    ) -> None:
        if self._on:
            say("\r\x1b[K", end="")

    def show(self, ledger: Ledger) -> None:
        """Draw the line again, if it is time to."""
        now = monotonic()
        if not self._on:
            return
        if self._first is None:
            self._first = (ledger.share, ledger.handled)
            self._begin = now
        if now - self._shown < REFRESH:
            return
        self._shown = now
        text = line(ledger.share, ledger.handled, *self._first, now - self._begin)
        say(f"\r{text}\x1b[K", end="")


def line(share: float, events: int, share_before: float, events_before: int, passed: float) -> str:
    """The progress since it was at `share_before`.

    >>> line(0.5, 3_000_000, 0.0, 0, 2.0)
    ' 50 % [############............] 1.5 million events/s, 2 s left'
    """
    full = int(share * WIDTH)
    text = f"{int(share * 100):3} % [{'#' * full}{'.' * (WIDTH - full)}]"
    if passed <= 0 or share <= share_before:
        return text
    speed = (events - events_before) / passed
    left = (1 - share) / (share - share_before) * passed
    return f"{text} {speed / 1e6:.1f} million events/s, {_time(left)} left"


def _time(seconds: float) -> str:
    """
    >>> _time(59), _time(125)
    ('59 s', '2 min 5 s')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
