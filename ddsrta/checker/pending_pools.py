"""What goes before a callback of a pool, from its arrival on (lemma pending-in-pools)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.related import Relations
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Stage


class Rival(NamedTuple):
    """Something that may go first, with how many of its units do that are there when ours comes, or
    come up to so long after."""

    most: Callable[[int], int]
    cost: int

    def work(self, after: int) -> int:
        return self.cost * self.most(after)


class PoolRivals(NamedTuple):
    """All of them; each that is more urgent with its cores. Its own earlier units are among `mates`
    or, where it is reentrant, among `single`."""

    threads: int
    urgent: Sequence[tuple[Rival, frozenset[str]]]
    mates: Sequence[Rival]
    groups: Sequence[Sequence[Rival]]
    single: Sequence[Rival]
    places: Sequence[frozenset[str]]  # a unit that has begun stays on one of these
    most_busy: int | None = None  # all threads at once, by what is left to do (lemma side-by-side)

    def window(self, cost: int, budget: Budget) -> int | None:
        """From the arrival of a unit to its end."""
        start: int | None = 0
        if self._until(0, budget):
            start = least_fixed(lambda time: self._until(time, budget), 1, budget)
        if start is None:
            return None
        begun, longest = start, 0
        for place in self.places:
            near = [rival for rival, cores in self.urgent if cores & place]
            far = [rival for rival, cores in self.urgent if not cores & place]
            rest = cost + self._pool(begun) + sum(rival.work(begun) for rival in far)

            def end(time: int, near: list[Rival] = near, rest: int = rest) -> int:
                budget.work(len(near))
                return rest + sum(rival.work(time - EPSILON) for rival in near)

            found = least_fixed(end, 1, budget)
            if found is None:
                return None
            longest = max(longest, found)
        return longest

    def _until(self, time: int, budget: Budget) -> int:
        """What goes before a unit that has not begun so long after its arrival."""
        budget.work(len(self.urgent) + len(self.mates) + len(self.groups) + len(self.single))
        return sum(rival.work(time) for rival, _ in self.urgent) + self._pool(time)

    def _pool(self, time: int) -> int:
        return sum(rival.work(time) for rival in self.mates) + self.busy(time)

    def busy(self, time: int) -> int:
        """The longest time for which all threads find something else to do, found by halves."""
        groups = [sum(rival.work(time) for rival in group) for group in self.groups]
        single = [(rival.cost, rival.most(time)) for rival in self.single]

        def suffices(busy: int) -> bool:
            work = sum(min(each, busy) for each in groups)
            return work + sum(min(cost, busy) * n for cost, n in single) >= self.threads * busy

        low, high = 0, (sum(groups) + sum(cost * n for cost, n in single)) // self.threads + 1
        if self.most_busy is not None:
            high = min(high, self.most_busy + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if suffices(middle) else (low, middle)
        return low


def rivals(
    stage: Stage,
    neighbours: Neighbours,
    given: Relations,
    own: Callable[[int], int],
    most: Callable[[Stage, bool], Callable[[int], int]],
    left: int | None,
) -> PoolRivals:
    """Those of a callback: so many of its own may go before one that starts so long after it comes,
    and no more than so much is left to do then, with ours, by all threads."""
    executor = neighbours.system.executors[stage.runner]

    def each(found: Sequence[Stage]) -> Iterator[Rival]:
        for other in found:
            yield Rival(most(other, False), other.cost)

    earlier = Rival(own, stage.cost)
    mates, single = list(each(given.overtakes)), list(each(given.reentrant))
    (single if given.overlaps else mates).append(earlier)
    alone = [frozenset((core,)) for core in executor.cores]
    return PoolRivals(
        given.threads,
        [
            (Rival(most(other, True), other.cost), cores_of(neighbours, other))
            for other in given.preempts
        ],
        mates,
        [list(each(group)) for group in given.groups.values()],
        single,
        [frozenset(executor.cores)] if executor.moving else alone,
        None if left is None else max(0, left - stage.cost) // (given.threads - 1),
    )


def cores_of(neighbours: Neighbours, stage: Stage) -> frozenset[str]:
    """The cores that its thread may be on."""
    return frozenset(neighbours.cores(stage) or (neighbours.place(stage).core,))
