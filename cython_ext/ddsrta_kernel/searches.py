"""Fixed points of the window of one unit (lemma busy-window); -1 means "gives up"."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.behind import next_after, tells_apart
from ddsrta_kernel.curves import next_unit, node_count, node_distance, unit_count, unit_distance
from ddsrta_kernel.openers import see_openers
from ddsrta_kernel.parts import is_kept, sum_parts
from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BLOCKS,
    CONTENDS,
    EARLIER,
    OVERLAPS,
    OVERTAKES,
    PRECEDES,
    PREEMPTS,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, ceiling_quotient, inline, saturated_product
from ddsrta_kernel.shares import crowded
from ddsrta_kernel.structs import System, Window
from ddsrta_kernel.values import Work
from ddsrta_kernel.works import (
    added,
    filling,
    has,
    is_stopped,
    preempting,
    service_time,
    within,
    work_at_start,
)


@inline
def gives_up(w: Window, value: Int) -> Bool:
    w.steps += 1
    return value >= UNBOUNDED or w.steps > w.left_over or is_stopped(w.system, w.width)


@inline
def waiting(w: Window, start: Int, index: Int, loaded: Bool) -> Int:
    """V(S), and how long all threads of a pool may be busy with others."""
    work = work_at_start(w, start, index, loaded)
    return added(work, crowded(w, start + 1, start, index)) if w.threads > 1 else work


def find_start(w: Window, ahead: Work, index: Int, start: Int) -> Int:
    """S(q, A), or -1."""
    while True:
        work = added(
            ahead.plain,
            added(waiting(w, start, index, False), preempting(w, start + 1, False)),
        )
        if w.above >= 0:
            other = added(
                ahead.loaded,
                added(waiting(w, start, index, True), preempting(w, start + 1, True)),
            )
            work = min(work, other)
        later = service_time(w, added(work, 1)) - 1
        if gives_up(w, later):
            return -1
        if later <= start:
            return start
        start = later


@inline
def with_started(w: Window, ahead: Work, index: Int, start: Int) -> Work:
    """All work but that of what preempts."""
    plain = added(ahead.plain, w.cost)
    loaded = added(ahead.loaded, w.cost + w.burden)
    if w.asks_start:
        plain = added(plain, waiting(w, start, index, False))
        if w.above >= 0:
            loaded = added(loaded, waiting(w, start, index, True))
    return Work(plain, loaded)


@inline
def finish_time(w: Window, fixed: Work, finish: Int) -> Int:
    """The time for all work of a window of this length."""
    work = added(fixed.plain, preempting(w, finish, False))
    if w.above >= 0:
        other = added(fixed.loaded, preempting(w, finish, True))
        work = min(work, other)
    return service_time(w, work)


def find_finish(w: Window, ahead: Work, index: Int, start: Int, finish: Int) -> Int:
    """F(q, A), or -1."""
    fixed = with_started(w, ahead, index, start)
    while True:
        later = finish_time(w, fixed, finish)
        if gives_up(w, later):
            return -1
        if later <= finish:
            return finish
        finish = later


def find_length(w: Window) -> Bool:
    """L; False where it gives up."""
    window: Int = 1
    if 1 < w.system.state[w.unit].window < UNBOUNDED:
        window = w.system.state[w.unit].window  # so far, as it only grows
    while True:
        work = filling(w, window, False)
        if w.threads > 1:
            work = added(work, crowded(w, window, window, 0))
        if w.above >= 0:
            other = filling(w, window, True)
            work = min(work, other)
        longer = service_time(w, work) + w.more
        if gives_up(w, longer):
            return False
        if longer <= window:
            w.length = window
            return True
        window = longer


def left(w: Window, index: Int) -> Int:
    """The least time from the first of the units to the index-th, at the origin."""
    s = w.system
    events = index
    if w.ratio > 1:
        events = ceiling_quotient(index, w.ratio)
    if w.origin < 0:
        return node_distance(s, s.place[w.unit].node, events)
    return unit_distance(s, w.origin, events)


def left_by(w: Window, arrival: Int) -> Int:
    """How many units may have left the origin within this time."""
    s = w.system
    if w.origin < 0:
        count = node_count(s, s.place[w.unit].node, arrival + 1)
    else:
        count = unit_count(s, w.origin, arrival + 1)
    return saturated_product(w.ratio, count, UNBOUNDED)


def next_before(w: Window, unit: Int, arrival: Int) -> Int:
    """The next step of the bound of what comes after ours: there may be none of a curve."""
    s = w.system
    step = s.place[unit].before - s.place[w.unit].best
    if step >= UNBOUNDED:
        return UNBOUNDED
    events = node_count(s, s.place[w.unit].node, arrival + 1 + step)
    return node_distance(s, s.place[w.unit].node, events + 1) - step


def next_of_range(s: System, first: Int, last: Int, arrival: Int) -> Int:
    """The next step of any curve of a range."""
    soonest: Int = UNBOUNDED
    if is_kept(s, first, last, arrival + 1):
        return min(sum_parts(s, first, last, arrival + 1, False).most, UNBOUNDED)
    for unit in range(first, last):
        soonest = min(soonest, next_unit(s, unit, arrival))
    return soonest


def next_arrival(w: Window, arrival: Int) -> Int:
    """The next step of a curve that is ahead, its own included, or of what is pending of that."""
    s = w.system
    soonest = next_unit(s, w.unit, arrival)
    if w.overlaps and s.state[w.unit].response < UNBOUNDED:
        before = s.state[w.unit].response - 1
        soonest = min(soonest, next_unit(s, w.unit, arrival + before) - before)
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == AHEAD:
            step = next_of_range(s, s.relation[r].first, s.relation[r].last, arrival)
            soonest = min(soonest, step)
            other = next_after(w, address(s.relation[r]), w.unit)
            while other != w.unit:
                soonest = min(soonest, next_before(w, other, arrival))
                other = next_after(w, address(s.relation[r]), other)
        elif s.relation[r].kind == EARLIER:
            for unit in range(s.relation[r].first, s.relation[r].last):
                step = next_unit(s, unit, arrival + s.relation[r].shift)
                if step < UNBOUNDED and step - s.relation[r].shift < soonest:
                    soonest = step - s.relation[r].shift
    for r in range(s.problem.later_start[w.unit], s.problem.later_start[w.unit + 1]):
        soonest = min(soonest, next_before(w, s.problem.later_unit[r], arrival))
    return soonest


def see_relations(w: Window) -> None:
    """Of which kinds they are, and what its own units are to it."""
    s = w.system
    one: Int = 1
    w.width = 1
    w.kinds = 0
    w.overlaps = w.mixes = False
    for r in range(w.first_relation, w.last_relation):
        kind = s.relation[r].kind
        w.width += s.relation[r].last - s.relation[r].first
        w.kinds |= one << kind
        if s.relation[r].first <= w.unit < s.relation[r].last:
            w.overlaps = w.overlaps or kind == OVERLAPS
            w.mixes = w.mixes or kind == OVERTAKES
    if w.mixes:
        w.pace = 0  # nothing is known by number


def prepare(s: System, unit: Int, origin: Int, before: Int, most_steps: Int, w: Window) -> None:
    """A window that is to be searched."""
    supply = s.place[unit].supply
    w.system = s
    w.unit = unit
    w.origin = origin
    w.before = before
    w.ratio = s.unit[unit].multiplicity
    if origin >= 0:
        w.ratio = w.ratio // s.unit[origin].multiplicity
    w.begun = s.unit[unit].cost - 1 if s.problem.supply_moves[supply] else 0
    w.cost = s.unit[unit].cost - w.begun
    w.above = s.problem.above[unit] if s.problem.above else -1
    w.burden = s.problem.burden[unit] if s.problem.above else 0
    w.budget = s.problem.supply_budget[supply]
    w.period = s.problem.supply_period[supply]
    w.late = s.problem.supply_late[supply]
    w.more = 0
    w.threads = s.problem.supply_threads[supply]
    w.first_relation = s.place[unit].first_relation
    w.last_relation = s.place[unit].last_relation
    if origin >= 0 and tells_apart(s, unit):
        w.first_relation = s.problem.mixed_start[unit]
        w.last_relation = s.problem.mixed_start[unit + 1]
    w.now = 0
    see_openers(w)
    w.steps = w.opened_by = 0
    w.response = w.latency = w.high_response = w.high_latency = -1
    w.paced = w.high_paced = -1
    w.pace = 0
    w.length = 0
    if origin < 0 and s.node[s.place[unit].node].late > 0 and not s.state[unit].is_plain:
        w.pace = s.node[s.place[unit].node].pace
    w.in_tandem = w.held = False
    w.floor = 0
    w.rounds = 0
    see_relations(w)
    if s.problem.supply_fresh[supply] >= 0 and not w.mixes:  # where nothing that comes later counts
        w.late = s.problem.supply_fresh[supply]
        w.more = w.period - w.budget - w.late + 1
    w.left_over = within(most_steps, w.width)
    w.has_ahead = has(w, AHEAD)
    w.has_earlier = has(w, EARLIER)
    w.contends = has(w, CONTENDS)
    w.asks_start = w.kinds & ~(1 << PREEMPTS | 1 << AHEAD | 1 << BLOCKS | 1 << CONTENDS) != 0
    w.is_own = has(w, ALTERNATES) or has(w, PRECEDES)
    w.is_own = w.is_own or w.kinds & ~(1 << PREEMPTS) == 0
