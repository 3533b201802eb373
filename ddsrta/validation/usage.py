"""How much of a CPU threads used between two instants, at the most and at least: from what traces
say of their processor time now and then."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class Usage:
    """The processor time of one thread, known at some instants, in their order.

    Between two of them it grows by no more than the time does.

    >>> usage = Usage()
    >>> for time, cpu in ((0, 0), (100, 40), (200, 40)):
    ...     usage.add(time, cpu)
    >>> usage.between(0, 100), usage.between(90, 150), usage.between(110, 190)
    (40, 10, 0)
    >>> usage.least_between(0, 100), usage.least_between(50, 100), usage.least_between(90, 150)
    (40, 0, 0)
    """

    def __init__(self) -> None:
        self.times: list[int] = []
        self.cpus: list[int] = []

    def add(self, time: int, cpu: int) -> None:
        """One more instant."""
        self.times.append(time)
        self.cpus.append(cpu)

    def between(self, begin: int, end: int) -> int:
        """The most that the thread may have used from one instant to another."""
        if not self.times or end <= begin:
            return 0
        return min(end - begin, max(0, self._most(end) - self._least(begin)))

    def least_between(self, begin: int, end: int) -> int:
        """The least that it may have used."""
        if not self.times or end <= begin:
            return 0
        return max(0, self._least(end) - self._most(begin))

    def _least(self, time: int) -> int:
        place = bisect_right(self.times, time)
        before = self.cpus[place - 1] if place else self.cpus[0] - (self.times[0] - time)
        if place == len(self.times):
            return before
        return max(before, self.cpus[place] - (self.times[place] - time))

    def _most(self, time: int) -> int:
        place = bisect_left(self.times, time)
        if place == len(self.times):
            return self.cpus[-1] + time - self.times[-1]
        after = self.cpus[place]
        if not place:
            return after
        return min(after, self.cpus[place - 1] + time - self.times[place - 1])
