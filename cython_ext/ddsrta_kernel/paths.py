"""One window for a whole path: what each supply does meanwhile is counted once (lemma
end-to-end-window). A path is told visit by visit, from its end back."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.behind import tells_apart
from ddsrta_kernel.meetings import meet, passing, row_work, tell_row
from ddsrta_kernel.problem import (
    BLOCKS,
    MOST_MET,
    MOST_ROUNDS,
    PLAIN,
    STAY,
    STAY_RESPONSES,
    STAY_REST,
    STAY_UNITS,
    STAY_VISITS,
    STAY_WHOLE,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, inline, saturated_product
from ddsrta_kernel.structs import System
from ddsrta_kernel.works import added, begun


def begin_path(s: System) -> None:
    """No visit is known."""
    v = address(s.visits[0])
    for i in range(v.comes):
        v.stays[STAY * v.supplies[i] + STAY_VISITS] = 0
    for unit in range(s.problem.units if v.end else 0):
        s.counted[unit] = v.stairs[unit] = 0
    v.comes = v.count = v.around = 0


def end_counting(s: System, supply: Int) -> None:
    """Nothing is known of what runs on a supply."""
    v = address(s.visits[0])
    for unit in range(s.problem.supply_first[supply], s.problem.supply_last[supply]):
        s.counted[unit] = 0
    v.stays[STAY * supply + STAY_UNITS] = 0
    v.stays[STAY * supply + STAY_WHOLE] = 0


def begin_stay(s: System, supply: Int, early: Int) -> None:
    """The last visit to a supply, which is left so early."""
    v = address(s.visits[0])
    stay = STAY * supply
    v.supplies[v.comes] = supply
    v.comes += 1
    v.around += s.problem.supply_last[supply] - s.problem.supply_first[supply]
    v.stays[stay + STAY_RESPONSES] = 0
    v.stays[stay + STAY_REST] = -early
    end_counting(s, supply)
    # Shadows and mirrors (lemma pool-shadows) arrive only when they begin: a whole core without.
    whole: Bool = s.problem.supply_threads[supply] == 1 and s.problem.supply_budget[supply] == 0
    v.stays[stay + STAY_WHOLE] = 1 if whole else 0


@inline
def runs_beside(s: System, supply: Int, unit: Int, kinds: Ints) -> None:
    """Marks what may run on a supply meanwhile."""
    v = address(s.visits[0])
    stay = STAY * supply
    if s.counted[unit] == 0 and v.stays[stay + STAY_WHOLE]:
        s.counted[unit] = PLAIN + v.in_row[unit]
        v.stays[stay + STAY_UNITS] += 1
        if kinds[unit] < 0:
            end_counting(s, supply)


def visit(s: System, unit: Int, early: Int, kinds: Ints) -> None:
    """One visit more, before those that are known, which is left so early."""
    v = address(s.visits[0])
    place = address(s.place[unit])
    supply = place.supply
    stay = STAY * supply
    if v.stays[stay + STAY_VISITS] == 0:
        begin_stay(s, supply, early)
    v.count += 1
    v.stays[stay + STAY_VISITS] += 1
    responses = v.stays[stay + STAY_RESPONSES] + s.response[unit] - early
    if tells_apart(s, unit):
        responses = added(responses, s.problem.excess[unit])
    v.stays[stay + STAY_RESPONSES] = min(responses, 2 * UNBOUNDED)
    runs_beside(s, supply, unit, kinds)
    for other in range(s.problem.supply_first[supply], kinds[unit]):
        runs_beside(s, supply, other, kinds)
    longest: Int = 0
    for r in range(place.first_relation, place.last_relation):
        relation = address(s.relation[r])
        for other in range(relation.first, relation.last):
            if relation.kind == BLOCKS:
                longest = max(longest, s.unit[other].cost - begun(s))
            else:
                runs_beside(s, supply, other, kinds)
    v.stays[stay + STAY_REST] += longest


def visit_all(s: System, units: Ints, count: Int, kinds: Ints, rows: Ints) -> None:
    """A path through units, each left so early as stands behind all of them."""
    v = address(s.visits[0])
    begin_path(s)
    for i in range(count - 1, -1, -1):
        visit(s, units[i], units[count + i], kinds)
    v.meets = may_meet(s)
    for i in range(count):
        if tells_apart(s, units[i]) or (s.counted[units[i]] and kinds[units[i]]):
            v.meets = False
    for i in range(count - 1, -1, -1):
        if v.meets and s.counted[units[i]]:
            meet(s, units[i], rows)


def may_meet(s: System) -> Bool:
    """Whether it is looked at what meets the path in order."""
    v = address(s.visits[0])
    met: Int = 0
    for i in range(v.comes):
        met += v.stays[STAY * v.supplies[i] + STAY_UNITS]
    return v.end > 0 and met * v.count <= MOST_MET


def stay_time(s: System, supply: Int, first: Int, length: Int) -> Int:
    """What a path spends on a supply; notes the work of each unit there."""
    v = address(s.visits[0])
    stay = STAY * supply
    most = min(v.stays[stay + STAY_RESPONSES], UNBOUNDED)
    if not v.stays[stay + STAY_WHOLE]:
        return most
    work: Int = 0
    for unit in range(s.problem.supply_first[supply], s.problem.supply_last[supply]):
        if s.counted[unit]:
            count = passing(s, unit, first, length)
            s.passed[unit] = saturated_product(s.unit[unit].cost, count, UNBOUNDED)
            work = added(work, s.passed[unit])
    return min(most, work + v.stays[stay + STAY_REST])


def meeting_time(s: System, first: Int, length: Int) -> Int:
    """How long a path takes at most if it is on its way so long, but for its ways: with the work of
    each unit that `stay_time` has found."""
    v = address(s.visits[0])
    p = s.problem
    rest: Int = 0
    work: Int = 0
    for i in range(v.comes):
        supply = v.supplies[i]
        stay = STAY * supply
        if not v.stays[stay + STAY_WHOLE]:
            work = added(work, min(v.stays[stay + STAY_RESPONSES], UNBOUNDED))
            continue
        rest += v.stays[stay + STAY_REST]
        for unit in range(p.supply_first[supply], p.supply_last[supply]):
            if s.counted[unit] == PLAIN:
                work = added(work, s.passed[unit])
    at: Int = 0
    while at < v.end:
        work = added(work, row_work(s, at, first, length))
        at += 1 + v.rows[at]
    return UNBOUNDED if work >= UNBOUNDED else work + rest


def time_along(s: System, first: Int, length: Int, in_order: Bool) -> Int:
    """How long a path takes at most if it is on its way so long, but for its ways: supply by
    supply, or by what meets it in order."""
    v = address(s.visits[0])
    total: Int = 0
    for i in range(v.comes):
        total = added(total, stay_time(s, v.supplies[i], first, length))
    return min(total, meeting_time(s, first, length)) if in_order else total


def finish_of(s: System, first: Int, ways: Int, limit: Int) -> Int:
    """When the path whose visits are known is done, if below the limit; else -1."""
    v = address(s.visits[0])
    finish: Int = 0
    for _ in range(MOST_ROUNDS):
        longer = ways + time_along(s, first, finish, v.meets)
        if longer <= finish:
            return finish
        if longer >= limit:
            return -1
        finish = longer
    return -1


def way_finish(
    s: System, units: Ints, count: Int, kinds: Ints, rows: Ints, ways: Int, limit: Int
) -> Int:
    """When a path through units is done, if below the limit; else -1. Behind the units stands how
    early each is left. Of each `kind` of a unit: what it may wait for on its supply ends there; or
    it is negative, where nothing is known of what runs beside. Of rows, which stage is next."""
    visit_all(s, units, count, kinds, rows)
    return finish_of(s, units[0], ways, limit)


def work_along(
    s: System, units: Ints, count: Int, kinds: Ints, rows: Ints, length: Int, found: Ints
) -> Bool:
    """Whether what meets a path in order says how long it takes; if so, how many units of each unit
    that is on no row count, and for others, behind these, the first of their row, whose number is
    the work of all, less than 0."""
    v = address(s.visits[0])
    visit_all(s, units, count, kinds, rows)
    first = units[0]
    least = time_along(s, first, length, v.meets)
    if not v.meets or least >= time_along(s, first, length, False):
        return False
    behind = s.problem.units
    for unit in range(behind):
        is_plain: Bool = s.counted[unit] == PLAIN
        found[unit] = passing(s, unit, first, length) if is_plain else 0
        found[behind + unit] = -1
    at: Int = 0
    while at < v.end:
        tell_row(s, at, first, length, found)
        at += 1 + v.rows[at]
    return True
