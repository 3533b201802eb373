"""What comes since nothing was there, less what is done of it when a callback comes (lemma
done-before)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from ddsrta.bounds.closed_window.released import Released
from ddsrta.bounds.closed_window.windows import ClosedWindow
from ddsrta.bounds.pending_window.pools import Cores, Guest, PoolWindow
from ddsrta.policies.relation import Delay

MOST_TRIED = 400  # of one search
# what is in the way of a unit that comes between two times after nothing was there, at the most,
# in so long after it has come
InTheWay = Callable[[int, int, int], int]


class Found(NamedTuple):
    """A time that is enough for what is in the way of units; and how long before one that needs all
    of it nothing was there."""

    time: int
    opened: int


class InTime(NamedTuple):
    """What goes before a unit, done so long after it came, that began so long after it: for how
    long all threads are at others, and what was done when it came."""

    finish: int
    opened: int
    start: int
    crowd: int
    done: int
    core: Cores


class DoneBefore:
    """What is in the way of the units of a callback of a pool, by how long before they come nothing
    was there."""

    def __init__(
        self, window: ClosedWindow, released: Released, stage: int, pool: PoolWindow, looks: int
    ) -> None:
        self.length, self.pool, self.looks, self.each = (
            window.length,
            pool,
            looks,
            released.counted,
        )
        guests = *pool.urgent, *pool.mates, *pool.jobs, *(g for each in pool.groups for g in each)
        beside = {guest.stage for guest in guests} | {stage}
        self.released = released
        self.outside = released.work({  # and on the ways
            number: way + cost * (number not in beside)
            for number, (_, cost, way) in window.counts.items()
        })  # fmt: skip
        self.stage, self.own = stage, released.work({stage: pool.cost})
        self.mates = self._work(pool.mates)
        self.others = self._work((*pool.jobs, *(g for each in pool.groups for g in each)))
        self.urgent = self._work(pool.urgent)
        self.crowds: dict[int, int] = {}

    def _work(self, guests: Iterable[Guest]) -> Callable[[int], int]:
        return self.released.work({guest.stage: guest.cost for guest in guests})

    def parts(self, found: InTime) -> Iterator[tuple[Delay | None, int, int, int]]:
        """What goes before a unit, but for others of its pool: by which relation, how many units of
        which stage, and the cost of each."""
        opened, start = found.opened, found.start
        if not self.pool.overlaps:
            yield None, self.stage, self._units(self.stage, opened + 1) - 1, self.pool.cost
        for guest in {
            guest.stage: guest for guest in (*self.pool.urgent, *self.pool.mates)
        }.values():
            here = guest.kind == Delay.PREEMPTS and guest.cores & found.core
            until = found.finish if here else start + 1
            yield guest.kind, guest.stage, self._units(guest.stage, opened + until), guest.cost

    def _units(self, stage: int, length: int) -> int:
        return self.released.work({stage: 1})(length)

    def best(self, limit: int) -> InTime | None:
        """The response, and what it is made of; None where it is above a limit, or too much to be
        searched."""

        def before(begin: int, end: int, start: int) -> int:
            urgent = self.urgent(end + start + 1)
            return urgent + self._inside(begin, end, start)

        begun = self._least(before, Found(0, 0), limit - self.pool.cost)
        if begun is None:
            return None
        start, longest, where = begun.time, Found(0, 0), self.pool.cores[0]
        for core in self.pool.cores:
            least = Found(start + self.pool.cost, begun.opened)
            found = self._least(self._until(start, core), least, limit)
            if found is None:
                return None
            longest, where = max((longest, where), (found, core), key=lambda each: each[0].time)
        crowd, done = self._split(longest.opened, longest.opened, start)
        return InTime(longest.time, longest.opened, start, crowd, done, where)

    def _until(self, start: int, core: Cores) -> InTheWay:
        here, away = map(self._work, self.pool.by_place(core))

        def until(begin: int, end: int, finish: int) -> int:
            urgent = here(end + finish) + away(end + start + 1)
            return urgent + self._inside(begin, end, start) + self.pool.cost

        return until

    def _own(self, since: int) -> int:
        return max(0, self.own(since + 1) - self.pool.cost)

    def _inside(self, begin: int, end: int, start: int) -> int:
        crowd, done = self._split(begin, end, start)
        own = 0 if self.pool.overlaps else self._own(end)
        return own + self.mates(end + start + 1) + crowd - done

    def _split(self, begin: int, end: int, start: int) -> tuple[int, int]:
        """For how long all threads are at others; and how much of all else was done before: of what
        was, first that of others, which takes all threads."""
        own = self._own(end) if self.pool.overlaps else 0
        done = max(0, begin - self.outside(end))
        first = min(done, self.others(end) + own)
        left = self.others(end + start + 1) + own - first
        if start not in self.crowds:
            self.crowds[start] = self.pool.crowd(start)
        return min(self.crowds[start], left // self.pool.threads), done - first

    def _least(self, work: InTheWay, least: Found, limit: int) -> Found | None:
        """The least time from one on that is enough for all units, if it is within a limit."""
        time, opened = least
        while time <= limit:
            self.looks -= self.each
            needed = work(opened, opened, time)
            if needed > time:
                time = needed
                continue
            longer = self._longer(work, time)
            if longer is None:
                return Found(time, opened) if self.looks > 0 else None
            opened = longer
        return None

    def _longer(self, work: InTheWay, time: int) -> int | None:
        """How long before a unit that needs more than a time nothing was there, by halves, where
        most may be needed first; None if there is none, or no looks are left."""
        for at in (0, self.length):
            if work(at, at, time) > time:
                return at
        ahead = [(-work(0, self.length, time), 0, self.length)]
        for tried in range(MOST_TRIED):
            if not ahead or -ahead[0][0] <= time:
                return None
            if self.looks <= 0 or tried == MOST_TRIED - 1:
                break
            _, begin, end = heappop(ahead)
            middle = (begin + end) // 2
            self.looks -= 3 * self.each
            if work(middle, middle, time) > time:
                return middle
            for low, high in ((begin, middle), (middle, end)):
                if high - low > 1:
                    heappush(ahead, (-work(low, high, time), low, high))
        self.looks = 0
        return None
