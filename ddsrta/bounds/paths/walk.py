"""From one stage to another along a path (lemma path-latency), with the groups that it runs
through (lemma group-window)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ddsrta.base.frozen import frozen
from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow
from ddsrta.bounds.joined_work.groups import Group, groups_of
from ddsrta.bounds.joined_work.ways import Way
from ddsrta.bounds.solution import Solution, bounded
from ddsrta.bounds.stages import Edge, Key, Stage
from ddsrta_kernel import Outcome, TandemOutcome


@frozen
class Step:
    """One stage of a path. `carried` is what the path had taken before the origin of the stage's
    stretch, `before` the time from the origin to the arrival here, `outcome` the stage's window;
    `total` is the latency of the path up to the end of the stage. Where a group gives less than the
    window, it is `group`, with its own outcome, and `since` is the latest arrival at its head
    (None: the head lies before the path). Where two threads in tandem give less (lemma
    tandem-window), the outcome is that of their case; in the later case, `tandem` is both and the
    outcome that of the stage before, up to the end of this one. Where the window of all stages
    since the path last waited gives less (lemma end-to-end-window), it is `end_to_end`. `kept` is
    what a synchronizer before the stage adds."""

    stage: int
    edge: Edge | None  # None at the start of a segment
    origin: int
    carried: int
    before: int
    outcome: Outcome | None
    total: int | None
    group: Group | None = None
    since: int | None = None
    tandem: TandemOutcome | None = None
    kept: int = 0
    end_to_end: EndToEndWindow | None = None


def delayed(step: Step, delay: int) -> Step:
    """The same step with a delay after it."""
    total = None if step.total is None else step.total + delay
    return replace(step, carried=step.carried + delay, total=total)


def walk(
    solution: Solution, keys: list[Key], waits: bool = False, renews: bool = False
) -> list[Step]:
    """Latency stage by stage; None from the first unbounded one on. `waits`: for every event and
    not just for those whose token came last at the AND jobs of the path. `renews`: where a
    synchronizer leaves messages out, up to the first set with this one or a newer one."""
    numbers = [solution.number(key) for key in keys]
    walking = _Walk(solution, waits, renews)
    walking.first(numbers[0])
    for previous, number in pairwise(numbers):
        walking.next(previous, number)
    walking.settle()
    return walking.steps


class _Walk:
    def __init__(self, solution: Solution, waits: bool, renews: bool) -> None:
        self.solution = solution
        self.renews = renews
        self.stages = solution.compiled.stages
        self.waits = waits
        self.steps: list[Step] = []
        self.from_base = False  # the origin's stream has its base there, and no junction since
        self.place: dict[int, int] = {}  # of stages among the steps
        self.way: Way | None = None
        self.waited = 0  # where the path last waited for what it knows no better bound of

    def first(self, number: int) -> None:
        """The start of the path."""
        self.from_base = not self.stages[number].inputs
        self.add(number, None, number, 0, 0)

    def next(self, previous: int, number: int) -> None:
        """One stage further."""
        stage = self.stages[number]
        if self.may_wait(number):
            self.settle()
        last = self.steps[-1]
        edges = (edge for edge in stage.inputs if edge.source == previous)
        edge = max(edges, key=lambda each: each.worst)
        origin, carried, kept = last.origin, last.carried, 0
        if last.total is None:
            self.steps.append(Step(number, edge, origin, carried, 0, None, None))
            return
        arrived = last.total + edge.worst
        if len(stage.inputs) > 1 or stage.anew:
            if stage.synchronizer is not None and self.is_kept(number):
                synchronized = self.synchronized(stage, edge, arrived)
                if synchronized is None:
                    self.steps.append(Step(number, edge, origin, carried, 0, None, None))
                    return
                kept, arrived = synchronized - arrived, synchronized
                self.waited = len(self.steps)
            elif self.waits and stage.activation == "and":
                self.waited = len(self.steps)
                if self.continues(number):
                    before = self.solution.before(number) - self.released(origin)
                    self.add(number, edge, origin, 0, before)
                    return
                from ddsrta.bounds.join_wait import wait

                others = [other for other in stage.inputs if other != edge]
                waiting = None if stage.mispaired else wait(self.solution, edge, others)
                if waiting is None:
                    self.steps.append(Step(number, edge, origin, carried, 0, None, None))
                    return
                arrived += waiting
            origin, carried, self.from_base = number, arrived, False
        self.add(number, edge, origin, carried, arrived - carried, kept)

    def may_wait(self, number: int) -> bool:
        """Whether a token may wait for those of other inputs, and that counts."""
        stage = self.stages[number]
        if len(stage.inputs) < 2:
            return False
        if stage.synchronizer is not None and self.is_kept(number):
            return True
        return self.waits and stage.activation == "and"

    def settle(self) -> None:
        """The last step, with the window of all since the path last waited where that is less."""
        first, last = self.steps[self.waited], self.steps[-1]
        if last.total is None or first.outcome is None:
            return
        way = [(step.stage, step.edge) for step in self.steps[self.waited :]]
        arrived = first.carried + first.before
        found = self.solution.end_to_end_windows.find(way, last.total - arrived)
        if found is not None:
            total = arrived + found.finish
            self.steps[-1] = replace(
                last, total=total, end_to_end=found, group=None, since=None, tandem=None
            )

    def is_kept(self, number: int) -> bool:
        """Whether a message may be kept before its set is made: always, but for the one whose
        arrival makes the set, where that is asked. A set of one stream's messages is its AND."""
        stage = self.stages[number]
        assert stage.synchronizer is not None
        if self.solution.compiled.streams.of[number].entries[0] is None:
            return False
        return self.waits or stage.synchronizer.policy in ("approximate_time", "mtd")

    def synchronized(self, stage: Stage, edge: Edge, arrived: int) -> int | None:
        """When the set is made, from the start of the path."""
        found = self.solution.synchronizers[stage.key[1]]
        place = stage.inputs.index(edge)
        if not found.waits:
            return None
        kept = (found.renewals if self.renews else found.ages)[place]
        if self.from_base or kept is None:
            return kept
        if not self.renews:
            wait = found.waits[place]
            return None if wait is None else arrived + wait
        return arrived + max(0, kept - found.earliest[place])

    def continues(self, number: int) -> bool:
        """Whether an AND job waits only for its own stream, whose base is the path's start."""
        return self.from_base and self.solution.compiled.streams.of[number].entries[0] is None

    def released(self, origin: int) -> int:
        """The least time from the base's event to the release of the path's first stage."""
        return self.solution.compiled.streams.of[origin].best

    def add(
        self,
        number: int,
        edge: Edge | None,
        origin: int,
        carried: int,
        before: int,
        kept: int = 0,
    ) -> None:
        """A step: its own window, or the group that gives less."""
        outcome = self.solution.evaluate(number, origin, before)
        latency = bounded(outcome.latency)
        total = None if latency is None else carried + latency
        step = Step(number, edge, origin, carried, before, outcome, total, kept=kept)
        for group in self.groups(number, edge):
            step = min(step, self.through(step, group), key=_total)
        step = min(step, self.in_tandem(step), key=_total)
        self.place[number] = len(self.steps)
        self.steps.append(step)

    def groups(self, number: int, edge: Edge | None) -> Iterator[Group]:
        """The groups that the path runs through, this stage being the last. Those that begin before
        the path do so as far as there is one way only."""
        compiled = self.solution.compiled
        coupling, ways = compiled.coupling, compiled.ways
        if coupling is None or ways is None:
            return iter(())
        self.way = (
            ways.to(number) if edge is None or not self.way else ways.on(self.way, number, edge)
        )
        return groups_of(
            compiled.stages,
            compiled.streams,
            compiled.placement,
            compiled.unit_of,
            coupling,
            self.way,
        )

    def through(self, step: Step, group: Group) -> Step:
        """The step with the bound that a group gives."""
        place = self.place.get(group.head)
        head = step if group.head == step.stage else None if place is None else self.steps[place]
        if head is None:
            start = self.steps[0].stage if self.steps else step.stage
            outcome = self.solution.evaluate_group(group, start)
            total = bounded(outcome.response)
            return replace(step, outcome=outcome, total=total, group=group, since=None)
        outcome = self.solution.evaluate_group(group, None, head.origin, head.before)
        latency = bounded(outcome.latency)
        total = None if latency is None else head.carried + latency
        since = head.carried + head.before
        return replace(step, outcome=outcome, total=total, group=group, since=since)

    def in_tandem(self, step: Step) -> Step:
        """The step with the bound that its thread and the one before it give in tandem."""
        tandem = self.solution.compiled.tandems.before(step.stage)
        if step.edge is None or tandem is None:
            return step
        if None in (self.solution.response(step.stage), self.solution.response(step.edge.source)):
            return step  # both windows have to end
        before = (self.steps[-1].before, step.before)
        found = self.solution.evaluate_tandem(tandem, step.origin, before)
        is_late = found.late.latency > found.early.latency
        outcome = found.late if is_late else found.early
        latency = bounded(outcome.latency)
        total = None if latency is None else step.carried + latency
        both = found if is_late else None
        return replace(step, outcome=outcome, total=total, group=None, since=None, tandem=both)


def _total(step: Step) -> int:
    return (1 << 62) if step.total is None else step.total
