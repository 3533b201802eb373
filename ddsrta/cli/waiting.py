"""What is said and allowed while an analysis goes on."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from time import monotonic

from ddsrta.cli.say import on_terminal, say

PATIENCE = 1.0  # seconds without a word
REFRESH = 0.2


def add_time_limit(
    parser: ArgumentParser, *also: str, then: str = "what is not finished then is unbounded"
) -> None:
    """When to end, and what becomes of the rest; `also` are other names of the option."""
    parser.add_argument(
        "--time-limit",
        *also,
        metavar="SECONDS",
        type=seconds,
        help=f"end after about so long, as 10 or 500ms; {then}",
    )


def seconds(text: str) -> float:
    """A time that is positive: in seconds, or with its unit.

    >>> seconds("2.5"), seconds("500ms"), seconds("2 min")
    (2.5, 0.5, 120.0)
    """
    try:
        found = float(text)
    except ValueError:
        found = _with_unit(text)
    if not 0 < found < float("inf"):
        raise ArgumentTypeError(f"'{text[:40]}' is not a time such as 10 (seconds) or 500ms")
    return found


def _with_unit(text: str) -> float:
    from ddsrta.base.units import NANOSECONDS, parse_duration

    try:
        return parse_duration(text) / NANOSECONDS["s"]
    except ValueError as problem:
        raise ArgumentTypeError(str(problem)) from None


class Progress:
    """A line on stderr, where that is a terminal, once it takes long: for how long it has."""

    def __enter__(self) -> None:
        self._end = _watched() if on_terminal() else None

    def __exit__(self, *_: object) -> None:
        if self._end is not None:
            self._end()


def _watched() -> Callable[[], None]:
    """Shows the time that passes, from a thread of its own; returns what ends that."""
    from threading import Event, Thread

    done, begin = Event(), monotonic()

    def show() -> None:
        if done.wait(PATIENCE):
            return
        while not done.wait(REFRESH):
            say(f"\ranalysing for {monotonic() - begin:.0f} s, Ctrl-C ends it\x1b[K", end="")
        say("\r\x1b[K", end="")

    thread = Thread(target=show, daemon=True)
    thread.start()

    def end() -> None:
        done.set()
        thread.join()

    return end
