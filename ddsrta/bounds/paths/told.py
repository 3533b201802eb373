"""What the kernel has told of ways: latencies, and not by which windows."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from ddsrta_kernel import UNBOUNDED

Way = tuple[tuple[int, ...], bool]  # its stages, and whether every event counts, or the last tokens


class Told(NamedTuple):
    """A way, as `Walk` has it: its stages, and the latency up to the end of each."""

    way: tuple[int, ...]
    totals: list[int | None]

    @property
    def total(self) -> int | None:
        """Of all of it."""
        return self.totals[-1]

    @property
    def start(self) -> int:
        """Its first stage."""
        return self.way[0]


class Ways:
    """Some ways, by number, and the latencies of their stages once these are filled in."""

    def __init__(self, numbers: Mapping[Way, int]) -> None:
        self.numbers = numbers
        self.first = [*accumulate([len(way) for way, _ in numbers], initial=0)]
        self.steps = array("q", bytes(8 * self.first[-1]))

    def and_others(self, others: Ways) -> Ways:
        """These, and others that are not among them."""
        behind = len(self.numbers)
        more = {way: behind + number for way, number in others.numbers.items()}
        found = Ways({**self.numbers, **more})
        found.steps = self.steps + others.steps
        return found

    def along(self, stages: tuple[int, ...], waits: bool) -> Told | None:
        """One of these; None where it is another."""
        number = self.numbers.get((stages, waits))
        if number is None:
            return None
        first, last = self.first[number : number + 2]
        totals = self.steps[first:last]
        return Told(stages, [None if time >= UNBOUNDED else time for time in totals])
