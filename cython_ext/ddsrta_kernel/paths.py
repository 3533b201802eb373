"""One window for a whole path: what each supply does meanwhile is counted once (lemma
end-to-end-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.problem import BLOCKS, MOST_ROUNDS, STAY, UNBOUNDED
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


def stay_time(s: System, stays: Ints, at: Int, first: Int, length: Int) -> Int:
    """What a path spends on the supply of one stay."""
    most = stays[at]
    work: Int = 0
    for i in range(at + STAY, at + STAY + stays[at + 2]):
        count = passing(s, stays[i], first, length)
        work = added(work, saturated_product(s.unit[stays[i]].cost, count, UNBOUNDED))
    return min(most, work + stays[at + 1]) if stays[at + 2] else most


def visited(s: System, units: Ints, count: Int, kinds: Ints, supply: Int) -> Int:
    """Marks what may run on a supply while a path that visits it there is on its way; returns the
    longest that blocks the visits."""
    blocking: Int = 0
    for i in range(count):
        unit = units[i]
        place = address(s.place[unit])
        longest: Int = 0
        if place.supply != supply:
            continue
        s.counted[unit] = 1
        for other in range(s.problem.supply_first[supply], kinds[unit]):
            s.counted[other] = 1
        for r in range(place.first_relation, place.last_relation):
            relation = address(s.relation[r])
            for other in range(relation.first, relation.last):
                if relation.kind == BLOCKS:
                    longest = max(longest, s.unit[other].cost - 1)
                else:
                    s.counted[other] = 1
        blocking += longest
    return blocking


def lay_stay(s: System, units: Ints, count: Int, kinds: Ints, at: Int, supply: Int) -> Int:
    """One stay, behind those up to a number: the visits to a supply, each left so much earlier than
    its end as stands behind all units; returns the next number."""
    p = s.problem
    first = p.supply_first[supply]
    last = p.supply_last[supply]
    responses: Int = 0
    sooner: Int = 0
    early: Int = 0
    for unit in range(first, last):
        s.counted[unit] = 0
    blocking = visited(s, units, count, kinds, supply)
    for i in range(count):
        if s.place[units[i]].supply == supply:
            early = units[count + i]
            responses = min(responses + s.response[units[i]], 4 * UNBOUNDED)
            sooner += early
    size: Int = 0
    # Shadows and mirrors (lemma pool-shadows) arrive only when they begin: a whole core without.
    whole: Bool = p.supply_threads[supply] == 1 and p.supply_budget[supply] == 0
    for unit in range(first, last):
        if s.counted[unit]:
            whole = whole and kinds[unit] >= 0
            s.stays[at + STAY + size] = unit
            size += 1
    s.stays[at] = min(responses - sooner, UNBOUNDED)
    s.stays[at + 1] = blocking - early
    s.stays[at + 2] = size if whole else 0
    return at + STAY + s.stays[at + 2]


def way_finish(s: System, units: Ints, count: Int, kinds: Ints, ways: Int, limit: Int) -> Int:
    """When a path through units is done, if below the limit; else -1. Behind the units stands how
    early each is left. Of each `kind` of a unit: what it may wait for on its supply ends there; or
    it is negative, where nothing is known of what runs beside."""
    at: Int = 0
    for i in range(count):
        supply = s.place[units[i]].supply
        known: Bool = False
        for j in range(i):
            known = known or s.place[units[j]].supply == supply
        if not known:
            at = lay_stay(s, units, count, kinds, at, supply)
    return path_finish(s, s.stays, at, units[0], ways, limit)


def path_finish(s: System, stays: Ints, size: Int, first: Int, ways: Int, limit: Int) -> Int:
    """When a path that takes so long on its ways is done, or -1: no sooner than the limit."""
    finish: Int = 0
    for _ in range(MOST_ROUNDS):
        longer = ways
        at: Int = 0
        while at < size:
            longer = added(longer, stay_time(s, stays, at, first, finish))
            at += STAY + stays[at + 2]
        if longer <= finish:
            return finish
        if longer >= limit:
            return -1
        finish = longer
    return -1
