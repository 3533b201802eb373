"""One window for a whole path: what each core does meanwhile is counted once (lemma
end-to-end-window)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.stages import Edge
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED, Solver

MOST_UNITS = 1000  # of all supplies that a path comes to: beyond, there is no window


class Stay(NamedTuple):
    """The visits to one supply, what may run there meanwhile (nothing: only the bounds of these
    stages are known, `responses`), what blocks the visits, and how early the path leaves."""

    visits: tuple[int, ...]
    units: list[int]
    blocking: int
    early: int
    responses: int


class Part(NamedTuple):
    """What a path spends on one supply: so many units each of what runs there meanwhile, and
    `blocking` less `early` more; or, if that is less, no units and `responses`, the bounds of its
    stages there."""

    visits: tuple[int, ...]
    counts: tuple[tuple[int, int], ...]
    blocking: int
    early: int
    responses: int


@frozen
class EndToEndWindow:
    """From the arrival at the first stage of a stretch to the end of the last: `ways` between them,
    and the time of the stays on each supply."""

    finish: int
    ways: int
    stays: tuple[Stay, ...]


class EndToEndWindows:
    """The windows of paths in a solved system."""

    def __init__(self, compiled: Compiled, solver: Solver) -> None:
        self.compiled, self.solver = compiled, solver
        self.problem = compiled.problem
        self._known: dict[int, tuple[frozenset[int], int]] = {}
        self._known_ways: dict[tuple[tuple[int, ...], int], EndToEndWindow | None] = {}
        self._known_stays: dict[tuple[int, ...], tuple[list[int], int, int]] = {}

    def find(self, way: Sequence[tuple[int, Edge | None]], limit: int) -> EndToEndWindow | None:
        """The window of stages, each with the edge by which it is entered, if below the limit.
        There is none where the path comes to no supply twice."""
        if not self.compiled.end_to_end_windows:
            return None
        supply_of, unit_of = self.problem.supply, self.compiled.unit_of
        units = [unit_of[stage] for stage, _ in way]
        if len({supply_of[unit] for unit in units}) == len(units):
            return None
        key = tuple(units), limit
        if key not in self._known_ways:
            self._known_ways[key] = self._found(units, [edge for _, edge in way[1:]], limit)
        return self._known_ways[key]

    def _found(
        self, units: list[int], edges: list[Edge | None], limit: int
    ) -> EndToEndWindow | None:
        """The same for the units of the stages, with the edges between them."""
        supply_of, ways = self.problem.supply, sum([edge.link for edge in edges if edge])
        visits: dict[int, tuple[list[int], list[int]]] = {supply_of[u]: ([], []) for u in units}
        for unit, edge in zip(units, [*edges, None], strict=True):
            here, early = visits[supply_of[unit]]
            here.append(unit)
            early.append(edge.link - edge.worst if edge else 0)
        supplies = [self.compiled.placement.supplies[supply] for supply in visits]
        if sum([each.last - each.first for each in supplies]) > MOST_UNITS:
            return None
        stays = tuple(self._stay(tuple(here), early) for here, early in visits.values())
        flat = array("q")
        for stay in stays:
            known = stay.responses, stay.blocking - stay.early, len(stay.units)
            flat.extend((*known, *stay.units))
        finish = self.solver.path_finish(flat, units[0], ways, min(limit, UNBOUNDED))
        return None if finish < 0 else EndToEndWindow(finish, ways, stays)

    def others(self, unit: int) -> tuple[frozenset[int], int]:
        """What may run while a unit is pending, with itself, and the longest that blocks it."""
        if unit not in self._known:
            found, blocking = {unit}, 0
            placement = self.compiled.placement
            stage = placement.stage_of[unit]
            if stage is not None and self.compiled.stages[stage].first_only:
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

    def _stay(self, units: tuple[int, ...], early: list[int]) -> Stay:
        """What counts of the visits to one supply, each left so early before its end."""
        if units not in self._known_stays:
            found = [self.others(unit) for unit in units]
            all_units = sorted(frozenset[int]().union(*(each for each, _ in found)))
            # Shadows and mirrors (lemma pool-shadows) arrive only when they begin: a whole core
            # without them.
            placement, supply = self.compiled.placement, self.problem.supply[units[0]]
            whole = self.problem.supply_threads[supply] == 1
            whole = whole and not placement.supplies[supply].is_link
            whole = whole and self.problem.supply_budget[supply] == 0
            for copies in (placement.shadow_of, placement.mirror_of):
                whole = whole and copies.keys().isdisjoint(all_units)
            blocking = sum(longest for _, longest in found)
            responses = sum([self.solver.response[unit] for unit in units])
            self._known_stays[units] = all_units if whole else [], blocking, responses
        all_units, blocking, responses = self._known_stays[units]
        return Stay(units, all_units, blocking, early[-1], min(responses - sum(early), UNBOUNDED))

    def parts(self, window: EndToEndWindow) -> Iterator[Part]:
        """What the path spends on each supply."""
        first = window.stays[0].visits[0]
        for stay in window.stays:
            counts = tuple(
                (unit, self.solver.passing(unit, first, window.finish)) for unit in stay.units
            )
            work = sum(self.problem.cost[unit] * number for unit, number in counts)
            if stay.units and work + stay.blocking - stay.early < stay.responses:
                yield Part(stay.visits, counts, stay.blocking, stay.early, stay.responses)
            else:
                yield Part(stay.visits, (), 0, 0, stay.responses)
