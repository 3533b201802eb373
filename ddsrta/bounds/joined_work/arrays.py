"""Levels and groups as the arrays of a Problem (lemma group-window)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ddsrta.bounds.joined_work.coupling import Coupling, released_at_end
from ddsrta.bounds.joined_work.groups import group_alone, groups_of
from ddsrta.bounds.joined_work.ways import Ways
from ddsrta.bounds.placement import Placement
from ddsrta.bounds.stages import Stage
from ddsrta.bounds.streams import Streams
from ddsrta_kernel.problem import Problem
from ddsrta_kernel.tables import columns


def add_groups(
    p: Problem,
    stages: list[Stage],
    streams: Streams,
    placement: Placement,
    unit_of: list[int],
    coupling: Coupling,
    ways: Ways,
) -> None:
    """Adds levels, the work of units in them, and groups."""
    levels = coupling.levels.values()
    p.rows("level", "supply end piece", ((each.supply, each.end, each.piece) for each in levels))
    p.runs("root_start", "root", "unit work", (each.roots for each in levels))
    first: dict[int, int] = {}  # by level: of the units that have a group in it
    runs: list[list[tuple[int, ...]]] = []
    rows: list[tuple[int, int, int]] = []
    parts = stages, streams, placement, unit_of, coupling
    is_joined = any(coupling.joined)  # else no unit releases anything to a level
    for unit, stage in enumerate(placement.stage_of):
        values = -1, p.cost[unit], 0
        run: list[tuple[int, ...]] = []
        runs.append(run)
        if stage is not None:
            if is_joined:
                key = placement.supply_of[unit], placement.levels[unit][0]
                values = _loaded(stages, coupling, key, stage, p.cost[unit])
            if not coupling.joined[stage]:
                run += group_alone(*parts, stage)
            for group in groups_of(*parts, ways.to(stage)) if coupling.joined[stage] else ():
                head = unit_of[group.head]
                works = group.first, group.each, group.later
                run.append((group.kind, head, group.level, *works, p.best[unit] - p.best[head]))
            for _, _, level, *_ in run:
                first.setdefault(level, unit)
        rows.append(values)
    p.above, p.loaded, p.burden = columns(rows, 3)
    p.runs("group_start", "group", "kind head level first each later least", runs)
    _reach(p, first)


def _loaded(
    stages: list[Stage], coupling: Coupling, key: tuple[int, int], stage: int, cost: int
) -> tuple[int, int, int]:
    """The level above a unit, its cost with all that it releases there, and what of that may come
    before it completes."""
    level = coupling.levels.get(key)
    if level is None:
        return -1, cost, 0
    piece = level.released_work[stage]
    if not piece:
        return level.number if level.coupled else -1, cost, 0
    before = piece - released_at_end(stages, coupling, level, stage)
    return level.number if level.coupled else -1, cost + piece, before


def _reach(p: Problem, first: Mapping[int, int]) -> None:
    """A group depends on all units of its level, so each of them reaches as far back as the first
    unit that has one."""
    ends: dict[int, dict[int, int]] = {}
    for level, unit in first.items():
        ends.setdefault(p.level_supply[level], {})[p.level_end[level]] = unit
    for supply, units in ends.items():
        least = len(p)
        bounds = [*sorted(units, reverse=True), p.supply_first[supply]]
        for end, start in pairwise(bounds):
            least = min(least, units[end])
            for other in range(start, end):
                p.reach_first[other] = min(p.reach_first[other], least)
