"""What has come since nothing was there, without what was done of it by the arrival of a callback
of a pool (lemma done-before).

Ours comes some time after the last moment at which nothing was there. All of that time some core
was at work, or something on its way. What the stages that do not delay ours, and all ways, cannot
have filled, those that delay it were at: so much of their work is not left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.pending_pools import PoolRivals, cores_of
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.related import Relations
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.ways_apart import Found

_MOST_LOOKS = 2_000  # at times, for one length


class DoneBefore:
    """The window of one callback."""

    def __init__(
        self,
        stage: Stage,
        given: Relations,
        rivals: PoolRivals,
        part: Found,
        neighbours: Neighbours,
        budget: Budget,
    ) -> None:
        self.stage, self.rivals, self.part, self.budget = stage, rivals, part, budget
        self.together = given.overlaps
        self.urgent = {_itself(one): cores_of(neighbours, one) for one in given.preempts}
        self.mates = {_itself(one) for one in given.overtakes}
        self.others = {_itself(one) for one in given.shares}
        self.costs = {_itself(one): one.cost for one in (*given.all(), *given.shares)}
        self.known: dict[int, Mapping[Key, int]] = {}
        self.busy: dict[int, int] = {}
        self.latest = 0  # where more was needed than there was time for

    def window(self) -> int | None:
        """From the arrival of a unit to its end."""
        start: int | None = 0
        if self._most(0, lambda low, high: self._until_begun(low, high, 0)):
            start = least_fixed(
                lambda time: self._most(time, lambda low, high: self._until_begun(low, high, time)),
                1,
                self.budget,
            )
        if start is None:
            return None
        begun, longest = start, 0
        for place in self.rivals.places:

            def ended(time: int, place: frozenset[str] = place) -> int | None:
                return self._most(
                    time, lambda low, high: self._until_done(low, high, begun, time, place)
                )

            found = least_fixed(ended, 1, self.budget)
            if found is None:
                return None
            longest = max(longest, found)
        return longest

    def _most(self, time: int, work: Callable[[int, int], int]) -> int | None:
        """The largest work of a unit that comes at any time of the window, if it is more than what
        there is time for; else that, or less."""
        length, most = self.part.length, 0
        for at in (self.latest, 0, length):
            most = max(most, work(at, at))
            if most > time:
                return most
        ahead = [(0, length)]
        for _ in range(_MOST_LOOKS):
            if not ahead:
                return most
            low, high = ahead.pop()
            if high - low > 1 and work(low, high) > time:
                middle = (low + high) // 2
                most = max(most, work(middle, middle))
                if most > time:
                    self.latest = middle
                    return most
                ahead += [(low, middle), (middle, high)]
        self.budget.cut_short("a search of many times")
        return None

    def _until_begun(self, low: int, high: int, wait: int) -> int:
        """What goes before one that comes between two times, and has not begun so long after."""
        urgent = self._work(self.urgent, high + wait + EPSILON)
        return urgent + self._pool(low, high, wait)

    def _until_done(self, low: int, high: int, wait: int, time: int, place: frozenset[str]) -> int:
        """The same, with its own work, of one that has begun by then on a core, and is not done."""
        near = [key for key, cores in self.urgent.items() if cores & place]
        far = [key for key, cores in self.urgent.items() if not cores & place]
        urgent = self._work(near, high + time) + self._work(far, high + wait + EPSILON)
        return self.stage.cost + urgent + self._pool(low, high, wait)

    def _pool(self, low: int, high: int, wait: int) -> int:
        """Of the pool: what is in its group, and for how long all threads are at others; less what
        was done before it came, first of those whose work takes all threads."""
        earlier = self.stage.cost * (self._units(high + EPSILON).get(self.stage.key, 1) - 1)
        earlier = max(0, earlier)
        mates = self._work(self.mates, high + wait + EPSILON)
        others = self._work(self.others, high + wait + EPSILON)
        before = self._work(self.others, high)
        if self.together:
            others, before = others + earlier, before + earlier
        else:
            mates += earlier
        done = max(0, low - self._elsewhere(high))
        shared = min(done, before)
        busy = min(self._busy(wait), (others - shared) // self.rivals.threads)
        return mates + busy - (done - shared)

    def _busy(self, wait: int) -> int:
        if wait not in self.busy:
            self.busy[wait] = self.rivals.busy(wait)
        return self.busy[wait]

    def _elsewhere(self, time: int) -> int:
        """What of the time may be filled with ways, and by stages that do not delay ours."""
        units, total = self._units(time), 0
        ours = {self.stage.key: self.stage.cost, **self.costs}
        for key, count in units.items():
            total += count * (self.part.each[key] - ours.get(key, 0))
        return total

    def _work(self, keys: Iterable[Key], time: int) -> int:
        units = self._units(time)
        return sum(units[key] * self.costs[key] for key in keys)

    def _units(self, time: int) -> Mapping[Key, int]:
        """How much comes of what is released in so long."""
        self.budget.curve()
        if time not in self.known:
            self.budget.work(len(self.costs))
            self.known[time] = self.part.within(time)
        return self.known[time]


def _itself(stage: Stage) -> Key:
    """What a shadow stands for."""
    return stage.key[1:] if stage.key[0] == SHADOW else stage.key
