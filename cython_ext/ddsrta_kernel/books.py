"""What the kernel asks of a stretch of a path: where its stages stand in the book of all stretches,
and what bounds each."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Flow, Leg
from ddsrta_kernel.problem import (
    ASKED,
    ASKED_CEILING,
    ASKED_EARLY,
    ASKED_FEED,
    ASKED_FEEDS,
    ASKED_FIRST,
    ASKED_GROUP,
    ASKED_GROUPS,
    ASKED_LAST,
    ASKED_LINK,
    ASKED_LUMPS,
    ASKED_PENDING,
    ASKED_TANDEM,
    ASKED_UNIT,
    ASKED_WORST,
    BOOK_STRETCHES,
    GROUPED,
    NEEDS_ALL,
    STEP,
)
from ddsrta_kernel.shadow import address, inline
from ddsrta_kernel.structs import System


@inline
def begins(f: Flow, stretch: Int) -> Int:
    """Where the stages of a stretch stand in the book."""
    return f.book[f.book[BOOK_STRETCHES] + stretch]


@inline
def head_of(f: Flow, stretch: Int) -> Int:
    """Its first stage."""
    return f.book[begins(f, stretch)]


@inline
def end_of(f: Flow, stretch: Int) -> Int:
    """Its last."""
    return f.book[begins(f, stretch + 1) - 1]


@inline
def last_row(leg: Leg) -> Int:
    """Where what was found of the last stage of a leg stands."""
    return STEP * (leg.row + leg.size - 1)


def inputs_of(s: System, number: Int) -> Int:
    """How many inputs a stage has."""
    return s.problem.input_start[number + 1] - s.problem.input_start[number]


def ask_stretch(s: System, f: Flow, stretch: Int) -> None:
    """What is asked of the stages of a stretch, as of walks."""
    p = s.problem
    first = begins(f, stretch)
    size = begins(f, stretch + 1) - first
    more = ASKED * size
    for place in range(size):
        number = f.book[first + place]
        unit = p.stage_unit[number]
        at = ASKED * place
        for i in range(ASKED):
            f.asked[at + i] = 0
        f.asked[at + ASKED_UNIT] = unit
        f.asked[at + ASKED_PENDING] = min(f.pending[number], f.joint[number])
        f.asked[at + ASKED_CEILING] = f.ceiling[number]
        if place:
            f.asked[at + ASKED_WORST] = p.input_worst[p.input_start[number]]
            f.asked[at + ASKED_TANDEM] = p.tandem_worst[number]
            f.asked[at + ASKED_LINK] = p.tandem_link[number]
            f.asked[at + ASKED_FEED] = p.tandem_feed[number]
            f.asked[at + ASKED_FEEDS] = p.tandem_feeds[number]
            f.asked[at + ASKED_FIRST] = p.tandem_first[number]
            f.asked[at + ASKED_LAST] = p.tandem_last[number]
            f.asked[at + ASKED_LUMPS] = p.tandem_lumps[number]
            f.asked[at + ASKED_EARLY] = p.tandem_early[number]
        f.asked[at + ASKED_GROUP] = more
        if p.groups:
            f.asked[at + ASKED_GROUPS] = p.group_start[unit + 1] - p.group_start[unit]
            for which in range(p.group_start[unit], p.group_start[unit + 1]):
                group = address(s.group[which])
                f.asked[more] = which
                f.asked[more + 1] = group.kind
                f.asked[more + 2] = group.head
                f.asked[more + 3] = group.level
                f.asked[more + 4] = group.first
                f.asked[more + 5] = group.each
                f.asked[more + 6] = group.later
                f.asked[more + 7] = group.last
                more += GROUPED


def find_leg(f: Flow, previous: Int, stretch: Int, waits: Bool) -> Int:
    """One that is there already; -1: none."""
    for which in range(f.legs):
        leg = address(f.leg[which])
        same: Bool = leg.previous == previous and leg.stretch == stretch
        if same and leg.waits == waits:
            return which
    return -1


def edge_from(s: System, last: Int, number: Int) -> Int:
    """The input of a stage by which it comes from another."""
    p = s.problem
    for i in range(p.input_start[number], p.input_start[number + 1]):
        if p.input_source[i] == last:
            return i
    return -1


def may_wait(s: System, number: Int, waits: Bool) -> Bool:
    """Whether a token may wait for those of other inputs, and that counts."""
    needs_all = s.problem.stage_bits[number] & NEEDS_ALL
    return waits and needs_all != 0 and inputs_of(s, number) > 1
