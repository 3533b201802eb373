"""One window for a whole path: what each supply does meanwhile is counted once (lemma
end-to-end-window)."""

from __future__ import annotations

from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.problem import MOST_ROUNDS, STAY, UNBOUNDED
from ddsrta_kernel.shadow import address, saturated_product
from ddsrta_kernel.structs import Int, Ints, System
from ddsrta_kernel.works import added


def passing(s: System, unit: Int, first: Int, length: Int) -> Int:
    """The most units that run while a path, with this first unit, is on its way so long."""
    p = address(s.place[unit])
    if s.problem.is_load[unit]:  # whose budget may be late when the unit arrives
        return unit_count(s, unit, length + s.node[p.node].a)
    most: Int = UNBOUNDED
    if s.response[unit] < UNBOUNDED:
        most = unit_count(s, unit, length + s.response[unit])
    if s.latency[unit] >= UNBOUNDED:
        return most
    if p.node != s.place[first].node:
        events = node_count(s, p.node, length + s.latency[unit] - p.best)
    else:
        later = node_count(s, p.node, length + s.place[first].before - p.best) - 1
        events = node_count(s, p.node, s.latency[unit] - s.place[first].best) + max(0, later)
    return min(most, saturated_product(s.unit[unit].multiplicity, events, UNBOUNDED))


def stay_time(s: System, stays: Ints, at: Int, first: Int, length: Int) -> Int:
    """What a path spends on the supply of one stay."""
    most = stays[at]
    work: Int = 0
    for i in range(at + STAY, at + STAY + stays[at + 2]):
        count = passing(s, stays[i], first, length)
        work = added(work, saturated_product(s.unit[stays[i]].cost, count, UNBOUNDED))
    return min(most, work + stays[at + 1]) if stays[at + 2] else most


def path_finish(s: System, stays: Ints, size: Int, first: Int, ways: Int, limit: Int) -> Int:
    """When a path that takes so long on its ways is done, or -1: no sooner than the limit."""
    finish: Int = 0
    for _ in range(MOST_ROUNDS):
        longer = ways
        at: Int = 0
        while at < size:
            longer = added(longer, stay_time(s, stays, at, first, finish))
            at += STAY + stays[at + 2]
        if longer <= finish:
            return finish
        if longer >= limit:
            return -1
        finish = longer
    return -1
