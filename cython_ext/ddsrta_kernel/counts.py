"""What is pending when a unit arrives, and what comes up to a while after that (lemmas
pending-window, released-here, closed-counts and clocked-counts)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.curves import node_count, unit_count
from ddsrta_kernel.problem import (
    AHEAD,
    ALTERNATES,
    BY_RELEASE,
    EARLIER,
    HERE,
    HERE_ALL,
    HERE_FIRST,
    HERE_SIZE,
    HERE_STAGE,
    MOST_DEEP,
    PRECEDES,
    PREEMPTS,
    SET_BITS,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, ceiling_quotient, inline, saturated_product
from ddsrta_kernel.structs import Pending, Relation, System
from ddsrta_kernel.walks import known_of
from ddsrta_kernel.works import added


@inline
def has_bit(words: Ints, at: Int, bit: Int) -> Bool:
    return (words[at + bit // SET_BITS] >> bit % SET_BITS) & 1 != 0


@inline
def leads(w: Pending, first: Int, last: Int) -> Bool:
    """Whether a unit leads to another (definition leads-to)."""
    row = w.here[HERE * last + HERE_STAGE]
    return has_bit(w.leading, row * w.words, w.here[HERE * first + HERE_STAGE])


@inline
def is_done(w: Pending, first: Int, last: Int) -> Bool:
    """Whether it is done when the other arrives."""
    row = w.stages + w.here[HERE * last + HERE_STAGE]
    return has_bit(w.leading, row * w.words, w.here[HERE * first + HERE_STAGE])


@inline
def original(w: Pending, unit: Int) -> Int:
    """The unit that a load stands for: what another supply serves, too; -1: a reservation. All
    others are themselves."""
    return w.copied[unit] if w.has_copies else -1 if w.system.problem.is_load[unit] else unit


def in_step(w: Pending, other: Int, kind: Int, after: Int) -> Int:
    """The events of its base that count, of another unit of that base, seen from its own event."""
    s = w.system
    mine = address(s.place[w.unit])
    done = s.latency[other] - mine.best
    comes = mine.before - s.place[other].best
    earlier: Int = 0
    if done > 0:
        earlier = max(0, node_count(s, mine.node, done) - 1)
    single: Bool = s.unit[w.unit].multiplicity == 1 and leads(w, w.unit, other)
    single = single and not w.of_message  # turns, and what comes of them, may go before it
    if single and (kind != PREEMPTS or is_done(w, w.unit, other)):
        return earlier  # it comes only when ours has begun, or is done
    later = max(0, node_count(s, mine.node, comes + after + 1) - 1)
    if is_done(w, other, w.unit):
        return later
    return earlier + later + (1 if done > 0 and comes + after >= 0 else 0)


@inline
def feeds(w: Pending, source: Int) -> Bool:
    """Whether a unit is one of those that release the unit in question."""
    found: Bool = False
    row = w.here[HERE * w.unit + HERE_FIRST]
    for i in range(w.here[HERE * w.unit + HERE_SIZE]):
        found = found or w.here[row + 2 * i] == source
    return found


def from_below(w: Pending, other: Int, after: Int, deep: Int) -> Int:
    """Units of another stage that come with one that something less urgent of its core has
    released, or up to so long after: nothing as urgent was there before."""
    s = w.system
    most = unit_count(s, other, max(0, after + 1))
    at = HERE * other
    if deep == 0 or most == 0 or w.here[at + HERE_SIZE] == 0:
        return most
    found = known_of(s, BY_RELEASE, other, w.unit, after, deep).bound
    if found >= 0:
        return found
    brought: Int = 0
    for i in range(w.here[at + HERE_SIZE]):
        source = w.here[w.here[at + HERE_FIRST] + 2 * i]
        if source >= w.end:  # not served, but for the one that has brought ours
            begun: Int = 1 if feeds(w, source) else 0
        else:
            begun = from_below(w, source, after, deep - 1)
        begun = saturated_product(begun, w.here[w.here[at + HERE_FIRST] + 2 * i + 1], UNBOUNDED)
        brought = max(brought, begun) if w.here[at + HERE_ALL] else added(brought, begun)
    most = min(most, brought)
    known_of(s, BY_RELEASE, other, w.unit, after, deep).bound = most
    return most


@inline
def is_clocked(s: System, first: Int, last: Int) -> Bool:
    """Whether the events of two nodes come by one clock."""
    return first != last and s.node[first].clock >= 0 and s.node[first].clock == s.node[last].clock


def by_clock(w: Pending, other: Int, after: Int) -> Int:
    """The events that count, of another unit, by when they are due on the clock that ours is due
    by, too (lemma clocked-counts)."""
    s = w.system
    mine = address(s.place[w.unit])
    theirs = address(s.place[other])
    ours = address(s.node[mine.node])
    node = address(s.node[theirs.node])
    latest = mine.before + ours.b + after - theirs.best
    width = latest - mine.best + s.latency[other] + node.b
    common = ours.a
    rest = node.a
    while rest > 0:
        common, rest = rest, common % rest
    beyond = (latest - node.at + ours.at) % common
    if beyond < 0:
        beyond += common
    return ceiling_quotient(width - beyond, node.a) if width > beyond else 0


def pending_count(w: Pending, unit: Int, kind: Int, after: Int) -> Int:
    """How many of another unit are pending when a unit arrives, or come up to a while after that,
    that it does not come before."""
    s = w.system
    other = original(w, unit)
    theirs = address(s.place[other])
    times = s.unit[other].multiplicity
    spread = s.latency[other] - theirs.best
    most = unit_count(s, other, max(0, after + s.response[other]))
    events = node_count(s, theirs.node, max(0, after + spread))
    most = min(most, saturated_product(times, events, UNBOUNDED))
    if theirs.node == s.place[w.unit].node:
        events = in_step(w, other, kind, after)
        most = min(most, saturated_product(times, events, UNBOUNDED))
    elif is_clocked(s, theirs.node, s.place[w.unit].node):
        events = by_clock(w, other, after)
        most = min(most, saturated_product(times, events, UNBOUNDED))
    w.left -= 1
    if w.has_most:
        most = min(most, w.most[other])
    if w.end >= 0 and other == unit:  # what it stands for may wait elsewhere
        most = min(most, from_below(w, other, after, MOST_DEEP))
    return most


def pending_before(w: Pending, relation: Relation, other: Int, start: Int) -> Int:
    """Of what is chosen before a unit starts, so long after it arrives."""
    after = start
    if relation.kind == EARLIER:
        after = min(relation.shift, start)
    elif relation.kind == AHEAD:
        after = min(0, start)
    most = pending_count(w, other, relation.kind, after)
    if relation.weight == 1 and relation.own == 1:
        if relation.kind == ALTERNATES:  # no more than it has units
            return min(most, w.own + 1)
        if relation.kind == PRECEDES:
            return min(most, w.own + 2)
    return most
