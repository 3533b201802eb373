"""Events that go through a row of stages meet a path through others in order (lemma
meetings-in-order)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.problem import (
    AHEAD,
    BLOCKS,
    MOST_MET,
    NEVER,
    OFTEN,
    ONCE,
    ROW,
    ROW_BITS,
    ROW_DONE,
    ROW_LATER,
    ROW_NEXT,
    STAY,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, saturated_product
from ddsrta_kernel.structs import System
from ddsrta_kernel.works import added


def passing(s: System, unit: Int, first: Int, length: Int) -> Int:
    """The most units that run while a path, with this first unit, is on its way so long."""
    p = address(s.place[unit])
    if s.problem.is_load[unit]:  # whose budget may be late when the unit arrives
        return unit_count(s, unit, length + s.node[p.node].a)
    most: Int = UNBOUNDED
    if s.response[unit] < UNBOUNDED:
        most = unit_count(s, unit, length + s.response[unit])
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


def weigh(s: System, visit: Int, rows: Ints, at: Int) -> None:
    """Of a row, for each of its stages the most work of an event that is there or behind, with one
    visit more, before the others."""
    supply = s.place[visit].supply
    last = at + 1 + 3 * (s.stairs[at] - 1)
    here = last
    while here > at and s.place[s.stairs[here]].supply != supply:
        here -= 3  # there it is what it is without the visit
    behind: Int = s.stairs[here + 4] if here < last else 0
    unused = behind  # with none ahead at the visit
    while here > at:
        unit = s.stairs[here]
        kind = s.passed[unit] if s.place[unit].supply == supply else NEVER
        done: Bool = rows[ROW * unit + ROW_BITS] & ROW_DONE != 0
        cost = s.unit[unit].cost
        ahead = (unused if done else behind) + cost if kind == ONCE else 0
        more = cost if kind > ONCE else 0
        unused = max(unused + more, s.stairs[here + 1])
        behind = max(behind + more, ahead, unused)
        s.stairs[here + 1] = behind
        here -= 3


def weigh_all(s: System, visit: Int, rows: Ints, last: Int) -> None:
    """The same of all rows."""
    at = 2 * s.problem.units
    while at < last:
        weigh(s, visit, rows, at)
        at += 1 + 3 * s.stairs[at]


def lay_row(s: System, rows: Ints, head: Int, at: Int) -> Int:
    """The stages of a row that count; returns how many."""
    size: Int = 0
    latest: Int = 0
    unit = head
    while unit >= 0:
        if s.counted[unit] == 1 and s.latency[unit] < UNBOUNDED:
            latest = max(latest, s.latency[unit])
            s.stairs[at + 1 + 3 * size] = unit
            s.stairs[at + 2 + 3 * size] = 0
            s.stairs[at + 3 + 3 * size] = latest
            size += 1
        unit = rows[ROW * unit + ROW_NEXT]
    s.stairs[at] = size
    return size


def lay_meetings(s: System, end: Int, units: Ints, count: Int, kinds: Ints, rows: Ints) -> Int:
    """All rows that meet a path, behind its stays, which end there; returns how many numbers that
    takes; 0: it is not known how they meet."""
    p = s.problem
    if not rows[ROW * p.units]:
        return 0
    for unit in range(p.units):
        s.counted[unit] = 0
    place: Int = 0
    total: Int = 0
    while place < end:
        for i in range(place + STAY, place + STAY + s.stays[place + 2]):
            s.counted[s.stays[i]] = 1
        total += s.stays[place + 2]
        place += STAY + s.stays[place + 2]
    if total * count > MOST_MET:
        return 0
    for i in range(count):
        if s.counted[units[i]] and kinds[units[i]]:
            return 0
    at = 2 * p.units
    for unit in range(p.units):
        if not rows[ROW * unit + ROW_BITS] & ROW_LATER and lay_row(s, rows, unit, at) > 1:
            for i in range(s.stairs[at]):
                s.counted[s.stairs[at + 1 + 3 * i]] = 2
            at += 1 + 3 * s.stairs[at]
    for i in range(count - 1, -1, -1):
        if s.counted[units[i]]:
            note_met(s, units[i])
            weigh_all(s, units[i], rows, at)
    return at


def row_work(s: System, at: Int, first: Int, length: Int) -> Int:
    """What a row adds while a path is on its way so long: event by event, or stage by stage, as
    `stay_time` has found it."""
    mine = address(s.place[first])
    size = s.stairs[at]
    node = s.place[s.stairs[at + 1]].node
    same: Bool = node == mine.node
    soonest: Int = UNBOUNDED
    plain: Int = 0
    work: Int = 0
    for i in range(size):
        unit = s.stairs[at + 1 + 3 * i]
        cost = s.unit[unit].cost
        soonest = min(soonest, s.place[unit].best)
        plain = added(plain, s.passed[unit])
        work += cost if same else 0  # of our own event
    for i in range(size):
        behind = s.stairs[at + 2 + 3 * (i + 1)] if i + 1 < size else 0
        more = s.stairs[at + 2 + 3 * i] - behind
        if more == 0:
            continue
        latest = s.stairs[at + 3 + 3 * i]
        if same:
            events = max(0, node_count(s, node, latest - mine.best) - 1)
        else:
            events = node_count(s, node, length + latest - soonest)
        work = added(work, saturated_product(more, events, UNBOUNDED))
    if same:
        later = max(0, node_count(s, node, length + mine.before - soonest) - 1)
        work = added(work, saturated_product(s.stairs[at + 2], later, UNBOUNDED))
    return min(plain, work)


def meeting_time(s: System, end: Int, last: Int, first: Int, length: Int) -> Int:
    """How long a path takes at most if it is on its way so long, but for its ways: with the work of
    each unit that `stay_time` has found."""
    total: Int = 0
    place: Int = 0
    while place < end:
        size = s.stays[place + 2]
        total = added(total, s.stays[place + 1] if size else s.stays[place])
        for i in range(place + STAY, place + STAY + size):
            unit = s.stays[i]
            if s.counted[unit] == 1:
                total = added(total, s.passed[unit])
        place += STAY + size
    at = 2 * s.problem.units
    while at < last:
        total = added(total, row_work(s, at, first, length))
        at += 1 + 3 * s.stairs[at]
    return total
