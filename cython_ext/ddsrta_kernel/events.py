"""Paths through sets in which events are alone (lemma event-alone)."""

from __future__ import annotations

from ddsrta_kernel.alone import find_alone
from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.books import begins, end_of
from ddsrta_kernel.curves import unit_count
from ddsrta_kernel.flows import Alone, Flow
from ddsrta_kernel.nodes import fact, length
from ddsrta_kernel.problem import (
    A_CAME,
    ALONE_NODES,
    ALONE_SOURCE,
    ALONE_STAGE,
    MOST_ALONE,
    MOST_ROWS,
    NODE_BEST,
    NODE_CAME,
    NODE_INPUTS,
    NODE_STAGE,
    NODE_UNITS,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address
from ddsrta_kernel.structs import System


def brings(a: Alone, source: Int, one: Int) -> Bool:
    """Whether one node brings another."""
    found: Bool = False
    for i in range(fact(a, one, NODE_INPUTS)):
        found = found or a.order[a.at + fact(a, one, NODE_CAME) + A_CAME * i] == source
    return found


def only_node(a: Alone, number: Int, source: Int) -> Int:
    """The node of a stage, of those that another brings (-1: of all); -1: there are several."""
    found: Int = -1
    for one in range(a.nodes):
        if fact(a, one, NODE_STAGE) == number and (source < 0 or brings(a, source, one)):
            if found >= 0:
                return -1
            found = one
    return found


def row_of(f: Flow, a: Alone, anchor: Int) -> Int:
    """Where the row of an anchor begins; all of it comes as late as after the arrival at the
    source, at most."""
    for i in range(a.rows):
        if a.key[2 * i] == a.at and a.key[2 * i + 1] == anchor:
            return 2 * MOST_ALONE * i
    if a.rows == MOST_ROWS:
        f.failed = True
        return 0
    base: Int = 2 * MOST_ALONE * a.rows
    a.key[2 * a.rows], a.key[2 * a.rows + 1] = a.at, anchor
    a.rows += 1
    source = a.order[a.at + ALONE_SOURCE]
    from_source: Int = -1 if anchor == source else row_of(f, a, source)
    for one in range(a.nodes):
        come: Int = UNBOUNDED if from_source < 0 else a.row[from_source + one]
        if come < UNBOUNDED:
            come = max(0, come - fact(a, anchor, NODE_BEST))
        a.row[base + one] = come
    if f.failed or not find_alone(a, a.at, base, anchor):
        f.failed = True
    return base


def is_alone(s: System, f: Flow, a: Alone) -> Bool:
    """Whether one event is done before the next one comes."""
    a.base = row_of(f, a, a.order[a.at + ALONE_SOURCE])
    most: Int = 1
    for one in range(a.nodes):
        most = max(most, length(a, one))
    unit = s.problem.stage_unit[a.order[a.at + ALONE_STAGE]]
    return not f.failed and most < UNBOUNDED and unit_count(s, unit, most) <= 1


def lay_stages(f: Flow, which: Int) -> Int:
    """The stages of a leg from the first of all; how many there are."""
    at = which
    while at >= 0:
        leg = address(f.leg[at])
        for place in range(leg.size):
            f.ahead[leg.place + place] = f.book[begins(f, leg.stretch) + place]
        at = leg.previous
    return f.leg[which].end


def below_alone(s: System, f: Flow, which: Int, total: Int) -> Int:
    """The bound of a leg, or that of the window of its event, if that is alone and it is less."""
    a = address(f.alone[0])
    a.at = f.orders[end_of(f, f.leg[which].stretch)]
    if a.at == 0:
        return total
    a.order, a.row, a.asked = f.orders, a.kept, -1
    a.nodes = a.order[a.at + ALONE_NODES]
    if not is_alone(s, f, a):
        return total
    count = lay_stages(f, which)
    first = last = only_node(a, f.ahead[0], -1)
    for i in range(1, count):
        if last >= 0:
            last = only_node(a, f.ahead[i], last)
    if last < 0 or fact(a, first, NODE_UNITS) != 1:
        return total
    a.base = row_of(f, a, first)
    return total if f.failed else min(total, length(a, last))
