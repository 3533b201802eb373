"""The window of a unit from its own arrival on (lemma pending-window)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.pending_window.pools import Cores, Guest, PoolWindow, cores_of, is_pool
from ddsrta.bounds.pending_window.releasing import barred, from_below, releases
from ddsrta.policies.relation import Delay, Relation, mixed
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.outcomes import PendingOutcome, PendingSets
from ddsrta_kernel.problem import MOST_PENDING

if TYPE_CHECKING:
    from ddsrta.bounds.closed_window.windows import ClosedWindow, ClosedWindows

NOTHING = array("q", [-1])  # no unit
UNKNOWN = array("q")
MOST_LOOKS = 100_000  # at windows by what was done before, in all: the checker repeats them
MOST_COUNTS = 2_000  # of curves, for each stage of a system, of all windows together


class Part(NamedTuple):
    """So many units of a stage go before one, by their relation to it; its own earlier ones have
    none."""

    kind: Delay | None
    stage: int
    units: int
    cost: int


class PendingWindow(NamedTuple):
    """No unit of a stage takes longer from its arrival; what goes before it by then, and the stage
    that may be in progress, with what is left of it. `instead` is the response without it; `crowd`:
    for how long all threads of a pool may be at others; `since`: how long before it is done all
    that counts came, where that leaves less (lemma closed-counts); `left`: whether what is left to
    do then says how long that is (lemma side-by-side); `done`: how much of what came in so long
    before it, since nothing was there, was done when it came (lemma done-before)."""

    response: int
    instead: int
    parts: tuple[Part, ...]
    blocker: int | None = None
    blocked: int = 0
    crowd: int = 0
    since: int | None = None
    left: bool = False
    done: tuple[int, int] | None = None


def _done(window: PoolWindow, start: int, core: Cores, time: int) -> int:
    return window.done(start, time, core)


class _RefusedError(Exception):
    """Something that delays a stage has no bound, or another supply serves it, too."""


class PendingWindows:
    """The windows of the stages of a solved system, as they are asked for; or those of messages
    that others may be taken before (lemma turns-in-order)."""

    def __init__(
        self,
        compiled: Compiled,
        solver: Solver,
        closed: ClosedWindows | None = None,
        of_messages: bool = False,
    ) -> None:
        self.compiled, self.solver, self.closed = compiled, solver, closed
        self.of_messages = of_messages
        self.left = MOST_COUNTS * max(100, len(compiled.stages))
        self.looks = MOST_LOOKS
        self.kept: dict[int, array[int]] = {}  # by the identity of a closed window

    @cached_property
    def sets(self) -> PendingSets:
        """What the kernel is told of all stages."""
        compiled, placement = self.compiled, self.compiled.placement
        copied = UNKNOWN
        if placement.shadow_of or placement.mirror_of:
            stages = (
                placement.copied(unit) if number is None else number
                for unit, number in enumerate(placement.stage_of)
            )
            copied = array("q", [-1 if n is None else compiled.unit_of[n] for n in stages])
        leading, here = compiled.structure.leading(self.solver), releases(compiled)
        known = leading, here, len(compiled.stages), copied, array("q", compiled.unit_of)
        return PendingSets(*known, compiled.one_at_a_time, self.of_messages)

    def of(self, stage: int) -> PendingWindow | None:
        """The window of a stage; None where it is no shorter than its response."""
        return self.below(stage, self.solver.response[self.compiled.unit_of[stage]])

    def below(self, stage: int, known: int) -> PendingWindow | None:
        """The same; None where it is no shorter than what is known."""
        if self.solver.response[self.compiled.unit_of[stage]] >= UNBOUNDED:
            return None
        if is_pool(self.compiled, stage):
            return self._in_pool(stage, known) if self.compiled.pending_pools else None
        found = self.outcome(stage, known)
        return None if found is None else self._window(stage, found, known)

    def _mixes(self, stage: int) -> bool:
        """Whether its own units go before one in any order."""
        return self.of_messages or self.compiled.stages[stage].mixes

    def _relations(self, unit: int) -> list[Relation]:
        found = self.compiled.placement.relations[unit]
        return mixed(found, unit) if self.of_messages else found

    def met(self, stage: int) -> PendingWindow | None:
        """The window of a stage whose response it is."""
        known = self.solver.response[self.compiled.unit_of[stage]]
        found = self.outcome(stage, known + 1)
        return None if found is None else self._window(stage, found, known)

    def outcome(self, stage: int, below: int) -> PendingOutcome | None:
        """What the kernel says of a stage on one core; None where it is not done sooner."""
        if self.is_elsewhere(stage):
            return None
        asked = *self._released(stage), self._most(stage), (MOST_PENDING, self.left, below)
        found = self.solver.pending(self.compiled.unit_of[stage], self.sets, *asked)
        self.left = found.left
        return None if found.finish < 0 else found

    def _released(self, stage: int) -> tuple[array[int], tuple[bool, int, int]]:
        """What its core was not at when a unit came, where that released it (lemma
        released-here)."""
        if not self.compiled.releasing or self._mixes(stage):
            return NOTHING, (False, -1, 0)
        units, below = barred(self.compiled, stage), from_below(self.compiled, stage)
        known = units is not None or below is not None
        return array("q", units) if units else NOTHING, (known, *(below or (-1, 0)))

    def _most(self, stage: int) -> array[int]:
        """How many of each unit there are since nothing was there (lemma closed-counts); nothing
        where that is not known."""
        window = self.closed.of(stage) if self.closed else None
        if window is None:
            return UNKNOWN
        if id(window) not in self.kept:
            most = array("q", [UNBOUNDED]) * len(self.compiled.problem)
            for number, (units, _, _) in window.counts.items():
                most[self.compiled.unit_of[number]] = units
            self.kept[id(window)] = most
        most = self.kept[id(window)]
        return self._before(stage, window, most) if self.has_sets else most

    @cached_property
    def has_sets(self) -> bool:
        """Whether it may be that what a stage brings is counted by sets alone."""
        return self.compiled.counts_before and any(s.makes_sets for s in self.compiled.stages)

    def _before(self, stage: int, window: ClosedWindow, most: array[int]) -> array[int]:
        """The same, less what its own unit brings, but for what may preempt it (lemma
        counts-before)."""
        from ddsrta.bounds.closed_window.before import counts_before, tells_before

        if not tells_before(self.compiled, window):
            return most
        unit_of, fewer = self.compiled.unit_of, most[:]
        urgent = self._preempting(stage)
        for number, units in counts_before(self.compiled, window, stage).items():
            if number not in urgent:
                fewer[unit_of[number]] = units
        return fewer

    def _preempting(self, stage: int) -> set[int | None]:
        """What may preempt a stage, by itself or where it waits as a shadow."""
        relations = self._relations(self.compiled.unit_of[stage])
        urgent = (range(r.first, r.last) for r in relations if r.kind == Delay.PREEMPTS)
        return {self._itself(unit) for units in urgent for unit in units}

    def _itself(self, unit: int) -> int | None:
        """The stage of a unit, or what it stands for; None of a reservation."""
        number = self.compiled.placement.stage_of[unit]
        return self.compiled.placement.copied(unit) if number is None else number

    def _since(self, stage: int, parts: Iterable[Part], finish: int) -> int | None:
        """The closed window of a stage, where more of some part would count without it."""
        window, unit_of = self.closed.of(stage) if self.closed else None, self.compiled.unit_of
        for part in parts if window else ():
            unit, other = unit_of[stage], unit_of[part.stage]
            if part.kind is None:
                units = self.solver.pending_own(unit, self.sets, UNKNOWN, 0)
            else:
                asked = unit, other, part.kind, finish - 1
                units = self.solver.pending_count(*asked, self.sets, UNKNOWN)
            if window and units > part.units:
                return window.length
        return None

    def _window(self, stage: int, found: PendingOutcome, known: int) -> PendingWindow:
        """A window with what goes before: its own, what waits with it, and what preempts it."""
        unit, placement = self.compiled.unit_of[stage], self.compiled.placement
        cost, counts = self.compiled.problem.cost, iter(found.counts)
        parts = [Part(None, stage, found.own, cost[unit])] if found.own else []
        urgent: list[Part] = []
        for relation in self._relations(unit):
            if relation.kind == Delay.BLOCKS:
                continue
            into = urgent if relation.kind == Delay.PREEMPTS else parts
            for other in range(relation.first, relation.last):
                if other != unit and (units := next(counts)):
                    number = self._itself(other)
                    assert number is not None
                    into.append(Part(relation.kind, number, units, cost[other]))
        parts += urgent
        held = None if found.blocker < 0 else placement.stage_of[found.blocker]
        since = self._since(stage, parts, found.finish)
        return PendingWindow(found.finish, known, tuple(parts), held, found.blocked, since=since)

    def _in_pool(self, stage: int, known: int) -> PendingWindow | None:
        """The window of a callback of a pool (lemma pending-in-pools)."""
        relations = self._relations(self.compiled.unit_of[stage])
        if sum(each.last - each.first for each in relations) > MOST_PENDING:
            return None
        try:
            guests = list(self._guests(stage, relations))
        except _RefusedError:
            return None
        unit, mixes = self.compiled.unit_of[stage], self._mixes(stage)
        asked = unit, self.sets, self._most(stage)
        beside = self.closed and self.compiled.side_by_side and not mixes
        window = PoolWindow(
            self.compiled,
            stage,
            partial(self.solver.pending_own, *asked),
            guests,
            self.closed.backlog(stage) if self.closed and beside else None,
        )
        plain = self._plain_pool(stage, window, known)
        if mixes:
            return plain
        return self._done_before(stage, window, plain.response if plain else known) or plain

    def _plain_pool(self, stage: int, window: PoolWindow, known: int) -> PendingWindow | None:
        start = self._least(window.before, 0, known - 1 - window.cost)
        if start is None:
            return None
        longest, where = 0, window.cores[0]
        for core in window.cores:
            done = partial(_done, window, start, core)
            finish = self._least(done, start + window.cost, known - 1)
            if finish is None:
                return None
            longest, where = max((longest, where), (finish, core), key=lambda found: found[0])
        here, away = window.by_place(where)
        parts = [] if window.overlaps else [Part(None, stage, window.own(start), window.cost)]
        parts += (Part(g.kind, g.stage, g.most(longest - 1), g.cost) for g in here)
        parts += (Part(g.kind, g.stage, g.most(start), g.cost) for g in (*away, *window.mates))
        counted = tuple(part for part in parts if part.units)
        since = self._since(stage, counted, longest)
        crowd = window.crowd(start)
        left = crowd < window.found(start)
        return PendingWindow(longest, known, counted, crowd=crowd, since=since, left=left)

    def _done_before(self, stage: int, window: PoolWindow, below: int) -> PendingWindow | None:
        """The window by what was done when a unit came, where it is shorter (lemma done-before)."""
        if not self.compiled.done_before or self.closed is None or window.moves:
            return None
        if (closed := self.closed.part(stage)) is None:
            return None
        from ddsrta.bounds.pending_window.done_before import DoneBefore

        done = DoneBefore(*closed, stage, window, self.looks)
        found = done.best(below - 1)
        self.looks = done.looks
        if found is None:
            return None
        known = self.solver.response[self.compiled.unit_of[stage]]
        parts = (Part(*part) for part in done.parts(found) if part[2])
        past = found.opened, found.done
        return PendingWindow(found.finish, known, (*parts,), crowd=found.crowd, done=past)

    def _guests(self, stage: int, relations: list[Relation]) -> Iterator[Guest]:
        own = self.compiled.unit_of[stage]
        for relation in relations:
            for unit in range(relation.first, relation.last):
                number = self._itself(unit)
                if number is None:
                    raise _RefusedError
                if unit == own:
                    continue
                beside = self.compiled.unit_of[number]
                if max(self.solver.response[beside], self.solver.latency[beside]) >= UNBOUNDED:
                    raise _RefusedError
                found = self.compiled.stages[number]
                cores = cores_of(self.compiled.system, found.server)
                most = self._count(stage, number, relation.kind == Delay.PREEMPTS)
                yield Guest(relation.kind, number, found.cost, most, cores)

    def is_elsewhere(self, stage: int) -> bool:
        """Whether it is not on a whole core alone, or waits for what has no relation to it."""
        placement = self.compiled.placement
        supply = placement.supplies[placement.supply_of[self.compiled.unit_of[stage]]]
        whole = supply.reservation is None and supply.threads == 1
        found = self.compiled.stages[stage]
        return not whole or supply.is_link or supply.moves or found.first_only or found.first > 0

    def _count(self, stage: int, other: int, preempts: bool) -> Callable[[int], int]:
        """How many units of another stage are pending when a unit arrives, or come up to a while
        after that, that it does not come before."""
        unit_of, kind = self.compiled.unit_of, Delay.PREEMPTS if preempts else Delay.AHEAD
        asked, most_of_all = (unit_of[stage], unit_of[other], kind), self._most(stage)

        def most(after: int) -> int:
            self.left -= 1
            found: int = self.solver.pending_count(*asked, after, self.sets, most_of_all)
            return found

        return most

    def _least(self, work: Callable[[int], int], time: int, limit: int) -> int | None:
        """The least time from one on in which work is done; None where it is more than a limit."""
        while time <= limit and self.left > 0:
            needed = work(time)
            if needed <= time:
                return time
            time = needed
        return None
