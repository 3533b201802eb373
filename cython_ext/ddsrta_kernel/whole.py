"""Windows of all stages since a path last waited (lemmas end-to-end-window and closed-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.books import begins, end_of
from ddsrta_kernel.closed import closed_length
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.paths import way_finish
from ddsrta_kernel.problem import (
    BY_NOTHING,
    BY_WHOLE,
    MOST_OF_PATH,
    STEP,
    STEP_BY,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address
from ddsrta_kernel.structs import System
from ddsrta_kernel.walks import known_of


def lay_way(s: System, f: Flow, which: Int) -> Int:
    """The units of a path since it last waited, and behind them how early each is left; returns how
    many there are, 0: too many to look at."""
    p = s.problem
    waited = f.leg[which].waited
    end = f.leg[which].end
    count = end - waited
    at = which
    early: Int = 0
    while at >= 0 and f.leg[at].end > waited:
        leg = address(f.leg[at])
        first = begins(f, leg.stretch)
        for back in range(leg.size):
            place = leg.size - 1 - back
            number = f.book[first + place]
            here = leg.place + place - waited
            f.ahead[here] = p.stage_unit[number]
            f.ahead[count + here] = early
            edge = p.input_start[number] if place else leg.edge
            early = p.input_link[edge] - p.input_worst[edge] if edge >= 0 else 0
        at = leg.previous
    return count


def link_of(s: System, f: Flow, which: Int) -> Int:
    """What the ways between these take at most."""
    p = s.problem
    waited = f.leg[which].waited
    at = which
    total: Int = 0
    while at >= 0 and f.leg[at].end > waited:
        leg = address(f.leg[at])
        first = begins(f, leg.stretch)
        for place in range(leg.size):
            edge = p.input_start[f.book[first + place]] if place else leg.edge
            if edge >= 0 and leg.place + place > waited:
                total += p.input_link[edge]
        at = leg.previous
    return total


def supplies_of(s: System, f: Flow, count: Int) -> Int:
    """How many supplies a path comes to; each notes the last of its units that it comes to."""
    for i in range(s.problem.supplies):
        f.ends[i] = -1
    found: Int = 0
    for i in range(count):
        supply = s.place[f.ahead[i]].supply
        if f.ends[supply] < 0:
            found += 1
        f.ends[supply] = max(f.ends[supply], f.ahead[i])
    return found


def is_modest(s: System, f: Flow) -> Bool:
    """Whether no more than so many units are on the supplies of a path."""
    p = s.problem
    size: Int = 0
    for i in range(p.supplies):
        if f.ends[i] >= 0:
            size += p.supply_last[i] - p.supply_first[i]
    return size <= MOST_OF_PATH


def is_reached(f: Flow, which: Int) -> Bool:
    """Whether the path was reached where it last waited."""
    at = which
    while f.leg[at].place > f.leg[which].waited and f.leg[at].previous >= 0:
        at = f.leg[at].previous
    return f.row[STEP * f.leg[at].row + STEP_BY] != BY_NOTHING


def of_whole_path(s: System, f: Flow, which: Int, count: Int, total: Int) -> Int:
    """The bound of a leg, or that of the window of the path since it last waited (lemma
    end-to-end-window), if it is less."""
    if not is_modest(s, f):
        return total
    leg = address(f.leg[which])
    finish = min(total - leg.arrived, UNBOUNDED)
    if count > leg.size:
        finish = below_whole(s, f, which, count, finish)
    else:  # the end of a stretch, to which many ways may lead
        known = known_of(s, BY_WHOLE, leg.stretch, count, finish, 0)
        if known.bound < 0:
            known.bound = below_whole(s, f, which, count, finish)
        finish = known.bound
    return min(total, leg.arrived + finish)


def below_whole(s: System, f: Flow, which: Int, count: Int, limit: Int) -> Int:
    """When the path is done from where it last waited, or a limit, if that is less."""
    ways = link_of(s, f, which)
    finish = way_finish(s, f.ahead, count, s.problem.beside, f.behind, ways, limit)
    return limit if finish < 0 else finish


def below_closed(s: System, f: Flow, which: Int, total: Int) -> Int:
    """The bound of a leg, or that of the closed window of its last stage, if it is less: looked for
    where there is no bound, or more than once all that is more urgent."""
    p = s.problem
    arrived = f.leg[which].arrived
    if total < UNBOUNDED:
        least: Int = 0
        for i in range(p.supplies):
            if f.ends[i] >= 0:
                least += f.sums[f.ends[i] + 1] - f.sums[p.supply_first[i]]
        if total <= arrived + least:
            return total
    length = closed_length(s, f, end_of(f, f.leg[which].stretch))
    if length >= 0 and arrived + length < total:
        return arrived + length
    return total
