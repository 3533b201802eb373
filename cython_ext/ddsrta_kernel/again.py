"""Solved again with what one solution shows to be possible: closed windows as ceilings, and windows
from the arrival of a unit (lemmas closed-window and pending-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.closed import closed_length, count_closed, forget_closed
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.latest import lower_latest
from ddsrta_kernel.pending import begin_pending, examine_pending
from ddsrta_kernel.problem import (
    AT_END,
    BLOCKS,
    CONTINUES,
    HERE,
    HERE_ALL,
    HERE_FIRST,
    HERE_SIZE,
    HERE_STAGE,
    KNOWN,
    MOST_AGAIN,
    MOST_COUNTS,
    MOST_LATEST,
    MOST_PENDING,
    MOST_VISITS,
    NEEDS_ALL,
    RELEASED_HERE,
    ROW,
    ROW_BITS,
    ROW_NEXT,
    SET_BITS,
    UNBOUNDED,
    USES_CLOSED,
    USES_COUNTS,
    USES_HERE,
    USES_LATEST,
    USES_LINES,
    USES_MEETINGS,
    USES_PENDING,
    WAITS_FIRST,
)
from ddsrta_kernel.rates import find_rates
from ddsrta_kernel.shadow import address
from ddsrta_kernel.slowest import begin_again, keep_rates, solve_slowest
from ddsrta_kernel.structs import Pending, System
from ddsrta_kernel.sweeps import iterate


def forget(s: System) -> None:
    """No window of a path is known."""
    for i in range(KNOWN):
        s.known[i].kind = 0


def find_starts(s: System, f: Flow) -> None:
    """How long after the event of its base what releases each stage may be released by time (lemma
    known-offsets); and the costs of all units before each."""
    p = s.problem
    for number in range(p.stages):
        first = p.input_start[number]
        start: Int = 0
        if first == p.input_start[number + 1]:
            start = s.place[p.stage_unit[number]].before
        elif p.stage_bits[number] & CONTINUES:
            for i in range(first, p.input_start[number + 1]):
                start = max(start, f.starts[p.input_source[i]])
        f.starts[number] = start
    f.sums[0] = 0
    for unit in range(p.units):
        f.sums[unit + 1] = f.sums[unit] + s.unit[unit].cost


def clear_ceilings(s: System, f: Flow) -> None:
    """None are known."""
    for unit in range(s.problem.units):
        s.problem.ceiling[unit] = s.problem.latest[unit] = UNBOUNDED
    for number in range(s.problem.stages):
        f.ceiling[number] = UNBOUNDED


def set_ceilings(s: System, f: Flow, all_of_them: Bool) -> Bool:
    """Closed windows as ceilings: all, or those that are less than what is found without them; says
    whether there are any."""
    p = s.problem
    found: Bool = False
    for number in range(p.stages):
        unit = p.stage_unit[number]
        bound = max(s.response[unit], s.latency[unit])
        least = f.sums[unit + 1] - f.sums[p.supply_first[s.place[unit].supply]]
        if all_of_them or bound >= UNBOUNDED or bound > least:
            length = closed_length(s, f, number)
            latest = f.starts[number] + length
            less: Bool = length < s.response[unit] or latest < s.latency[unit]
            if length >= 0 and (all_of_them or less):
                p.ceiling[unit] = length
                p.latest[unit] = latest
                found = True
    return found


def keep_ceilings(s: System, f: Flow) -> Bool:
    """The closed windows that bound their stages; false where some are as much as is found without
    them, which may be more with no other ceiling."""
    p = s.problem
    is_cut: Bool = False
    equal: Bool = False
    for number in range(p.stages):
        unit = p.stage_unit[number]
        length = p.ceiling[unit]
        same: Bool = s.response[unit] == length or s.latency[unit] == p.latest[unit]
        is_cut = is_cut or s.state[unit].is_cut
        if length < UNBOUNDED and same:
            f.ceiling[number] = length if s.state[unit].is_cut else UNBOUNDED
            equal = equal or not s.state[unit].is_cut
    return not (is_cut and equal)


def solve_below(s: System, f: Flow) -> None:
    """The fixed point with closed windows as ceilings. Where these cut nothing they change nothing,
    so all of them may be there at once; else which are less than what is found without them is
    looked at one after the other; so they are where joins wait for what is found without them."""
    p = s.problem
    find_starts(s, f)
    if f.slow[0] == 0:
        if set_ceilings(s, f, True):
            begin_again(s)
        iterate(s)
        if keep_ceilings(s, f):
            return
        clear_ceilings(s, f)
        begin_again(s)
    solve_slowest(s, f)
    if not set_ceilings(s, f, False):
        return
    begin_again(s)
    iterate(s)
    for number in range(p.stages):
        unit = p.stage_unit[number]
        length = p.ceiling[unit]
        same: Bool = s.response[unit] == length or s.latency[unit] == p.latest[unit]
        if length < UNBOUNDED and same:
            f.ceiling[number] = length


def lay_here(s: System, f: Flow) -> None:
    """What cores release themselves, as windows from the arrival of a unit ask for it."""
    p = s.problem
    at = HERE * p.units
    for i in range(at):
        f.here[i] = 0
    for number in range(p.stages):
        here = HERE * p.stage_unit[number]
        f.here[here + HERE_STAGE] = number
        if f.uses & USES_HERE and p.stage_bits[number] & RELEASED_HERE:
            f.here[here + HERE_FIRST] = at
            f.here[here + HERE_SIZE] = p.input_start[number + 1] - p.input_start[number]
            f.here[here + HERE_ALL] = 1 if p.stage_bits[number] & NEEDS_ALL else 0
            for i in range(p.input_start[number], p.input_start[number + 1]):
                f.here[at] = p.stage_unit[p.input_source[i]]
                f.here[at + 1] = p.input_multiplicity[i]
                at += 2


def lay_rows(s: System, f: Flow) -> None:
    """Which stage is next on the row of each (lemma meetings-in-order), by unit."""
    p = s.problem
    at = 2 * p.stages * (p.stages // SET_BITS + 1) + 2 * p.stages
    for unit in range(p.units):  # what is no stage is on no row
        f.behind[ROW * unit + ROW_NEXT] = -1
        f.behind[ROW * unit + ROW_BITS] = 0
    for number in range(p.stages):
        row = ROW * p.stage_unit[number]
        behind = f.leading[at + ROW * number + ROW_NEXT]
        f.behind[row + ROW_NEXT] = -1 if behind < 0 else p.stage_unit[behind]
        f.behind[row + ROW_BITS] = f.leading[at + ROW * number + ROW_BITS]
    f.behind[ROW * p.units] = 1 if f.uses & USES_MEETINGS else 0


def has_begun(s: System, number: Int, other: Int) -> Bool:
    """Whether another stage releases one, and not by its end."""
    p = s.problem
    found: Bool = False
    for i in range(p.input_start[number], p.input_start[number + 1]):
        found = found or (p.input_source[i] == other and not p.input_bits[i] & AT_END)
    return found


def find_barred(s: System, f: Flow, w: Pending, number: Int) -> None:
    """What cannot be in progress when a unit comes that its own thread has released."""
    p = s.problem
    server = p.stage_server[number]
    for i in range(p.input_start[number], p.input_start[number + 1]):
        if p.stage_server[p.input_source[i]] != server:
            return
    w.is_released = True
    place = address(s.place[w.unit])
    for r in range(place.first_relation, place.last_relation):
        if s.relation[r].kind == BLOCKS:
            for unit in range(s.relation[r].first, s.relation[r].last):
                other = p.stands_for[unit]
                mine: Bool = other >= 0 and p.stage_server[other] == server
                if mine and not has_begun(s, number, other):
                    f.barred[w.bars] = unit
                    w.bars += 1


def find_below(s: System, w: Pending, number: Int) -> None:
    """Where all that is as urgent ends, if only less urgent stages of its core release a unit."""
    p = s.problem
    end = p.level_last[w.unit]
    most: Int = 0
    for i in range(p.input_start[number], p.input_start[number + 1]):
        if p.stage_unit[p.input_source[i]] < end:
            return
        most = max(most, p.input_multiplicity[i])
    w.is_released = True
    w.end = end
    w.own_here = most - 1


def pending_finish_of(s: System, f: Flow, w: Pending, number: Int) -> Int:
    """The window of a stage from its arrival; -1: none that is shorter than its response."""
    p = s.problem
    unit = p.stage_unit[number]
    supply = s.place[unit].supply
    alone: Bool = p.supply_plain[supply] != 0 and p.supply_threads[supply] == 1
    if not alone or p.supply_moves[supply] or p.stage_bits[number] & WAITS_FIRST:
        return -1
    begin_pending(s, w, unit, False)
    w.below = s.response[unit]
    w.is_released = False
    w.has_most = f.uses & USES_COUNTS != 0 and count_closed(s, f, number)
    w.bars = w.own_here = 0
    w.end = -1
    if f.uses & USES_HERE and p.stage_bits[number] & RELEASED_HERE:
        find_barred(s, f, w, number)
        find_below(s, w, number)
    return examine_pending(w, MOST_PENDING)


def lower_pending(s: System, f: Flow) -> Bool:
    """New ceilings by what is pending when units arrive; whether there are any."""
    p = s.problem
    w = address(s.pending[0])
    w.system = s
    w.stages = p.stages
    w.words = w.stages // SET_BITS + 1
    w.leading = f.leading
    w.here = f.here
    w.barred = f.barred
    w.most = f.most
    w.has_copies = False
    w.lines = 2 * w.stages * w.words if f.uses & USES_LINES else -1
    w.unit_of = p.stage_unit
    w.left = MOST_COUNTS * max(100, w.stages)
    lower: Bool = False
    for number in range(p.stages):
        unit = p.stage_unit[number]
        if s.unit[unit].cost < s.response[unit] < UNBOUNDED:
            finish = pending_finish_of(s, f, w, number)
            if finish >= 0:
                f.pending[number] = finish
                f.instead[number] = s.response[unit]
                p.ceiling[unit] = min(p.ceiling[unit], finish)
                lower = True
    return lower


def solve_first(s: System, f: Flow) -> None:
    """The fixed point, with closed windows where these are ceilings."""
    f.visits = MOST_VISITS * max(200, s.problem.stages)
    forget_closed(s, f)
    keep_rates(s, f)
    find_rates(s)
    for number in range(s.problem.stages):
        f.ceiling[number] = f.pending[number] = f.joint[number] = UNBOUNDED
        f.instead[number] = UNBOUNDED
        f.whole[number] = 0
    if f.uses & USES_CLOSED:
        solve_below(s, f)
    else:
        solve_slowest(s, f)


def solve_jointly(s: System, f: Flow, joint: Ints) -> None:
    """Once more with windows of messages by what flow controllers can have sent together."""
    for number in range(s.problem.stages):
        unit = s.problem.stage_unit[number]
        f.joint[number] = joint[number]
        s.problem.ceiling[unit] = min(s.problem.ceiling[unit], joint[number])
    begin_again(s)
    iterate(s)


def may_rise(s: System) -> Bool:
    """Whether something has no bound, though nothing is overloaded: windows that are found from
    below may have one, which are not looked for here."""
    unbounded: Bool = False
    for unit in range(s.problem.units):
        if s.overloaded[unit]:
            return False
        unbounded = unbounded or s.response[unit] >= UNBOUNDED
    return unbounded


def unbounded(s: System) -> Int:
    """How many units have no bound."""
    found: Int = 0
    for unit in range(s.problem.units):
        if s.response[unit] >= UNBOUNDED:
            found += 1
    return found


def again_pending(s: System, f: Flow) -> None:
    """Once more with what is pending when units arrive, as long as that is less."""
    rounds: Int = MOST_AGAIN if f.uses & USES_PENDING else 0
    for _ in range(rounds):
        forget(s)
        if f.failed or s.stopped or not lower_pending(s, f):
            break
        begin_again(s)
        iterate(s)


def solve_pending(s: System, f: Flow) -> None:
    """The same, and again with latencies by windows of whole paths."""
    if f.uses & USES_PENDING and may_rise(s):
        f.failed = True
    lay_here(s, f)
    lay_rows(s, f)
    again_pending(s, f)
    rounds: Int = MOST_LATEST if f.uses & USES_LATEST else 0
    for _ in range(rounds):
        if f.failed or s.stopped or not lower_latest(s, f):
            break
        known = unbounded(s)
        begin_again(s)
        iterate(s)
        again_pending(s, f)
        f.failed = f.failed or unbounded(s) > known
    f.visits = MOST_VISITS * max(200, s.problem.stages)
    forget_closed(s, f)
    forget(s)
