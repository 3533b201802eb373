"""The window of a unit from its own arrival on (lemmas pending-window, released-here,
closed-counts, clocked-counts and one-at-a-time)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.counts import is_clocked, original, pending_before, pending_count
from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.lines import count_lines, has_lines, line_work, on_line
from ddsrta_kernel.problem import (
    BLOCKS,
    CONTENDS,
    OVERLAPS,
    OVERTAKES,
    PREEMPTS,
    SHARES,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, inline, saturated_product
from ddsrta_kernel.structs import Pending, System
from ddsrta_kernel.works import added, begun


def begin_pending(s: System, w: Pending, unit: Int, of_message: Bool) -> None:
    """What delays a unit, or one of its messages."""
    w.system = s
    w.unit = unit
    w.of_message = of_message
    place = address(s.place[unit])
    w.first_relation = place.first_relation
    w.last_relation = place.last_relation
    if of_message:
        w.first_relation = s.problem.mixed_start[unit]
        w.last_relation = s.problem.mixed_start[unit + 1]


def waiting_work(w: Pending, start: Int) -> Int:
    """All work before it starts but for what preempts."""
    s = w.system
    if w.mixed:
        w.own = own_before(w, start)
    work = added(w.blocked, saturated_product(w.own, s.unit[w.unit].cost, UNBOUNDED))
    for i in range(w.first_relation, w.last_relation):
        relation = address(s.relation[i])
        if relation.kind in (PREEMPTS, BLOCKS):
            continue
        in_lines = has_lines(w, relation)
        for other in range(relation.first, relation.last):
            if other == w.unit:
                continue
            if not in_lines:
                count = pending_before(w, relation, other, start)
                work = added(work, saturated_product(count, s.unit[other].cost, UNBOUNDED))
            elif on_line(w, relation, other, False) < 0:
                w.rest = other
                while w.rest >= 0:
                    work = added(work, line_work(w, relation, w.rest))
    return work


def urgent_work(w: Pending, time: Int) -> Int:
    """The work of what preempts it, up to a while after it arrives."""
    s = w.system
    work: Int = 0
    for i in range(w.first_relation, w.last_relation):
        relation = address(s.relation[i])
        if relation.kind == PREEMPTS:
            for other in range(relation.first, relation.last):
                if other != w.unit:
                    count = pending_count(w, other, PREEMPTS, time)
                    work = added(work, saturated_product(count, s.unit[other].cost, UNBOUNDED))
    return work


@inline
def is_barred(w: Pending, unit: Int) -> Bool:
    """Whether it is known that a unit cannot be in progress."""
    found: Bool = False
    for i in range(w.bars):
        found = found or w.barred[i] == unit
    return found


def prepare_pending(w: Pending, most: Int) -> Bool:
    """Whether a unit has such a window that may give less than others, if it has a bound: not where
    something that delays it has none, another supply serves it, too, or more than so many others
    are beside it."""
    s = w.system
    place = address(s.place[w.unit])
    beside: Int = 0
    has_kin: Bool = w.is_released or w.has_most or s.response[w.unit] < w.below
    for i in range(w.first_relation, w.last_relation):
        relation = address(s.relation[i])
        beside += relation.last - relation.first
        if relation.kind in (SHARES, OVERLAPS, CONTENDS) or beside > most:
            return False
        for other in range(relation.first, relation.last):
            if other == w.unit:
                continue
            number = original(w, other)
            if number >= 0:
                node = s.place[number].node
                has_kin = has_kin or node == place.node or is_clocked(s, node, place.node)
            if relation.kind == BLOCKS:
                continue
            if number < 0 or s.response[number] >= UNBOUNDED or s.latency[number] >= UNBOUNDED:
                return False
    return has_kin


def blocks(w: Pending, unit: Int) -> Bool:
    """Whether a unit of what may be in progress can have begun when one arrives."""
    s = w.system
    if s.problem.is_load[unit]:  # what blocks is of its own thread
        return True
    if is_barred(w, unit):
        return False
    if s.response[unit] >= UNBOUNDED or s.latency[unit] >= UNBOUNDED:
        return True
    return pending_count(w, unit, BLOCKS, -begun(s)) > 0


def find_blocker(w: Pending) -> None:
    """The longest that may be in progress when a unit arrives."""
    s = w.system
    w.blocker = -1
    w.blocked = 0
    if w.end >= 0:
        return
    for i in range(w.first_relation, w.last_relation):
        relation = address(s.relation[i])
        if relation.kind == BLOCKS:
            for other in range(relation.first, relation.last):
                longer: Bool = w.blocker < 0 or s.unit[other].cost > s.unit[w.blocker].cost
                if other != w.unit and blocks(w, other) and longer:
                    w.blocker = other
                    w.blocked = max(0, s.unit[other].cost - begun(s))


def mixes(w: Pending) -> Bool:
    """Whether its own units are served in any order (lemma mixed-publishers)."""
    found: Bool = False
    for i in range(w.first_relation, w.last_relation):
        relation = address(w.system.relation[i])
        own: Bool = relation.first <= w.unit < relation.last
        found = found or (own and relation.kind == OVERTAKES)
    return found


def own_before(w: Pending, start: Int) -> Int:
    """How many other units of its own are pending when one arrives, or come before it starts if
    these may go first."""
    s = w.system
    place = address(s.place[w.unit])
    after: Int = start if start > 0 and mixes(w) else 0
    earlier = max(0, unit_count(s, w.unit, added(s.response[w.unit], after)) - 1)
    if s.unit[w.unit].multiplicity == 1 and s.latency[w.unit] < UNBOUNDED:
        events = node_count(s, place.node, s.latency[w.unit] - place.best + after)
        earlier = min(earlier, max(0, events - 1))
    if w.has_most:
        earlier = min(earlier, max(0, w.most[w.unit] - 1))
    return earlier


def keep_counts(w: Pending, start: Int, finish: Int) -> None:
    """How many of each other go before it, in the order of its relations."""
    s = w.system
    w.others = 0
    for i in range(w.first_relation, w.last_relation):
        relation = address(s.relation[i])
        base = w.others
        for other in range(relation.first, relation.last):
            if other != w.unit and relation.kind != BLOCKS:
                if relation.kind == PREEMPTS:
                    s.counted[w.others] = pending_count(w, other, PREEMPTS, finish - 1)
                else:
                    s.counted[w.others] = pending_before(w, relation, other, start)
                w.others += 1
        if has_lines(w, relation):
            count_lines(w, relation, base)


def pending_finish(w: Pending) -> Int:
    """When a unit is done at the latest, counted from its arrival, or -1: not as soon as that is
    wanted."""
    s = w.system
    cost = s.unit[w.unit].cost
    limit = w.below - 1
    w.mixed = mixes(w)
    w.own = own_before(w, 0)
    if w.end >= 0:
        w.own = min(w.own, w.own_here)
    find_blocker(w)
    start: Int = 0
    while True:
        if start > limit - cost or w.left <= 0:
            return -1
        needed = added(waiting_work(w, start), urgent_work(w, start))
        if needed <= start:
            break
        start = needed
    work = added(waiting_work(w, start), cost)
    finish = start + cost
    while True:
        if finish > limit or w.left <= 0:
            return -1
        needed = added(work, urgent_work(w, finish - 1))
        if needed <= finish:
            break
        finish = needed
    keep_counts(w, start, finish)
    return finish


def examine_pending(w: Pending, most: Int) -> Int:
    """The same, where it has no more than so many others beside it."""
    return pending_finish(w) if prepare_pending(w, most) else -1
