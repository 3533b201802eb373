"""How long all threads of a pool may be at others than a callback and its group (lemma
pool-window)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddsrta.checker.curves import Stream
from ddsrta.checker.reading import MOST


class Other(NamedTuple):
    """A callback that may be in a thread of the pool; of some nothing is claimed."""

    stream: Stream
    cost: int
    response: int | None

    def came(self, length: int) -> int:
        """How many arrive in a window."""
        return self.stream.most(length) if self.stream.countable else MOST

    def found(self, length: int) -> int:
        """The same with what is pending when it opens."""
        return MOST if self.response is None else self.came(length + self.response)


class Crowd(NamedTuple):
    """All of them: groups, of which one thread at most serves one, and reentrant callbacks; also
    the one in question, where it is reentrant."""

    threads: int
    groups: tuple[tuple[Other, ...], ...]
    reentrant: tuple[Other, ...]
    itself: Other | None

    def filling(self, window: int) -> int:
        """Of a window of the level."""
        each = self.reentrant if self.itself is None else (*self.reentrant, self.itself)
        return self._busy(window, window, ((o.cost, o.came(window), o.found(window)) for o in each))

    def waiting(self, start: int, count: int, arrival: int) -> int:
        """Until the count-th unit starts, of those in the window, which arrives at `arrival`."""
        after = start + 1
        jobs = [(o.cost, o.came(after), o.found(start)) for o in self.reentrant]
        if self.itself is not None:
            jobs.append((self.itself.cost, count - 1, self.itself.found(arrival) - 1))
        return self._busy(after, start, jobs)

    def _busy(self, after: int, start: int, jobs: Iterable[tuple[int, int, int]]) -> int:
        """The longest time for which there is work for all threads. If there is for some time,
        there is for any shorter one: so the longest is found by halves."""
        groups = [
            (sum(o.came(after) * o.cost for o in all_), sum(o.found(start) * o.cost for o in all_))
            for all_ in self.groups
        ]
        known = groups, list(jobs)
        low, high = 0, min(self._work(*known, MOST) // self.threads, MOST)
        if self._work(*known, high) >= self.threads * high:
            return high
        while high - low > 1:
            middle = (low + high) // 2
            if self._work(*known, middle) >= self.threads * middle:
                low = middle
            else:
                high = middle
        return low

    def _work(
        self, groups: list[tuple[int, int]], jobs: list[tuple[int, int, int]], busy: int
    ) -> int:
        """What all threads together can do in a time: of a group, and of a job, no more than that.
        All but one may have been at something when the window opened."""
        work, before = 0, []
        for came, found in groups:
            work += min(came, busy)
            before.append(max(0, min(found, busy) - min(came, busy)))
        for cost, came, found in jobs:
            each = min(cost, busy)
            work += came * each
            before += [each] * min(self.threads - 1, max(0, found - came))
        return work + sum(sorted(before)[1 - self.threads :])
