"""What one event brings, as nodes in a known order, and sets of these (lemma event-alone)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Alone, Busy, Nodes
from ddsrta_kernel.problem import (
    A_NODE,
    MOST_ALONE,
    NODE_BEHIND,
    NODE_BESIDE,
    NODE_BITS,
    NODE_FEEDER,
    NODE_THREAD,
)
from ddsrta_kernel.shadow import inline, lowest_bit


@inline
def fact(a: Alone, one: Int, which: Int) -> Int:
    """What is known of a node."""
    return a.order[a.at + A_NODE * one + which]


@inline
def related(a: Alone, one: Int, which: Int) -> Nodes:
    """The nodes that are so to one."""
    at = a.at + A_NODE * one + which
    return Nodes(a.order[at], a.order[at + 1])


@inline
def holds(some: Nodes, one: Int) -> Bool:
    word = some.low >> one if one < NODE_BITS else some.high >> one - NODE_BITS
    return word & 1 != 0


@inline
def after(some: Nodes, one: Int) -> Int:
    """The next of some nodes, in a loop over these that begins behind -1; -1: there is none."""
    place = one + 1
    if place < NODE_BITS and some.low >> place:
        return place + lowest_bit(some.low >> place)
    place = max(0, place - NODE_BITS)
    return NODE_BITS + place + lowest_bit(some.high >> place) if some.high >> place else -1


@inline
def with_node(some: Nodes, one: Int) -> Nodes:
    bit: Int = 1
    if one < NODE_BITS:
        return Nodes(some.low | bit << one, some.high)
    return Nodes(some.low, some.high | bit << one - NODE_BITS)


@inline
def either(some: Nodes, others: Nodes) -> Nodes:
    return Nodes(some.low | others.low, some.high | others.high)


@inline
def both(some: Nodes, others: Nodes) -> Nodes:
    return Nodes(some.low & others.low, some.high & others.high)


@inline
def but(some: Nodes, others: Nodes) -> Nodes:
    return Nodes(some.low & ~others.low, some.high & ~others.high)


@inline
def arrival(a: Alone, one: Int) -> Int:
    """When the units of a node have come at the latest."""
    return a.row[a.base + one]


@inline
def length(a: Alone, one: Int) -> Int:
    """When they are done."""
    return a.row[a.base + MOST_ALONE + one]


def note(a: Alone, one: Int, time: Int) -> None:
    """What runs, where that is to be told."""
    if a.asked == a.reader:
        a.told[2 * a.top] = one
        a.told[2 * a.top + 1] = time
        a.top += 1


def better(a: Alone, start: Int, kept: Busy, other: Busy, is_it: Bool) -> Busy:
    """One of two windows, whose parts stand one after the other."""
    before = start + kept.parts
    if not is_it:
        a.top = before
        return kept
    for i in range(2 * other.parts):
        a.told[2 * start + i] = a.told[2 * before + i]
    a.top = start + other.parts
    return other


def shorter(a: Alone, start: Int, kept: Busy, other: Busy) -> Busy:
    """The shorter of two windows, each of which bounds the same."""
    since = max(kept.since, other.since)
    found = better(a, start, kept, other, other.length < kept.length)
    return Busy(found.length, found.begun, found.opener, found.parts, since)


def come_all(a: Alone, some: Nodes) -> Int:
    """When the last of some nodes has come."""
    found: Int = 0
    one = after(some, -1)
    while one >= 0:
        found = max(found, arrival(a, one))
        one = after(some, one)
    return found


@inline
def feeding(a: Alone, one: Int) -> Int:
    """The thread that hands over a node, -1: none."""
    feeder = fact(a, one, NODE_FEEDER)
    return -1 if feeder < 0 else fact(a, feeder, NODE_THREAD)


def group_of(a: Alone, openers: Nodes, opener: Int) -> Nodes:
    """Those of some that come from the thread from which one comes; itself if that is from none."""
    found = with_node(Nodes(0, 0), opener)
    thread = feeding(a, opener)
    one = after(openers, -1)
    while one >= 0 and thread >= 0:
        if feeding(a, one) == thread:
            found = with_node(found, one)
        one = after(openers, one)
    return found


def lay_runs(a: Alone, depth: Int, first: Nodes, last: Nodes) -> Int:
    """What may run until one of the last nodes has left, what may come last first; how many these
    are. It is kept for whom it is looked at when they come."""
    behind = Nodes(-1, -1)
    beside = Nodes(0, 0)
    one = after(last, -1)
    while one >= 0:
        behind = both(behind, related(a, one, NODE_BEHIND))
        one = after(last, one)
    one = after(either(first, last), -1)
    while one >= 0:
        beside = either(beside, related(a, one, NODE_BESIDE))
        one = after(either(first, last), one)
    beside = but(beside, behind)
    count: Int = 0
    for i in range(a.nodes):
        if holds(beside, a.late[i]):
            a.run[depth * MOST_ALONE + count] = a.late[i]
            count += 1
    a.reads[2 * a.reader] |= beside.low | first.low
    a.reads[2 * a.reader + 1] |= beside.high | first.high
    return count


def served_by(a: Alone, first: Nodes, thread: Int) -> Nodes:
    """What a thread may serve while it has one of some nodes."""
    may = found = Nodes(0, 0)
    one = after(first, -1)
    while one >= 0:
        may = either(may, but(related(a, one, NODE_BESIDE), related(a, one, NODE_BEHIND)))
        one = after(first, one)
    one = after(may, -1)
    while one >= 0:
        if fact(a, one, NODE_THREAD) == thread:
            found = with_node(found, one)
        one = after(may, one)
    return found


def is_brought(a: Alone, one: Int, served: Nodes) -> Bool:
    """Whether one of these hands over a node."""
    feeder = fact(a, one, NODE_FEEDER)
    return feeder >= 0 and holds(served, feeder)
