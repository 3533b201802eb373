"""Sources of one machine with known offsets (lemmas known-offsets and clocked-counts)."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import NamedTuple

from ddsrta.checker.arrivals import Source
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.curves import Base
from ddsrta.checker.stages import Key, Stage

Group = tuple[str, int]  # machine and period


class Beat(NamedTuple):
    """When events are due by the clock of a machine: first then, and each period. They come up to
    `late` later."""

    machine: str
    first: int
    period: int
    late: int

    def most(self, other: Beat, after: int, until: int) -> int:
        """How many are due later than one time and no later than another, counted from when any
        event of the other beat is. Where they lie repeats with what both periods share."""
        soonest = after + EPSILON
        soonest += (self.first - other.first - soonest) % gcd(self.period, other.period)
        return max(0, (until - soonest) // self.period + 1)


class Clocks:
    """Which sources share a base, and how much later than the first of their group each begins."""

    def __init__(self, stages: Iterable[Stage]) -> None:
        self.sources: dict[Key, tuple[str, Source]] = {}
        self.group: dict[Key, Group] = {}
        self.after: dict[Key, int] = {}
        self.together: dict[Group, set[Key]] = {}
        offsets: dict[Group, list[int]] = {}
        for stage in stages:
            source = stage.arrival
            if source is not None and source.offset is not None:
                group = self.group[stage.key] = stage.machine, source.period
                offsets.setdefault(group, []).append(source.offset)
                self.after[stage.key] = source.offset
                self.sources[stage.key] = stage.machine, source
                if _fits(source):
                    self.together.setdefault(group, set()).add(stage.key)
        for key, group in self.group.items():
            self.after[key] -= min(offsets[group])

    def shared(self, key: Key) -> Group | None:
        """The group whose base a source shares with others."""
        together = self.together.get(self.group.get(key, ("", 0)), set())
        return self.group[key] if key in together and len(together) > 1 else None

    def early(self, base: Base) -> int:
        """How long before the start the first event of a source may be due, as what it brings comes
        later: by its jitter, of a shared base by what all that it brings may be late."""
        group = self.shared(base.key)
        if group is None:
            return base.source.jitter if base.source else 0
        return min(self.after[one] + self.sources[one][1].jitter for one in self.together[group])

    def beat(self, base: Base) -> Beat | None:
        """When the events of a base are due, if by a clock."""
        machine, source = self.sources.get(base.key, ("", None))
        if base.source is None or source is None or source.kind != "periodic":
            return None
        begins = source.offset or 0
        if self.shared(base.key) is not None:
            begins -= self.after[base.key]
        return Beat(machine, begins, base.source.period, base.source.jitter)


def _fits(source: Source) -> bool:
    """Whether its jitter is below its period, its least distance adds nothing to both, and it
    leaves no release out (lemma timer-skips)."""
    if source.kind != "periodic":
        return False
    return source.jitter < source.period and source.apart <= source.period - source.jitter
