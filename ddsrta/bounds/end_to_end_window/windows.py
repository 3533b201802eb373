"""One window for a whole path: what each core does meanwhile is counted once (lemma
end-to-end-window)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.stages import Edge
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED, Solver

MOST_UNITS = 1000  # of all supplies that a path comes to: beyond, there is no window
MOST_ROUNDS = 200  # of the search of one


class Visit(NamedTuple):
    """A stage of the path; `early` is how long before its end the path leaves it, and `link` the
    most that lies between it and the next stage."""

    unit: int
    early: int
    link: int


class Part(NamedTuple):
    """What a path spends on one supply: so many units each of what runs there meanwhile, and
    `blocking` less `early` more; or, if that is less, no units and `responses`, the bounds of its
    stages there."""

    supply: int
    visits: tuple[int, ...]
    counts: tuple[tuple[int, int], ...]
    blocking: int
    early: int
    responses: int
    time: int


@frozen
class EndToEndWindow:
    """From the arrival at the first stage of a stretch to the end of the last: `ways` between them,
    and the time on each supply."""

    finish: int
    ways: int
    parts: tuple[Part, ...]


class EndToEndWindows:
    """The windows of paths in a solved system."""

    def __init__(self, compiled: Compiled, solver: Solver) -> None:
        self.compiled, self.solver = compiled, solver
        self.problem = compiled.problem
        self._known: dict[int, tuple[frozenset[int], int]] = {}

    def find(self, way: Sequence[tuple[int, Edge | None]], limit: int) -> EndToEndWindow | None:
        """The window of stages, each with the edge by which it is entered, if below the limit.
        There is none where the path comes to no supply twice."""
        if not self.compiled.end_to_end_windows:
            return None
        visits = self._visits(way)
        by_supply: dict[int, list[int]] = {}
        for place, visit in enumerate(visits):
            by_supply.setdefault(self.problem.supply[visit.unit], []).append(place)
        if len(by_supply) == len(visits):
            return None
        supplies = self.compiled.placement.supplies
        if sum(supplies[one].last - supplies[one].first for one in by_supply) > MOST_UNITS:
            return None
        stays = [_Stay(self, visits, places) for places in by_supply.values()]
        ways, finish = sum(visit.link for visit in visits), 0
        for _ in range(MOST_ROUNDS):
            parts = [stay.part(finish) for stay in stays]
            longer = ways + sum(part.time for part in parts)
            if longer <= finish:
                return EndToEndWindow(finish, ways, tuple(parts))
            if longer >= limit:
                return None
            finish = longer
        return None

    def _visits(self, way: Sequence[tuple[int, Edge | None]]) -> list[Visit]:
        visits = []
        for number, (stage, _) in enumerate(way):
            edge = way[number + 1][1] if number + 1 < len(way) else None
            early, link = (0, 0) if edge is None else (edge.link - edge.worst, edge.link)
            visits.append(Visit(self.compiled.unit_of[stage], early, link))
        return visits

    def others(self, unit: int) -> tuple[frozenset[int], int]:
        """What may run while a unit is pending, with itself, and the longest that blocks it."""
        if unit not in self._known:
            found, blocking = {unit}, 0
            placement = self.compiled.placement
            stage = placement.stage_of[unit]
            if stage is not None and self.compiled.stages[stage].is_served:
                first = placement.supplies[placement.supply_of[unit]].first
                found.update(range(first, placement.levels[unit][1]))
            for kind, first, last, *_ in placement.relations[unit]:
                if kind == Delay.BLOCKS:
                    blocking = max(
                        blocking, *(self.problem.cost[k] - 1 for k in range(first, last))
                    )
                else:
                    found.update(range(first, last))
            self._known[unit] = frozenset(found), blocking
        return self._known[unit]

    def count(self, unit: int, first: int, length: int) -> int:
        """The most units that run while a path, with this first unit, is on its way so long."""
        p, solver = self.problem, self.solver
        if p.is_load[unit]:  # whose budget may be late when the unit arrives
            return solver.count(unit, length + self.compiled.placement.load_of[unit].period)
        most = UNBOUNDED
        if solver.response[unit] < UNBOUNDED:
            most = solver.count(unit, length + solver.response[unit])
        latency, node = solver.latency[unit], p.node[unit]
        if latency >= UNBOUNDED:
            return most
        if node != p.node[first]:
            events = solver.node_count(node, length + latency - p.best[unit])
        else:
            late = length + solver.before(first) - p.best[unit]
            later = max(0, solver.node_count(node, late) - 1)
            events = solver.node_count(node, latency - p.best[first]) + later
        return min(most, p.multiplicity[unit] * events)


class _Stay:
    """The visits of a path to one supply."""

    def __init__(
        self, windows: EndToEndWindows, visits: Sequence[Visit], places: list[int]
    ) -> None:
        self.windows, self.problem = windows, windows.problem
        self.first = visits[0].unit
        self.visits = tuple(visits[place].unit for place in places)
        self.supply = self.problem.supply[self.visits[0]]
        found = [windows.others(unit) for unit in self.visits]
        self.units = sorted(frozenset[int]().union(*(units for units, _ in found)))
        self.blocking = sum(blocking for _, blocking in found)
        self.early = visits[places[-1]].early
        responses = windows.solver.response
        self.responses = sum(responses[visits[i].unit] - visits[i].early for i in places)
        # Shadows and mirrors (lemma pool-shadows) arrive only when they begin: a whole core
        # without them.
        copied = windows.compiled.placement.copied
        plain = all(copied(unit) is None for unit in self.units)
        one_thread = self.problem.supply_threads[self.supply] == 1
        one_thread = one_thread and not windows.compiled.placement.supplies[self.supply].is_link
        self.whole = plain and one_thread and self.problem.supply_budget[self.supply] == 0

    def part(self, length: int) -> Part:
        """What a path that is on its way so long spends here."""
        counts = []
        if self.whole:
            count = self.windows.count
            counts = [(unit, count(unit, self.first, length)) for unit in self.units]
            work = sum(self.problem.cost[unit] * number for unit, number in counts)
            if (work := work + self.blocking - self.early) < self.responses:
                known = tuple(counts), self.blocking, self.early, self.responses
                return Part(self.supply, self.visits, *known, work)
        return Part(self.supply, self.visits, (), 0, 0, self.responses, self.responses)
