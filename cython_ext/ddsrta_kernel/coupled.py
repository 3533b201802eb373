"""Levels and groups of units in the order of priorities, where no stage is joined to another (lemma
joined-work), as `ddsrta.bounds.joined_work` makes them."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.layout import (
    carry,
    lay_causes,
    lay_edges,
    lay_fed,
    lay_siblings,
    lay_supplies,
    lay_users,
)
from ddsrta_kernel.problem import A_COUPLED, LAY_COUPLED, ROOT
from ddsrta_kernel.structs import System


def add_level(s: System, f: Flow, row: Int, end: Int) -> None:
    """The units of a supply up to an end, each of which brings its own work alone."""
    p = s.problem
    at = p.levels
    p.level_supply[at] = f.plan[row]
    p.level_end[at] = end
    p.level_piece[at] = 0
    p.root_start[at] = p.roots
    for i in range(f.plan[row + 1], f.plan[row + 2]):
        unit = p.stage_unit[f.plan[i]]
        if unit < end:
            p.root_unit[p.roots] = unit
            p.root_work[p.roots] = p.cost[unit]
            p.roots += 1
    p.levels += 1
    p.root_start[p.levels] = p.roots


def lay_levels(s: System, f: Flow) -> None:
    """All levels of supplies whose work is coupled; each unit notes that of its own thread."""
    p = s.problem
    p.levels = p.roots = 0
    for unit in range(p.units):
        f.ahead[unit] = -1
    for i in range(f.plan[f.plan[LAY_COUPLED]]):
        row = f.plan[LAY_COUPLED] + 1 + A_COUPLED * i
        unit = p.supply_first[f.plan[row]]
        add_level(s, f, row, unit)
        while unit < p.supply_last[f.plan[row]]:
            end = p.level_last[unit]
            for other in range(unit, end):
                f.ahead[other] = p.levels
            add_level(s, f, row, end)
            unit = end
    for unit in range(p.units):  # what waits for responses is coupled by that, too
        if f.ahead[unit] < 0 and p.is_carried[unit]:
            f.failed = True


def has_kin(s: System, level: Int, node: Int) -> Bool:
    """Whether several roots of a level stand on a node."""
    p = s.problem
    found: Int = 0
    for r in range(p.root_start[level], p.root_start[level + 1]):
        if p.node[p.root_unit[r]] == node:
            found += 1
    return found > 1


def lay_groups(s: System, f: Flow) -> None:
    """The group of each unit, by what is before its level."""
    p = s.problem
    p.groups = 0
    for unit in range(p.units):
        p.above[unit] = -1
        p.loaded[unit] = p.cost[unit]
        p.burden[unit] = 0
        p.group_start[unit] = p.groups
        level = f.ahead[unit]
        if level >= 0 and (p.is_carried[unit] or has_kin(s, level, p.node[unit])):
            at = p.groups
            p.group_kind[at] = ROOT
            p.group_head[at] = unit
            p.group_level[at] = level
            p.group_first[at] = p.group_each[at] = p.cost[unit]
            p.group_later[at] = p.group_least[at] = 0
            p.groups += 1
    p.group_start[p.units] = p.groups


def first_group(s: System, f: Flow, first: Int, last: Int) -> Int:
    """The first unit of some that has a group."""
    for unit in range(first, last):
        if s.problem.group_start[unit] < s.problem.group_start[unit + 1]:
            return unit
    return -1


def reach_groups(s: System, f: Flow) -> None:
    """A group depends on all units of its level, so each of these reaches as far back as the first
    unit that has one."""
    p = s.problem
    for i in range(f.plan[f.plan[LAY_COUPLED]]):
        supply = f.plan[f.plan[LAY_COUPLED] + 1 + A_COUPLED * i]
        begin = p.supply_first[supply]
        least: Int = -1
        end = p.supply_last[supply]
        while end > begin:
            first = end - 1
            while first > begin and p.level_last[first - 1] == end:
                first -= 1
            found = first_group(s, f, first, end)
            if found >= 0:
                least = found
            for unit in range(first, end):
                if least >= 0:
                    p.reach_first[unit] = min(p.reach_first[unit], least)
            end = first


def lay_out(s: System, f: Flow) -> None:
    """A problem as its layout, costs and ranks have it."""
    lay_supplies(s, f)
    carry(s)
    lay_levels(s, f)
    lay_groups(s, f)
    reach_groups(s, f)
    lay_causes(s, f)
    lay_siblings(s, f)
    lay_edges(s, f)
    lay_users(s)
    lay_fed(s, f)
