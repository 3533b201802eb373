"""From one stage to another along a path (lemma path-latency), also round circles (lemma
paths-around), stretch by stretch.

The kernel finds the least bound of each stage, and by which window. Here is what lies between
stretches: joins, synchronizers and what comes out of order.
"""

from __future__ import annotations

from array import array
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.paths.stretch import Plan, Plans, Stretch, stretches
from ddsrta.bounds.solution import Solution, bounded
from ddsrta.bounds.stages import Key, Stage, comes_from
from ddsrta.bounds.streams import best_arrival
from ddsrta_kernel import UNBOUNDED
from ddsrta_kernel.problem import (
    BY_NOTHING,
    BY_WINDOW,
    STEP,
    STEP_BEFORE,
    STEP_BY,
    STEP_CARRIED,
    STEP_DUE,
    STEP_ORIGIN,
    STEP_TOTAL,
)

if TYPE_CHECKING:
    from ddsrta.bounds.paths.told import Told


def along(
    solution: Solution, keys: list[Key], waits: bool = False, renews: bool = False
) -> Walk | Told:
    """Latency stage by stage; None from the first unbounded one on. `waits`: for every event and
    not just for those whose token came last at the AND jobs of the path. `renews`: where a
    synchronizer leaves messages out, up to the first set with this one or a newer one."""
    stage_number = solution.compiled.stage_number
    way = tuple([stage_number[key] for key in keys])
    told = solution.told.along(way, waits) if solution.told and not renews else None
    return told or _along(solution, way, waits, renews).settled


def _along(
    solution: Solution, way: tuple[int, ...], waits: bool = False, renews: bool = False
) -> Walk:
    if solution.plans is None:
        solution.plans = Plans(solution)
    first, *others = stretches(solution.compiled.structure.bends, way)
    if first not in solution.walks:
        solution.walks[first] = Walk(solution, None, first, None, (0, 0))
    at: Walk = solution.walks[first]
    for stretch in others:
        at = at.next(stretch, waits, renews)
    return at


class Walk:
    """A path up to the end of a stretch, and how it goes on from there: what paths begin with in
    common is looked at once. `path` has what the kernel found, of this stretch and those before
    that matter to it, `total` the latency up to its end; `place` is that of its first stage on the
    path, `waited` and `arrived` where the path last waited, and when it came there."""

    path: array[int]
    total: int | None
    plan: Plan
    start: int
    end: int
    joined: bool
    from_base: bool

    def __init__(
        self,
        solution: Solution,
        previous: Walk | None,
        stretch: Stretch,
        edge: Edge | None,
        times: tuple[int, int]
        | None,  # what is carried and what is before the arrival; None: endless
        kept: int = 0,
        anew: bool = False,
        waited: bool = False,
        joined: bool = False,  # the token was not the last at an AND on the way
    ) -> None:
        self.solution, self.previous, self.stretch, self.edge = solution, previous, stretch, edge
        self.kept = kept
        self.stages = solution.compiled.stages
        self.joined = joined or (previous is not None and previous.joined)
        self.start = stretch[0] if previous is None else previous.start
        self.place = 0 if previous is None else previous.end
        self.end = self.place + len(stretch)
        self.waited, self.arrived = self.place, 0
        if previous is not None and not waited:
            self.waited, self.arrived = previous.waited, previous.arrived
        self.from_base = not self.stages[stretch[0]].inputs
        if previous is not None:
            self.from_base = previous.from_base and not anew
        self.changed: dict[str, Any] = {}  # of the last step, that has another bound
        self.settles: Walk | None = None  # of which this is the same, settled
        self.plan = solution.plans.of(stretch, previous.plan.way if previous else None, edge)
        self.path = self._begun(times, anew)
        self._walk()

    def _begun(self, times: tuple[int, int] | None, anew: bool) -> array[int]:
        """What is known before the kernel is asked: when the first stage is reached."""
        previous, number = self.previous, self.stretch[0]
        unit = self.solution.compiled.unit_of[number]
        path = array("q", previous.path if previous and self.plan.continues else ())
        first = [unit, unit, 0, 0, UNBOUNDED, UNBOUNDED, BY_NOTHING, 0, 0, 0]
        if previous is not None and not anew:
            first[STEP_ORIGIN] = previous.last(STEP_ORIGIN)
        if times is None:
            first[STEP_CARRIED] = 0 if previous is None else previous.last(STEP_CARRIED)
        else:
            first[STEP_BY] = BY_WINDOW
            first[STEP_CARRIED], first[STEP_BEFORE] = times
            due = self.found_due(number, self.edge, times[0])
            first[STEP_DUE] = UNBOUNDED if due is None else due
        path.extend(first)
        path.extend(array("q", bytes(8 * STEP * (len(self.stretch) - 1))))
        return path

    def _walk(self) -> None:
        solution, stages = self.solution, len(self.stretch)
        start, plans = solution.compiled.unit_of[self.start], solution.plans
        asked = self.plan.asked, plans.feeds, self.path, stages, start, self.place
        waited = self.waited, self.arrived
        self.arrived = solution.solver.walk(*asked, waited, self.from_base)
        self.total = bounded(self.last(STEP_TOTAL))

    def last(self, column: int) -> int:
        """What the kernel found of the last stage."""
        return self.path[column - STEP]

    @property
    def due(self) -> int | None:
        """When the event of its base is due at the latest (lemma paced-path)."""
        return bounded(self.last(STEP_DUE))

    def since(self, place: int) -> list[Walk]:
        """The walks up to each stretch from that with a place on."""
        parts, at = [self], self
        while at.place > place and at.previous is not None:
            at = at.previous
            parts.append(at)
        return parts[::-1]

    @property
    def way(self) -> list[int]:
        """All stages from the first on."""
        return [number for part in self.since(0) for number in part.stretch]

    @property
    def totals(self) -> list[int | None]:
        """The latencies up to the end of each."""
        parts = ((part.path, STEP_TOTAL - STEP * len(part.stretch)) for part in self.since(0))
        found = (total for path, first in parts for total in path[first::STEP])
        return [None if total >= UNBOUNDED else total for total in found]

    def next(self, stretch: Stretch, waits: bool, renews: bool) -> Walk:
        """One stretch further."""
        walks, key = self.solution.walks, (self, stretch, waits, renews)
        if key not in walks:
            last = self.settled if self.may_wait(stretch[0], waits) else self
            walks[key] = last.on(stretch, waits, renews)
        found: Walk = walks[key]
        return found

    def on(self, stretch: Stretch, waits: bool, renews: bool) -> Walk:
        """The same where it was not looked at."""
        number, last = stretch[0], self.stretch[-1]
        stage = self.stages[number]
        edges = [e for e in comes_from(stage) if e.source == last and not e.again]
        edge = max(edges, key=attrgetter("worst"))
        further = partial(Walk, self.solution, self, stretch, edge)
        if self.total is None:
            return further(None, waited=self.may_wait(number, waits))
        arrived = self.total + edge.worst
        kept, waited = 0, False
        if stage.synchronizer is not None and self.is_kept(number, waits):
            synchronized = self.synchronized(stage, edge, arrived, renews)
            if synchronized is None:
                return further(None, waited=True)
            kept, arrived, waited = synchronized - arrived, synchronized, True
        elif self.may_wait(number, waits):
            waited = True
            if self.continues(number):
                origin = self.solution.compiled.placement.stage_of[self.last(STEP_ORIGIN)]
                assert origin is not None
                best = self.solution.compiled.streams.of[origin].best
                times = 0, self.solution.before(number) - best
                return further(times, waited=True, joined=True)
            released = self.released(number, edge, arrived)
            if released is None:
                return further(None, waited=True)
            arrived = released
        return further((arrived, 0), kept, True, waited, waited)

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

    @property
    def settled(self) -> Walk:
        """The same, the last step with the window of all since the path last waited where that is
        less."""
        walks = self.solution.walks
        if self not in walks:
            walks[self] = self._settled()
        found: Walk = walks[self]
        return found

    def _settled(self) -> Walk:
        if self.solution.is_hurried:
            return self
        total, changed = self.by_path(*self.since_waiting())
        if self.end > 1 and self.solution.events_alone.has(self.stretch[-1]):
            window = self.solution.events_alone.along(self.way)
            if window is not None and (total is None or window.length < total):
                total, changed = window.length, {"alone": window, "spanned": self.end}
        return self.bounded_by(total, changed) if total is not None and changed else self

    def bounded_by(self, total: int, changed: dict[str, Any]) -> Walk:
        """The same with another bound of its last stage."""
        other = Walk.__new__(Walk)
        vars(other).update(vars(self))
        other.settles, other.changed, other.total = self, changed, total
        other.path = self.path[:]
        other.path[STEP_TOTAL - STEP] = total
        return other

    def since_waiting(self) -> tuple[list[tuple[int, Edge | None]], bool]:
        """The stages since the path last waited, each with the edge by which it is entered; and
        whether the first was reached."""
        parts = self.since(self.waited)
        way: list[tuple[int, Edge | None]] = []
        for part in parts:
            way.append((part.stretch[0], part.edge))
            way += zip(part.stretch[1:], part.plan.edges[1:], strict=True)
        first = parts[0]
        return way, first.path[STEP_BY - STEP * len(first.stretch)] != BY_NOTHING

    def by_path(
        self, way: list[tuple[int, Edge | None]], reached: bool
    ) -> tuple[int | None, dict[str, Any]]:
        """The bound of the last stage; where windows of the whole way since it last waited give
        less, or the ways of tokens do, by which."""
        solution, total, changed = self.solution, self.total, dict[str, Any]()
        if reached and total is not None and len(way) > 1:
            known = self.stretch[-1] in solution.latest  # so its latency is no less than that
            found = solution.end_to_end_windows.find(way, total - self.arrived + known)
            if found is not None:
                total, changed = self.arrived + found.finish, {"end_to_end": found}
        if reached and solution.compiled.closed_windows and self.may_close(way, total):
            window = solution.closed_windows.of(self.stretch[-1])
            spans = window is not None and not window.apart
            length = self.arrived + window.length if window and spans else UNBOUNDED
            if length < (UNBOUNDED if total is None else total):
                total, changed = length, {"closed": window, "spanned": len(way)}
        if self.joined and self.tokens and (longest := self.longest_token(total)):
            total, *last = longest
            changed = {"last": tuple(last)}
        return total, changed

    def may_close(self, way: list[tuple[int, Edge | None]], total: int | None) -> bool:
        """Whether a closed window may give less: if there is no bound, or more than once all that
        is more urgent."""
        if total is None:
            return True
        return total > self.arrived + self.solution.least_closed([stage for stage, _ in way])

    def longest_token(self, least: int | None) -> tuple[int, int, Walk] | None:
        """The longest of the ways that the last token may have come, how much later it begins, and
        where; None where one gives no less than what is known."""
        longest, begun, way = -1, 0, self
        for later, other in self.tokens:
            total = other.settled.total
            if total is None or (least is not None and later + total >= least):
                return None
            if later + total > longest:
                longest, begun, way = later + total, later, other
        return longest, begun, way

    @property
    def tokens(self) -> list[tuple[int, Walk]]:
        """The ways that the last token may have come here, the path among them, each with how much
        later it begins; none where that is not known."""
        walks, key = self.solution.walks, (self, "tokens")
        if key not in walks:
            walks[key] = self._tokens()
        found: list[tuple[int, Walk]] = walks[key]
        return found

    def _tokens(self) -> list[tuple[int, Walk]]:
        stretch, before = self.stretch, self.previous
        if before is None:
            is_first = self.solution.compiled.last_tokens and not self.stages[stretch[0]].inputs
            first = self.settles if self.end > 1 and self.settles is not None else self
            return [(0, first)] if is_first else []
        ways = before.tokens
        if ways and len(self.stages[stretch[0]].inputs) > 1:
            from ddsrta.bounds.paths.numbers import ways_to

            others = ways_to(self.solution, self.start, stretch[0], before.stretch[-1])
            if others is None:
                return []
            ways = [*ways, *((begun, _along(self.solution, (*way,))) for begun, way in others)]
        return [(begun, way.next(stretch, False, False)) for begun, way in ways]

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

    def found_due(self, number: int, edge: Edge | None, released: int) -> int | None:
        """When the event of the stage's base is due at the latest, from the start of the path, if
        the job that it is, behind a junction, is released by then (lemma paced-path)."""
        streams, late = self.solution.compiled.streams, self.solution.lateness(number)
        if late is None or self.stages[number].by_turn:
            return None
        if edge is None or self.previous is None:
            return late - streams.of[number].best
        if streams.of[edge.source].node == streams.of[number].node:
            by_turn = self.stages[edge.source].by_turn
            return released + late if by_turn else self.previous.due
        due = self.due_at_join(number) if self.joined else None
        if due is not None:
            return min(due, released + late)
        paced = self.solution.paced(edge.source)
        unordered = edge.overtakes or edge.part or self.stages[edge.source].reorders
        unordered = unordered or not streams.nodes[streams.of[number].node].takes_each
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
