"""Roots that share the node of a group's head, where they are many: what a phase counts of one
event of all of them is looked up, not root by root (lemma phase-count)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.behind import is_behind, tells_apart
from ddsrta_kernel.curves import is_mixed, node_count, node_distance, unit_count
from ddsrta_kernel.flows import Kin, Phases
from ddsrta_kernel.problem import PART, ROOT, UNBOUNDED
from ddsrta_kernel.shadow import address
from ddsrta_kernel.structs import GroupWindow, System


def is_effect(w: GroupWindow, unit: Int) -> Bool:
    """Whether a unit of the event in question comes only after the group has ended."""
    s = w.system
    last = w.group.last
    if w.origin >= 0 and tells_apart(s, last):
        return False  # others may have been done in its place (lemma turns-in-order)
    return s.place[last].node == w.node and is_behind(s, last, unit)


def second_event(s: System, node: Int) -> Int:
    """The longest window with no more than one event; -1: not known."""
    if is_mixed(s, node) or node_count(s, node, 1) != 1:
        return -1
    second = node_distance(s, node, 2)
    return second if second > 0 and node_count(s, node, second) == 1 else -1


def sort_latest(s: System, first: Int, last: Int) -> None:
    """The units of a supply on one node, the latest first; they mostly are so already."""
    for i in range(first + 1, last):
        unit = s.latest[i]
        before = s.place[unit].before
        at = i
        while at > first and s.place[s.latest[at - 1]].before < before:
            s.latest[at] = s.latest[at - 1]
            at -= 1
        s.latest[at] = unit


def gather_kin(w: GroupWindow) -> None:
    """Lines them up, the latest first."""
    s = w.system
    k = address(s.lined[0])
    one = s.root[w.kin].unit
    first = s.latest_first[one]
    last = s.latest_last[one]
    k.second = second_event(s, w.node) if last - first >= PART else -1
    if k.second < 0:
        return
    r = w.kin
    while r >= 0:
        s.marked[s.root[r].unit] = r + 1
        r = s.kin[r]
    sort_latest(s, first, last)
    k.count = k.most = 0
    k.soonest = UNBOUNDED
    k.in_order = True
    for i in range(first, last):
        unit = s.latest[i]
        if s.marked[unit] > 0:
            at = k.count
            place = address(s.place[unit])
            k.root[at] = s.marked[unit] - 1
            k.late[at] = place.before
            k.best[at] = place.best
            k.in_order = k.in_order and (at == 0 or k.best[at - 1] >= place.best)
            k.soonest = min(k.soonest, place.best)
            s.marked[unit] = 0
            k.count += 1
    w.lined = k.count


def weigh_kin(w: GroupWindow, finish: Int) -> Bool:
    """What each counts in such a window, as summed up for the level; whether one event of its base
    brings as much."""
    s = w.system
    k = address(s.lined[0])
    if k.least <= finish <= k.most:
        return k.holds
    k.least = s.summed[w.group.level].least
    k.most = s.summed[w.group.level].most
    k.holds = True
    k.whole = 0
    for at in range(k.count):
        root = address(s.root[k.root[at]])
        count = unit_count(s, root.unit, finish)
        work = root.work * count
        if root.unit == w.group.head:
            k.whole += work if w.group.kind == ROOT else 0
            work = 0
        else:
            k.holds = k.holds and count <= s.unit[root.unit].multiplicity
            k.whole += work
            work = 0 if is_effect(w, root.unit) else work
        k.sums[at + 1] = k.sums[at] + work
    return k.holds


def kin_since(k: Kin, time: Int) -> Int:
    """How many come as late as a time, or later."""
    low: Int = 0
    high = k.count
    while low < high:
        middle = (low + high) // 2
        if k.late[middle] >= time:
            low = middle + 1
        else:
            high = middle
    return low


def not_so_soon(k: Kin, time: Int, last: Int) -> Int:
    """The work of those up to one that come no sooner than at a time."""
    work: Int = 0
    if k.in_order:
        low: Int = 0
        high = last
        while low < high:
            middle = (low + high) // 2
            if k.best[middle] >= time:
                low = middle + 1
            else:
                high = middle
        return k.sums[low]
    for at in range(last):
        if k.best[at] >= time:
            work += k.sums[at + 1] - k.sums[at]
    return work


def is_one_event(w: GroupWindow, phases: Phases, finish: Int) -> Bool:
    """Whether phases and a window know of one event alone, of which all is counted at once."""
    if w.lined == 0 or not weigh_kin(w, finish):
        return False
    k = address(w.system.lined[0])
    return phases.last + k.late[0] < k.second and finish - phases.first - k.soonest <= k.second


def spared_of_event(w: GroupWindow, phases: Phases, finish: Int) -> Int:
    """What the sum of all roots has more than what that event brings in time."""
    k = address(w.system.lined[0])
    last = kin_since(k, -phases.last)
    return k.whole - k.sums[last] + not_so_soon(k, finish - phases.first, last)


def phase_beyond(w: GroupWindow, phase: Int) -> Int:
    """The next phase at which one more of the first two events may have arrived."""
    k = address(w.system.lined[0])
    last = kin_since(k, -phase)
    after: Int = UNBOUNDED
    if last < k.count:
        after = -k.late[last]
    if last > 0:
        after = min(after, k.second - k.late[0])
    return after
