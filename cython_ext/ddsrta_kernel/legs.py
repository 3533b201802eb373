"""Legs: paths up to the end of a stretch (lemma path-latency). What paths begin with in common is
looked at once. How each stage is bounded `ddsrta.bounds.paths.walk` tells; here are totals alone.
"""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.books import ask_stretch, begins, head_of, inputs_of, last_row
from ddsrta_kernel.flows import Flow, Leg
from ddsrta_kernel.joins import due_of, late_of, node_of, paced_of, spread, takes_each, wait_at
from ddsrta_kernel.problem import (
    BY_NOTHING,
    BY_WINDOW,
    CONTINUES,
    LOOSE,
    MOST_LEGS,
    NOT_KNOWN,
    STEP,
    STEP_BEFORE,
    STEP_BY,
    STEP_CARRIED,
    STEP_DUE,
    STEP_ORIGIN,
    STEP_TOTAL,
    STEP_UNIT,
    UNBOUNDED,
    USES_TOKENS,
)
from ddsrta_kernel.shadow import address
from ddsrta_kernel.structs import System
from ddsrta_kernel.walks import walk_on


def due_at_join(s: System, f: Flow, start: Int, number: Int) -> Int:
    """When the event of the same number is due, by all ways to a join (lemma due-at-joins)."""
    if not f.uses & USES_TOKENS or inputs_of(s, start):
        return NOT_KNOWN
    return due_of(s, f, start, node_of(s, number))


def found_due(s: System, f: Flow, leg: Leg, released: Int) -> Int:
    """When the event of the base of the first stage of a leg is due at the latest, from the start
    of the path, if that is released by then (lemma paced-path)."""
    p = s.problem
    number = head_of(f, leg.stretch)
    late = late_of(s, number)
    if late == NOT_KNOWN:
        return UNBOUNDED
    if leg.previous < 0:
        return late - s.place[p.stage_unit[number]].best
    source = p.input_source[leg.edge]
    before = f.row[last_row(address(f.leg[leg.previous])) + STEP_DUE]
    if node_of(s, source) == node_of(s, number):
        return before
    due: Int = NOT_KNOWN
    if leg.joined:
        due = due_at_join(s, f, leg.start, number)
    if due != NOT_KNOWN:
        return min(due, released + late)
    paced = paced_of(s, source)
    if before >= UNBOUNDED or paced == NOT_KNOWN or p.input_bits[leg.edge] & LOOSE:
        return released + late
    if not takes_each(s, node_of(s, number)):
        return released + late
    latest: Int = 0
    if inputs_of(s, number) > 1:
        latest = NOT_KNOWN
    for i in range(p.input_start[number], p.input_start[number + 1]):
        if i != leg.edge:
            other = spread(s, i)
            latest = max(latest, other)
    longest = max(released, released + latest)
    longest = max(longest, before + paced + p.input_worst[leg.edge])
    return min(released + late, longest)


def new_leg(s: System, f: Flow, previous: Int, stretch: Int, waits: Bool) -> Int:
    """One more; it has yet to be begun."""
    size = begins(f, stretch + 1) - begins(f, stretch)
    if f.legs == MOST_LEGS or f.rows + 2 * size > 4 * MOST_LEGS:
        f.failed = True
        return 0
    leg = address(f.leg[f.legs])
    leg.previous = previous
    leg.stretch = stretch
    leg.waits = waits
    leg.edge = -1
    leg.joined = False
    leg.size = size
    leg.row = f.rows
    leg.settled = leg.token = -1
    leg.tokens = 0
    f.rows += size
    f.legs += 1
    return f.legs - 1


def go(s: System, f: Flow, leg: Leg) -> None:
    """Along the stretch of a leg; what is in its first row says when that is reached."""
    ask_stretch(s, f, leg.stretch)
    at = STEP * leg.row
    for i in range(STEP * leg.size):
        f.path[i] = f.row[at + i]
    w = address(s.walk[0])
    w.system = s
    w.start = s.problem.stage_unit[leg.start]
    w.from_base = leg.from_base
    w.asked = f.asked
    w.feed = s.problem.fed
    w.path = f.path
    w.waited = leg.waited
    w.arrived = leg.arrived
    w.first = leg.place
    walk_on(w, 0, leg.size)
    for i in range(STEP * leg.size):
        f.row[at + i] = f.path[i]
    leg.arrived = w.arrived
    leg.total = f.row[last_row(leg) + STEP_TOTAL]


def begin_leg(
    s: System, f: Flow, which: Int, carried: Int, before: Int, anew: Bool, waited: Bool
) -> None:
    """A leg from when its first stage is reached: what the path had taken before the origin, and
    from there; NOT_KNOWN where it may never be."""
    leg = address(f.leg[which])
    number = head_of(f, leg.stretch)
    unit = s.problem.stage_unit[number]
    leg.place = 0
    leg.start = number
    leg.from_base = inputs_of(s, number) == 0
    origin = unit
    already: Int = 0
    if leg.previous >= 0:
        last = address(f.leg[leg.previous])
        leg.place = last.end
        leg.start = last.start
        leg.joined = leg.joined or last.joined
        leg.from_base = last.from_base and not anew
        already = f.row[last_row(last) + STEP_CARRIED]
        if not anew:
            origin = f.row[last_row(last) + STEP_ORIGIN]
    leg.end = leg.place + leg.size
    leg.waited = leg.place
    leg.arrived = 0
    if leg.previous >= 0 and not waited:
        leg.waited = f.leg[leg.previous].waited
        leg.arrived = f.leg[leg.previous].arrived
    at = STEP * leg.row
    for i in range(STEP * leg.size):
        f.row[at + i] = 0
    f.row[at + STEP_UNIT] = unit
    f.row[at + STEP_ORIGIN] = origin
    f.row[at + STEP_TOTAL] = f.row[at + STEP_DUE] = UNBOUNDED
    f.row[at + STEP_BY] = BY_NOTHING
    f.row[at + STEP_CARRIED] = already
    if carried != NOT_KNOWN:
        f.row[at + STEP_BY] = BY_WINDOW
        f.row[at + STEP_CARRIED] = carried
        f.row[at + STEP_BEFORE] = before
        f.row[at + STEP_DUE] = found_due(s, f, leg, carried)
    go(s, f, leg)


def released(s: System, f: Flow, which: Int, number: Int, arrived: Int) -> Int:
    """When an AND job that a leg comes to has the tokens of all its inputs."""
    leg = address(f.leg[which])
    found: Int = NOT_KNOWN
    waited = wait_at(s, f, number, leg.edge)
    due = due_at_join(s, f, leg.start, number)
    if due != NOT_KNOWN and s.problem.stage_bits[number] & CONTINUES:
        late: Int = s.place[s.problem.stage_unit[number]].paced
        due = due + late if late < UNBOUNDED else NOT_KNOWN
    if waited != NOT_KNOWN:
        found = arrived + waited
    if due != NOT_KNOWN:
        found = due if found == NOT_KNOWN else min(found, due)
    return found


def with_total(s: System, f: Flow, which: Int, total: Int) -> Int:
    """A leg with another bound of its last stage."""
    leg = address(f.leg[which])
    settled = new_leg(s, f, -2, leg.stretch, False)
    if f.failed:
        return 0
    other = address(f.leg[settled])
    other.previous = leg.previous
    other.waits = leg.waits
    other.edge = leg.edge
    other.arrived = leg.arrived
    other.waited = leg.waited
    other.start = leg.start
    other.place = leg.place
    other.end = leg.end
    other.joined = leg.joined
    other.from_base = leg.from_base
    other.settled = settled
    other.total = total
    for i in range(STEP * leg.size):
        f.row[STEP * other.row + i] = f.row[STEP * leg.row + i]
    f.row[last_row(other) + STEP_TOTAL] = total
    return settled
