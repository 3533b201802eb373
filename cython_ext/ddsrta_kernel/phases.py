"""Windows of groups by the phase of the event in question (lemma phase-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.curves import next_event, node_count, unit_count
from ddsrta_kernel.flows import Fixed, Phases
from ddsrta_kernel.kin import (
    gather_kin,
    is_effect,
    is_one_event,
    phase_beyond,
    spared_of_event,
)
from ddsrta_kernel.problem import LOOKS, ROOT, UNBOUNDED
from ddsrta_kernel.shadow import address, inline, saturated_product
from ddsrta_kernel.structs import GroupWindow
from ddsrta_kernel.works import added, is_stopped, kept_sum, supplied


@inline
def fixed_point(w: GroupWindow, work: Int) -> Int:
    """The time for this work, or -1 where the search gives up."""
    time = supplied(w.budget, w.period, w.late, work)
    w.steps += 1
    over: Bool = time >= UNBOUNDED or w.steps > w.left_over or is_stopped(w.system, w.width)
    return -1 if over else time


@inline
def earlier_events(w: GroupWindow, unit: Int, phases: Phases, finish: Int) -> Int:
    """How many base events up to the one in question may bring a unit into the window."""
    s = w.system
    count = node_count(s, w.node, phases.last + s.place[unit].before + 1)
    if count > 0 and (finish <= phases.first + s.place[unit].best or is_effect(w, unit)):
        return count - 1
    return count


@inline
def later_events(w: GroupWindow, unit: Int, phases: Phases, finish: Int) -> Int:
    """And how many after it."""
    s = w.system
    count = node_count(s, w.node, finish - phases.first - s.place[unit].best) - 1
    return count if count > 0 else 0


@inline
def in_step_with(w: GroupWindow, unit: Int, phases: Phases, finish: Int, count: Int) -> Int:
    """Of so many units of the same base as many as events up to the one in question, and after it,
    may bring: these are looked at only where those are not enough."""
    each = w.system.unit[unit].multiplicity
    place = address(w.system.place[unit])
    came: Bool = phases.last + place.before >= 0 and finish > phases.first + place.best
    if came and count <= each and not is_effect(w, unit):
        return count  # the event in question brings as many
    events = earlier_events(w, unit, phases, finish)
    most = saturated_product(each, events, UNBOUNDED)
    if most < count:
        events = added(events, later_events(w, unit, phases, finish))
        most = saturated_product(each, events, UNBOUNDED)
    return min(count, most)


def spared(w: GroupWindow, phases: Phases, finish: Int) -> Int:
    """What the sum of all roots has more: the head's, and what is not in step with it."""
    s = w.system
    less: Int = 0
    w.looks += 1
    if w.looks == LOOKS and w.kin >= 0:
        gather_kin(w)
    if is_one_event(w, phases, finish):
        return spared_of_event(w, phases, finish)
    r = w.kin
    while r >= 0:
        unit = s.root[r].unit
        count = unit_count(s, unit, finish)
        if unit != w.group.head:
            count -= in_step_with(w, unit, phases, finish, count) if count > 0 else 0
        elif w.group.kind != ROOT:
            count = 0
        less += s.root[r].work * count
        r = s.kin[r]
    return less


def phase_work(w: GroupWindow, phases: Phases, finish: Int) -> Int:
    """The work of all roots but the head's, those of its base in step with it."""
    s = w.system
    total: Int = 0
    if s.is_calm and finish > 0:
        total = kept_sum(s, w.group.level, finish)
        if total < UNBOUNDED:
            return total - spared(w, phases, finish)
        total = 0
    for i in range(s.level[w.group.level].first_root, s.level[w.group.level].last_root):
        unit = s.root[i].unit
        if unit == w.group.head and w.group.kind == ROOT:
            continue
        count = unit_count(s, unit, finish)
        if count > 0 and s.place[unit].node == w.node and unit != w.group.head:
            count = in_step_with(w, unit, phases, finish, count)
        total = added(total, saturated_product(s.root[i].work, count, UNBOUNDED))
    return total


def phase_fixed(w: GroupWindow, phases: Phases) -> Fixed:
    """The work of the events so far, and how many units of the head they bring."""
    s = w.system
    g = w.group
    if g.kind != ROOT:
        return Fixed(g.first, 0)
    events = node_count(s, w.node, phases.last + s.place[g.head].before + 1)
    own = saturated_product(s.unit[g.head].multiplicity, events, UNBOUNDED)
    work = added(g.first, s.level[g.level].piece)
    return Fixed(added(work, saturated_product(own - 1, g.each, UNBOUNDED)), own)


def phase_time(w: GroupWindow, fixed: Fixed, phases: Phases, finish: Int) -> Int:
    """The time for all work of a window of this length, or -1."""
    s = w.system
    g = w.group
    work = added(fixed.work, phase_work(w, phases, finish))
    if g.kind == ROOT and g.later:
        more = unit_count(s, g.head, finish) - fixed.own
        most = saturated_product(
            s.unit[g.head].multiplicity, later_events(w, g.head, phases, finish), UNBOUNDED
        )
        more = min(more, most)
        if more > 0:
            work = added(work, saturated_product(more, g.later, UNBOUNDED))
    return fixed_point(w, work)


def phase_finish(w: GroupWindow, phase: Int, enough: Int) -> Int:
    """F(x), or -1; no more than what is enough counts as that."""
    finish: Int = 1
    phases = Phases(phase, phase)
    fixed = phase_fixed(w, phases)
    if enough > 0:
        longer = phase_time(w, fixed, phases, enough)
        if longer <= enough:
            return longer if longer < 0 else enough
    while True:
        longer = phase_time(w, fixed, phases, finish)
        if longer <= finish:
            return longer if longer < 0 else finish
        finish = longer


def all_phases_time(w: GroupWindow, first: Int, last: Int, enough: Int) -> Int:
    """The time for all that any phase from one to another counts in such a window, or -1."""
    phases = Phases(first, last)
    return phase_time(w, phase_fixed(w, phases), phases, enough)


@inline
def next_phase(w: GroupWindow, phase: Int, late: Int) -> Int:
    """The next phase at which one more event may have arrived in the window so far."""
    return next_event(w.system, w.node, phase + late) - late


@inline
def next_phase_of(w: GroupWindow, phase: Int, unit: Int) -> Int:
    """The same of a unit beside the head."""
    late = w.system.place[unit].before
    return next_phase(w, phase, late) if unit != w.group.head and late < UNBOUNDED else UNBOUNDED


def phase_after(w: GroupWindow, phase: Int) -> Int:
    """The next phase at which one more event of anything may have arrived in the window so far."""
    s = w.system
    head = w.group.head
    after = next_phase(w, phase, s.place[head].before)
    if w.lined > 0 and phase + s.lined[0].late[0] < s.lined[0].second:
        return min(after, phase_beyond(w, phase))
    r = w.kin
    while r >= 0:
        after = min(after, next_phase_of(w, phase, s.root[r].unit))
        r = s.kin[r]
    if s.is_calm:
        return after
    for i in range(s.level[w.group.level].first_root, s.level[w.group.level].last_root):
        if s.place[s.root[i].unit].node == w.node:
            after = min(after, next_phase_of(w, phase, s.root[i].unit))
    return after


def all_phases(w: GroupWindow) -> Bool:
    """All times from the opening of the window to the base event; False: gives up.

    Where a window that would change nothing is enough for many phases in a row, they need no look
    one by one: twice as many are tried next, and fewer where it was not enough.
    """
    s = w.system
    head = w.group.head
    earliest = s.place[head].best
    phase = -s.place[head].before
    end = 1 - earliest
    left: Int = 0
    width: Int = 0
    if w.group.kind == ROOT:
        end = w.length - earliest
    if w.origin >= 0:
        left = s.place[w.origin].best
    # Of those that arrive at the opening, the last finds the most.
    if phase < -earliest < end and phase_after(w, phase) <= -earliest:
        finish = phase_finish(w, -earliest, w.response + w.group.least)
        if finish < 0:
            return False
        w.response = max(w.response, finish - w.group.least)
    while phase < end:
        arrived = phase + earliest if phase + earliest > 0 else 0
        since = phase + left if phase + left > -w.before else -w.before
        enough = w.response + arrived + w.group.least
        enough = min(enough, w.latency + since)
        last = min(phase + width, end - 1)
        if last > phase and enough > 0:
            needed = all_phases_time(w, phase, last, enough)
            if 0 <= needed <= enough:
                phase = phase_after(w, last)
                width *= 2
                continue
            width //= 4
        finish = phase_finish(w, phase, enough)
        if finish < 0:
            return False
        w.response = max(w.response, finish - arrived - w.group.least)
        if finish - since > w.latency:
            w.latency = finish - since
            w.index = 1
            w.phase = phase
            w.arrival = arrived
            w.finish = finish
        last = phase
        phase = phase_after(w, phase)
        width = max(width, phase - last)
    return True
