"""What several stages have in common of the work that delays them: it is found once for all."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ddsrta.checker.curves import Base
from ddsrta.checker.effects import Effects
from ddsrta.checker.levels import Level, Levels
from ddsrta.checker.pools import SHADOW
from ddsrta.checker.related import Together
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.work import Term, Terms

NOTHING: Mapping[Key, int] = Counter()  # is joined to anything


class _Line(NamedTuple):
    """Stages of a queue that follow one base, by when they come at the earliest."""

    bests: list[int]
    stages: list[Stage]
    bits: dict[int, Stage]
    mask: int


class Common:
    """The terms of stages that are listed once for several others."""

    def __init__(
        self,
        streams: Streams,
        responses: Mapping[Key, int | None],
        levels: Levels,
        effects: Effects,
        coupled: bool = True,
    ) -> None:
        self.streams = streams
        self.responses = responses  # what is claimed
        self.levels = levels
        self.effects = effects
        self.coupled = coupled
        self.found: dict[tuple[Together, Level | None, bool], Terms] = {}
        self.endless: dict[tuple[Together, bool], list[Stage]] = {}
        self.lines: dict[Together, dict[Base, _Line]] = {}
        self.writers: dict[Together, dict[Key, list[Stage]]] = {}

    def unbounded(self, stages: Together, pending: bool = False) -> list[Stage]:
        """Those that have no curve or, of what may be pending, no response."""
        if (stages, pending) not in self.endless:
            self.levels.budget.curve(len(stages))
            self.endless[stages, pending] = [
                one
                for one in stages
                if not self.streams[one.key].countable or (pending and self.response(one) is None)
            ]
        return self.endless[stages, pending]

    def terms(self, stages: Together, level: Level | None, pending: bool = False) -> Terms:
        """The terms of all; each of them is bounded."""
        asked = stages, level, pending
        if asked not in self.found:
            self.levels.budget.curve(len(stages))
            pieces = level.pieces if level else NOTHING
            self.found[asked] = Terms(
                Term(self.streams[one.key], one.cost + pieces[one.key], self.response(one) or 0)
                for one in stages
            )
        return self.found[asked]

    def response(self, stage: Stage) -> int | None:
        """What is claimed; a shadow is there no longer than what it stands for."""
        return 0 if stage.key[0] == SHADOW else self.responses[stage.key]

    def behind(self, queue: Together, stage: Stage) -> Iterator[Stage]:
        """All of a queue of which something may come after ours, for one event: of its base, what
        comes later or is an effect; and what its job publishes."""
        found: dict[Key, Stage] = {}
        stream = self.streams[stage.key]
        line = self._lines(queue).get(stream.base)
        if line is not None and stream.before is not None:
            for one in line.stages[bisect_right(line.bests, stream.before) :]:
                found[one.key] = one
            left = self.effects.after(stage.key, stream.base) & line.mask
            while left:
                low = left & -left
                left ^= low
                one = line.bits[low.bit_length() - 1]
                found[one.key] = one
        if stage.key[0] == "sample":
            for one in self.writers[queue].get(stage.key[:2], ()):
                found[one.key] = one
        found.pop(stage.key, None)
        self.levels.budget.curve(len(found))
        yield from found.values()

    def _lines(self, queue: Together) -> dict[Base, _Line]:
        if queue not in self.lines:
            self.levels.budget.curve(len(queue))
            by_base: dict[Base, list[Stage]] = {}
            self.writers[queue] = {}
            for one in queue:
                by_base.setdefault(self.streams[one.key].base, []).append(one)
                if one.key[0] == "sample":
                    self.writers[queue].setdefault(one.key[:2], []).append(one)
            self.lines[queue] = {base: self._line(some) for base, some in by_base.items()}
        return self.lines[queue]

    def _line(self, stages: list[Stage]) -> _Line:
        stages = sorted(stages, key=lambda one: self.streams[one.key].best)
        bits = {self.effects.bits[one.key]: one for one in stages}
        mask = sum(1 << bit for bit in bits)
        return _Line([self.streams[one.key].best for one in stages], stages, bits, mask)
