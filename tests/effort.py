"""How much tests do: what is drawn, in short and in all; and work, counted, so that a slow or busy machine
changes no result.

Work is the calls that the interpreter makes, of functions in Python and in C alike. What must end
but has no such measure is held against the processor time of minutes, which other processes do not use up.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

CALLS = ("call", "c_call")
MINUTES = 5
EVERY_DRAW = os.environ.get("DDSRTA_DRAWS") == "all"


def draws(short: int, of: int) -> int:
    """How many of its draws a test makes: `short` in `make test`, all of them in `make campaign`.

    The short form is to be no less than what notices the fault that the test is for.
    """
    assert 0 < short < of
    return of if EVERY_DRAW else short


def calls(work: Callable[[], object]) -> int:
    """How many calls a piece of work takes: the same on every machine.

    >>> calls(lambda: [abs(n) for n in range(7)]) in range(7, 12)
    True
    """
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in CALLS

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def growth(work: Callable[[int], Callable[[], object]], small: int, large: int) -> float:
    """How many times as many calls each thing takes when there are `large` instead of `small`.

    1 is linear work. `work(size)` prepares, what it returns is counted.
    """
    return (calls(work(large)) / large) / (calls(work(small)) / small)


@contextmanager
def ends() -> Iterator[None]:
    """What is inside comes to an end: a guard against what would go on for ever, not a limit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def too_long(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"no end after {MINUTES} minutes of processor time")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, 60 * MINUTES)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
