"""Where the groups that end with a stage may begin (lemma group-window): a way knows it for each
of its stages, so that no group is looked for where none begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.joined_work.coupling import Coupling
from ddsrta.bounds.placement import Placement
from ddsrta.bounds.stages import Stage


class Way:
    """A stage, and the stages before it that it is joined to, one behind the other: from `before`,
    None where the way begins here. Nothing less urgent lies between `head` and the stage; None: it
    is its own."""

    __slots__ = "before", "end", "groups", "head", "stage", "times"

    def __init__(self, stage: int, end: int, before: Way | None = None, times: int = 1) -> None:
        """A stage, the end of the level of its thread, and how many units of it come for one of the
        first stage of the way."""
        self.stage, self.end, self.before, self.times = stage, end, before, times
        self.groups: tuple[Any, ...] | None = None  # that end with it, once they were looked for
        self.head: Way | None = None
        while before is not None and before.end <= self.end:
            self.head = before.head or before
            before = self.head.before

    def heads(self) -> Iterator[tuple[Way, int]]:
        """Wherever a group may begin that ends here, and the end of the level that it needs; the
        shortest group first."""
        at: Way | None = self
        while at is not None:
            head = at.head or at
            yield head, at.end
            at = head.before


class Ways:
    """The ways to stages, and on from there."""

    def __init__(
        self, stages: list[Stage], placement: Placement, unit_of: list[int], coupling: Coupling
    ) -> None:
        self.stages = stages
        self.ends = [placement.levels[unit][1] for unit in unit_of]
        self.joined = coupling.joined
        self.known: dict[int, Way] = {}
        self.after: dict[tuple[Way, int], Way] = {}

    def to(self, stage: int) -> Way:
        """The way to a stage as far as there is only one: it begins with what is not joined, or
        where several come together."""
        missing: list[int] = []
        while stage not in self.known:
            missing.append(stage)
            inputs = self.stages[stage].inputs
            if not self.joined[stage] or len(inputs) != 1:
                break
            stage = inputs[0].source
        found = self.known.get(stage)
        for number in reversed(missing):
            if found is None or number == stage:
                found = Way(number, self.ends[number])
            else:
                found = self.on(found, number, self.stages[number].inputs[0])
            self.known[number] = found
        assert found is not None
        return found

    def on(self, way: Way, stage: int, edge: Edge) -> Way:
        """The way on to another stage, by an edge."""
        if (way, stage) not in self.after:
            joined = self.joined[stage]
            times = way.times * edge.multiplicity if joined else 1
            further = Way(stage, self.ends[stage], way if joined else None, times)
            self.after[way, stage] = further
        return self.after[way, stage]
