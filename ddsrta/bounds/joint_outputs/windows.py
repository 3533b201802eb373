"""Windows of listeners by what flow controllers can send to them together (lemma joint-outputs)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.joint_outputs.feeders import Feeder, feeders
from ddsrta.bounds.stages import Server
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED, Solver

MOST_LOOKS = 400  # at arrivals in a window
MOST_STEPS = 200  # of the search of one length
WORTH = 64  # less than such a part of a response is not worth a look
_ABOVE = Delay.PREEMPTS, Delay.OVERTAKES


class Share(NamedTuple):
    """The work of a flow controller in a window, by its name, or that of so many units of a stage,
    or of a load (None); whether it may come later and still go first."""

    work: int
    units: int = 0
    stage: int | None = None
    feeder: str = ""
    above: bool = False


@frozen
class JointWindow:
    """No message of a listener takes longer from its arrival than `response`, and `instead` without
    it. In the longest case it comes so long after the window opened; `shares` are what runs."""

    response: int
    instead: int
    arrival: int
    shares: tuple[Share, ...]


class JointWindows:
    """The windows of the listeners of a solved system, as they are asked for."""

    def __init__(self, compiled: Compiled, solver: Solver) -> None:
        self.compiled, self.solver = compiled, solver
        self.known: dict[Server, JointWindow | None] = {}
        self.listeners = listeners_of(compiled)

    def of(self, stage: int) -> JointWindow | None:
        """The window of a message; None where it is not below its response."""
        found = self.compiled.stages[stage]
        if found.server not in self.listeners:
            return None
        if found.server not in self.known:
            listener = _Listener(self.compiled, self.solver, stage)
            self.known[found.server] = listener.window() if listener.is_plain() else None
        window = self.known[found.server]
        response = self.solver.response[self.compiled.unit_of[stage]]
        return window if window is not None and window.response < response else None


def listeners_of(compiled: Compiled) -> set[Server]:
    """Those to which messages come sample by sample, so far apart that it may count."""
    return {
        stage.server
        for stage in compiled.stages
        if stage.key[0] == "message"
        and (spacing := stage.inputs[0].spacing) is not None
        and spacing.distance * WORTH > stage.cost
    }


class _Listener:
    """A listener, by one of its messages: all of them stand in the same relations."""

    def __init__(self, compiled: Compiled, solver: Solver, stage: int) -> None:
        self.compiled, self.solver = compiled, solver
        unit, placement = compiled.unit_of[stage], compiled.placement
        self.supply = placement.supplies[placement.supply_of[unit]]
        relations = [one for one in placement.relations[unit] if one.first < one.last]
        self.kinds = {relation.kind for relation in relations}
        self.above: list[int] = []  # units
        self.ahead = {unit}
        for relation in relations:
            units = range(relation.first, relation.last)
            if relation.kind in _ABOVE:
                self.above += units
            else:
                self.ahead.update(units)
        stages = (placement.stage_of[one] for one in sorted(self.ahead))
        self.feeders, self.rest = feeders(compiled, [one for one in stages if one is not None])

    def is_plain(self) -> bool:
        """Whether it is one thread on one supply, and what is ahead of a message came before it."""
        supply = self.supply
        alone = supply.threads == 1 and not supply.moves and not supply.is_link
        return alone and self.kinds <= {Delay.AHEAD, *_ABOVE} and bool(self.feeders)

    def window(self) -> JointWindow | None:
        """The longest of all arrivals in a window; None if it is not below what is known."""
        known = max(self.solver.response[unit] for unit in self.ahead)
        if known >= UNBOUNDED or not self._is_apart(known // WORTH):
            return None
        length = self._done(lambda time: sum(one.work for one in self._alone(time)))
        found = None if length is None else self._longest(length, known)
        if found is None:
            return None
        response, begin, end = found
        shares = self._shares(end, self._finish(end) or 0)
        return JointWindow(response, known, begin, tuple(shares))

    def _longest(self, length: int, known: int) -> tuple[int, int, int] | None:
        """No less than any message takes in a window, and between which arrivals that is. Those
        between two are looked at together, and by halves where that may be the longest."""
        finish = self._finish(length - 1)
        if finish is None:
            return None
        ahead = [(-finish, 1 - length, 0)]  # the longest first, of these the latest
        for _ in range(MOST_LOOKS):
            longest, end, begin = (abs(each) for each in ahead[0])
            if begin == end:
                break
            heappop(ahead)
            middle = (begin + end) // 2
            for first, last in ((begin, middle), (middle + 1, end)):
                finish = self._finish(last)
                if finish is None or finish - last >= known:
                    return None
                heappush(ahead, (first - finish, -last, first))
        longest, end, begin = (abs(each) for each in ahead[0])
        return (longest, begin, end) if longest < known else None

    def _is_apart(self, arrival: int) -> bool:
        """Whether some flow controller has not sent all by then that may come at all."""
        unit_of, count, cost = self.compiled.unit_of, self.solver.count, self.compiled.problem.cost
        for feeder in self.feeders:
            works = [
                sum(count(unit := unit_of[one], arrival + 1) * cost[unit] for one in topic.messages)
                for topic in feeder.topics
            ]
            if feeder.sent(works, arrival) < sum(works):
                return True
        return False

    def _finish(self, arrival: int) -> int | None:
        """When all that came by then is done."""
        work = sum(share.work for share in self._ahead(arrival))
        return self._done(lambda _: work)

    def _done(self, ahead: Callable[[int], int]) -> int | None:
        """The least time in which the supply serves what is ahead, and all that goes before it."""
        count, cost, time = self.solver.count, self.compiled.problem.cost, 1
        for _ in range(MOST_STEPS):
            above = sum(count(unit, time) * cost[unit] for unit in self.above)
            needed = self._served(ahead(time) + above)
            if needed <= time or needed >= UNBOUNDED:
                return time if needed <= time else None
            time = needed
        return None

    def _served(self, work: int) -> int:
        """The longest time in which the supply serves some work (lemma supply-inverse)."""
        reservation = self.supply.reservation
        if reservation is None or work <= 0:
            return work
        budget, period = reservation.budget, reservation.period
        full, rest = divmod(work - 1, budget)
        return full * period + self.supply.late + rest + 1

    def _alone(self, window: int) -> Iterator[Share]:
        """What comes in a window, each stage by itself."""
        stages = [*self.rest, *(n for f in self.feeders for t in f.topics for n in t.messages)]
        return (self._share(self.compiled.unit_of[stage], window) for stage in stages)

    def _ahead(self, arrival: int) -> list[Share]:
        """What comes up to an arrival."""
        unit_of = self.compiled.unit_of
        shares = [self._share(unit_of[stage], arrival + 1) for stage in self.rest]
        for feeder in self.feeders:
            alone = [
                [self._share(unit_of[stage], arrival + 1) for stage in topic.messages]
                for topic in feeder.topics
            ]
            shares += self._least(feeder, alone, arrival)
        return shares

    def _least(self, feeder: Feeder, alone: list[list[Share]], arrival: int) -> list[Share]:
        """The same of a flow controller, by stages or together."""
        works = [sum(share.work for share in some) for some in alone]
        together = feeder.sent(works, arrival)
        if together < sum(works):
            return [Share(together, feeder=feeder.name)]
        return [share for some in alone for share in some]

    def _share(self, unit: int, window: int, above: bool = False) -> Share:
        units = self.solver.count(unit, window)
        stage, cost = self.compiled.placement.stage_of[unit], self.compiled.problem.cost[unit]
        return Share(units * cost, units, stage, above=above)

    def _shares(self, arrival: int, finish: int) -> Iterator[Share]:
        """All that runs in the longest case."""
        yield from (share for share in self._ahead(arrival) if share.work)
        for unit in self.above:
            if (share := self._share(unit, finish, True)).work:
                yield share
