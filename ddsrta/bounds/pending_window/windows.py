"""The window of a unit from its own arrival on (lemma pending-window)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.pending_window.leading import Leading
from ddsrta.bounds.pending_window.pools import Cores, Guest, PoolWindow, cores_of, is_pool
from ddsrta.bounds.pending_window.releasing import FromBelow, from_below, in_progress
from ddsrta.policies.relation import Delay, Relation
from ddsrta_kernel import UNBOUNDED, Solver

_ELSEWHERE = Delay.SHARES, Delay.OVERLAPS, Delay.CONTENDS
_TURNS = {Delay.ALTERNATES: 0, Delay.PRECEDES: 1}
MOST_BESIDE = 60  # stages in a relation to one, of which each is looked at
MOST_COUNTS = 2_000  # of curves, for each stage of a system, of all windows together


class Part(NamedTuple):
    """So many units of a stage go before one, by their relation to it; its own earlier ones have
    none."""

    kind: Delay | None
    stage: int
    units: int
    cost: int


@frozen
class PendingWindow:
    """No unit of a stage takes longer from its arrival; what goes before it by then, and the stage
    that may be in progress, with what is left of it. `instead` is the response without it; `crowd`:
    for how long all threads of a pool may be at others."""

    response: int
    instead: int
    parts: tuple[Part, ...]
    blocker: int | None = None
    blocked: int = 0
    crowd: int = 0


class _Other(NamedTuple):
    """A stage that may go before one, and how many of its units do that arrive up to a while after
    that one has."""

    kind: Delay
    stage: int
    cost: int
    shift: int | None  # of what comes first by its deadline
    turns: int | None  # no more than it has units
    most: Callable[[int], int]


def _come(other: _Other, below: FromBelow) -> _Other:
    """The same, of a stage that finds nothing as urgent as itself."""
    return other._replace(most=lambda after: min(other.most(after), below.most(other.stage, after)))


def _done(window: PoolWindow, start: int, core: Cores, time: int) -> int:
    return window.done(start, time, core)


class _RefusedError(Exception):
    """Something that delays a stage has no bound, or another supply serves it, too."""


class PendingWindows:
    """The windows of the stages of a solved system, as they are asked for."""

    def __init__(self, compiled: Compiled, solver: Solver) -> None:
        self.compiled, self.solver = compiled, solver
        self.left = MOST_COUNTS * max(100, len(compiled.stages))

    @cached_property
    def leading(self) -> Leading:
        """What leads to each stage."""
        system = self.compiled.system
        pools = {("executors", name) for name, one in system.executors.items() if one.is_pool}
        return Leading(self.compiled.stages, self.compiled.streams, pools)

    def of(self, stage: int) -> PendingWindow | None:
        """The window of a stage; None where it is no shorter than its response."""
        unit = self.compiled.unit_of[stage]
        if self.solver.response[unit] >= UNBOUNDED:
            return None
        if is_pool(self.compiled, stage):
            return self._in_pool(stage) if self.compiled.pending_pools else None
        if self._is_elsewhere(stage):
            return None
        relations = self.compiled.placement.relations[unit]
        if sum(each.last - each.first for each in relations) > MOST_BESIDE:
            return None
        begun = in_progress(self.compiled, stage) if self.compiled.releasing else None
        below = from_below(self.compiled, self.solver, stage) if self.compiled.releasing else None
        if below is None and begun is None and not self._has_kin(stage):
            return None
        try:
            others, blockers = self._beside(stage)
        except _RefusedError:
            return None
        own = self._own(stage)
        if below is not None:
            return self._searched(
                stage, [_come(other, below) for other in others], min(own, below.own), []
            )
        blockers = [unit for unit in blockers if self._blocks(stage, unit, begun)]
        return self._searched(stage, others, own, blockers)

    def _in_pool(self, stage: int) -> PendingWindow | None:
        """The window of a callback of a pool (lemma pending-in-pools)."""
        relations = self.compiled.placement.relations[self.compiled.unit_of[stage]]
        if sum(each.last - each.first for each in relations) > MOST_BESIDE:
            return None
        try:
            guests = list(self._guests(stage, relations))
        except _RefusedError:
            return None
        known = self.solver.response[self.compiled.unit_of[stage]]
        window = PoolWindow(self.compiled, stage, self._own(stage), guests)
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
        parts = [] if window.overlaps else [Part(None, stage, window.own, window.cost)]
        parts += (Part(g.kind, g.stage, g.most(longest - 1), g.cost) for g in here)
        parts += (Part(g.kind, g.stage, g.most(start), g.cost) for g in (*away, *window.mates))
        counted = tuple(part for part in parts if part.units)
        return PendingWindow(longest, known, counted, crowd=window.crowd(start))

    def _guests(self, stage: int, relations: list[Relation]) -> Iterator[Guest]:
        placement, own = self.compiled.placement, self.compiled.unit_of[stage]
        for relation in relations:
            for unit in range(relation.first, relation.last):
                number = placement.stage_of[unit]
                number = placement.copied(unit) if number is None else number
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

    def _is_elsewhere(self, stage: int) -> bool:
        """Whether it is not on a whole core alone, or waits for what has no relation to it."""
        placement = self.compiled.placement
        supply = placement.supplies[placement.supply_of[self.compiled.unit_of[stage]]]
        whole = supply.reservation is None and supply.threads == 1
        found = self.compiled.stages[stage]
        return not whole or supply.is_link or supply.moves or found.first_only or found.first > 0

    def _has_kin(self, stage: int) -> bool:
        """Whether anything of its base goes before it: else other windows give no more."""
        streams, placement = self.compiled.streams.of, self.compiled.placement
        node, unit = streams[stage].node, self.compiled.unit_of[stage]
        for _, first, last, *_ in placement.relations[unit]:
            for other in placement.stage_of[first:last]:
                if other is not None and other != stage and streams[other].node == node:
                    return True
        return False

    def _beside(self, stage: int) -> tuple[list[_Other], list[int]]:
        """What may go before a stage, and the units of what may be in progress."""
        unit, placement = self.compiled.unit_of[stage], self.compiled.placement
        others: list[_Other] = []
        blockers: list[int] = []
        for relation in placement.relations[unit]:
            if relation.kind in _ELSEWHERE:
                raise _RefusedError
            for beside in range(relation.first, relation.last):
                if beside == unit:
                    continue
                if relation.kind == Delay.BLOCKS:
                    blockers.append(beside)
                else:
                    others.append(self._other(stage, beside, relation))
        return others, blockers

    def _blocks(self, stage: int, unit: int, begun: set[int] | None) -> bool:
        """Whether a unit of what may be in progress can have begun when one arrives; of its own
        thread only what has `begun` then, where that is known."""
        number, solver = self.compiled.placement.stage_of[unit], self.solver
        if number is None:
            return True
        stages = self.compiled.stages
        same = stages[number].server == stages[stage].server
        if begun is not None and same and number not in begun:
            return False
        if max(solver.response[unit], solver.latency[unit]) >= UNBOUNDED:
            return True
        return self._count(stage, number, preempts=False)(-1) > 0

    def _other(self, stage: int, unit: int, relation: Relation) -> _Other:
        number = self.compiled.placement.stage_of[unit]
        solver = self.solver
        if number is None or max(solver.response[unit], solver.latency[unit]) >= UNBOUNDED:
            raise _RefusedError
        shift = relation.shift if relation.kind == Delay.EARLIER else None
        shift = 0 if relation.kind == Delay.AHEAD else shift
        turns = _TURNS.get(relation.kind) if relation.is_plain else None
        preempts = relation.kind == Delay.PREEMPTS
        most = self._count(stage, number, preempts)
        return _Other(relation.kind, number, self.compiled.problem.cost[unit], shift, turns, most)

    def _count(self, stage: int, other: int, preempts: bool) -> Callable[[int], int]:
        """How many units of another stage are pending when a unit arrives, or come up to a while
        after that, that it does not come before."""
        streams, unit_of, solver = self.compiled.streams.of, self.compiled.unit_of, self.solver
        theirs, unit = streams[other], unit_of[other]
        response, node, times = solver.response[unit], theirs.node, theirs.multiplicity
        spread = solver.latency[unit] - theirs.best
        in_step = self._in_step(stage, other, preempts) if streams[stage].node == node else None

        def most(after: int) -> int:
            self.left -= 1
            found: int = min(
                solver.count(unit, max(0, after + response)),
                times * solver.node_count(node, max(0, after + spread)),
            )
            return found if in_step is None else min(found, times * in_step(after))

        return most

    def _in_step(self, stage: int, other: int, preempts: bool) -> Callable[[int], int]:
        """The events of a base that count, seen from that of the unit in question."""
        streams, solver = self.compiled.streams.of, self.solver
        mine, theirs, node = streams[stage], streams[other], streams[stage].node
        done = solver.latency[self.compiled.unit_of[other]] - mine.best
        comes = solver.before(self.compiled.unit_of[stage]) - theirs.best
        earlier = max(0, solver.node_count(node, done) - 1) if done > 0 else 0
        is_done = self.leading.of(other, stage)
        after = self.leading.of(stage, other) if mine.multiplicity == 1 else None
        follows = after is not None and (after or not preempts)

        def events(after: int) -> int:
            if follows:  # only when ours has begun, or is done
                return earlier
            later = max(0, solver.node_count(node, comes + after + 1) - 1)
            if is_done:
                return later
            return earlier + later + (done > 0 and comes + after >= 0)

        return events

    def _own(self, stage: int) -> int:
        """How many earlier units of a stage are pending when one arrives."""
        unit, stream, solver = (
            self.compiled.unit_of[stage],
            self.compiled.streams.of[stage],
            self.solver,
        )
        earlier = max(0, solver.count(unit, solver.response[unit]) - 1)
        if stream.multiplicity == 1 and solver.latency[unit] < UNBOUNDED:
            events = solver.node_count(stream.node, solver.latency[unit] - stream.best)
            earlier = min(earlier, max(0, events - 1))
        return earlier

    def _searched(
        self, stage: int, others: list[_Other], own: int, blockers: list[int]
    ) -> PendingWindow | None:
        unit, costs = self.compiled.unit_of[stage], self.compiled.problem.cost
        cost, known = costs[unit], self.solver.response[unit]
        blocker = max(blockers, key=lambda other: costs[other], default=None)
        blocked = 0 if blocker is None else max(0, costs[blocker] - 1)
        limit = known - 1
        waiting = [other for other in others if other.kind != Delay.PREEMPTS]
        urgent = [other for other in others if other.kind == Delay.PREEMPTS]

        def before(start: int) -> int:
            counts = (_counted(other, start, own) * other.cost for other in waiting)
            return blocked + own * cost + sum(counts)

        def preempted(time: int) -> int:
            return sum(other.most(time) * other.cost for other in urgent)

        start = self._least(lambda time: before(time) + preempted(time), 0, limit - cost)
        if start is None:
            return None
        work = before(start) + cost
        finish = self._least(lambda time: work + preempted(time - 1), start + cost, limit)
        if finish is None:
            return None
        parts = [Part(None, stage, own, cost)]
        parts += (Part(o.kind, o.stage, _counted(o, start, own), o.cost) for o in waiting)
        parts += (Part(o.kind, o.stage, o.most(finish - 1), o.cost) for o in urgent)
        held = None if blocker is None else self.compiled.placement.stage_of[blocker]
        return PendingWindow(finish, known, tuple(p for p in parts if p.units), held, blocked)

    def _least(self, work: Callable[[int], int], time: int, limit: int) -> int | None:
        """The least time from one on in which work is done; None where it is more than a limit."""
        while time <= limit and self.left > 0:
            needed = work(time)
            if needed <= time:
                return time
            time = needed
        return None


def _counted(other: _Other, start: int, own: int) -> int:
    """Of what is chosen before a unit starts; it has so many of its own before it."""
    after = start if other.shift is None else min(other.shift, start)
    most = other.most(after)
    return most if other.turns is None else min(most, own + 1 + other.turns)
