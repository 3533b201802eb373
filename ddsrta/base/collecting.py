"""Work that keeps most of what it makes: the collector of circles looks at all of it in vain."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_RARELY = 200_000  # things made: what waits in circles is bounded by that, however long the work


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Inside, circles are looked for less often, and after it as often as before.

    >>> before = gc.get_threshold()
    >>> with collecting_rarely():
    ...     gc.get_threshold()[0]
    200000
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    if not 0 < before[0] < _RARELY:  # never, or rarely anyway
        yield
        return
    gc.set_threshold(_RARELY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
