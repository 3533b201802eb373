"""Stretches of paths: a first stage, and those behind it that each have the one before as their
only input. The kernel walks along one at a time (lemma path-latency)."""

from __future__ import annotations

from array import array
from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.joined_work.groups import Group, groups_of
from ddsrta.bounds.joined_work.ways import Way
from ddsrta.bounds.stages import Stage
from ddsrta_kernel import UNBOUNDED
from ddsrta_kernel.problem import ANYHOW, ASKED, PIECE

if TYPE_CHECKING:
    from ddsrta.bounds.solution import Solution

Stretch = tuple[int, ...]


class Plan(NamedTuple):
    """What the kernel is asked of a stretch. Of each stage, the edge before it (None: it begins
    with it) and the groups that it may close; how groups go on behind the last."""

    asked: array[int]
    edges: list[Edge | None]
    groups: list[tuple[Group, ...]]
    way: Way | None
    continues: bool  # a group may begin before the first stage


def stretches(bends: Container[int], way: Stretch) -> list[Stretch]:
    """A path as stretches, each but the first of which begins with one of the stages `bends`.

    >>> stretches({2}, (0, 1, 2, 3))
    [(0, 1), (2, 3)]
    """
    found, first = [], 0
    for place in range(1, len(way)):
        if way[place] in bends:
            found.append(way[first:place])
            first = place
    found.append(way[first:])
    return found


class Plans:
    """The plans of the stretches of a solved system, as they are asked for."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        compiled = solution.compiled
        self.feeds = compiled.tandems.fed
        self.known: dict[tuple[Stretch, Way | None], Plan] = {}

    def of(self, stretch: Stretch, before: Way | None, edge: Edge | None) -> Plan:
        """The plan of one, which comes by an edge and after other stages."""
        coupling = self.solution.compiled.coupling
        if before is not None and not (coupling and coupling.joined[stretch[0]]):
            before = None
        plan = self.known.get((stretch, before))
        if plan is None:
            plan = self.known[stretch, before] = self._plan(stretch, before, edge)
        return plan

    def _plan(self, stretch: Stretch, before: Way | None, edge: Edge | None) -> Plan:
        compiled, solution = self.solution.compiled, self.solution
        stages, ways, rows = compiled.stages, compiled.ways, []
        edges: list[Edge | None] = [None]
        edges += [stages[number].inputs[0] for number in stretch[1:]]
        groups: list[tuple[Group, ...]] = []
        way, more, at = before, list[int](), ASKED * len(stretch)
        for number, entered in zip(stretch, edges, strict=True):
            if ways is not None:
                by = entered or edge
                way = ways.to(number) if way is None or by is None else ways.on(way, number, by)
            groups.append(self._groups(way))
            tandem = None if entered is None else compiled.tandems.before(number)
            arriving = solution.from_arrival(number)
            closed = solution.ceilings.get(number)
            rows += [
                compiled.unit_of[number],
                0 if entered is None else entered.worst,
                *((0, 0, 0, 0) if tandem is None else (tandem.worst, tandem.link)),
                *(() if tandem is None else tandem.rows),
                at + len(more),
                len(groups[-1]),
                min([window.response for window in arriving], default=UNBOUNDED),
                UNBOUNDED if closed is None or closed.apart else closed.length,
                *((0, 0, 0, 0) if tandem is None else tandem.rates),
            ]
            for group in groups[-1]:
                more += self._row(group)
        goes_on = before is not None
        return Plan(array("q", [*rows, *more]), edges, groups, way, goes_on)

    def _groups(self, way: Way | None) -> tuple[Group, ...]:
        """The groups that a path runs through up to its last stage. Those that begin before the
        path do so as far as there is one way only."""
        compiled = self.solution.compiled
        if way is None or compiled.coupling is None:
            return ()
        parts = compiled.stages, compiled.streams, compiled.placement, compiled.unit_of
        groups = groups_of(*parts, compiled.coupling, way)
        if compiled.problem.mixed_start:
            groups = tuple([_of_message(compiled.stages, group) for group in groups])
        return groups

    def _row(self, group: Group) -> list[int]:
        unit_of = self.solution.compiled.unit_of
        numbers = self.solution.group_numbers
        number = numbers.setdefault(group, len(numbers))
        head, works = unit_of[group.head], (group.first, group.each, group.later)
        return [number, group.kind, head, group.level, *works, unit_of[group.last]]


def _of_message(stages: list[Stage], group: Group) -> Group:
    """The same for one message, not for a turn, that it begins with (lemma turns-in-order)."""
    if not stages[group.head].by_turn or (group.kind == PIECE and group.head == group.last):
        return group
    return group._replace(kind=ANYHOW, first=0, each=0, later=0)
