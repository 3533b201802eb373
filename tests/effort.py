"""How long work takes on a quiet machine: CPU time, held against a fixed loop that runs beside it.

A slow or busy machine slows the loop as well, so a test that asks for less than 2 s here cannot
fail because of what else runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOPS = 5
A_LOOP = 0.7e-3  # what one takes where nothing else runs


def _loop() -> None:
    table = {str(number): (number * 7919 % 1009, number) for number in range(2_500)}
    sorted(table.values())


def _cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _slowness() -> float:
    """How many times slower than a quiet machine this one is now; never below 1."""
    return max(1.0, min(_cpu(_loop) for _ in range(LOOPS)) / A_LOOP)


def seconds(work: Callable[[], object], tries: int = 1) -> float:
    """The least time of some tries, as a quiet machine takes it."""
    times = []
    for _ in range(tries):
        before = _slowness()
        taken = _cpu(work)
        times.append(taken / max(before, _slowness()))
    return min(times)


@contextmanager
def ends_within(limit: float) -> Iterator[None]:
    """What is inside takes at most so many seconds of a quiet machine."""
    before = _slowness()
    begin = time.process_time()
    try:
        yield
    finally:
        taken = time.process_time() - begin
        assert taken / max(before, _slowness()) < limit
