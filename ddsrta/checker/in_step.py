"""The roots of a level that follow the events of one base (lemma phase-count)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Base, Stream

MOST_PHASES = 20_000
_SORTED = 4  # phases that are sorted in the time of one evaluation


class Member(NamedTuple):
    """One of these roots, with its C."""

    bit: int
    stream: Stream
    cost: int
    before: int
    least: int  # units in any window


class Alike(NamedTuple):
    """Roots that come alike: at the same times, as many for each event."""

    stream: Stream
    cost: int  # of one unit of each
    before: int
    least: int
    mask: int  # their bits, of several


class InStep:
    """Those roots, the latest first (so are bits), and the work of all others."""

    def __init__(
        self,
        base: Base,
        roots: Iterable[tuple[int, Stream, int]],
        others: Callable[[int], int],
        budget: Budget,
    ) -> None:
        found = (
            Member(bit, stream, cost, stream.before or 0, stream.most(EPSILON))
            for bit, stream, cost in roots
        )
        self.base = base
        self.members = sorted(found)
        self.at = {one.bit: one for one in self.members}
        self.bits = {id(one.stream): one.bit for one in self.members}
        self.mask = sum(1 << bit for bit in self.at)
        self.earliest = [-one.before for one in self.members]  # shifts from which they count
        self.once = [0, *accumulate(one.cost * one.stream.times for one in self.members)]
        self.before = max((one.before for one in self.members), default=0)
        self.best = min((one.stream.best for one in self.members), default=0)
        self.others = others
        self.budget = budget
        self.work: dict[int, int] = {}
        self.shared: tuple[int, list[int] | None] | None = None

    def bit(self, count: int) -> int:
        """Below it are those of so many members."""
        return self.members[count - 1].bit + 1 if count else 0

    def place(self, bit: int) -> int:
        """The number of the member with a bit."""
        return bisect_left(self.members, (bit,))

    def firsts(self, bits: int) -> int | None:
        """How many members some are, if they are the first of all."""
        count = bits.bit_count()
        return count if self.bit(count) == bits.bit_length() else None

    @cached_property
    def bests(self) -> list[int] | None:
        """How much before each comes at the earliest, if those that come later than others do so
        in any case, and an event brings one unit of each."""
        bests = [-one.stream.best for one in self.members]
        single = all(one.stream.times == 1 <= one.least for one in self.members)
        return bests if single and bests == sorted(bests) else None

    @cached_property
    def alike(self) -> dict[int, Alike]:
        """For each bit those that come like it, and it."""
        same: dict[object, list[Member]] = {}
        for one in self.members:
            same.setdefault((one.before, one.stream.shape), []).append(one)
        found: dict[int, Alike] = {}
        for some in same.values():
            first, cost = some[0], sum(one.cost for one in some)
            mask = sum(1 << one.bit for one in some) if len(some) > 1 else 0
            together = Alike(first.stream, cost, first.before, first.least, mask)
            found.update((one.bit, together) for one in some)
        return found

    def cost_of(self, bits: int) -> int:
        """What one unit of each of some takes."""
        cost = 0
        while bits:
            low = bits & -bits
            bits ^= low
            cost += self.at[low.bit_length() - 1].cost
        return cost

    def of_others(self, length: int) -> int:
        """What all other roots ask for in a window."""
        if length not in self.work:
            self.work[length] = self.others(length)
        return self.work[length]

    def shifts(self, head: Stream, end: int) -> Sequence[int] | None:
        """−before of the head, and where another event up to ours comes in, before `end`; None
        where they are too many. What all heads share is found once, if it is not too much."""
        begin = -(head.before or 0)
        if self.shared is None or self.shared[0] < end:
            # before any of them comes in, as other heads may begin sooner than this one
            first = min(self.earliest, default=begin) - EPSILON
            self.shared = end, self._steps((one.before for one in self.members), first, end)
        known = self.shared[1]
        if known is None:
            more = self._steps((one.before for one in self.members), begin, end)
        else:
            more = known[bisect_right(known, begin) : bisect_left(known, end)]
        own = self._steps([-begin], begin, end)
        if more is None or own is None or len(more) + len(own) > MOST_PHASES:
            self.budget.cut_short("a group of many phases")
            return None
        self.budget.curve(len(more) // _SORTED)
        return sorted({begin, *own, *more})

    def _steps(self, befores: Iterable[int], begin: int, end: int) -> list[int] | None:
        """Where another event comes in after one moment and before another."""
        base, found = self.base, set()
        for before in set(befores):
            shift = base.least(base.most(begin + before + EPSILON) + 1) - before
            while shift < end:
                self.budget.curve()
                found.add(shift)
                if len(found) > MOST_PHASES:
                    return None
                shift = base.least(base.most(shift + before + EPSILON) + 1) - before
        found.discard(begin)
        return sorted(found)
