"""Records of what ran on a CPU and is not of the system: the evidence of what the machine did.

The kernel's scheduler events say when a thread of another process had a CPU, its tracers of noise
when an interrupt or the host of a virtual machine did. Nothing in here is inferred.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple


class Outside(NamedTuple):
    """Something that is not of the system had the CPU from `begin` to `end`."""

    begin: int
    end: int
    what: str


@dataclass
class Records:
    """All that was recorded, by CPU.

    >>> records = Records()
    >>> records.add(1, Outside(50, 70, "kworker")); records.add(1, Outside(10, 30, "sshd"))
    >>> [one.what for one in records.within(1, 20, 60)], [*records.within(0, 20, 60)]
    (['sshd', 'kworker'], [])
    """

    of: dict[int, list[Outside]] = field(default_factory=dict)
    longest: int = 0
    _sorted: bool = True

    def add(self, cpu: int, one: Outside) -> None:
        """One more, in any order."""
        self.of.setdefault(cpu, []).append(one)
        self.longest = max(self.longest, one.end - one.begin)
        self._sorted = False

    def within(self, cpu: int, begin: int, end: int) -> Iterator[Outside]:
        """What overlaps a time on a CPU."""
        if not self._sorted:
            for each in self.of.values():
                each.sort()
            self._sorted = True
        found = self.of.get(cpu, [])
        first = bisect_left(found, (begin - self.longest,))
        for one in found[first : bisect_right(found, (end,))]:
            if one.end > begin and one.begin < end:
                yield one


def longest_of(
    spans: Iterable[tuple[int, int, str]], without: Iterable[tuple[int, int]] = ()
) -> tuple[int, str]:
    """How long spans are together, each instant once and those of `without` not at all, and who has
    most of it.

    >>> longest_of([(0, 10, "a"), (5, 30, "b")], [(20, 25)])
    (25, 'b')
    """
    shares: Counter[str] = Counter()
    reached = None
    for begin, end, what in sorted(spans):
        since = begin if reached is None else max(begin, reached)
        for left, right in _outside_of(since, end, sorted(without)):
            shares[what] += right - left
        reached = end if reached is None else max(end, reached)
    if not shares:
        return 0, ""
    return shares.total(), max(shares, key=lambda what: shares[what])


def _outside_of(
    begin: int, end: int, without: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The parts of a span that no span of `without`, in their order, covers."""
    for left, right in without:
        if right <= begin:
            continue
        if left >= end:
            break
        if left > begin:
            yield begin, left
        begin = max(begin, right)
    if begin < end:
        yield begin, end
