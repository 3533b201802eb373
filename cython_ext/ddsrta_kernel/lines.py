"""What is ahead of a unit on lines of stages: each event is at one of them at a time (lemma
one-at-a-time)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.counts import is_done, leads, pending_before
from ddsrta_kernel.curves import node_count
from ddsrta_kernel.problem import AHEAD, HERE, HERE_STAGE, MOST_FLIGHT, UNBOUNDED
from ddsrta_kernel.shadow import address, inline, saturated_product
from ddsrta_kernel.structs import Pending, Relation
from ddsrta_kernel.works import added


@inline
def beside_on_line(w: Pending, unit: Int, after: Bool) -> Int:
    """The unit before or behind one on its line; -1: none."""
    stage = w.here[HERE * unit + HERE_STAGE]
    found = w.leading[w.lines + stage + (w.stages if after else 0)]
    return -1 if found < 0 else w.unit_of[found]


@inline
def on_line(w: Pending, relation: Relation, unit: Int, after: Bool) -> Int:
    """The same in a relation, where the unit in question is left out; -1: none."""
    found = beside_on_line(w, unit, after)
    if found == w.unit:
        found = beside_on_line(w, found, after)
    return found if relation.first <= found < relation.last else -1


def events_in_flight(w: Pending, first: Int, last: Int) -> Int:
    """Events of which a unit of some of a line can be pending when ours arrives (lemma
    one-at-a-time)."""
    s = w.system
    row = w.system.flight
    mine = address(s.place[w.unit])
    node = s.place[row[first]].node
    latest: Int = 0
    soonest: Int = UNBOUNDED
    before: Bool = True  # each of them leads to ours, and is done
    behind: Bool = True  # ours leads to each of them
    for i in range(first, last + 1):
        latest = max(latest, s.latency[row[i]])
        soonest = min(soonest, s.place[row[i]].best)
        if node == mine.node:
            before = before and is_done(w, row[i], w.unit)
            behind = behind and leads(w, w.unit, row[i])
    w.left -= 1
    events = node_count(s, node, max(0, latest - soonest))
    if node != mine.node:
        return events
    earlier = max(0, node_count(s, node, max(0, latest - mine.best)) - 1)
    if s.unit[w.unit].multiplicity == 1 and behind:
        return min(events, earlier)
    later = max(0, node_count(s, node, mine.before - soonest + 1) - 1)
    return min(events, later if before else earlier + 1 + later)


def line_work(w: Pending, relation: Relation, head: Int) -> Int:
    """The work of units ahead of ours on a line that begins with one: each event has units of one
    stage there at a time. Leaves the line, and of its stages up to each the least work, since
    which stage events count once, and how many do."""
    s = w.system
    row = w.system.flight
    size: Int = 0
    unit = head
    while unit >= 0 and size < MOST_FLIGHT:
        row[size] = unit
        count = pending_before(w, relation, unit, 0)
        most = saturated_product(count, s.unit[unit].cost, UNBOUNDED)
        least = added(most, row[MOST_FLIGHT + size - 1] if size > 0 else 0)
        since = size
        dearest = saturated_product(s.unit[unit].multiplicity, s.unit[unit].cost, UNBOUNDED)
        for first in range(size - 1 if dearest < least else -1, -1, -1):
            other = address(s.unit[row[first]])
            each = saturated_product(other.multiplicity, other.cost, UNBOUNDED)
            dearest = max(dearest, each)
            before = row[MOST_FLIGHT + first - 1] if first > 0 else 0
            if added(before, dearest) < least:
                events = events_in_flight(w, first, size)
                work = added(before, saturated_product(events, dearest, UNBOUNDED))
                if work < least:
                    least, since, count = work, first, events
        row[MOST_FLIGHT + size] = least
        row[2 * MOST_FLIGHT + size] = since
        row[3 * MOST_FLIGHT + size] = count
        size += 1
        unit = on_line(w, relation, unit, True)
    w.length, w.rest = size, unit
    return row[MOST_FLIGHT + size - 1]


@inline
def has_lines(w: Pending, relation: Relation) -> Bool:
    """Whether lines count in a relation: of what is ahead, but not where shadows are."""
    return relation.kind == AHEAD and w.lines >= 0 and not w.has_copies and w.end < 0


def count_line(w: Pending, relation: Relation, base: Int) -> None:
    """The counts of a line that was looked at: where events of several stages count once, at the
    one that takes longest. The first of the relation stands at a place."""
    s = w.system
    row = w.system.flight
    last = w.length - 1
    while last >= 0:
        first = row[2 * MOST_FLIGHT + last]
        events = row[3 * MOST_FLIGHT + last]
        dearest = first
        most: Int = -1
        for i in range(first, last + 1):
            mine = address(s.unit[row[i]])
            each = saturated_product(mine.multiplicity, mine.cost, UNBOUNDED)
            if each > most:
                dearest, most = i, each
            s.counted[base + seat_of(w, relation, row[i])] = 0
        units = events if first == last else events * s.unit[row[dearest]].multiplicity
        s.counted[base + seat_of(w, relation, row[dearest])] = units
        last = first - 1


@inline
def seat_of(w: Pending, relation: Relation, unit: Int) -> Int:
    """Where a unit stands among all of a relation but that in question."""
    skipped: Bool = relation.first <= w.unit < unit
    return unit - relation.first - (1 if skipped else 0)


def count_lines(w: Pending, relation: Relation, base: Int) -> None:
    """The counts of what is ahead once more, where they begin at a place."""
    for head in range(relation.first, relation.last):
        if head != w.unit and on_line(w, relation, head, False) < 0:
            w.rest = head
            while w.rest >= 0:
                line_work(w, relation, w.rest)
                count_line(w, relation, base)
