"""From one stage to another along a path (theory 6), with the groups that it runs through (9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ddsrta.analysis.groups import Group, groups_along
from ddsrta.analysis.joins import wait
from ddsrta.analysis.solve import Solution, bounded
from ddsrta.analysis.stages import Edge, Key
from ddsrta_kernel import Outcome


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a path. `carried` is what the path had taken before the origin of the stage's
    stretch, `before` the time from the origin to the arrival here, `outcome` the stage's window;
    `total` is the latency of the path up to the end of the stage. Where a group gives less than the
    window, it is `group`, with its own outcome, and `since` is the latest arrival at its head
    (None: the head lies before the path)."""

    stage: int
    edge: Edge | None  # None at the start of a segment
    origin: int
    carried: int
    before: int
    outcome: Outcome | None
    total: int | None
    group: Group | None = None
    since: int | None = None


def delayed(step: Step, delay: int) -> Step:
    """The same step with a delay after it."""
    total = None if step.total is None else step.total + delay
    return replace(step, carried=step.carried + delay, total=total)


def walk(solution: Solution, keys: list[Key], waits: bool = False) -> list[Step]:
    """Latency stage by stage; None from the first unbounded one on. `waits`: for every event and
    not just for those whose token came last at the AND jobs of the path."""
    numbers = [solution.number(key) for key in keys]
    walking = _Walk(solution, waits)
    walking.first(numbers[0])
    for previous, number in pairwise(numbers):
        walking.next(previous, number)
    return walking.steps


class _Walk:
    def __init__(self, solution: Solution, waits: bool) -> None:
        self.solution = solution
        self.stages = solution.compiled.stages
        self.waits = waits
        self.steps: list[Step] = []
        self.from_base = False  # the origin's stream has its base there, and no junction since

    def first(self, number: int) -> None:
        """The start of the path."""
        self.from_base = not self.stages[number].inputs
        self.add(number, None, number, 0, 0)

    def next(self, previous: int, number: int) -> None:
        """One stage further."""
        stage, last = self.stages[number], self.steps[-1]
        edge = next(edge for edge in stage.inputs if edge.source == previous)
        origin, carried = last.origin, last.carried
        if last.total is None:
            self.steps.append(Step(number, edge, origin, carried, 0, None, None))
            return
        arrived = last.total + edge.worst
        if len(stage.inputs) > 1:
            if self.waits and stage.activation == "and":
                if self.continues(number):
                    before = self.solution.before(number)
                    self.add(number, edge, origin, 0, before)
                    return
                others = [other for other in stage.inputs if other != edge]
                waiting = wait(self.solution, edge, others)
                if waiting is None:
                    self.steps.append(Step(number, edge, origin, carried, 0, None, None))
                    return
                arrived += waiting
            origin, carried, self.from_base = number, arrived, False
        self.add(number, edge, origin, carried, arrived - carried)

    def continues(self, number: int) -> bool:
        """Whether an AND job waits only for its own stream, whose base is the path's start."""
        return self.from_base and self.solution.compiled.streams.of[number].entries[0] is None

    def add(self, number: int, edge: Edge | None, origin: int, carried: int, before: int) -> None:
        """A step: its own window, or the group that gives less."""
        outcome = self.solution.evaluate(number, origin, before)
        latency = bounded(outcome.latency)
        total = None if latency is None else carried + latency
        step = Step(number, edge, origin, carried, before, outcome, total)
        for group in self.groups(step):
            step = min(step, self.through(step, group), key=_total)
        self.steps.append(step)

    def groups(self, step: Step) -> Iterator[Group]:
        """The groups that the path runs through, this stage being the last."""
        compiled = self.solution.compiled
        coupling = compiled.coupling
        if coupling is None:
            return iter(())
        way: list[tuple[int, Edge | None]] = []
        for each in (step, *reversed(self.steps)):
            way.append((each.stage, each.edge))
            if not coupling.joined[each.stage]:
                break
        stage, edge = way[-1]
        if edge is None:  # the start of the path: further back, as far as there is one way only
            way.pop()
            while coupling.joined[stage] and len(self.stages[stage].inputs) == 1:
                edge = self.stages[stage].inputs[0]
                way.append((stage, edge))
                stage = edge.source
            way.append((stage, None))
        return groups_along(
            compiled.stages, compiled.streams, compiled.placement, compiled.unit_of, coupling, way
        )

    def through(self, step: Step, group: Group) -> Step:
        """The step with the bound that a group gives."""
        head = next((s for s in (step, *self.steps) if s.stage == group.head), None)
        if head is None:
            start = self.steps[0].stage if self.steps else step.stage
            outcome = self.solution.evaluate_group(group, start)
            return replace(step, outcome=outcome, total=bounded(outcome.response), group=group)
        outcome = self.solution.evaluate_group(group, None, head.origin, head.before)
        latency = bounded(outcome.latency)
        total = None if latency is None else head.carried + latency
        since = head.carried + head.before
        return replace(step, outcome=outcome, total=total, group=group, since=since)


def _total(step: Step) -> int:
    return (1 << 62) if step.total is None else step.total
