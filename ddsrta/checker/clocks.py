"""Sources of one machine with known offsets (lemma known-offsets)."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.checker.arrivals import Source
from ddsrta.checker.stages import Key, Stage

Group = tuple[str, int]  # machine and period


class Clocks:
    """Which sources share a base, and how much later than the first of their group each begins."""

    def __init__(self, stages: Iterable[Stage]) -> None:
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
                if _fits(source):
                    self.together.setdefault(group, set()).add(stage.key)
        for key, group in self.group.items():
            self.after[key] -= min(offsets[group])

    def shared(self, key: Key) -> Group | None:
        """The group whose base a source shares with others."""
        together = self.together.get(self.group.get(key, ("", 0)), set())
        return self.group[key] if key in together and len(together) > 1 else None


def _fits(source: Source) -> bool:
    """Whether its jitter is below its period, its least distance adds nothing to both, and it
    leaves no release out (lemma timer-skips)."""
    if source.kind != "periodic":
        return False
    return source.jitter < source.period and source.apart <= source.period - source.jitter
