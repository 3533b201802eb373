"""Joins by number: how long tokens wait there, and when the event of a number is due (lemmas
join-wait and due-at-joins)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.problem import LOOSE, MAXIMUM, NOT_KNOWN, UNBOUNDED
from ddsrta_kernel.shadow import address, inline
from ddsrta_kernel.structs import System

LATEST, EARLIEST = 0, 1  # of what is kept by node, each behind the other


@inline
def node_of(s: System, number: Int) -> Int:
    """The base of a stage."""
    return s.place[s.problem.stage_unit[number]].node


@inline
def is_single(s: System, i: Int) -> Bool:
    """Whether an event of the base brings one unit by an input."""
    p = s.problem
    source = p.stage_unit[p.input_source[i]]
    return s.unit[source].multiplicity * p.input_multiplicity[i] == 1


@inline
def soonest(s: System, i: Int) -> Int:
    """The least time from the event of the base to the arrival by an input."""
    p = s.problem
    return s.place[p.stage_unit[p.input_source[i]]].best + p.input_least[i]


def takes_each(s: System, node: Int) -> Bool:
    """Whether an event of a junction takes one unit of each input, and no other does."""
    n = address(s.node[node])
    for entry in range(n.c, n.c + n.d):
        if s.problem.entry_multiplicity[entry] > 1:
            return False
    return n.kind == MAXIMUM or n.d < 2


def late_of(s: System, number: Int) -> Int:
    """How much later than it comes an event of the base of a stage may be due, if it has a pace."""
    node = address(s.node[node_of(s, number)])
    return node.late if node.pace > 0 and node.late < UNBOUNDED else NOT_KNOWN


def paced_of(s: System, number: Int) -> Int:
    """The latency of a stage, from when the event of its base would come at the pace of that."""
    unit = s.problem.stage_unit[number]
    found: Int = s.latency[unit]
    if late_of(s, number) != NOT_KNOWN:
        found = s.state[unit].paced
    return found if found < UNBOUNDED else NOT_KNOWN


def find_latest(s: System, f: Flow, node: Int) -> Bool:
    """The pace that the events of a node keep at the latest, if there is one."""
    p = s.problem
    if f.kept_pace[node]:
        return f.kept_pace[node] == 2
    f.kept_pace[node] = 1
    period: Int = p.latest_period[node]
    offset: Int = p.latest_offset[node]
    number = p.junction[node]
    if number >= 0:
        for i in range(p.input_start[number], p.input_start[number + 1]):
            source = p.input_source[i]
            entry = node_of(s, source)
            paced = paced_of(s, source)
            if not find_latest(s, f, entry) or paced == NOT_KNOWN or not is_single(s, i):
                return False
            behind = f.offset[entry] + paced + p.input_worst[i]
            offset = behind if period == 0 else max(offset, behind)
            period = max(period, f.period[entry])
    if period == 0:
        return False
    f.kept_pace[node] = 2
    f.period[node] = period
    f.offset[node] = offset
    return True


def find_earliest(s: System, f: Flow, node: Int) -> Bool:
    """The same at the earliest."""
    p = s.problem
    at = p.nodes + node
    if f.kept_pace[at]:
        return f.kept_pace[at] == 2
    f.kept_pace[at] = 1
    period: Int = p.earliest_period[node]
    offset: Int = p.earliest_offset[node]
    number = p.junction[node]
    if number >= 0:
        for i in range(p.input_start[number], p.input_start[number + 1]):
            entry = node_of(s, p.input_source[i])
            if find_earliest(s, f, entry) and is_single(s, i):
                behind = f.offset[p.nodes + entry] + soonest(s, i)
                theirs = f.period[p.nodes + entry]
                if theirs > period or (theirs == period and behind > offset):
                    period = theirs
                    offset = behind
    if period == 0:
        return False
    f.kept_pace[at] = 2
    f.period[at] = period
    f.offset[at] = offset
    return True


def one_wait(s: System, f: Flow, own: Int, other: Int) -> Int:
    """How long a token of one input waits for that of another at most."""
    p = s.problem
    mine = p.input_source[own]
    theirs = p.input_source[other]
    latency = s.latency[p.stage_unit[theirs]]
    if latency >= UNBOUNDED:
        return NOT_KNOWN
    early = soonest(s, own)
    times = s.unit[p.stage_unit[mine]].multiplicity * p.input_multiplicity[own]
    if times != s.unit[p.stage_unit[theirs]].multiplicity * p.input_multiplicity[other]:
        return NOT_KNOWN
    here = node_of(s, mine)
    there = node_of(s, theirs)
    if here == there:
        return max(0, latency + p.input_worst[other] - early)
    if not find_earliest(s, f, here) or not find_latest(s, f, there):
        return NOT_KNOWN
    if f.period[there] > f.period[p.nodes + here]:
        return NOT_KNOWN
    paced = paced_of(s, theirs)
    if paced == NOT_KNOWN:
        return NOT_KNOWN
    behind = f.offset[there] + paced + p.input_worst[other]
    return max(0, behind - f.offset[p.nodes + here] - early)


def wait_at(s: System, f: Flow, number: Int, own: Int) -> Int:
    """How long a token waits at a join for those of all other inputs."""
    p = s.problem
    longest: Int = 0
    first = p.input_start[number]
    last = p.input_start[number + 1]
    for i in range(first, last):
        if p.input_bits[i] & LOOSE and last - first > 1:
            return NOT_KNOWN
    for i in range(first, last):
        if i != own:
            waited = one_wait(s, f, own, i)
            if waited == NOT_KNOWN:
                return NOT_KNOWN
            longest = max(longest, waited)
    return longest


def lead(s: System, f: Flow, first: Int, node: Int) -> Int:
    """How much later than the arrival at a stage the event of the same number of another source may
    be due."""
    here = node_of(s, first)
    if not find_earliest(s, f, here) or not find_latest(s, f, node):
        return NOT_KNOWN
    if f.period[node] > f.period[s.problem.nodes + here]:
        return NOT_KNOWN
    best = s.place[s.problem.stage_unit[first]].best
    return f.offset[node] - f.offset[s.problem.nodes + here] - best


def due_behind(s: System, f: Flow, first: Int, i: Int) -> Int:
    """When the unit of the same number is behind an input at the latest."""
    source = s.problem.input_source[i]
    begun = due_of(s, f, first, node_of(s, source))
    paced = paced_of(s, source)
    if NOT_KNOWN in (begun, paced) or not is_single(s, i):
        return NOT_KNOWN
    return begun + paced + s.problem.input_worst[i]


def find_due(s: System, f: Flow, first: Int, node: Int) -> Int:
    """The same of a base, where it was not looked for."""
    p = s.problem
    if node == node_of(s, first):
        late = late_of(s, first)
        best = s.place[p.stage_unit[first]].best
        return -best if late == NOT_KNOWN else late - best
    if p.node_kind[node] < 2:  # a source
        return lead(s, f, first, node)
    number = p.junction[node]
    longest: Int = NOT_KNOWN
    if number < 0:
        return NOT_KNOWN
    for i in range(p.input_start[number], p.input_start[number + 1]):
        behind = due_behind(s, f, first, i)
        if behind == NOT_KNOWN:
            return NOT_KNOWN
        longest = max(longest, behind)
    return longest


def due_of(s: System, f: Flow, first: Int, node: Int) -> Int:
    """When the event of the same number of a base is due, counted from the arrival at a stage."""
    if f.due_first != first:
        f.due_first = first
        for i in range(s.problem.nodes):
            f.due_kept[i] = 0
    if not f.due_kept[node]:
        f.due_kept[node] = 1
        f.due[node] = NOT_KNOWN  # of what waits for itself
        f.due[node] = find_due(s, f, first, node)
    return f.due[node]


def spread(s: System, i: Int) -> Int:
    """How much later than it comes an event of an input's base may be due, and what it brings be
    here, than at the earliest; 0 where that is not known."""
    source = s.problem.input_source[i]
    late = late_of(s, source)
    paced = paced_of(s, source)
    if NOT_KNOWN in (late, paced):
        return 0
    return late + paced + s.problem.input_worst[i] - soonest(s, i)


def forget_joins(s: System, f: Flow) -> None:
    """Nothing is known of paces, nor of what is due."""
    for i in range(2 * s.problem.nodes):
        f.kept_pace[i] = 0
    f.due_first = -1
