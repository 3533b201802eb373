"""What belongs together side by side, for the memory's sake."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.paces import lateness
from ddsrta_kernel.parts import forget_all_parts
from ddsrta_kernel.problem import ALL_STEPS, PERIODIC, UNBOUNDED
from ddsrta_kernel.shadow import address
from ddsrta_kernel.structs import System


def pack(s: System) -> None:
    """Fills the records of a system from the columns of its problem."""
    s.in_step = s.problem.in_step
    pack_units(s)
    link_units(s)
    pack_relations(s)
    pack_graph(s)
    find_once(s)
    s.is_calm = is_calm(s)
    pack_levels(s)
    pack_groups(s)


def find_once(s: System) -> None:
    """The costs of units of periodic sources: one of each comes in every window."""
    for unit in range(s.problem.units):
        cost: Int = 0
        if s.node[s.place[unit].node].kind == PERIODIC:
            cost = s.unit[unit].cost
        s.once[unit + 1] = min(s.once[unit] + cost, UNBOUNDED)


def is_calm(s: System) -> Bool:
    """Whether one unit of each is done before any source comes again: windows then mostly count as
    many as the one before."""
    calm: Bool = True
    work: Int = 0
    for unit in range(s.problem.units):
        work = min(work + s.unit[unit].cost, UNBOUNDED)
    for node in range(s.problem.nodes):
        if s.node[node].kind == PERIODIC:
            calm = calm and work < s.node[node].a
    return calm


def restart(s: System) -> None:
    """Packs a problem again, and forgets all that was found of it."""
    p = s.problem
    for unit in range(p.units):
        state = address(s.state[unit])
        state.latency = state.paced = state.window = state.times = 0
        s.unit[unit].period = 0
    for i in range(p.nodes):
        s.node[i].near = 0
    for i in range(p.entries):
        s.entry_shift[i] = s.entry_paced[i] = 0
    for i in range(p.supplies):
        s.queued[i] = 0
    pack(s)


def pack_units(s: System) -> None:
    """Units, where they stand, and what is known of them."""
    p = s.problem
    for i in range(p.units):
        unit = address(s.unit[i])
        unit.cost = p.cost[i]
        s.met[i].most = 0
        unit.multiplicity = p.multiplicity[i]
        unit.loaded = p.loaded[i] if p.loaded else p.cost[i]
        unit.spacing = p.spacing[i]
        unit.slack = p.slack[i]
        unit.bunch = p.bunch[i]
        place = address(s.place[i])
        place.node = p.node[i]
        place.best = p.best[i]
        place.before = place.paced = p.best[i] + p.late[i]
        place.supply = p.supply[i]
        place.first_relation = p.relation_start[i]
        place.last_relation = p.relation_start[i + 1]
        place.reach_first = p.reach_first[i]
        place.reach_last = p.reach_last[i]
        state = address(s.state[i])
        state.response = min(p.cost[i], p.ceiling[i]) if p.ceilings else p.cost[i]
        state.is_plain = False
        state.steps = ALL_STEPS * s.most_steps
        state.group_steps = ALL_STEPS * s.most_steps


def pack_relations(s: System) -> None:
    """How units delay each other."""
    p = s.problem
    for i in range(p.relations):
        relation = address(s.relation[i])
        relation.kind = p.relation_kind[i]
        relation.first = p.relation_first[i]
        relation.last = p.relation_last[i]
        relation.shift = p.relation_shift[i]
        relation.weight = p.relation_weight[i]
        relation.own = p.relation_own[i]


def pack_graph(s: System) -> None:
    """Nodes and edges."""
    p = s.problem
    for i in range(p.nodes):
        node = address(s.node[i])
        node.kind = p.node_kind[i]
        node.pace = p.node_pace[i]
        node.a = p.node_a[i]
        node.b = p.node_b[i]
        node.c = p.node_c[i]
        node.d = p.node_d[i]
        node.clock = p.node_clock[i]
        node.at = p.node_at[i]
        node.slowest = p.node_slowest[i] if p.node_wait[i] < UNBOUNDED else -1
        node.times = p.node_times[i]
        node.wait = p.node_wait[i]
        node.more = p.node_more[i]
        node.kept = p.node_kept[i]
        node.capped = p.node_capped[i]
        node.filled = node.hit = node.asked = 0
        node.slot = -1
        node.late = lateness(s, i)
    for i in range(p.edges):
        edge = address(s.edge[i])
        edge.unit = p.edge_unit[i]
        edge.entry = p.edge_entry[i]
        edge.worst = p.edge_worst[i]
        edge.best = p.edge_best[i]


def pack_levels(s: System) -> None:
    """Coupled work, where there is any."""
    p = s.problem
    for i in range(p.levels):
        level = address(s.level[i])
        level.supply = p.level_supply[i]
        level.piece = p.level_piece[i]
        level.first_root = p.root_start[i]
        level.last_root = p.root_start[i + 1]
        level.found = 1
    for i in range(p.roots):
        root = address(s.root[i])
        root.unit = p.root_unit[i]
        root.work = p.root_work[i]
    if s.is_calm:
        enter_levels(s)
        forget_all_parts(s)
        line_circles(s)
        for i in range(p.levels):
            s.summed[i].most = 0
            link_roots(s, s.level[i].first_root, s.level[i].last_root)


def link_units(s: System) -> None:
    """Those of a supply that stand on the same node, in a circle."""
    p = s.problem
    for node in range(p.nodes):
        s.met_root[node] = -1
    for unit in range(p.units):
        place = address(s.place[unit])
        last = s.met_root[place.node]
        s.akin[unit] = unit
        if last >= 0 and s.place[last].supply == place.supply:
            s.akin[unit] = s.akin[last]
            s.akin[last] = unit
        s.met_root[place.node] = unit


def line_circles(s: System) -> None:
    """The circles one after the other."""
    end: Int = 0
    for unit in range(s.problem.units):
        s.latest_last[unit] = 0
    for unit in range(s.problem.units):
        if s.latest_last[unit] > 0:
            continue
        first = end
        while end == first or s.latest[end - 1] != unit:
            s.latest[end] = s.akin[unit if end == first else s.latest[end - 1]]
            end += 1
        for i in range(first, end):
            s.latest_first[s.latest[i]] = first
            s.latest_last[s.latest[i]] = end


def enter_levels(s: System) -> None:
    """The first level of each unit: that of its supply whose end is the next."""
    p = s.problem
    for unit in range(p.units):
        s.entered[unit] = p.levels
    for i in range(p.levels):
        first = p.supply_first[p.level_supply[i]]
        if i > 0 and p.level_supply[i - 1] == p.level_supply[i]:
            first = p.level_end[i - 1]
        for unit in range(first, p.level_end[i]):
            s.entered[unit] = i


def link_roots(s: System, first: Int, last: Int) -> None:
    """Those of a level that stand on the same node, one to the next."""
    for r in range(first, last):
        s.met_root[s.place[s.root[r].unit].node] = -1
    for i in range(last - first):
        r = last - 1 - i
        node = s.place[s.root[r].unit].node
        s.kin[r] = s.met_root[node]
        s.met_root[node] = r


def pack_groups(s: System) -> None:
    """Groups that units may close."""
    p = s.problem
    if not p.groups:
        return
    for i in range(p.units):
        for number in range(p.group_start[i], p.group_start[i + 1]):
            group = address(s.group[number])
            group.kind = p.group_kind[number]
            group.head = p.group_head[number]
            group.level = p.group_level[number]
            group.first = p.group_first[number]
            group.each = p.group_each[number]
            group.later = p.group_later[number]
            group.least = p.group_least[number]
            group.last = i
