"""Windows of threads of SCHED_OTHER that have their share (lemma fair-share)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.fair_shares.gaps import gaps, grain, presence
from ddsrta.bounds.stages import Server
from ddsrta.models.executors import Executor
from ddsrta.models.fair import SLICE, weight_of
from ddsrta.models.system import Thread
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED, Solver

MOST_UNITS = 1000  # of one window
MOST_STEPS = 1000  # of the search of one fixed point
_PLAIN = {Delay.PREEMPTS, Delay.OVERTAKES, Delay.CONTENDS}


class Share(NamedTuple):
    """So much work of a stage or of a load (None), of so many units; or that a thread has as its
    share and for each time that it comes, or what it brings."""

    work: int
    units: int
    stage: int | None
    kind: Delay
    thread: str = ""


@frozen
class FairWindow:
    """No unit of a stage takes longer from its arrival than `response`, and `instead` without the
    shares. In the longest case it comes so long after the window opened; `shares` are what runs."""

    response: int
    instead: int
    arrival: int
    own: int
    shares: tuple[Share, ...]


class Contender(NamedTuple):
    """Another thread of the level: the units of its stages, its weight and that of ours, and what
    it has beside its share each time that it is there."""

    name: str
    units: tuple[int, ...]
    weight: int
    ours: int
    each: int


class FairWindows:
    """The windows of the threads of SCHED_OTHER of a solved system, as they are asked for."""

    def __init__(self, compiled: Compiled, solver: Solver) -> None:
        self.compiled, self.solver = compiled, solver

    def of(self, stage: int) -> FairWindow | None:
        """The window of a stage; None where it has none below its response."""
        level = _level(self.compiled, stage)
        return None if level is None else _Window(self.compiled, self.solver, level).found()


class Level(NamedTuple):
    """Of a unit: those that are more urgent, those of its own thread, and who contends."""

    unit: int
    above: tuple[int, ...]
    beside: tuple[int, ...]
    contenders: tuple[Contender, ...]


def _level(compiled: Compiled, stage: int) -> Level | None:
    """What delays a stage; None where nothing is promised, or nothing contends."""
    server = compiled.stages[stage].server
    thing = _thing(compiled, server)
    if thing is None or thing.nice is None or thing.core not in compiled.system.cores:
        return None
    if compiled.stages[stage].first or compiled.stages[stage].first_only:
        return None
    if (tick := compiled.system.cores[thing.core].tick) is None:
        return None
    unit, placement = compiled.unit_of[stage], compiled.placement
    supply = placement.supplies[placement.supply_of[unit]]
    relations = [one for one in placement.relations[unit] if one.first < one.last]
    is_own = any(one.kind == Delay.OVERTAKES and one.first <= unit < one.last for one in relations)
    if supply.threads > 1 or supply.moves or supply.reservation or is_own:
        return None
    units: dict[Delay, list[int]] = {kind: [] for kind in _PLAIN}
    for one in relations:
        if one.kind not in _PLAIN:
            return None
        units[one.kind] += range(one.first, one.last)
    others: dict[Server, list[int]] = {}
    for other in units[Delay.CONTENDS]:
        number = placement.stage_of[other]
        if number is None:  # of a pool, whose threads wait for each other
            return None
        others.setdefault(compiled.stages[number].server, []).append(other)
    contenders = _contenders(compiled, server, others, tick)
    if not contenders:
        return None
    return Level(unit, tuple(units[Delay.PREEMPTS]), tuple(units[Delay.OVERTAKES]), contenders)


def _thing(compiled: Compiled, server: Server) -> Thread | Executor | None:
    """Its thread, or executor."""
    kind, name = server
    system = compiled.system
    return system.threads.get(name) if kind == "threads" else system.executors.get(name)


def _contenders(
    compiled: Compiled, server: Server, others: dict[Server, list[int]], tick: int
) -> tuple[Contender, ...]:
    """Those of all other threads; none where it is not known how far they may be ahead."""
    things = [thing for one in (server, *others) if (thing := _thing(compiled, one))]
    weights = tuple(weight_of(thing.nice or 0) for thing in things)
    slice_ = max(thing.slice or SLICE for thing in things)
    found = gaps(weights, grain(slice_, tick))
    if found is None:
        return ()
    own = weights[0]
    each = (presence(own, w, g, slice_, tick) for w, g in zip(weights, found[0], strict=True))
    rows = zip(others.items(), weights[1:], [*each][1:], strict=True)
    return tuple(Contender(name[1], tuple(units), w, own, k) for (name, units), w, k in rows)


class _Window:
    """The window of one stage: it opens when its thread has something to do, or before that, when
    something more urgent has."""

    def __init__(self, compiled: Compiled, solver: Solver, level: Level) -> None:
        self.compiled, self.solver, self.level = compiled, solver, level
        self.cost = compiled.problem.cost

    def found(self) -> FairWindow | None:
        """The longest of all units that may come in a window; None if it is not below what is
        known."""
        unit = self.level.unit
        known = self.solver.response[unit]
        units = (unit, *self.level.beside)
        length = self._least(1, lambda time: (self._work(units, time), 0))
        if length is None or self.solver.count(unit, length) > MOST_UNITS:
            return None
        longest, came, index = -1, 0, 0
        for number in range(1, self.solver.count(unit, length) + 1):
            arrival = self._arrival(number, length)
            finish = self._finish(number)
            if finish is None or finish - arrival >= known:
                return None
            if finish - arrival > longest:
                longest, came, index = finish - arrival, arrival, number
        own, started = self._started(index) or (0, 0)
        shares = tuple(self._shares(own, started, longest + came))
        return FairWindow(longest, known, came, index * self.cost[unit], shares)

    def _arrival(self, number: int, length: int) -> int:
        """When so many have come at the earliest, the first as the window opens."""
        first, last, count = 0, length - 1, self.solver.count
        while first < last:
            middle = (first + last) // 2
            if count(self.level.unit, middle + 1) >= number:
                last = middle
            else:
                first = middle + 1
        return first

    def _started(self, number: int) -> tuple[int, int] | None:
        """What its thread has done when a unit is done, and when that begins."""
        before, start = (number - 1) * self.cost[self.level.unit], 0
        if self.level.beside:

            def behind(time: int) -> tuple[int, int]:
                return before + self._work(self.level.beside, time), 1

            found = self._least(1, behind)
            if found is None:
                return None
            start = found - 1
        own = number * self.cost[self.level.unit]
        return own + self._work(self.level.beside, start + 1), start

    def _finish(self, number: int) -> int | None:
        """When the unit of this number is done."""
        started = self._started(number)
        if started is None:
            return None
        own, start = started
        return self._least(start + self.cost[self.level.unit], lambda _: (own, 0))

    def _least(self, time: int, own: Callable[[int], tuple[int, int]]) -> int | None:
        """The least time in which so much of its thread is done, and so much more, with all that
        others may take."""
        for _ in range(MOST_STEPS):
            done, more = own(time)
            needed = done + more + self._work(self.level.above, time)
            needed += sum(self._taken(one, done, time)[0] for one in self.level.contenders)
            if needed >= UNBOUNDED:
                return None
            if needed <= time:
                return time
            time = needed
        return None

    def _work(self, units: tuple[int, ...], window: int) -> int:
        """What comes of them in a window."""
        return sum(self.solver.count(unit, window) * self.cost[unit] for unit in units)

    def _taken(self, other: Contender, own: int, window: int) -> tuple[int, bool]:
        """The most that another takes in a window in which our thread does so much; and whether it
        is by its share."""
        count, response = self.solver.count, self.solver.response
        come = self._work(other.units, window)
        times = 1 + sum(count(unit, window) for unit in other.units)
        waits = max(response[unit] for unit in other.units)
        pending = UNBOUNDED
        if waits < UNBOUNDED:
            units = [(unit, count(unit, window + response[unit])) for unit in other.units]
            pending = sum(number * self.cost[unit] for unit, number in units)
            times = min(times, sum(number for _, number in units))
        share = -(-other.weight * own // other.ours)
        share += min(other.each + come, times * other.each)
        return min(pending, share), share < pending

    def _shares(self, own: int, start: int, finish: int) -> Iterator[Share]:
        """All that runs up to the end of the slowest unit."""
        level, stage_of = self.level, self.compiled.placement.stage_of
        count, response = self.solver.count, self.solver.response
        for kind, units, time in (
            (Delay.OVERTAKES, level.beside, start + 1),
            (Delay.PREEMPTS, level.above, finish),
        ):
            for unit in units:
                if number := count(unit, time):
                    yield Share(number * self.cost[unit], number, stage_of[unit], kind)
        for other in level.contenders:
            work, by_share = self._taken(other, own, finish)
            if by_share:
                yield Share(work, 0, None, Delay.CONTENDS, other.name)
                continue
            for unit in other.units:
                if number := count(unit, finish + response[unit]):
                    work = number * self.cost[unit]
                    yield Share(work, number, stage_of[unit], Delay.CONTENDS)
