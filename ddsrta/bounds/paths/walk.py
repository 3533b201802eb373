"""From one stage to another along a path (lemma path-latency), also round circles (lemma
paths-around), with the groups that it runs through (lemma group-window)."""

from __future__ import annotations

from copy import copy
from functools import cached_property, partial
from operator import attrgetter

from ddsrta.bounds.joined_work.groups import Group, groups_of
from ddsrta.bounds.joined_work.ways import Way
from ddsrta.bounds.paths import Step, by_itself, instead, within
from ddsrta.bounds.paths.stretch import is_of_path
from ddsrta.bounds.solution import Solution, bounded
from ddsrta.bounds.stages import Edge, Key, Stage, comes_from
from ddsrta.bounds.streams import best_arrival
from ddsrta_kernel import UNBOUNDED


def walk(
    solution: Solution, keys: list[Key], waits: bool = False, renews: bool = False
) -> list[Step]:
    """Latency stage by stage; None from the first unbounded one on. `waits`: for every event and
    not just for those whose token came last at the AND jobs of the path. `renews`: where a
    synchronizer leaves messages out, up to the first set with this one or a newer one."""
    stage_number = solution.compiled.stage_number
    way = [stage_number[key] for key in keys]
    return _along(solution, way, waits, renews).settled.steps()


def _along(solution: Solution, way: list[int], waits: bool = False, renews: bool = False) -> Walk:
    first, *others = way
    if first not in solution.walks:
        solution.walks[first] = Walk(solution, None, first, None, (0, 0))
    at: Walk = solution.walks[first]
    for number in others:
        at = at.next(number, waits, renews)
    return at


class Walk:
    """A path up to a stage, and how it goes on from there: what paths begin with in common is
    looked at once."""

    step: Step
    start: int
    place: int
    waited: int
    from_base: bool
    joined: bool

    def __init__(
        self,
        solution: Solution,
        previous: Walk | None,
        number: int,
        edge: Edge | None,
        times: tuple[int, int]
        | None,  # what is carried and what is before the arrival; None: endless
        kept: int = 0,
        anew: bool = False,
        waited: bool = False,
        joined: bool = False,  # the token was not the last at an AND on the way
        begins: bool = False,  # a stretch, though its stream goes on
    ) -> None:
        self.solution, self.previous = solution, previous
        self.stages = solution.compiled.stages
        self.joined = joined or (previous is not None and previous.joined)
        self.start = number if previous is None else previous.start
        self.place = 0 if previous is None else previous.place + 1
        self.waited = self.place if waited or previous is None else previous.waited
        self.from_base = not self.stages[number].inputs
        if previous is not None:
            self.from_base = previous.from_base and not anew
        self.way: Way | None = None
        self.due = None if times is None else self.found_due(number, edge, times[0])
        origin = number if begins or anew or previous is None else previous.step.origin
        if times is None:
            carried = 0 if previous is None else previous.step.carried
            self.step = Step(number, edge, origin, carried, 0, None, None)
        else:
            self.step = self.found(number, edge, origin, *times, kept)

    def steps(self) -> list[Step]:
        """All steps from the first on."""
        return self.since(0)

    def since(self, place: int) -> list[Step]:
        """The steps from a place on."""
        steps, at = [], self
        while at.place > place and at.previous is not None:
            steps.append(at.step)
            at = at.previous
        return [at.step, *reversed(steps)]

    def next(self, number: int, waits: bool, renews: bool) -> Walk:
        """One stage further."""
        walks = self.solution.walks
        found: Walk | None = walks.get((self, number, waits, renews))
        if found is None:
            stage = self.stages[number]
            several = len(stage.inputs) > 1 or stage.anew
            key = self, number, several and waits, several and renews
            if key not in walks:
                last = self.settled if self.may_wait(number, waits) else self
                walks[key] = last.on(number, waits, renews)
            found = walks[self, number, waits, renews] = walks[key]
        return found

    def on(self, number: int, waits: bool, renews: bool) -> Walk:
        """The same where it was not looked at."""
        stage, last = self.stages[number], self.step
        edges = [e for e in comes_from(stage) if e.source == last.stage and not e.again]
        edge = max(edges, key=attrgetter("worst"))
        endless = partial(Walk, self.solution, self, number, edge, None)
        if last.total is None:
            return endless(waited=self.may_wait(number, waits))
        arrived = last.total + edge.worst
        if len(stage.inputs) == 1 and not stage.anew:
            if is_of_path(last, self.start, self.head):
                return Walk(self.solution, self, number, edge, (arrived, 0), begins=True)
            return Walk(self.solution, self, number, edge, (last.carried, arrived - last.carried))
        kept, waited = 0, False
        if stage.synchronizer is not None and self.is_kept(number, waits):
            synchronized = self.synchronized(stage, edge, arrived, renews)
            if synchronized is None:
                return endless(waited=True)
            kept, arrived, waited = synchronized - arrived, synchronized, True
        elif waits and stage.activation == "and":
            waited = True
            if self.continues(number):
                best = self.solution.compiled.streams.of[last.origin].best
                times = 0, self.solution.before(number) - best
                return Walk(self.solution, self, number, edge, times, waited=True, joined=True)
            released = self.released(number, edge, arrived)
            if released is None:
                return endless(waited=True)
            arrived = released
        return Walk(self.solution, self, number, edge, (arrived, 0), kept, True, waited, waited)

    def released(self, number: int, edge: Edge, arrived: int) -> int | None:
        """When an AND job has the tokens of all its inputs."""
        from ddsrta.bounds.join_wait import wait

        stage = self.stages[number]
        others = [other for other in stage.inputs if other != edge]
        waiting = None if stage.mispaired else wait(self.solution, edge, others)
        due = self.due_at_join(number)
        if due is not None and self.solution.compiled.streams.of[number].entries[0] is None:
            late = bounded(self.solution.solver.paced(self.solution.compiled.unit_of[number]))
            due = None if late is None else due + late
        waited = None if waiting is None else arrived + waiting
        return min((each for each in (due, waited) if each is not None), default=None)

    def due_at_join(self, number: int) -> int | None:
        """When the event of the same number is due, by all ways to a join (lemma due-at-joins)."""
        if not self.solution.compiled.last_tokens or self.stages[self.start].inputs:
            return None
        from ddsrta.bounds.paths.numbers import due

        return due(self.solution, self.start, self.solution.compiled.streams.of[number].node)

    def may_wait(self, number: int, waits: bool) -> bool:
        """Whether a token may wait for those of other inputs, and that counts."""
        stage = self.stages[number]
        if len(stage.inputs) < 2:
            return False
        if stage.synchronizer is not None and self.is_kept(number, waits):
            return True
        return waits and stage.activation == "and"

    @cached_property
    def settled(self) -> Walk:
        """The same, the last step with the window of all since the path last waited where that is
        less."""
        steps = self.since(self.waited)
        first, last = steps[0], self.step
        if last.total is not None and first.outcome is not None:
            arrived = first.carried + first.before
            way = [(step.stage, step.edge) for step in steps]
            found = self.solution.end_to_end_windows.find(way, last.total - arrived)
            if found is not None:
                last = instead(last, arrived + found.finish)._replace(end_to_end=found)
        last = self.by_last_token(self.closed(last, steps))
        if self.previous is not None and self.solution.events_alone.has(last.stage):
            path = [step.stage for step in self.steps()]
            last = by_itself(last, self.solution.events_alone.along(path), len(path))
        if last is self.step:
            return self
        settled = copy(self)
        settled.step = last
        return settled

    def by_last_token(self, last: Step) -> Step:
        """A step, or with the longest of the ways that its last token may have come where that is
        less."""
        if not self.joined or not self.tokens:
            return last
        longest, begun, way = -1, 0, self
        for later, other in self.tokens:
            total = other.settled.step.total
            if total is None or (last.total is not None and later + total >= last.total):
                return last
            if later + total > longest:
                longest, begun, way = later + total, later, other
        found = instead(last, longest)._replace(closed=None, spanned=1, end_to_end=None)
        return found._replace(last=(begun, tuple(way.settled.steps())))

    @cached_property
    def tokens(self) -> list[tuple[int, Walk]]:
        """The ways that the last token may have come here, the path among them, each with how much
        later it begins; none where that is not known."""
        number, before = self.step.stage, self.previous
        if before is None:
            is_first = self.solution.compiled.last_tokens and not self.stages[number].inputs
            return [(0, self)] if is_first else []
        ways = before.tokens
        if ways and len(self.stages[number].inputs) > 1:
            from ddsrta.bounds.paths.numbers import ways_to

            others = ways_to(self.solution, self.start, number, before.step.stage)
            if others is None:
                return []
            ways = [*ways, *((begun, _along(self.solution, way)) for begun, way in others)]
        return [(begun, way.next(number, False, False)) for begun, way in ways]

    def closed(self, last: Step, steps: list[Step]) -> Step:
        """The last of some steps without a wait, or with a closed window where that is less: looked
        for where they come to a supply twice, or have no bound."""
        if steps[0].outcome is None or not self.solution.compiled.closed_windows:
            return last
        if last.total is not None:
            least = self.solution.least_closed([step.stage for step in steps])
            if least is None or last.total <= steps[0].carried + steps[0].before + least:
                return last
        return within(last, self.solution.closed_windows.of(last.stage), steps)

    def is_kept(self, number: int, waits: bool) -> bool:
        """Whether a message may be kept before its set is made: always, but for the one whose
        arrival makes the set, where that is asked. A set of one stream's messages is its AND."""
        stage = self.stages[number]
        assert stage.synchronizer is not None
        if self.solution.compiled.streams.of[number].entries[0] is None:
            return False
        return waits or stage.synchronizer.policy in ("approximate_time", "mtd")

    def synchronized(self, stage: Stage, edge: Edge, arrived: int, renews: bool) -> int | None:
        """When the set is made, from the start of the path."""
        found = self.solution.synchronizers[stage.key[1]]
        place = stage.inputs.index(edge)
        if not found.waits:
            return None
        kept = (found.renewals if renews else found.ages)[place]
        if self.from_base or kept is None:
            return kept
        if not renews:
            wait = found.waits[place]
            return None if wait is None else arrived + wait
        return arrived + max(0, kept - found.earliest[place])

    def continues(self, number: int) -> bool:
        """Whether an AND job waits only for its own stream, whose base is the path's start."""
        return self.from_base and self.solution.compiled.streams.of[number].entries[0] is None

    def found(
        self, number: int, edge: Edge | None, origin: int, carried: int, before: int, kept: int
    ) -> Step:
        """A step: its own window, or the group or the tandem that gives less."""
        outcome = self.solution.evaluate(number, origin, before)
        latency = bounded(outcome.latency)
        total = None if latency is None else carried + latency
        step = Step(number, edge, origin, carried, before, outcome, total, kept=kept)
        for group in self.groups(number, edge):
            step = self.through(step, group)
        return self.by_number(self.from_arrival(self.below_ceiling(self.in_tandem(step))))

    def from_arrival(self, step: Step) -> Step:
        """The step, or with what a window from the arrival there gives where that is less."""
        arrived = step.carried + step.before
        for window in self.solution.from_arrival(step.stage):
            total = arrived + window.response
            if step.total is None or total < step.total:
                step = instead(step, total)._replace(pending=window)
        return step

    def below_ceiling(self, step: Step) -> Step:
        """The step, or with what the closed window of its stage gives where that is less: from the
        arrival there, from where the path last waited, or from the event of its base."""
        window = self.solution.ceilings.get(step.stage)
        if window is None:
            return step
        step = within(step, window, [step])
        if self.previous is not None and self.place > self.waited:
            step = within(step, window, [*self.previous.since(self.waited), step])
        latency = self.solution.latency(step.stage)
        if not self.from_base or latency is None or step.total is None:
            return step
        total = latency - self.solution.compiled.streams.of[self.start].best
        if step.total <= total:
            return step
        return instead(step, total)._replace(closed=window, spanned=self.place + 1)

    def found_due(self, number: int, edge: Edge | None, released: int) -> int | None:
        """When the event of the stage's base is due at the latest, from the start of the path, if
        the job that it is, behind a junction, is released by then (lemma paced-path)."""
        streams, late = self.solution.compiled.streams, self.solution.lateness(number)
        if late is None:
            return None
        if edge is None or self.previous is None:
            return late - streams.of[number].best
        if streams.of[edge.source].node == streams.of[number].node:
            return self.previous.due
        due = self.due_at_join(number) if self.joined else None
        if due is not None:
            return min(due, released + late)
        paced = self.solution.paced(edge.source)
        unordered = edge.overtakes or edge.part or self.stages[edge.source].overlaps
        if self.previous.due is None or paced is None or unordered:
            return released + late
        others = (self.spread(other) for other in self.stages[number].inputs if other != edge)
        latest = released + max((each or 0 for each in others), default=0)
        return min(released + late, max(released, latest, self.previous.due + paced + edge.worst))

    def spread(self, edge: Edge) -> int | None:
        """How much later than it comes an event of the edge's base may be due, and what it brings
        be here, than at the earliest."""
        late, paced = self.solution.lateness(edge.source), self.solution.paced(edge.source)
        if late is None or paced is None:
            return None
        return late + paced + edge.worst - best_arrival(self.solution.compiled.streams, edge)

    def by_number(self, step: Step) -> Step:
        """The step, or with the bound by number where that is less."""
        if self.due is None or (paced := self.solution.paced(step.stage)) is None:
            return step
        total = self.due + paced
        if step.total is not None and step.total <= total:
            return step
        return instead(step, total)._replace(due=self.due)

    def groups(self, number: int, edge: Edge | None) -> tuple[Group, ...]:
        """The groups that the path runs through, this stage being the last. Those that begin before
        the path do so as far as there is one way only."""
        compiled = self.solution.compiled
        coupling, ways = compiled.coupling, compiled.ways
        if coupling is None or ways is None:
            return ()
        way = self.previous.way if self.previous else None
        self.way = ways.to(number) if edge is None or not way else ways.on(way, number, edge)
        return groups_of(
            compiled.stages,
            compiled.streams,
            compiled.placement,
            compiled.unit_of,
            coupling,
            self.way,
        )

    def through(self, step: Step, group: Group) -> Step:
        """The step, or with the bound that a group gives where that is less."""
        head = step if group.head == step.stage else self.head(group.head)
        if head is None:
            outcome = self.solution.evaluate_group(group, self.start)
            total, since = bounded(outcome.response), None
        else:
            outcome = self.solution.evaluate_group(group, None, head.origin, head.before)
            latency = bounded(outcome.latency)
            total = None if latency is None else head.carried + latency
            since = head.carried + head.before
        if total is None or (step.total is not None and total >= step.total):
            return step
        return step._replace(outcome=outcome, total=total, group=group, since=since)

    def head(self, stage: int) -> Step | None:
        """The step of a stage before."""
        at = self.previous
        while at is not None and at.step.stage != stage:
            at = at.previous
        return None if at is None else at.step

    def in_tandem(self, step: Step) -> Step:
        """The step, or with the bound that its thread and the one before it give in tandem."""
        tandem = self.solution.compiled.tandems.before(step.stage)
        if step.edge is None or tandem is None or self.previous is None:
            return step
        if step.origin == step.stage:
            return step
        response, unit_of = self.solution.solver.response, self.solution.compiled.unit_of
        if max(response[unit_of[step.stage]], response[unit_of[step.edge.source]]) >= UNBOUNDED:
            return step  # both windows have to end
        before = (self.previous.step.before, step.before)
        found = self.solution.evaluate_tandem(tandem, step.origin, before)
        is_late = found.late.latency > found.early.latency
        outcome = found.late if is_late else found.early
        latency = bounded(outcome.latency)
        total = None if latency is None else step.carried + latency
        if total is None or (step.total is not None and total >= step.total):
            return step
        both = found if is_late else None
        return step._replace(outcome=outcome, total=total, group=None, since=None, tandem=both)
