"""Long-run rates and loads: where there is more work than a supply gives, no window ends."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Float, Int
from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    EXPLICIT,
    OVERLAPS,
    OVERLOAD,
    PERIODIC,
    PRECEDES,
    SHARES,
    SUM,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import inline
from ddsrta_kernel.structs import System


@inline
def unit_rate(s: System, unit: Int) -> Float:
    """Units a nanosecond."""
    return s.unit[unit].multiplicity * s.rate[s.place[unit].node]


def fastest_rate(s: System, node: Int) -> Float:
    """Events a nanosecond, of an AND as many as its fastest input may bring."""
    p = s.problem
    total: Float = 0.0
    fewest: Float = UNBOUNDED
    if s.node[node].kind == PERIODIC:
        return 1.0 / s.node[node].a
    if s.node[node].kind == EXPLICIT:
        return float(s.node[node].b) / s.node[node].a
    for entry in range(s.node[node].c, s.node[node].c + s.node[node].d):
        part = p.entry_multiplicity[entry] * s.rate[p.entry_node[entry]]
        if p.entry_of[entry]:
            part = part * p.entry_most[entry] / p.entry_of[entry]
            if p.entry_spacing[entry]:
                part = min(part, float(p.entry_bunch[entry]) / p.entry_spacing[entry])
        fewest = min(fewest, part)
        if s.node[node].kind == SUM:
            total += part
        elif part > total:
            total = part
    if s.node[node].kind == SUM and s.node[node].capped > 0:  # of a load
        entry = s.node[node].c + s.node[node].d
        most = p.entry_multiplicity[entry] * s.rate[p.entry_node[entry]]
        return min(total, most)
    has_own: Bool = s.node[node].kept < UNBOUNDED or s.node[node].capped > 0
    return fewest if has_own else total  # each set has an own one of each topic


def node_rate(s: System, node: Int) -> Float:
    """Events a nanosecond."""
    total = fastest_rate(s, node)
    if s.node[node].slowest >= 0:
        part = s.node[node].times * s.rate[s.node[node].slowest]
        total = min(total, part)
    return total


def find_rates(s: System) -> None:
    """Rates of nodes, the work of all units before each, and what is overloaded."""
    p = s.problem
    for node in range(p.nodes):
        s.rate[node] = node_rate(s, node)
    for unit in range(p.units):
        s.load[unit + 1] = s.load[unit] + unit_rate(s, unit) * s.unit[unit].cost
    for unit in range(p.units):
        s.overloaded[unit] = demand(s, unit) > OVERLOAD
    for i in range(p.levels):
        supply = p.level_supply[i]
        work = s.load[p.level_end[i]] - s.load[p.supply_first[supply]]
        s.level[i].overloaded = slowed(s, supply, work) > OVERLOAD


@inline
def slowed(s: System, supply: Int, work: Float) -> Float:
    """Demand as a fraction of what the supply gives."""
    p = s.problem
    if p.supply_budget[supply]:
        return work * p.supply_period[supply] / p.supply_budget[supply]
    return work


def demand(s: System, unit: Int) -> Float:
    """Long-run work that must be done at the unit's level, as a fraction of its supply."""
    own = unit_rate(s, unit)
    work: Float = 0.0
    supply = s.place[unit].supply
    has_itself: Bool = False
    for r in range(s.place[unit].first_relation, s.place[unit].last_relation):
        first = s.relation[r].first
        last = s.relation[r].last
        kind = s.relation[r].kind
        if kind in (ALTERNATES, PRECEDES):
            turns = own * s.relation[r].weight / s.relation[r].own
            for k in range(first, last):
                work += min(turns, unit_rate(s, k)) * s.unit[k].cost
        elif kind in (SHARES, OVERLAPS):
            has_itself = has_itself or first <= unit < last
        elif kind != BLOCKS:
            work += s.load[last] - s.load[first]
            has_itself = has_itself or kind == AHEAD or first <= unit < last
    if not has_itself:
        work += own * s.unit[unit].cost
    if s.problem.supply_threads[supply] > 1:
        work += crowded_rate(s, unit, s.problem.supply_threads[supply])
    return slowed(s, supply, work)


def crowded_rate(s: System, unit: Int, threads: Int) -> Float:
    """How much of the time all threads of a pool are busy with others, nearly (lemma
    pool-window)."""
    busy: Float = threads
    for _ in range(40):
        work: Float = 0.0
        for r in range(s.place[unit].first_relation, s.place[unit].last_relation):
            load = s.load[s.relation[r].last] - s.load[s.relation[r].first]
            if s.relation[r].kind == OVERLAPS or (s.relation[r].kind == SHARES and load < busy):
                work += load
            elif s.relation[r].kind == SHARES:
                work += busy
        busy = work / threads
    return busy
