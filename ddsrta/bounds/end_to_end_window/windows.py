"""One window for a whole path: what each core does meanwhile is counted once (lemma
end-to-end-window)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.edges import Edge
from ddsrta.policies.relation import Delay
from ddsrta_kernel import UNBOUNDED, Solver
from ddsrta_kernel.problem import ROW

MOST_UNITS = 1000  # of all supplies that a path comes to: beyond, there is no window


Way = list[tuple[int, Edge | None]]  # stages, each with the edge by which it is entered


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
    `blocking` less `early` more; or, if that is less, no counts and `responses`, the bounds of its
    stages there."""

    visits: tuple[int, ...]
    counts: tuple[tuple[int, int], ...] | None
    blocking: int
    early: int
    responses: int


class EndToEndWindow(NamedTuple):
    """From the arrival at the first stage of a stretch to the end of the last: `ways` between them,
    and what is spent on the supplies of its units, each left so `early` before its end."""

    finish: int
    ways: int
    units: tuple[int, ...]
    early: tuple[int, ...] = ()


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

    @cached_property
    def _kinds(self) -> array[int]:
        """Of each unit, what the kernel is to know beside its relations: -1 where it arrives only
        when it begins (lemma pool-shadows), or is on a link; else where those end that come before
        it whatever its relations are, 0: none."""
        placement, stages = self.compiled.placement, self.compiled.stages
        kinds = array("q", bytes(8 * len(self.problem)))
        for unit, stage in enumerate(placement.stage_of):
            if stage is not None and stages[stage].first_only:
                kinds[unit] = placement.levels[unit][1]
        for unit in (*placement.shadow_of, *placement.mirror_of):
            kinds[unit] = -1
        for supply in placement.supplies:
            for unit in range(supply.first, supply.last) if supply.is_link else ():
                kinds[unit] = -1
        return kinds

    @cached_property
    def _rows(self) -> array[int]:
        """Of each unit, the one behind it on its row, and what is known of it; then whether that
        counts (lemma meetings-in-order)."""
        compiled, size = self.compiled, len(self.problem)
        rows = array("q", [-1, 0] * size + [0])
        if compiled.meetings_in_order:
            rows[-1], known = 1, compiled.structure.rows(self.solver)
            for number, unit in enumerate(compiled.unit_of):
                behind, bits = known[ROW * number : ROW * number + ROW]
                rows[ROW * unit : ROW * unit + ROW] = array(
                    "q", (behind if behind < 0 else compiled.unit_of[behind], bits)
                )
        return rows

    def _found(
        self, units: list[int], edges: list[Edge | None], limit: int
    ) -> EndToEndWindow | None:
        """The same for the units of the stages, with the edges between them."""
        supply_of, supplies = self.problem.supply, self.compiled.placement.supplies
        sizes = [supplies[one].last - supplies[one].first for one in {supply_of[u] for u in units}]
        if sum(sizes) > MOST_UNITS:
            return None
        ways = sum([edge.link for edge in edges if edge])
        early = [*(edge.link - edge.worst if edge else 0 for edge in edges), 0]
        asked = array("q", (*units, *early)), self._kinds, self._rows, ways, min(limit, UNBOUNDED)
        finish = self.solver.path_finish(*asked)
        return None if finish < 0 else EndToEndWindow(finish, ways, tuple(units), tuple(early))

    def stays(self, window: EndToEndWindow) -> list[Stay]:
        """The visits to each supply."""
        supply_of = self.problem.supply
        visits: dict[int, list[tuple[int, int]]] = {}
        for unit, early in zip(window.units, window.early, strict=True):
            visits.setdefault(supply_of[unit], []).append((unit, early))
        return [self._stay(*zip(*each, strict=True)) for each in visits.values()]

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
                    longest = max(self.problem.cost[first:last])
                    blocking = max(blocking, longest - (not self.problem.at_once))
                else:
                    found.update(range(first, last))
            self._known[unit] = frozenset(found), blocking
        return self._known[unit]

    def _stay(self, units: tuple[int, ...], early: tuple[int, ...]) -> Stay:
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
            excess = self.problem.excess or [0] * len(self.problem)
            responses = sum([self.solver.response[unit] + excess[unit] for unit in units])
            self._known_stays[units] = all_units if whole else [], blocking, responses
        all_units, blocking, responses = self._known_stays[units]
        return Stay(units, all_units, blocking, early[-1], min(responses - sum(early), UNBOUNDED))

    def parts(self, window: EndToEndWindow) -> Iterator[Part]:
        """What the path spends on each supply."""
        first, met = window.units[0], self._met(window)
        for stay in self.stays(window):
            if met is not None and stay.units:
                several = tuple((unit, met[unit]) for unit in stay.units if met[unit] > 0)
                yield Part(stay.visits, several, stay.blocking, stay.early, stay.responses)
                continue
            counts = tuple(
                (unit, self.solver.passing(unit, first, window.finish)) for unit in stay.units
            )
            work = sum(self.problem.cost[unit] * number for unit, number in counts)
            if stay.units and work + stay.blocking - stay.early < stay.responses:
                yield Part(stay.visits, counts, stay.blocking, stay.early, stay.responses)
            else:
                yield Part(stay.visits, None, 0, 0, stay.responses)

    def rows(self, window: EndToEndWindow) -> list[tuple[list[int], int]]:
        """The rows that the path meets in order, where that says how long it takes, each with the
        work of all its units (lemma meetings-in-order)."""
        met, size = self._met(window), len(self.problem)
        rows: dict[int, list[int]] = {}
        for unit, head in enumerate(met[size:] if met is not None else ()):
            if head >= 0 and met is not None and met[head] < 0:
                rows.setdefault(head, []).append(unit)
        place = self.compiled.placement.stage_of
        return [
            (sorted(units, key=lambda unit: place[unit] or 0), -met[head])
            for head, units in rows.items()
            if met is not None
        ]

    def _met(self, window: EndToEndWindow) -> array[int] | None:
        """How many units of each count, or less than 0, the work of a row that begins with it; and
        then the first of its row, where what meets the path in order says how long it takes."""
        found = array("q", bytes(16 * len(self.problem)))
        units = array("q", (*window.units, *window.early))
        asked = units, self._kinds, self._rows, window.finish
        return found if self.solver.path_work(*asked, found) else None


def ways_back(compiled: Compiled, longest: int = UNBOUNDED) -> dict[int, Way]:
    """The stages that one way of so many at most leads to from where their stream begins, each with
    that way, if it comes to a supply twice."""
    ways: dict[int, Way] = {}
    supply_of, unit_of = compiled.problem.supply, compiled.unit_of
    for number, stage in enumerate(compiled.stages):
        entries = compiled.streams.of[number].entries
        if not stage.inputs or entries[0] is not None:
            ways[number] = [(number, None)]
        elif len(stage.inputs) == 1:
            (edge,) = stage.inputs
            loose = edge.overtakes or edge.part or compiled.stages[edge.source].reorders
            if not loose and len(ways.get(edge.source, ())) in range(1, longest):
                ways[number] = [*ways[edge.source], (number, edge)]
    return {
        number: way
        for number, way in ways.items()
        if len({supply_of[unit_of[one]] for one, _ in way}) < len(way)
    }
