"""Units in the order of priorities: from what does not follow from these, and the costs of stages,
the columns of a problem, as `ddsrta.bounds.compile` makes them (definition delay-relations)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.problem import (
    A_BLOCK,
    A_CAUSE,
    A_LATER,
    A_RELATION,
    A_STAGE,
    A_SUPPLY,
    ALTERNATES,
    AN_EDGE,
    AN_EFFECT,
    FEED,
    LATENCY_TOO,
    LAY_BLOCKS,
    LAY_CAUSES,
    LAY_COLUMNS,
    LAY_EDGES,
    LAY_EFFECTS,
    LAY_FED,
    LAY_INSIDE,
    LAY_LATER,
    LAY_PLACES,
    LAY_STAGES,
    LAY_SUPPLIES,
    LINGERS,
    PRECEDES,
    PREEMPTS,
)
from ddsrta_kernel.shadow import inline
from ddsrta_kernel.structs import System


@inline
def first_of(f: Flow, table: Int, number: Int) -> Int:
    """Where the first row of a stage stands in a table of runs."""
    return f.plan[f.plan[table] + number]


@inline
def block_at(f: Flow, block: Int) -> Int:
    return f.plan[LAY_BLOCKS] + A_BLOCK * block


def sort_blocks(f: Flow, first: Int, last: Int) -> None:
    """The blocks of a supply, the most urgent first, equals in their order."""
    for block in range(first, last):
        at = block
        while at > first and f.rank[f.order[at - 1]] < f.rank[block]:
            f.order[at] = f.order[at - 1]
            at -= 1
        f.order[at] = block


@inline
def relate(s: System, kind: Int, first: Int, last: Int) -> None:
    """One more relation of the unit that is laid, if its range is not empty."""
    p = s.problem
    if first < last:
        at = p.relations
        p.relation_kind[at] = kind
        p.relation_first[at] = first
        p.relation_last[at] = last
        p.relation_shift[at] = 0
        p.relation_weight[at] = p.relation_own[at] = 1
        p.relations += 1


def lay_relations(s: System, f: Flow, unit: Int, number: Int, block: Int, supply: Int) -> None:
    """How others delay a unit: what is more urgent, its peers, and the rest of its own thread."""
    p = s.problem
    base = f.base[number]
    row = block_at(f, block)
    peers = f.plan[row + 2]
    p.relation_start[unit] = p.relations
    relate(s, PREEMPTS, p.supply_first[supply], p.reach_first[unit])
    relate(s, peers, p.reach_first[unit], base)
    relate(s, peers, base + f.plan[row + 1], p.level_last[unit])
    at = first_of(f, LAY_INSIDE, number)
    while at < first_of(f, LAY_INSIDE, number + 1):
        relate(s, f.plan[at], f.plan[at + 1] + base, f.plan[at + 2] + base)
        p.relation_shift[p.relations - 1] = f.plan[at + 3]
        p.relation_weight[p.relations - 1] = f.plan[at + 4]
        p.relation_own[p.relations - 1] = f.plan[at + 5]
        at += A_RELATION
    p.relation_start[unit + 1] = p.relations


def lay_unit(s: System, f: Flow, unit: Int, number: Int, supply: Int) -> None:
    """A stage where it stands."""
    p = s.problem
    at = f.plan[LAY_COLUMNS] + A_STAGE * number
    p.stage_unit[number] = unit
    p.stands_for[unit] = number
    p.cost[unit] = f.cost[number]
    p.node[unit] = f.plan[at]
    p.multiplicity[unit] = f.plan[at + 1]
    p.best[unit] = f.plan[at + 2]
    p.late[unit] = f.plan[at + 3]
    p.spacing[unit] = f.plan[at + 4]
    p.slack[unit] = f.plan[at + 5]
    p.bunch[unit] = f.plan[at + 6]
    p.supply[unit] = supply
    p.is_carried[unit] = 0
    p.reach_last[unit] = p.supply_last[supply]


def lay_level(s: System, f: Flow, first: Int, last: Int, supply: Int, unit: Int) -> Int:
    """The blocks of one priority, from a unit on; returns where they end."""
    p = s.problem
    begin = unit
    lingers: Bool = False
    for i in range(first, last):
        row = block_at(f, f.order[i])
        lingers = lingers or (last - first > 1 and f.plan[row + 2] == LINGERS)
        base = unit
        for at in range(f.plan[row], f.plan[row] + f.plan[row + 1]):
            number = f.plan[f.plan[LAY_STAGES] + at]
            f.base[number] = base
            lay_unit(s, f, unit, number, supply)
            unit += 1
    for i in range(first, last):
        row = block_at(f, f.order[i])
        for at in range(f.plan[row], f.plan[row] + f.plan[row + 1]):
            number = f.plan[f.plan[LAY_STAGES] + at]
            own = p.stage_unit[number]
            p.reach_first[own] = begin
            p.level_last[own] = unit
            p.is_carried[own] = 1 if lingers else 0
            lay_relations(s, f, own, number, f.order[i], supply)
    return unit


def lay_supplies(s: System, f: Flow) -> None:
    """All units, and their relations."""
    p = s.problem
    p.relations = 0
    unit: Int = 0
    for supply in range(p.supplies):
        at = f.plan[LAY_SUPPLIES] + A_SUPPLY * supply
        first = f.plan[at]
        last = f.plan[at + 1]
        sort_blocks(f, first, last)
        while first < last:
            end = first + 1
            while end < last and f.rank[f.order[end]] == f.rank[f.order[first]]:
                end += 1
            unit = lay_level(s, f, first, end, supply, unit)
            first = end


def carry(s: System) -> None:
    """Marks what counts others by their responses inside its own thread, and what any unit counts
    so."""
    p = s.problem
    for unit in range(p.units):
        for r in range(p.relation_start[unit], p.relation_start[unit + 1]):
            kind = p.relation_kind[r]
            if kind in (ALTERNATES, PRECEDES):
                p.is_carried[unit] = 1
            if kind in (ALTERNATES, PRECEDES, LINGERS):
                for other in range(p.relation_first[r], p.relation_last[r]):
                    p.is_carried[other] = 1


def lay_causes(s: System, f: Flow) -> None:
    """What comes only after each unit, and the places of all."""
    p = s.problem
    row: Int = 0
    for unit in range(p.units):
        number = p.stands_for[unit]
        p.cause_place[unit] = f.plan[f.plan[LAY_PLACES] + number]
        p.cause_start[unit] = row
        at = first_of(f, LAY_CAUSES, number)
        while at < first_of(f, LAY_CAUSES, number + 1):
            p.cause_first[row] = f.plan[at]
            p.cause_end[row] = f.plan[at + 1]
            row += 1
            at += A_CAUSE
    p.cause_start[p.units] = row


def lay_siblings(s: System, f: Flow) -> None:
    """What takes turns with each unit after it, and what its job sends later."""
    p = s.problem
    effect: Int = 0
    later: Int = 0
    for unit in range(p.units):
        number = p.stands_for[unit]
        base = f.base[number]
        p.effect_start[unit] = effect
        at = first_of(f, LAY_EFFECTS, number)
        while at < first_of(f, LAY_EFFECTS, number + 1):
            p.effect_unit[effect] = base + f.plan[at]
            p.effect_more[effect] = f.plan[at + 1]
            p.is_carried[base + f.plan[at]] = LATENCY_TOO
            effect += 1
            at += AN_EFFECT
        p.later_start[unit] = later
        at = first_of(f, LAY_LATER, number)
        while at < first_of(f, LAY_LATER, number + 1):
            p.later_unit[later] = base + f.plan[at]
            p.later_jobs[later] = f.plan[at + 1]
            p.later_bunch[later] = f.plan[at + 2]
            later += 1
            at += A_LATER
    p.effect_start[p.units] = effect
    p.later_start[p.units] = later


@inline
def edge_before(s: System, one: Int, other: Int) -> Bool:
    """Whether an edge comes before another of its unit."""
    p = s.problem
    if p.edge_unit[one] != p.edge_unit[other]:
        return p.edge_unit[one] < p.edge_unit[other]
    if p.edge_entry[one] != p.edge_entry[other]:
        return p.edge_entry[one] < p.edge_entry[other]
    if p.edge_worst[one] != p.edge_worst[other]:
        return p.edge_worst[one] < p.edge_worst[other]
    return p.edge_best[one] < p.edge_best[other]


def swap(column: Ints, one: Int, other: Int) -> None:
    kept = column[one]
    column[one] = column[other]
    column[other] = kept


def lay_edges(s: System, f: Flow) -> None:
    """Edges, sorted by the unit that they leave."""
    p = s.problem
    row: Int = 0
    for unit in range(p.units):
        number = p.stands_for[unit]
        p.edge_start[unit] = row
        at = first_of(f, LAY_EDGES, number)
        while at < first_of(f, LAY_EDGES, number + 1):
            target = f.plan[at]
            p.edge_unit[row] = p.stage_unit[target] if target >= 0 else -1
            p.edge_entry[row] = f.plan[at + 1]
            p.edge_worst[row] = f.plan[at + 2]
            p.edge_best[row] = f.plan[at + 3]
            back = row
            while back > p.edge_start[unit] and edge_before(s, back, back - 1):
                swap(p.edge_unit, back, back - 1)
                swap(p.edge_entry, back, back - 1)
                swap(p.edge_worst, back, back - 1)
                swap(p.edge_best, back, back - 1)
                back -= 1
            row += 1
            at += AN_EDGE
    p.edge_start[p.units] = row


def lay_users(s: System) -> None:
    """Which units stand on each node."""
    p = s.problem
    for node in range(p.nodes + 1):
        p.user_start[node] = 0
    for unit in range(p.units):
        p.user_start[p.node[unit] + 1] += 1
    for node in range(p.nodes):
        p.user_start[node + 1] += p.user_start[node]
    for i in range(p.units):
        unit = p.units - 1 - i  # each run from its end
        node = p.node[unit]
        p.user_start[node + 1] -= 1
        p.user_unit[p.user_start[node + 1]] = unit
    for i in range(p.nodes):  # the start of each stands at that of the next
        p.user_start[i] = p.user_start[i + 1]
    p.user_start[p.nodes] = p.units


def fed_before(column: Ints, one: Int, other: Int) -> Bool:
    """Whether a row of what feeds tandems comes before another."""
    for i in range(FEED):
        if column[one + i] != column[other + i]:
            return column[one + i] < column[other + i]
    return False


def lay_fed(s: System, f: Flow) -> None:
    """What feeds tandems, the rows of each sorted."""
    p = s.problem
    at = f.plan[LAY_FED]
    row: Int = 0
    for _ in range(f.plan[f.plan[LAY_FED]]):
        first = row
        size = f.plan[at + 1]
        at += 2
        for _ in range(size):
            p.fed[row] = p.stage_unit[f.plan[at]]
            p.fed[row + 1] = p.stage_unit[f.plan[at + 1]]
            p.fed[row + 2] = f.plan[at + 2]
            p.fed[row + 3] = f.plan[at + 3]
            p.fed[row + 4] = f.plan[at + 4]
            back = row
            while back > first and fed_before(p.fed, back, back - FEED):
                for i in range(FEED):
                    swap(p.fed, back + i, back - FEED + i)
                back -= FEED
            row += FEED
            at += FEED
        at -= 1
