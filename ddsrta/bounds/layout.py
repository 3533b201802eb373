"""What of a problem does not follow from costs and priorities, as one array from which the kernel
makes the problem of each candidate."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from copy import copy

from ddsrta.base.priorities import FAIR
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.placement import IN_TURN, blocks_of
from ddsrta.bounds.stages import Server
from ddsrta.models.system import System
from ddsrta_kernel import UNBOUNDED
from ddsrta_kernel.problem import (
    FEED,
    LAY,
    LAY_BLOCKS,
    LAY_CAUSES,
    LAY_COLUMNS,
    LAY_COUPLED,
    LAY_EDGES,
    LAY_EFFECTS,
    LAY_FED,
    LAY_INSIDE,
    LAY_LATER,
    LAY_PLACES,
    LAY_STAGES,
    LAY_SUPPLIES,
    Problem,
)

_MOST_ROOTS = 100_000


class Layout:
    """A layout: the `plan`, the servers whose priorities are its ranks, and a problem with room for
    all that may come."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled, self.plan = compiled, array("q", [0] * LAY)
        stages = compiled.stages
        blocks = blocks_of(compiled.system, stages)
        flat = [block for members in blocks for block in members]
        self.servers: list[Server] = [stages[block.stages[0]].server for block in flat]
        self.base = [0] * len(stages)  # by stage, the first unit of its block
        for block in flat:
            first = min(compiled.unit_of[stage] for stage in block.stages)
            for stage in block.stages:
                self.base[stage] = first
        self._supplies([len(members) for members in blocks])
        rows, numbers = list[int](), list[int]()
        for block in flat:
            rows += len(numbers), len(block.stages), block.peers
            numbers += block.stages
        self._put(LAY_BLOCKS, rows)
        self._put(LAY_STAGES, numbers)
        self.inside = {n: r for b in flat for n, r in zip(b.stages, b.relations, strict=True)}
        self._columns()
        self._runs(LAY_INSIDE, [[tuple(one) for one in self.inside[n]] for n in range(len(stages))])
        self._siblings()
        successors = compiled.structure.successors
        self._put(LAY_PLACES, successors.place)
        self._runs(LAY_CAUSES, successors.after)
        self._edges()
        self._fed()
        self._coupled()

    def _put(self, table: int, values: Iterable[int]) -> None:
        """One more table."""
        self.plan[table] = len(self.plan)
        self.plan.extend(values)

    def _runs(self, table: int, runs: Sequence[Sequence[Sequence[int]]]) -> None:
        """One more table of runs: where the run of each begins, and the last ends, and its rows."""
        starts, values = list[int](), list[int]()
        begin = len(self.plan) + len(runs) + 1
        for run in runs:
            starts.append(begin + len(values))
            values += (number for row in run for number in row)
        self._put(table, [*starts, begin + len(values), *values])

    def _supplies(self, sizes: Sequence[int]) -> None:
        bounds, first = list[int](), 0
        for size in sizes:
            bounds += first, first + size
            first += size
        self._put(LAY_SUPPLIES, bounds)

    def _columns(self) -> None:
        p, values = self.compiled.problem, list[int]()
        for unit in self.compiled.unit_of:
            values += p.node[unit], p.multiplicity[unit], p.best[unit], p.late[unit]
            values += p.spacing[unit], p.slack[unit], p.bunch[unit]
        self._put(LAY_COLUMNS, values)

    def _siblings(self) -> None:
        """Effects, and what a job sends later: all in the same block."""
        p, effects, later = self.compiled.problem, [], []
        for base, unit in zip(self.base, self.compiled.unit_of, strict=True):
            rows = range(p.effect_start[unit], p.effect_start[unit + 1])
            effects.append([(p.effect_unit[i] - base, p.effect_more[i]) for i in rows])
            rows = range(p.later_start[unit], p.later_start[unit + 1])
            later.append(
                [(p.later_unit[i] - base, p.later_jobs[i], p.later_bunch[i]) for i in rows]
            )
        self._runs(LAY_EFFECTS, effects)
        self._runs(LAY_LATER, later)

    def _edges(self) -> None:
        p, stage_of, runs = self.compiled.problem, self.compiled.placement.stage_of, []
        for unit in self.compiled.unit_of:
            run = []
            for i in range(p.edge_start[unit], p.edge_start[unit + 1]):
                target = stage_of[p.edge_unit[i]] if p.edge_unit[i] >= 0 else -1
                assert target is not None
                run.append((target, p.edge_entry[i], p.edge_worst[i], p.edge_best[i]))
            runs.append(run)
        self._runs(LAY_EDGES, runs)

    def _fed(self) -> None:
        stage_of, tandems = self.compiled.placement.stage_of, self.compiled.tandems
        values = [len(tandems.feeds)]
        for found in map(tandems.of, tandems.feeds.values()):
            values.append(len(found) // FEED)
            for i in range(0, len(found), FEED):
                source, target = stage_of[found[i]], stage_of[found[i + 1]]
                assert source is not None and target is not None
                values += source, target, *found[i + 2 : i + FEED]
        self._put(LAY_FED, values)

    def _coupled(self) -> None:
        """The supplies that have levels, with their stages."""
        members: dict[int, list[int]] = {}
        placement, of = self.compiled.placement, self.compiled.streams.of
        for number, unit in enumerate(self.compiled.unit_of):
            members.setdefault(placement.supply_of[unit], []).append(number)
        in_step = self.compiled.problem.in_step
        self.members = {
            supply: own
            for supply, own in members.items()
            if any(one.kind in IN_TURN for n in own for one in self.inside[n])
            or (in_step and len({of[n].node for n in own}) < len(own))
        }
        first = len(self.plan) + 1 + 3 * len(self.members)
        rows, numbers = [len(self.members)], list[int]()
        for supply, own in self.members.items():
            rows += supply, first + len(numbers), first + len(numbers) + len(own)
            numbers += own
        self._put(LAY_COUPLED, [*rows, *numbers])

    @property
    def fits(self) -> bool:
        """Whether all that differs between candidates follows from a layout."""
        compiled, coupling = self.compiled, self.compiled.coupling
        if coupling is None or any(coupling.joined) or not self.members:
            return False
        if compiled.placement.load_of or any(stage.first for stage in compiled.stages):
            return False
        if any(one.first >= one.last for run in self.inside.values() for one in run):
            return False
        fair = int(FAIR) in self.ranks(compiled.system)
        return not fair and self._roots() <= _MOST_ROOTS

    def _roots(self) -> int:
        return sum(len(own) * (len(own) + 1) for own in self.members.values())

    def ranks(self, system: System) -> list[int]:
        """The priorities of all servers."""
        return [int(getattr(system, kind)[name].priority) for kind, name in self.servers]

    def problem(self) -> Problem:
        """A problem with room for what may come."""
        given, units = self.compiled.problem, len(self.compiled.problem)
        p = copy(given)
        for each in Problem.columns:
            setattr(p, each.name, array("q", getattr(given, each.name)))
        p.ceiling = array("q", [UNBOUNDED]) * units
        p.latest = array("q", [UNBOUNDED]) * units
        relations = 3 * units + sum(map(len, self.inside.values()))
        levels = sum(len(own) + 1 for own in self.members.values())
        rows = {"relation": relations, "level": levels, "root": self._roots(), "group": units}
        for each in Problem.columns:
            column = getattr(p, each.name)
            if each.table in rows and not each.more:
                column.extend([0] * (rows[each.table] - len(column)))
            elif each.name == "root_start":
                column.extend([0] * (levels + 1 - len(column)))
        return p
