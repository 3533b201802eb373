"""Closed sets of stages, how long all their work takes, and how much of each that is (lemmas
closed-window and closed-counts)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Float, Int
from ddsrta_kernel.curves import unit_count
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.problem import (
    FULL,
    IN_CLOSED,
    MOST_ALONE,
    MOST_LENGTHS,
    NEEDS_ALL,
    NEW_SET,
    NO_SET,
    SET_BITS,
    UNBOUNDED,
    USES_APART,
    USES_FORKS,
)
from ddsrta_kernel.shadow import address, inline, saturated_product
from ddsrta_kernel.structs import System
from ddsrta_kernel.works import added


@inline
def push(f: Flow, unit: Int) -> None:
    f.ahead[f.top] = unit
    f.top += 1


@inline
def in_set(f: Flow, number: Int, stage: Int) -> Bool:
    """Whether the set of the closed window of a stage holds another."""
    return (f.bits[f.set_of[number] * f.words + stage // SET_BITS] >> stage % SET_BITS) & 1 != 0


def take_in(s: System, f: Flow, unit: Int, stage: Int, knowing: Bool) -> Int:
    """Takes a unit into the set of a stage, with all that delays or releases it ahead: NEW_SET; or
    a stage that has the same set, or NO_SET where there is none."""
    p = s.problem
    number = p.stands_for[unit]
    if number < -1:
        push(f, p.stage_unit[-2 - number])
        return NEW_SET
    if number < 0 or not p.stage_bits[number] & IN_CLOSED:
        return NO_SET
    if knowing and f.closed[number] == -1:
        return NO_SET
    if knowing and f.closed[number] >= 0 and in_set(f, number, stage):
        return number
    f.held[number] = 1
    f.count += 1
    if p.input_start[number] == p.input_start[number + 1]:
        f.sources += 1
    place = address(s.place[unit])
    for r in range(place.first_relation, place.last_relation):
        push(f, s.relation[r].last - 1)
    for i in range(p.input_start[number], p.input_start[number + 1]):
        push(f, p.stage_unit[p.input_source[i]])
    return NEW_SET


def gather_set(s: System, f: Flow, stage: Int, knowing: Bool) -> Int:
    """The least closed set with a stage, each of its stages marked, as `take_in` says; where what
    is known of others counts, no further than to one of these that has the same, else no further
    than to a second source, or to more than may be alone."""
    p = s.problem
    for i in range(p.stages):
        f.held[i] = 0
    for i in range(p.supplies):
        f.ends[i] = p.supply_first[i]
    f.count = f.sources = f.top = 0
    push(f, p.stage_unit[stage])
    while f.top > 0:
        last = f.ahead[f.top - 1]
        supply = s.place[last].supply
        first = f.ends[supply]
        if last >= first:
            f.visits -= last + 1 - first
        if f.visits < 0:
            f.failed = True
        if f.failed or not p.supply_plain[supply]:
            return NO_SET
        f.top -= 1
        if last >= first:
            f.ends[supply] = last + 1
        for unit in range(first, last + 1):
            found = take_in(s, f, unit, stage, knowing)
            if found != NEW_SET:
                return found
            if not knowing and (f.sources > 1 or f.count > MOST_ALONE):
                return NO_SET
    return NEW_SET


def may_be_alone(s: System, f: Flow, stage: Int) -> Bool:
    """Whether a stage may be in a set in which events are alone: it has one source."""
    visits = f.visits
    f.visits = UNBOUNDED
    found = gather_set(s, f, stage, False)
    f.visits = visits
    return found != NO_SET and f.sources == 1


def find_ways(s: System, f: Flow) -> None:
    """The longest way behind each stage of a set, to another of them."""
    p = s.problem
    for number in range(p.stages):
        f.ways[number] = 0
    for number in range(p.stages):
        if f.held[number]:
            for i in range(p.input_start[number], p.input_start[number + 1]):
                source = p.input_source[i]
                f.ways[source] = max(f.ways[source], p.input_link[i])


def find_origin(s: System, f: Flow, number: Int) -> None:
    """Of which origin a stage counts units: that of its inputs where they bring the same."""
    p = s.problem
    first = p.input_start[number]
    last = p.input_start[number + 1]
    needs_all = p.stage_bits[number] & NEEDS_ALL
    same: Bool = last > first and (needs_all != 0 or last - first == 1)
    if same:
        source = p.input_source[first]
        times = f.times[source] * p.input_multiplicity[first]
        for i in range(first, last):
            other = p.input_source[i]
            same = same and f.origin[other] == f.origin[source]
            same = same and f.times[other] * p.input_multiplicity[i] == times
        if same:
            f.origin[number] = f.origin[source]
            f.times[number] = times
    if not same:
        f.origin[number] = f.origins
        f.times[number] = 1
        f.begins[f.origins] = number
        f.weight[f.origins] = 0
        f.origins += 1
    time = s.unit[p.stage_unit[number]].cost + f.ways[number]
    origin = f.origin[number]
    more = saturated_product(f.times[number], time, UNBOUNDED)
    f.weight[origin] = added(f.weight[origin], more)


def find_origins(s: System, f: Flow) -> None:
    """Of which origin each stage of a set counts units."""
    f.origins = 0
    for number in range(s.problem.stages):
        if f.held[number]:
            find_origin(s, f, number)


def work_at(s: System, f: Flow, length: Int) -> Int:
    """All work and ways of what is released in a window."""
    p = s.problem
    work: Int = 0
    for origin in range(f.origins):
        number = f.begins[origin]
        events: Int = 0
        first = p.input_start[number]
        last = p.input_start[number + 1]
        if first == last:
            events = unit_count(s, p.stage_unit[number], length)
        for i in range(first, last):
            source = p.input_source[i]
            times = f.times[source] * p.input_multiplicity[i]
            brought = saturated_product(f.events[f.origin[source]], times, UNBOUNDED)
            if p.stage_bits[number] & NEEDS_ALL:
                events = max(events, brought)
            else:
                events = added(events, brought)
        f.events[origin] = events
        work = added(work, saturated_product(events, f.weight[origin], UNBOUNDED))
    return work


def keep_set(s: System, f: Flow, stage: Int) -> None:
    """Keeps the set as that of a stage."""
    f.set_of[stage] = stage
    for word in range(f.words):
        f.bits[stage * f.words + word] = 0
    for number in range(s.problem.stages):
        if f.held[number]:
            at = stage * f.words + number // SET_BITS
            one: Int = 1
            f.bits[at] = f.bits[at] | (one << number % SET_BITS)


def may_overlap(s: System, f: Flow, load: Float) -> Bool:
    """Whether a set whose work takes all of the time, one by one, may have a window all the same
    (lemma fork-overlap): what two cores do at once is no more than the second of all has to do."""
    p = s.problem
    all_of_it: Int = 0
    first: Int = 0
    second: Int = 0
    for supply in range(p.supplies):
        work: Int = 0
        for number in range(p.stages):
            unit = p.stage_unit[number]
            if f.held[number] and s.place[unit].supply == supply:
                work = added(work, s.unit[unit].cost)
        all_of_it = added(all_of_it, work)
        second = max(second, min(first, work))
        first = max(first, work)
    return (load - 1.0) * (all_of_it - second) <= second


def window_of(s: System, f: Flow, stage: Int) -> Int:
    """The window of the set that was gathered for a stage; -1: none. Where something takes a way,
    there may be one all the same that the kernel does not know (lemma ways-apart)."""
    p = s.problem
    load: Float = 0.0
    ways: Bool = False
    find_ways(s, f)
    for number in range(p.stages):
        if f.held[number]:
            ways = ways or f.ways[number] > 0
            unit = p.stage_unit[number]
            rate = s.unit[unit].multiplicity * f.rate[s.place[unit].node]
            load += (s.unit[unit].cost + f.ways[number]) * rate
    if load >= FULL:
        if f.uses & USES_FORKS and may_overlap(s, f, load):
            f.failed = True  # the kernel knows no forks
        f.failed = f.failed or (ways and f.uses & USES_APART != 0)
        return -1
    find_origins(s, f)
    length: Int = 1
    for _ in range(MOST_LENGTHS):
        needed = work_at(s, f, length)
        if needed <= length:
            keep_set(s, f, stage)
            return length
        if needed >= UNBOUNDED:
            break
        length = needed
    f.failed = f.failed or (ways and f.uses & USES_APART != 0)
    return -1


def closed_length(s: System, f: Flow, stage: Int) -> Int:
    """The closed window of a stage; -1: none."""
    if f.closed[stage] == -2:
        found = gather_set(s, f, stage, True)
        if found >= 0:
            f.set_of[stage] = f.set_of[found]
            f.closed[stage] = f.closed[found]
        else:
            f.closed[stage] = window_of(s, f, stage) if found == NEW_SET else -1
    return f.closed[stage]


def count_closed(s: System, f: Flow, stage: Int) -> Bool:
    """Finds how many of each unit count in the closed window of a stage; whether it has one."""
    p = s.problem
    length = closed_length(s, f, stage)
    if length < 0:
        return False
    if f.counted == f.set_of[stage]:
        return True
    f.counted = f.set_of[stage]
    for number in range(p.stages):
        f.held[number] = 1 if in_set(f, stage, number) else 0
    find_origins(s, f)
    work_at(s, f, length)
    for unit in range(p.units):
        f.most[unit] = UNBOUNDED
    for number in range(p.stages):
        if f.held[number]:
            events = f.events[f.origin[number]]
            f.most[p.stage_unit[number]] = saturated_product(events, f.times[number], UNBOUNDED)
    return True


def forget_closed(s: System, f: Flow) -> None:
    """Nothing is known of closed windows: all other bounds have changed."""
    f.counted = -1
    for number in range(s.problem.stages):
        f.closed[number] = -2
