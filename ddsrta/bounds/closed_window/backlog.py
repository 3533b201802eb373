"""How much is left to do at any time in a closed window (lemma side-by-side)."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

MOST_HALVES = 2000  # of a window


def most_left(work: Callable[[int], int], longest: int) -> int | None:
    """The largest work(y) - y of 0 < y <= longest, where work never falls: by halves, those first
    that may have the most. None where that takes too long.

    >>> most_left(lambda time: 5 * -(-time // 10), 100)
    4
    """
    values = {1: work(1), longest: work(longest)}
    best = max(values[1] - 1, values[longest] - longest)
    ahead = [(-values[longest], 1, longest)]  # no more than the work at the end, less the begin
    for _ in range(MOST_HALVES):
        if not ahead or -ahead[0][0] <= best:
            return best
        _, low, high = heappop(ahead)
        if high - low < 2:
            continue
        middle = (low + high) // 2
        values[middle] = work(middle)
        best = max(best, values[middle] - middle)
        for begin, end in ((low, middle), (middle, high)):
            heappush(ahead, (begin + 1 - values[end], begin, end))
    return None
