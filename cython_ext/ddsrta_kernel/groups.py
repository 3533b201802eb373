"""Windows of groups of joined stages (lemma group-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.curves import node_distance, unit_count, unit_distance
from ddsrta_kernel.phases import all_phases, fixed_point
from ddsrta_kernel.problem import ANYHOW, LOST, PIECE, ROOT, UNBOUNDED
from ddsrta_kernel.shadow import address, ceiling_quotient, inline, saturated_product
from ddsrta_kernel.structs import Group, GroupWindow, System
from ddsrta_kernel.works import added, kept_sum, level_work, root_work, roots_work, within


def level_length(w: GroupWindow) -> Int:
    """L of the level, or -1."""
    level = address(w.system.level[w.group.level])
    window = level.found
    while True:
        longer = fixed_point(w, level_work(w.system, w.group.level, window, -1))
        if longer < 0:
            return -1
        if longer <= window:
            level.found = window
            return window
        window = longer


@inline
def piece_time(w: GroupWindow, finish: Int) -> Int:
    """The time for all work of a window that opens with a piece of a less urgent stage, or -1."""
    return fixed_point(w, added(w.group.first, roots_work(w.system, w.group.level, finish, -1)))


def piece_finish(w: GroupWindow) -> Int:
    """F of such a window, or -1."""
    finish: Int = 1
    while True:
        later = piece_time(w, finish)
        if later <= finish:
            return later if later < 0 else finish
        finish = later


@inline
def work_beside(w: GroupWindow, window: Int) -> Int:
    """All work of the level but the head's."""
    s = w.system
    level = w.group.level
    if s.is_calm and w.own >= 0 and window > 0:
        total = kept_sum(s, level, window)
        if total < UNBOUNDED:
            return added(s.level[level].piece, total - root_work(s, w.own, window))
    return level_work(s, level, window, w.group.head)


@inline
def event_time(w: GroupWindow, index: Int, finish: Int) -> Int:
    """The time for all work of a window of this length that the index-th event is in, or -1."""
    g = w.group
    fixed = added(g.first, saturated_product(index - 1, g.each, UNBOUNDED))
    more = unit_count(w.system, g.head, finish) - index
    work = added(fixed, work_beside(w, finish))
    if more > 0:
        work = added(work, saturated_product(more, g.later, UNBOUNDED))
    return fixed_point(w, work)


def event_finish(w: GroupWindow, index: Int, finish: Int) -> Int:
    """F(q), or -1."""
    while True:
        longer = event_time(w, index, finish)
        if longer <= finish:
            return longer if longer < 0 else finish
        finish = longer


def root_events(w: GroupWindow) -> Bool:
    """All events of the root in the window of the level, one after the other; False: gives up."""
    s = w.system
    index: Int = 1
    finish: Int = 1
    while True:
        arrival = unit_distance(s, w.group.head, index)
        if arrival >= w.length:
            return True
        finish = event_finish(w, index, finish)
        if finish < 0:
            return False
        w.response = max(w.response, finish - arrival - w.group.least)
        events = ceiling_quotient(index, w.ratio)
        if w.origin < 0:
            gone = node_distance(s, s.place[w.group.head].node, events)
        else:
            gone = unit_distance(s, w.origin, events)
        if finish - gone + w.before > w.latency:
            w.latency = finish - gone + w.before
            w.phase = UNBOUNDED
            w.index = index
            w.arrival = arrival
            w.finish = finish
        index += 1


def by_phase_or_event(w: GroupWindow) -> Bool:
    """The least bounds of both ways to look at a group; False where neither gives any."""
    if not all_phases(w):
        return False
    if w.group.kind == ROOT and (w.origin >= 0 or w.system.unit[w.group.head].spacing):
        response = w.response
        latency = w.latency
        index = w.index
        phase = w.phase
        arrival = w.arrival
        finish = w.finish
        w.response = w.latency = -1
        if not root_events(w):
            return False
        w.response = min(response, w.response)
        if latency <= w.latency:
            w.latency = latency
            w.index = index
            w.phase = phase
            w.arrival = arrival
            w.finish = finish
    return True


def find_kin(s: System, w: GroupWindow) -> None:
    """The roots of the level on the node of the head, the head among them."""
    first = s.level[w.group.level].first_root
    last = s.level[w.group.level].last_root
    while first < last and s.place[s.root[first].unit].node != w.node:
        first += 1
    if first < last:
        w.kin = w.own = first
    while w.own >= 0 and s.root[w.own].unit != w.group.head:
        w.own = s.kin[w.own]


@inline
def prepare_group(
    s: System, group: Group, origin: Int, before: Int, most_steps: Int, w: GroupWindow
) -> None:
    """A window of a group that is to be searched."""
    supply = s.level[group.level].supply
    w.system = s
    w.group = group
    w.origin = origin
    w.before = before
    w.width = s.level[group.level].last_root - s.level[group.level].first_root + 1
    w.steps = 0
    w.left_over = within(most_steps, w.width)
    w.response = w.latency = -1
    w.length = 0
    w.ratio = s.unit[group.head].multiplicity
    if origin >= 0:
        w.ratio = w.ratio // s.unit[origin].multiplicity
    w.budget = s.problem.supply_budget[supply]
    w.period = s.problem.supply_period[supply]
    w.late = s.problem.supply_late[supply]
    w.node = s.place[group.head].node
    w.own = w.kin = -1
    w.looks = w.lined = 0
    if s.is_calm:
        find_kin(s, w)


def examine_group(
    s: System, group: Group, origin: Int, before: Int, most_steps: Int, w: GroupWindow
) -> Bool:
    """Both bounds that a group gives; False where it gives none."""
    prepare_group(s, group, origin, before, most_steps, w)
    if before >= UNBOUNDED or s.level[group.level].overloaded or group.kind == LOST:
        return False
    if group.kind != PIECE:
        w.length = level_length(w)
        if w.length < 0:
            return False
    if group.kind != ANYHOW:
        if s.in_step and s.place[group.head].before < UNBOUNDED:
            return by_phase_or_event(w)
        if group.kind == ROOT:
            return root_events(w)
        w.length = piece_finish(w)
        if w.length < 0:
            return False
    w.finish = w.length
    w.index = 1
    w.phase = UNBOUNDED
    w.arrival = 0
    w.response = w.finish - group.least
    w.latency = w.finish + before
    return True
