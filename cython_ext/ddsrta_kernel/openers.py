"""Who released what opened a window: of all less urgent units of a core only one can have (lemma
one-opener)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.behind import comes_after, effects_before, siblings_before, tells_apart
from ddsrta_kernel.curves import unit_count
from ddsrta_kernel.parts import unit_work
from ddsrta_kernel.problem import AHEAD, UNBOUNDED
from ddsrta_kernel.shadow import inline
from ddsrta_kernel.structs import Window


def next_opener(w: Window) -> Bool:
    """Goes on to the next that may have; False where there is none."""
    p = w.system.problem
    w.opened = w.opened_end
    if w.opened >= w.opened_last:
        return False
    one = p.opener_who[w.opened]
    while w.opened_end < w.opened_last and p.opener_who[w.opened_end] == one:
        w.opened_end += 1
    return True


def see_openers(w: Window) -> None:
    """Begins with the first; where none is known, nothing is counted by that."""
    p = w.system.problem
    w.opened = w.opened_end = w.opened_last = 0
    if p.opener_start and not (w.origin >= 0 and tells_apart(w.system, w.unit)):
        w.opened = w.opened_end = p.opener_start[w.unit]
        w.opened_last = p.opener_start[w.unit + 1]
        next_opener(w)


@inline
def brought_at_most(w: Window, unit: Int) -> Int:
    """How many units that one has released."""
    p = w.system.problem
    for i in range(w.opened, w.opened_end):
        if p.opener_unit[i] == unit:
            return p.opener_most[i]
    return UNBOUNDED


@inline
def opens_at_once(w: Window) -> Bool:
    """Whether the window opened with its own, which that one released as it last ran."""
    p = w.system.problem
    for i in range(w.opened, w.opened_end):
        if p.opener_unit[i] == w.unit:
            return p.opener_kind[i] == AHEAD
    return False


def by_curve(w: Window, unit: Int, arrival: Int) -> Int:
    """How many units of what is ahead may have come by A; but for its opener."""
    s = w.system
    count = unit_count(s, unit, arrival + 1)
    if comes_after(w, unit):
        return min(count, effects_before(w, unit, arrival))
    for i in range(s.problem.later_start[w.unit], s.problem.later_start[w.unit + 1]):
        if s.problem.later_unit[i] == unit:
            count = min(count, siblings_before(w, i, arrival))
    return count


def not_brought(w: Window, kind: Int, arrival: Int, loaded: Bool) -> Int:
    """The work of what its opener has not released (lemma one-opener)."""
    s = w.system
    work: Int = 0
    for i in range(w.opened, w.opened_end):
        unit = s.problem.opener_unit[i]
        if s.problem.opener_kind[i] == kind and unit != w.unit:
            count = unit_count(s, unit, arrival + 1)
            if kind == AHEAD:
                count = by_curve(w, unit, arrival)
            more = count - s.problem.opener_most[i]
            if more > 0:
                work += unit_work(s, unit, more, loaded)
    return work


def own_by(w: Window, arrival: Int) -> Int:
    """How many of its own may have come by A."""
    return min(unit_count(w.system, w.unit, arrival + 1), brought_at_most(w, w.unit))
