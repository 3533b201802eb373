"""How long one event keeps each stage busy, if it is alone (lemma event-alone)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Alone, Busy, Nodes
from ddsrta_kernel.nodes import (
    after,
    arrival,
    better,
    both,
    but,
    come_all,
    either,
    fact,
    group_of,
    holds,
    is_brought,
    lay_runs,
    length,
    note,
    related,
    served_by,
    shorter,
    with_node,
)
from ddsrta_kernel.problem import (
    A_CAME,
    ALONE_NODES,
    MOST_ALONE,
    MOST_IN_ROW,
    MOST_PASSES,
    MOST_TERMS,
    MOST_TOLD,
    NODE_CAME,
    NODE_COST,
    NODE_DONE,
    NODE_FEEDER,
    NODE_HEAD,
    NODE_INPUTS,
    NODE_PRIOR,
    NODE_THREAD,
    UNBOUNDED,
)
from ddsrta_kernel.works import added


def opened(a: Alone, depth: Int, count: Int, opener: Int, latest: Int) -> Busy:
    """The longest with a window that one node opens: what comes no later is done by then, and of
    the rest runs what may still come."""
    prior = related(a, opener, NODE_PRIOR)
    begun = min(arrival(a, opener), latest)
    start = most = a.top
    longest: Int = -1
    at: Int = 0
    by = opener
    work: Int = 0
    a.left -= count
    for i in range(count):
        one = a.run[depth * MOST_ALONE + i]
        if holds(prior, one):
            continue
        cost = a.cost[depth * MOST_ALONE + one]
        come = min(arrival(a, one), begun)
        work = added(work, cost)
        note(a, one, cost)
        if added(come, work) >= longest:
            longest = added(come, work)
            at = come
            by = one if come < begun else opener
            most = a.top
    a.top = most
    return Busy(longest, at, by, most - start, at)


def bring_on(a: Alone, depth: Int, count: Int, skipped: Nodes, served: Nodes) -> Int:
    """What each node of the thread before takes there, or here where that is more; returns what
    runs only here."""
    rest: Int = 0
    feeder = after(served, -1)
    while feeder >= 0:
        a.brought[feeder] = 0
        feeder = after(served, feeder)
    for i in range(count):
        one = a.run[depth * MOST_ALONE + i]
        if not holds(skipped, one):
            cost = a.cost[depth * MOST_ALONE + one]
            if is_brought(a, one, served):
                feeder = fact(a, one, NODE_FEEDER)
                a.brought[feeder] = added(a.brought[feeder], cost)
            else:
                rest = added(rest, cost)
    there = (depth + 1) * MOST_ALONE
    for one in range(a.nodes):
        a.cost[there + one] = a.cost[one]
    feeder = after(served, -1)
    while feeder >= 0:
        a.cost[there + feeder] = max(a.cost[feeder], a.brought[feeder])
        feeder = after(served, feeder)
    return rest


def in_tandem(a: Alone, depth: Int, count: Int, openers: Nodes, most: Int) -> Busy:
    """The same through the thread that hands over what opens the window: each unit is served there
    before that, or here after that, and one in both. It is to be less than that."""
    start = a.top
    first = Nodes(0, 0)
    skipped = Nodes(-1, -1)
    thread: Int = -1
    one = after(openers, -1)
    while one >= 0:
        feeder = fact(a, one, NODE_FEEDER)
        thread = fact(a, feeder, NODE_THREAD)
        first = with_node(first, feeder)
        skipped = both(skipped, related(a, one, NODE_PRIOR))
        one = after(openers, one)
    served = served_by(a, first, thread)
    rest = bring_on(a, depth, count, skipped, served)
    twice: Int = -1
    which: Int = 0
    one = after(first, -1)
    while one >= 0:
        if min(a.cost[one], a.brought[one]) >= twice:
            twice = min(a.cost[one], a.brought[one])
            which = one
        one = after(first, one)
    more = added(twice, rest)
    found = until(a, first, depth + 1, most - more)
    note(a, which, twice)
    for i in range(count if a.asked == a.reader else 0):
        one = a.run[depth * MOST_ALONE + i]
        if not holds(skipped, one) and not is_brought(a, one, served):
            note(a, one, a.cost[depth * MOST_ALONE + one])
    length = added(found.length, more)
    return Busy(length, found.begun, found.opener, a.top - start, found.since)


def of_group(
    a: Alone, depth: Int, count: Int, openers: Nodes, latest: Int, total: Int, least: Int
) -> Busy:
    """The longest with a window that one of these opens, which come from one thread, if any; it is
    to be more than that."""
    start = a.top
    found = Busy(-1, 0, 0, 0, 0)
    feeder: Int = -1
    for i in range(count):
        one = a.run[depth * MOST_ALONE + i]
        if holds(openers, one):
            feeder = fact(a, one, NODE_FEEDER)
            if added(min(arrival(a, one), latest), total) > found.length:
                other = opened(a, depth, count, one, latest)
                found = better(a, start, found, other, other.length > found.length)
    if feeder < 0 or depth == MOST_IN_ROW or found.length <= least:
        return found
    other = in_tandem(a, depth, count, openers, found.length)
    return shorter(a, start, found, other)


def event_window(a: Alone, first: Nodes, last: Nodes, depth: Int, most: Int) -> Busy:
    """The longest by what may have come first in the window, alone or through a thread before this
    one: no longer is looked for than so much, which is too much."""
    start = a.top
    count = lay_runs(a, depth, first, last)
    latest = come_all(a, first)
    total: Int = 0
    openers = Nodes(0, 0)
    for i in range(count):
        one = a.run[depth * MOST_ALONE + i]
        total = added(total, a.cost[depth * MOST_ALONE + one])
        later = but(first, related(a, one, NODE_PRIOR))
        if later.low or later.high:
            openers = with_node(openers, one)
    found = Busy(-1, 0, 0, 0, 0)
    for i in range(count):
        one = a.run[depth * MOST_ALONE + i]
        if holds(openers, one) and found.length < most:
            group = group_of(a, openers, one)
            openers = but(openers, group)
            if added(min(latest, come_all(a, group)), total) > found.length:
                other = of_group(a, depth, count, group, latest, total, found.length)
                found = better(a, start, found, other, other.length > found.length)
    return found


def until(a: Alone, last: Nodes, depth: Int, most: Int) -> Busy:
    """Until one of these nodes' units, all of one thread, has left, if that is less than so much:
    in a window that is open when it comes, or already when the job comes that sends it."""
    if a.left < 0:
        return Busy(0, 0, 0, 0, 0)
    start = a.top
    found = event_window(a, last, last, depth, most)
    heads = Nodes(0, 0)
    one = after(last, -1)
    while one >= 0:
        head = fact(a, one, NODE_HEAD)
        if head < 0:
            return found
        heads = with_node(heads, head)
        one = after(last, one)
    other = event_window(a, heads, last, depth, min(most, found.length))
    return shorter(a, start, found, other)


def move_up(a: Alone, one: Int) -> None:
    """Where a node stands among all, by when they come at the latest."""
    place: Int = 0
    while a.late[place] != one:
        place += 1
    come = arrival(a, one)
    while place + 1 < a.nodes:
        after = a.late[place + 1]
        if arrival(a, after) < come or (arrival(a, after) == come and after > one):
            break
        a.late[place] = after
        place += 1
    a.late[place] = one


def come_by(a: Alone, one: Int) -> None:
    """A node has come when all that bring it are done; what counted on more is found again."""
    come: Int = 0
    first = fact(a, one, NODE_CAME)
    for i in range(fact(a, one, NODE_INPUTS)):
        at = a.at + first + A_CAME * i
        come = max(come, added(length(a, a.order[at]), a.order[at + 1]))
    if come < arrival(a, one):
        a.row[a.base + one] = come
        move_up(a, one)
        for reader in range(a.nodes):
            read = Nodes(a.reads[2 * reader], a.reads[2 * reader + 1])
            if come < a.since[reader] and holds(read, one):
                a.stale = with_node(a.stale, reader)


def begin_event(a: Alone, anchor: Int) -> None:
    """What is done when the only unit of an anchor comes, and what has come by then."""
    done = related(a, anchor, NODE_DONE)
    here = with_node(either(done, related(a, anchor, NODE_PRIOR)), anchor)
    a.stale = Nodes(0, 0)
    a.left = MOST_TERMS
    for one in range(a.nodes):
        a.stale = with_node(a.stale, one)
        a.reads[2 * one] = a.reads[2 * one + 1] = a.since[one] = 0
        a.cost[one] = 0 if holds(done, one) else fact(a, one, NODE_COST)
        a.row[a.base + MOST_ALONE + one] = UNBOUNDED
        if holds(here, one):
            a.row[a.base + one] = 0
        place = one  # what comes last stands first
        while place and arrival(a, a.late[place - 1]) < arrival(a, one):
            a.late[place] = a.late[place - 1]
            place -= 1
        a.late[place] = one


def again_alone(a: Alone) -> Bool:
    """All spans once more, with the arrivals that are known by now; whether one is shorter."""
    changed: Bool = False
    for one in range(a.nodes):
        if fact(a, one, NODE_INPUTS):
            come_by(a, one)
        if not holds(a.stale, one):
            continue
        this = with_node(Nodes(0, 0), one)
        a.stale = but(a.stale, this)
        a.reader = one
        a.top = MOST_TOLD
        found = until(a, this, 0, length(a, one))
        a.since[one] = found.since
        if found.length < length(a, one):
            a.row[a.base + MOST_ALONE + one] = found.length
            changed = True
            if one == a.asked:
                a.told[0], a.told[1], a.parts = found.begun, found.opener, found.parts
                for i in range(2 * found.parts):
                    a.told[2 + i] = a.told[2 * MOST_TOLD + i]
    return changed


def find_alone(a: Alone, at: Int, base: Int, anchor: Int) -> Bool:
    """How long after the arrival of an event's only unit at an anchor the units of all nodes of an
    order are done, in a row whose arrivals say when they come at the latest; false where there is
    more to look at than is allowed for."""
    a.at = at
    a.parts = 0
    a.base = base
    a.nodes = a.order[at + ALONE_NODES]
    begin_event(a, anchor)
    for _ in range(MOST_PASSES):
        if not again_alone(a):
            break
    return a.left >= 0
