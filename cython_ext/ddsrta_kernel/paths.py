"""One window for a whole path: what each supply does meanwhile is counted once (lemma
end-to-end-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.meetings import lay_meetings, meeting_time, passing, row_work
from ddsrta_kernel.problem import BLOCKS, MOST_ROUNDS, STAY, UNBOUNDED
from ddsrta_kernel.shadow import address, saturated_product
from ddsrta_kernel.structs import System
from ddsrta_kernel.works import added


def stay_time(s: System, stays: Ints, at: Int, first: Int, length: Int) -> Int:
    """What a path spends on the supply of one stay; notes the work of each unit there."""
    most = stays[at]
    work: Int = 0
    for i in range(at + STAY, at + STAY + stays[at + 2]):
        count = passing(s, stays[i], first, length)
        s.passed[stays[i]] = saturated_product(s.unit[stays[i]].cost, count, UNBOUNDED)
        work = added(work, s.passed[stays[i]])
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


def way_finish(
    s: System, units: Ints, count: Int, kinds: Ints, rows: Ints, ways: Int, limit: Int
) -> Int:
    """When a path through units is done, if below the limit; else -1. Behind the units stands how
    early each is left. Of each `kind` of a unit: what it may wait for on its supply ends there; or
    it is negative, where nothing is known of what runs beside. Of rows, which stage is next."""
    end = lay_stays(s, units, count, kinds)
    last = lay_meetings(s, end, units, count, kinds, rows)
    finish: Int = 0
    for _ in range(MOST_ROUNDS):
        longer = ways + time_along(s, end, last, units[0], finish)
        if longer <= finish:
            return finish
        if longer >= limit:
            return -1
        finish = longer
    return -1


def lay_stays(s: System, units: Ints, count: Int, kinds: Ints) -> Int:
    """All stays of a path; returns how many numbers that takes."""
    end: Int = 0
    for i in range(count):
        supply = s.place[units[i]].supply
        known: Bool = False
        for j in range(i):
            known = known or s.place[units[j]].supply == supply
        if not known:
            end = lay_stay(s, units, count, kinds, end, supply)
    return end


def time_along(s: System, end: Int, last: Int, first: Int, length: Int) -> Int:
    """How long a path takes at most if it is on its way so long, but for its ways: supply by
    supply, or by what meets it in order."""
    total: Int = 0
    at: Int = 0
    while at < end:
        total = added(total, stay_time(s, s.stays, at, first, length))
        at += STAY + s.stays[at + 2]
    return min(total, meeting_time(s, end, last, first, length)) if last else total


def work_along(
    s: System, units: Ints, count: Int, kinds: Ints, rows: Ints, length: Int, found: Ints
) -> Bool:
    """Whether what meets a path in order says how long it takes; if so, how many units of each unit
    that is on no row count, and for others, behind these, the first of their row, whose number is
    the work of all, less than 0."""
    end = lay_stays(s, units, count, kinds)
    last = lay_meetings(s, end, units, count, kinds, rows)
    least = time_along(s, end, last, units[0], length)
    if not last or least >= time_along(s, end, 0, units[0], length):
        return False
    for unit in range(s.problem.units):
        found[unit] = passing(s, unit, units[0], length) if s.counted[unit] == 1 else 0
        found[s.problem.units + unit] = -1
    at = 2 * s.problem.units
    while at < last:
        head = s.stairs[at + 1]
        found[head] = -row_work(s, at, units[0], length)
        for i in range(s.stairs[at]):
            found[s.problem.units + s.stairs[at + 1 + 3 * i]] = head
        at += 1 + 3 * s.stairs[at]
    return True
