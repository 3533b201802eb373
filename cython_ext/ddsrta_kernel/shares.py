"""How long all threads of a pool may be busy with others (lemma pool-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Int
from ddsrta_kernel.curves import unit_count
from ddsrta_kernel.parts import unit_work
from ddsrta_kernel.problem import OVERLAPS, SHARES, UNBOUNDED
from ddsrta_kernel.shadow import address, saturated_product
from ddsrta_kernel.structs import Window
from ddsrta_kernel.works import added, range_work


def keep(w: Window, count: Int, most: Int, each: Int) -> None:
    """What keeps a thread busy, without and with what was pending before: the work of a group,
    where `each` is negative, or so many jobs of that."""
    one = address(w.system.share[w.shares])
    one.count, one.most, one.each = count, max(count, most), each
    w.shares += 1


def gather(w: Window, arriving: Int, carried: Int, index: Int) -> None:
    """All of them; with an index, of its own only what came before that one."""
    s = w.system
    w.shares = 0
    for r in range(w.first_relation, w.last_relation):
        first = s.relation[r].first
        last = s.relation[r].last
        if s.relation[r].kind == SHARES:
            most: Int = 0
            for unit in range(first, last):
                count = unit_count(s, unit, carried + s.state[unit].response)
                most = added(most, unit_work(s, unit, count, False))
            keep(w, range_work(s, first, last, arriving, False), most, -1)
        elif s.relation[r].kind == OVERLAPS:
            for unit in range(first, last):
                if index and unit == w.unit:
                    count = unit_count(s, unit, w.now + s.state[unit].response)
                    keep(w, index - 1, count - 1, s.unit[unit].cost)
                    continue
                count = unit_count(s, unit, carried + s.state[unit].response)
                keep(w, unit_count(s, unit, arriving), count, s.unit[unit].cost)


def gained(w: Window, gain: Int, times: Int) -> None:
    """Keeps the largest of what was pending before: of one thread less than there are."""
    s = w.system
    while gain > 0 and times > 0:
        place = w.gains
        if place == w.threads - 1:
            place -= 1
            if s.gain[place] >= gain:
                return
        else:
            w.gains += 1
        while place > 0 and s.gain[place - 1] < gain:
            s.gain[place] = s.gain[place - 1]
            place -= 1
        s.gain[place] = gain
        times -= 1


def crowding(w: Window, busy: Int) -> Int:
    """The work that others can do while all threads are busy for so long: a group, or a job, no
    more than that."""
    s = w.system
    total: Int = 0
    w.gains = 0
    for i in range(w.shares):
        one = address(s.share[i])
        if one.each < 0:
            least = min(one.count, busy)
            gained(w, min(one.most, busy) - least, 1)
        else:
            each = min(one.each, busy)
            least = saturated_product(each, one.count, UNBOUNDED)
            gained(w, each, one.most - one.count)
        total = added(total, least)
    for i in range(w.gains):
        total = added(total, s.gain[i])
    return total


def crowded(w: Window, arriving: Int, carried: Int, index: Int) -> Int:
    """The longest time for which all threads may be busy with others."""
    gather(w, arriving, carried, index)
    busy = crowding(w, UNBOUNDED) // w.threads
    while True:
        less = crowding(w, busy) // w.threads
        if less >= busy:
            return less if less < UNBOUNDED // w.threads else UNBOUNDED
        busy = less
