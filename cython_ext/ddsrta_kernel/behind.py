"""What comes only after a unit, for one event (definition later-effect, lemma ahead-in-step)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.curves import node_count
from ddsrta_kernel.problem import PART, UNBOUNDED
from ddsrta_kernel.shadow import inline, saturated_product
from ddsrta_kernel.structs import Relation, System, Window


@inline
def tells_apart(s: System, unit: Int) -> Bool:
    """Whether a unit takes messages in any order, and one of them may take longer than its turn."""
    if not s.problem.mixed_start:
        return False
    return s.problem.mixed_start[unit] < s.problem.mixed_start[unit + 1]


@inline
def is_behind(s: System, unit: Int, other: Int) -> Bool:
    """Whether another unit is an effect of one (definition later-effect)."""
    if s.unit[unit].multiplicity == 1 and s.problem.cause_start:
        for i in range(s.problem.cause_start[unit], s.problem.cause_start[unit + 1]):
            if s.problem.cause_first[i] <= s.problem.cause_place[other] < s.problem.cause_end[i]:
                return True
    return False


@inline
def comes_after(w: Window, unit: Int) -> Bool:
    """Whether what an event brings to another unit arrives after what it brings to ours."""
    s = w.system
    if not s.problem.ahead_in_step or s.place[unit].node != s.place[w.unit].node:
        return False
    return s.place[unit].best > s.place[w.unit].before or is_behind(s, w.unit, unit)


def next_after(w: Window, relation: Relation, unit: Int) -> Int:
    """The next unit of a range that is ahead by its curve, but comes after ours for one event;
    ours: that was the last, and is where to begin. Long ranges are gone through by their circle."""
    s = w.system
    first = relation.first
    last = relation.last
    if not s.problem.ahead_in_step:
        return w.unit
    if last - first < PART:
        for other in range(first if unit == w.unit else unit + 1, last):
            if other != w.unit and comes_after(w, other):
                return other
        return w.unit
    unit = s.akin[unit]
    while unit != w.unit and not (first <= unit < last and comes_after(w, unit)):
        unit = s.akin[unit]
    return unit


@inline
def brought_before(w: Window, unit: Int, jobs: Int, bunch: Int, arrival: Int) -> Int:
    """How many units of what comes after ours are brought up to A by events before its own, or by
    jobs, of which each event has so many (lemmas ahead-in-step, later-siblings)."""
    s = w.system
    window = arrival + 1 + s.place[unit].before - s.place[w.unit].best
    events = node_count(s, s.place[w.unit].node, window)
    return saturated_product(saturated_product(events, jobs, UNBOUNDED) - 1, bunch, UNBOUNDED)


@inline
def siblings_before(w: Window, later: Int, arrival: Int) -> Int:
    """The same of a sibling."""
    p = w.system.problem
    jobs, bunch = p.later_jobs[later], p.later_bunch[later]
    return brought_before(w, p.later_unit[later], jobs, bunch, arrival)


@inline
def effects_before(w: Window, unit: Int, arrival: Int) -> Int:
    """The same of what each event brings there."""
    return brought_before(w, unit, 1, w.system.unit[unit].multiplicity, arrival)
