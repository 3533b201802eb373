"""The busy window of one unit (lemma busy-window): its own, or that of its level."""

from __future__ import annotations

from ddsrta_kernel.curves import unit_count, unit_distance
from ddsrta_kernel.problem import UNBOUNDED
from ddsrta_kernel.searches import (
    find_finish,
    find_length,
    find_start,
    left,
    left_by,
    next_arrival,
    prepare,
)
from ddsrta_kernel.shadow import inline
from ddsrta_kernel.structs import Bool, Int, System, Tandem, Window, Work
from ddsrta_kernel.tandem import finished_last
from ddsrta_kernel.works import all_ahead, extra_work, with_own


def record(w: Window, index: Int, arrival: Int, start: Int, finish: Int, gone: Int) -> None:
    alone = finish
    later: Int = 0
    if w.in_tandem:
        later = finished_last(w, index, arrival, start, finish)
        if later < 0:
            return
        finish += later + w.tandem.link - w.tandem.saved
    gone = max(gone, w.floor)
    if finish - gone + w.before > w.latency:
        if w.in_tandem:
            w.tandem.first_finish = alone
            w.tandem.last_finish = later
        w.latency = finish - gone + w.before
        w.index = index
        w.arrival = arrival
        w.start = start
        w.finish = finish


def own_window(w: Window) -> Bool:
    """The window that opens with the unit's own first arrival; False where it gives up."""
    s = w.system
    index: Int = 1
    start: Int = 0
    finish = w.cost
    while True:
        ahead = with_own(w, Work(extra_work(w), extra_work(w)), index - 1)
        if w.asks_start:
            start = find_start(w, ahead, index, start)
            if start < 0:
                return False
            finish = max(finish, start + w.cost)
        finish = find_finish(w, ahead, index, start, finish)
        if finish < 0:
            return False
        arrival = unit_distance(s, w.unit, index)
        w.response = max(w.response, finish - arrival)
        record(w, index, arrival, start, finish, left(w, index))
        if finish <= unit_distance(s, w.unit, index + 1):
            w.length = finish
            return True
        index += 1
        finish += w.cost


def level_window(w: Window) -> Bool:
    """The window of the unit's level: every arrival in it is a candidate; False: gives up."""
    s = w.system
    arrival: Int = 0
    warm_start: Int = 0
    warm_finish: Int = 0
    if not find_length(w):
        return False
    while arrival < w.length:
        w.now = arrival
        others = all_ahead(w, arrival)
        last = unit_count(s, w.unit, arrival + 1)
        first = left_by(w, arrival)
        first = min(first, last)
        first = max(first, 1)
        start = warm_start
        finish = warm_finish
        for index in range(first, last + 1):
            ahead = with_own(w, others, index - 1)
            if w.asks_start:
                start = find_start(w, ahead, index, start)
                if start < 0:
                    return False
            finish = max(finish, start + w.cost)
            finish = find_finish(w, ahead, index, start, finish)
            if finish < 0:
                return False
            if index == first:
                warm_start = start
                warm_finish = finish
            gone = left(w, index)
            record(w, index, arrival, start, finish, gone if gone > arrival else arrival)
        w.response = max(w.response, finish - arrival)
        arrival = next_arrival(w, arrival)
    return True


@inline
def search(w: Window) -> Bool:
    """Both bounds; False where it gives up."""
    return own_window(w) if w.is_own else level_window(w)


def examine(s: System, unit: Int, origin: Int, before: Int, most_steps: Int, w: Window) -> Bool:
    """Both bounds of a unit; False where it gives up."""
    prepare(s, unit, origin, before, most_steps, w)
    return search(w)


def examine_tandem(s: System, t: Tandem, origin: Int, early: Int, late: Int, one: Window) -> Bool:
    """Two threads in tandem (lemma tandem-window), where the window of the last opened before the
    unit came to the first, and where later; False where either gives up."""
    prepare(s, t.last_unit, origin, late, s.most_steps, one)
    one.floor = max(0, late - early - t.link)
    if not search(one):
        return False
    prepare(s, t.last_unit, origin, late, s.most_steps, t.last)
    prepare(s, t.first_unit, origin, early, s.most_steps, t.first)
    t.first.tandem = t
    t.first.in_tandem = True
    t.failed = False
    t.first_finish = t.last_finish = 0
    if not search(t.first) or t.failed:
        return False
    return one.latency < UNBOUNDED and t.first.latency < UNBOUNDED
