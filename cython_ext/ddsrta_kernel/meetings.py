"""Events that go through a row of stages meet a path through others in order (lemma
meetings-in-order)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.problem import (
    AHEAD,
    BLOCKS,
    NEVER,
    OFTEN,
    ONCE,
    ROW,
    ROW_BITS,
    ROW_DONE,
    ROW_LATER,
    ROW_NEXT,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, inline, saturated_product
from ddsrta_kernel.structs import System
from ddsrta_kernel.works import added


@inline
def passing(s: System, unit: Int, first: Int, length: Int) -> Int:
    """The most units that run while a path, with this first unit, is on its way so long."""
    if s.response[unit] >= UNBOUNDED or s.problem.is_load[unit]:
        return passing_by_events(s, unit, first, length, UNBOUNDED)
    most = unit_count(s, unit, length + s.response[unit])
    place = address(s.place[unit])
    mine = address(s.place[first])
    soonest = mine.best if place.node == mine.node else place.best - length
    if most <= s.unit[unit].multiplicity and s.latency[unit] > soonest:
        return most  # one event brings as many, and comes
    return passing_by_events(s, unit, first, length, most)


def passing_by_events(s: System, unit: Int, first: Int, length: Int, most: Int) -> Int:
    """The same by the events of the unit's node, if that is less."""
    p = address(s.place[unit])
    if s.problem.is_load[unit]:  # whose budget may be late when the path begins
        return node_count(s, p.node + 1, length)
    if s.latency[unit] >= UNBOUNDED:
        return most
    if p.node != s.place[first].node:
        events = node_count(s, p.node, length + s.latency[unit] - p.best)
    else:
        later = node_count(s, p.node, length + s.place[first].before - p.best) - 1
        events = node_count(s, p.node, s.latency[unit] - s.place[first].best) + max(0, later)
    return min(most, saturated_product(s.unit[unit].multiplicity, events, UNBOUNDED))


def note_met(s: System, visit: Int) -> None:
    """How each unit of its supply may hold up one that visits, where `stay_time` says later what
    each takes."""
    place = address(s.place[visit])
    for unit in range(s.problem.supply_first[place.supply], s.problem.supply_last[place.supply]):
        s.passed[unit] = NEVER
    s.passed[visit] = ONCE
    for r in range(place.first_relation, place.last_relation):
        relation = address(s.relation[r])
        if relation.kind != BLOCKS:
            kind = ONCE if relation.kind == AHEAD else OFTEN
            for unit in range(relation.first, relation.last):
                s.passed[unit] = max(s.passed[unit], kind)


@inline
def hinders(s: System, unit: Int, supply: Int) -> Bool:
    """Whether a unit may hold up the visit to a supply that was looked at."""
    return s.place[unit].supply == supply and s.passed[unit] != NEVER


def weigh(s: System, visit: Int, rows: Ints, at: Int) -> None:
    """Of a row, for each of its stages the most work of an event that is there or behind, with one
    visit more, before the others."""
    v = address(s.visits[0])
    supply = s.place[visit].supply
    last = at + v.rows[at]
    here = last
    while here > at and not hinders(s, v.rows[here], supply):
        here -= 1  # there it is what it is without the visit
    behind: Int = v.stairs[v.rows[here + 1]] if here < last else 0
    unused = behind  # with none ahead at the visit
    while here > at:
        unit = v.rows[here]
        kind = s.passed[unit] if hinders(s, unit, supply) else NEVER
        done: Bool = rows[ROW * unit + ROW_BITS] & ROW_DONE != 0
        cost = s.unit[unit].cost
        ahead = (unused if done else behind) + cost if kind == ONCE else 0
        more = cost if kind > ONCE else 0
        unused = max(unused + more, v.stairs[unit])
        behind = max(behind + more, ahead, unused)
        v.stairs[unit] = behind
        here -= 1


def meet(s: System, visit: Int, rows: Ints) -> None:
    """The same of all rows, of a visit where it is known what runs meanwhile."""
    v = address(s.visits[0])
    note_met(s, visit)
    at: Int = 0
    while at < v.end:
        weigh(s, visit, rows, at)
        at += 1 + v.rows[at]


def line_up(s: System, rows: Ints) -> None:
    """All rows of several stages, if they count: of each how many, and which."""
    v = address(s.visits[0])
    p = s.problem
    units = p.units if rows[ROW * p.units] else 0
    for unit in range(units):
        v.in_row[unit] = 0
    at: Int = 0
    for head in range(units):
        if rows[ROW * head + ROW_BITS] & ROW_LATER:
            continue
        size: Int = 0
        unit = head
        while unit >= 0:
            if s.latency[unit] < UNBOUNDED:
                size += 1
                v.rows[at + size] = unit
            unit = rows[ROW * unit + ROW_NEXT]
        v.rows[at] = size
        for i in range(at + 1, at + 1 + size if size > 1 else 0):
            v.in_row[v.rows[i]] = 1
        at += 1 + size if size > 1 else 0
    v.end = at


def row_work(s: System, at: Int, first: Int, length: Int) -> Int:
    """What a row adds while a path is on its way so long: event by event, or stage by stage, as
    `stay_time` has found it."""
    v = address(s.visits[0])
    mine = address(s.place[first])
    last = at + v.rows[at]
    node = s.place[v.rows[last]].node
    same: Bool = node == mine.node
    soonest: Int = UNBOUNDED
    plain: Int = 0
    work: Int = 0
    head: Int = -1
    size: Int = 0
    for i in range(at + 1, last + 1):
        unit = v.rows[i]
        if s.counted[unit]:
            head = unit if size == 0 else head
            soonest = min(soonest, s.place[unit].best)
            plain = added(plain, s.passed[unit])
            work += s.unit[unit].cost if same else 0  # of our own event
            size += 1
    if size < 2:
        return plain
    most = v.stairs[head]
    least = work if same else most if length + s.latency[head] > soonest else 0
    if plain <= least:
        return plain  # no event does less
    latest: Int = 0
    for i in range(at + 1, last + 1):
        unit = v.rows[i]
        if s.counted[unit] == 0:
            continue
        latest = max(latest, s.latency[unit])
        more = v.stairs[unit] - (v.stairs[v.rows[i + 1]] if i < last else 0)
        if more == 0:
            continue
        if same:
            events = max(0, node_count(s, node, latest - mine.best) - 1)
        else:
            events = node_count(s, node, length + latest - soonest)
        work = added(work, saturated_product(more, events, UNBOUNDED))
    if same:
        later = max(0, node_count(s, node, length + mine.before - soonest) - 1)
        work = added(work, saturated_product(most, later, UNBOUNDED))
    return min(plain, work)


def tell_row(s: System, at: Int, first: Int, length: Int, found: Ints) -> None:
    """Of a row, the first that runs beside a path, with the work of all, less than 0; or how many
    of it run, where it is alone."""
    v = address(s.visits[0])
    head: Int = -1
    size: Int = 0
    for i in range(at + v.rows[at], at, -1):
        if s.counted[v.rows[i]]:
            head = v.rows[i]
            size += 1
    if size == 0:
        return
    found[head] = passing(s, head, first, length) if size < 2 else -row_work(s, at, first, length)
    for i in range(at + 1, at + 1 + v.rows[at] if size > 1 else 0):
        if s.counted[v.rows[i]]:
            found[s.problem.units + v.rows[i]] = head
