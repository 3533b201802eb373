"""Work that counts in the window of one unit (lemma busy-window). It is counted in two ways, plain
and loaded (lemma urgent-by-roots), wherever the unit has a coupled level above it."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.behind import comes_after, effects_before, next_after, siblings_before
from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.memory import ask
from ddsrta_kernel.openers import not_brought
from ddsrta_kernel.parts import is_kept, sum_parts, unit_work
from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    ASKS,
    BLOCKS,
    CONTENDS,
    EARLIER,
    LINGERS,
    OVERTAKES,
    PRECEDES,
    PREEMPTS,
    UNBOUNDED,
    WIDE,
    WIDE_STEPS,
)
from ddsrta_kernel.shadow import address, ceiling_quotient, inline, saturated_product
from ddsrta_kernel.structs import Relation, System, Window
from ddsrta_kernel.values import Work


@inline
def is_stopped(s: System, effort: Int) -> Bool:
    """Whether no more is to be looked for, after so many evaluations more."""
    s.effort += effort
    if s.effort >= s.asks_at:
        s.asks_at = s.effort + ASKS
        ask(s)
    return s.stopped


@inline
def within(steps: Int, width: Int) -> Int:
    """How many of these steps a window of so many units has: each takes as long as they are."""
    return steps if width <= WIDE else min(steps, WIDE_STEPS)


@inline
def added(a: Int, b: Int) -> Int:
    """a + b of two amounts that do not exceed UNBOUNDED."""
    return a + b if a + b < UNBOUNDED else UNBOUNDED


@inline
def supplied(budget: Int, period: Int, late: Int, work: Int) -> Int:
    """The inverse of the supply bound (lemma supply-inverse), where so long nothing may come."""
    if work <= 0:
        return 0
    if budget == 0 or work >= UNBOUNDED:
        return work
    full = (work - 1) // budget
    return added(saturated_product(full, period, UNBOUNDED), late + (work - 1) % budget + 1)


@inline
def service_time(w: Window, work: Int) -> Int:
    return supplied(w.budget, w.period, w.late, work)


@inline
def root_work(s: System, r: Int, window: Int) -> Int:
    """η_r(window)·C_r of a root."""
    return saturated_product(s.root[r].work, unit_count(s, s.root[r].unit, window), UNBOUNDED)


def new_sum(s: System, level: Int, window: Int) -> Int:
    """The same over all roots of a level, and notes a range of windows that have no other."""
    total: Int = 0
    least: Int = 1
    most: Int = UNBOUNDED
    for r in range(s.level[level].first_root, s.level[level].last_root):
        total = added(total, root_work(s, r, window))
        met = address(s.met[s.root[r].unit])
        least = max(least, met.least)
        most = min(most, met.most)
    kept = address(s.summed[level])
    kept.least = least
    kept.most = most
    kept.count = total
    return total


@inline
def kept_sum(s: System, level: Int, window: Int) -> Int:
    """The same where counts are kept, of a window that is not empty."""
    kept = address(s.summed[level])
    return kept.count if kept.least <= window <= kept.most else new_sum(s, level, window)


@inline
def roots_work(s: System, level: Int, window: Int, without: Int) -> Int:
    """The same over the roots of a level, but for a unit."""
    total: Int = 0
    if s.is_calm and window > 0 and without < 0:
        return kept_sum(s, level, window)
    for r in range(s.level[level].first_root, s.level[level].last_root):
        if s.root[r].unit != without:
            total = added(total, root_work(s, r, window))
    return total


@inline
def level_work(s: System, level: Int, window: Int, without: Int) -> Int:
    """The same with the piece that a less urgent unit has released."""
    return added(s.level[level].piece, roots_work(s, level, window, without))


@inline
def range_work(s: System, first: Int, last: Int, window: Int, loaded: Bool) -> Int:
    """Σ η_k(window)·c_k over a range of units."""
    total: Int = 0
    if is_kept(s, first, last, window):
        return sum_parts(s, first, last, window, loaded).count
    for unit in range(first, last):
        total = added(total, unit_work(s, unit, unit_count(s, unit, window), loaded))
    return total


@inline
def has(w: Window, kind: Int) -> Bool:
    """Whether any relation is of a kind."""
    return (w.kinds >> kind) & 1 != 0


def kind_work(w: Window, kind: Int, window: Int, loaded: Bool) -> Int:
    """The same over all relations of a kind."""
    s = w.system
    total: Int = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == kind:
            total = added(
                total, range_work(s, s.relation[r].first, s.relation[r].last, window, loaded)
            )
    return total


@inline
def preempting(w: Window, window: Int, loaded: Bool) -> Int:
    """P, or the coupled work of the level above; with what contends."""
    contending = kind_work(w, CONTENDS, window, loaded) if w.contends else 0
    if loaded:
        return added(contending, level_work(w.system, w.above, window, -1))
    return added(contending, kind_work(w, PREEMPTS, window, False))


@inline
def in_turns(relation: Relation, turns: Int) -> Int:
    """The most units that another serves while one has so many turns."""
    if relation.own > 1:
        turns = ceiling_quotient(turns, relation.own)
    return saturated_product(turns, relation.weight, UNBOUNDED) if relation.weight > 1 else turns


def carried_work(w: Window, kind: Int, window: Int, turns: Int, loaded: Bool) -> Int:
    """Σ min(turns, η_k(window + response_k))·c_k."""
    s = w.system
    total: Int = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind != kind:
            continue
        most = in_turns(address(s.relation[r]), turns)
        for unit in range(s.relation[r].first, s.relation[r].last):
            count = unit_count(s, unit, window + s.state[unit].response)
            count = min(count, most)
            total = added(total, unit_work(s, unit, count, loaded))
    return total


def earlier_units(w: Window, other: Int, index: Int) -> Int:
    """The most units of an effect in the window of the index-th own one: of the events before, as
    far as they may not be done when it opens (lemma effects-in-turn)."""
    s = w.system
    reach = s.state[other].latency - s.place[w.unit].best
    events = node_count(s, s.place[w.unit].node, reach) - 1
    events = max(events, 0)
    return saturated_product(s.unit[other].multiplicity, added(index - 1, events), UNBOUNDED)


def not_yet(w: Window, start: Int, index: Int, loaded: Bool) -> Int:
    """What turns count of effects that come only later."""
    s = w.system
    total: Int = 0
    for i in range(s.problem.effect_start[w.unit], s.problem.effect_start[w.unit + 1]):
        unit = s.problem.effect_unit[i]
        turns = unit_count(s, unit, start + s.state[unit].response)
        turns = min(turns, index + s.problem.effect_more[i])
        count = turns - earlier_units(w, unit, index)
        if count > 0:
            total = added(total, unit_work(s, unit, count, loaded))
    return total


def work_at_start(w: Window, start: Int, index: Int, loaded: Bool) -> Int:
    """V(S)."""
    work = all_at_start(w, start, index, loaded)
    if (
        work < UNBOUNDED
        and not w.mixes
        and w.system.problem.effect_start[w.unit] < w.system.problem.effect_start[w.unit + 1]
    ):
        work -= not_yet(w, start, index, loaded)
    return work


def earlier_work(w: Window, start: Int, loaded: Bool) -> Int:
    """Σ η_k(min(A + shift, S) + 1)·c_k."""
    s = w.system
    total: Int = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == EARLIER:
            window = w.now + s.relation[r].shift
            window = min(window, start)
            if window >= 0:
                total = added(
                    total,
                    range_work(s, s.relation[r].first, s.relation[r].last, window + 1, loaded),
                )
    return total


def all_at_start(w: Window, start: Int, index: Int, loaded: Bool) -> Int:
    """The same without a look at what comes after what."""
    work: Int = 0
    if has(w, OVERTAKES):
        work = kind_work(w, OVERTAKES, start + 1, loaded)
        if w.opened < w.opened_end and work < UNBOUNDED:
            work -= not_brought(w, OVERTAKES, start, loaded)
    if w.mixes:  # its own are among these; those up to the index are counted already
        count = unit_count(w.system, w.unit, start + 1)
        if work < UNBOUNDED:
            work -= unit_work(w.system, w.unit, min(count, index), loaded)
        index = max(count, index)
    if w.has_earlier:
        work = added(work, earlier_work(w, start, loaded))
    if has(w, LINGERS):
        work = added(work, carried_work(w, LINGERS, start, UNBOUNDED, loaded))
    if has(w, ALTERNATES):
        work = added(work, carried_work(w, ALTERNATES, start, index, loaded))
    if has(w, PRECEDES):
        work = added(work, carried_work(w, PRECEDES, start, index + 1, loaded))
    return work


@inline
def extra_work(w: Window) -> Int:
    """What comes first whatever else does (lemma shared-datagrams)."""
    return w.system.problem.extra[w.unit] if w.system.problem.extra else 0


@inline
def begun(s: System) -> Int:
    """For how long a unit was served at least that began before others came."""
    return 0 if s.problem.at_once else 1


def blocking(w: Window, loaded: Bool) -> Int:
    """B: what has begun was served for ε, but in a reservation it may have been begun, and no more,
    as a budget ended; and elsewhere if it may bring something at once."""
    s = w.system
    longest: Int = 0
    gone: Int = 0 if s.problem.supply_budget[s.place[w.unit].supply] else begun(s)
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == BLOCKS:
            for unit in range(s.relation[r].first, s.relation[r].last):
                one = unit_work(s, unit, 1, loaded) - gone
                longest = max(one, longest)
    return added(longest, extra_work(w))


def filling(w: Window, window: Int, loaded: Bool) -> Int:
    """All work of a window of the level."""
    work = added(blocking(w, loaded), preempting(w, window, loaded))
    work = added(work, kind_work(w, OVERTAKES, window, loaded))
    work = added(work, kind_work(w, AHEAD, window, loaded))
    if w.has_earlier:
        work = added(work, kind_work(w, EARLIER, window, loaded))
    if not w.has_ahead and not w.overlaps and not w.mixes:
        work = added(work, range_work(w.system, w.unit, w.unit + 1, window, loaded))
    return added(work, carried_work(w, LINGERS, window, UNBOUNDED, loaded))


def all_work_ahead(w: Window, arrival: Int, loaded: Bool) -> Int:
    """B + H(A), without the unit's own stream."""
    s = w.system
    total = blocking(w, loaded)
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == AHEAD:
            first = s.relation[r].first
            last = s.relation[r].last
            if first <= w.unit < last:
                total = added(total, range_work(s, first, w.unit, arrival + 1, loaded))
                first = w.unit + 1
            total = added(total, range_work(s, first, last, arrival + 1, loaded))
    return total


def not_ahead(w: Window, arrival: Int, loaded: Bool) -> Int:
    """The work of what curves let come up to A, but for its own event comes after ours."""
    s = w.system
    work: Int = 0
    for r in range(w.first_relation, w.last_relation):
        relation = address(s.relation[r])
        if relation.kind == AHEAD:
            unit = next_after(w, relation, w.unit)
            while unit != w.unit:
                more = unit_count(s, unit, arrival + 1) - effects_before(w, unit, arrival)
                if more > 0:
                    work += unit_work(s, unit, more, loaded)
                unit = next_after(w, relation, unit)
    return work


def work_ahead(w: Window, arrival: Int, loaded: Bool) -> Int:
    """The same; of later siblings less (lemma later-siblings)."""
    s = w.system
    total = all_work_ahead(w, arrival, loaded)
    if total >= UNBOUNDED:
        return total
    if w.opened < w.opened_end:
        total -= not_brought(w, AHEAD, arrival, loaded)
    if s.problem.ahead_in_step:
        total -= not_ahead(w, arrival, loaded)
    for i in range(s.problem.later_start[w.unit], s.problem.later_start[w.unit + 1]):
        unit = s.problem.later_unit[i]
        if comes_after(w, unit):
            continue
        more = unit_count(s, unit, arrival + 1) - siblings_before(w, i, arrival)
        if more > 0:
            total -= unit_work(s, unit, more, loaded)
    return total


def all_ahead(w: Window, arrival: Int) -> Work:
    return Work(work_ahead(w, arrival, False), work_ahead(w, arrival, True) if w.above >= 0 else 0)


@inline
def with_own(w: Window, ahead: Work, units: Int) -> Work:
    """And so many of the unit's own, where these go one after the other in their order."""
    if w.overlaps and not w.mixes:
        return ahead
    loaded = ahead.loaded
    if w.above >= 0:
        loaded = added(loaded, unit_work(w.system, w.unit, units, True))
    plain = added(ahead.plain, unit_work(w.system, w.unit, units, False))
    return Work(added(plain, w.begun), loaded)
