"""Latencies of paths, of every event or of those whose tokens come last (lemmas path-latency and
last-token)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.books import edge_from, end_of, find_leg, head_of, inputs_of, last_row, may_wait
from ddsrta_kernel.closed import may_be_alone
from ddsrta_kernel.events import below_alone
from ddsrta_kernel.flows import Flow, Leg
from ddsrta_kernel.joins import forget_joins, lead
from ddsrta_kernel.legs import begin_leg, new_leg, released, with_total
from ddsrta_kernel.meetings import line_up
from ddsrta_kernel.problem import (
    A_TOKEN,
    BOOK_STARTS,
    BOOK_TOKENS,
    CONTINUES,
    MOST_TOKENS,
    NOT_KNOWN,
    STEP,
    STEP_ORIGIN,
    STEP_TOTAL,
    UNBOUNDED,
    USES_ALONE,
    USES_CLOSED,
    USES_ENDS,
    USES_TOKENS,
)
from ddsrta_kernel.shadow import address
from ddsrta_kernel.structs import System
from ddsrta_kernel.whole import below_closed, is_reached, lay_way, of_whole_path, supplies_of


def add_leg(s: System, f: Flow, last: Int, stretch: Int, waits: Bool) -> Int:
    """One stretch further than a leg."""
    p = s.problem
    number = head_of(f, stretch)
    which = new_leg(s, f, last, stretch, waits)
    if f.failed:
        return 0
    leg = address(f.leg[which])
    before = address(f.leg[last])
    leg.edge = edge_from(s, end_of(f, before.stretch), number)
    leg.start = before.start
    if before.total >= UNBOUNDED:
        begin_leg(s, f, which, NOT_KNOWN, 0, False, may_wait(s, number, waits))
        return which
    arrived = before.total + p.input_worst[leg.edge]
    if not may_wait(s, number, waits):
        begin_leg(s, f, which, arrived, 0, True, False)
        return which
    if before.from_base and p.stage_bits[number] & CONTINUES:
        origin = f.row[last_row(before) + STEP_ORIGIN]
        leg.joined = True
        since = s.place[p.stage_unit[number]].before - s.place[origin].best
        begin_leg(s, f, which, 0, since, False, True)
        return which
    at = released(s, f, which, number, arrived)
    if at == NOT_KNOWN:
        begin_leg(s, f, which, NOT_KNOWN, 0, False, True)
        return which
    leg.joined = True
    begin_leg(s, f, which, at, 0, True, True)
    return which


def next_leg(s: System, f: Flow, which: Int, stretch: Int, waits: Bool) -> Int:
    """A leg one stretch further."""
    last = which
    if may_wait(s, head_of(f, stretch), waits):
        last = settle(s, f, which)
    found = find_leg(f, last, stretch, waits)
    if found >= 0 or f.failed:
        return max(found, 0)
    return add_leg(s, f, last, stretch, waits)


def go_along(s: System, f: Flow, way: Int, waits: Bool) -> Int:
    """The leg that ends with a way, of which the stretches stand in the book."""
    stretch = f.book[way + 1]
    which = find_leg(f, -1, stretch, False)
    if which < 0:
        which = new_leg(s, f, -1, stretch, False)
        if not f.failed:
            begin_leg(s, f, which, 0, 0, False, False)
    for i in range(1, f.book[way]):
        if f.failed:
            return 0
        which = next_leg(s, f, which, f.book[way + 1 + i], waits)
    return which


def longest_token(s: System, f: Flow, which: Int, total: Int) -> Int:
    """The longest of the ways that the last token may have come; the total where one gives no less,
    or they are not known."""
    find_tokens(s, f, which)
    first = f.leg[which].token
    longest: Int = -1
    for i in range(f.leg[which].tokens):
        begun = f.token[2 * (first + i)]
        settled = settle(s, f, f.token[2 * (first + i) + 1])
        if f.failed:
            return total
        time = f.leg[settled].total
        if time >= UNBOUNDED or begun + time >= total:
            return total
        longest = max(longest, begun + time)
    return total if longest < 0 else longest


def settle(s: System, f: Flow, which: Int) -> Int:
    """The same leg, with the windows of all since the path last waited where these give less."""
    if f.failed:
        return 0
    if f.leg[which].settled >= 0:
        return f.leg[which].settled
    total = f.leg[which].total
    if is_reached(f, which):
        count = lay_way(s, f, which)
        apart: Bool = supplies_of(s, f, count) == count
        if total < UNBOUNDED and f.uses & USES_ENDS and not apart:
            total = of_whole_path(s, f, which, count, total)
        if f.uses & USES_CLOSED:
            supplies_of(s, f, count)
            total = below_closed(s, f, which, total)
    if f.leg[which].joined:
        total = longest_token(s, f, which, total)
    asks_alone: Bool = f.uses & USES_ALONE != 0 and f.leg[which].end > 1
    if asks_alone and f.knows_orders:
        total = below_alone(s, f, which, total)
    elif asks_alone and may_be_alone(s, f, end_of(f, f.leg[which].stretch)):
        f.failed = True  # the kernel is not told in which order things come
    settled = which
    if total < f.leg[which].total and not f.failed:
        settled = with_total(s, f, which, total)
    f.leg[which].settled = settled
    return settled


def begun_at(s: System, f: Flow, first: Int, source: Int) -> Int:
    """How much later than the arrival at a stage a way from a source may begin."""
    p = s.problem
    there = p.stage_unit[source]
    here = p.stage_unit[first]
    if source == first:
        return 0
    later = s.place[there].best + p.late[there]
    if s.place[there].node == s.place[here].node:
        return later - s.place[here].best
    begun = lead(s, f, first, s.place[there].node)
    return NOT_KNOWN if begun == NOT_KNOWN else begun + later


def add_token(f: Flow, leg: Leg, begun: Int, which: Int) -> None:
    if f.tokens == MOST_TOKENS:
        f.failed = True
    if f.failed:
        return
    f.token[2 * f.tokens] = begun
    f.token[2 * f.tokens + 1] = which
    f.tokens += 1
    leg.tokens += 1


def other_tokens(s: System, f: Flow, which: Int, number: Int) -> None:
    """The ways by which the token of a number may have come to a join but through the leg before;
    no token is known at all where nothing is known of one of them."""
    leg = address(f.leg[which])
    but = end_of(f, f.leg[leg.previous].stretch)
    row = f.book[f.book[BOOK_STARTS] + leg.start]
    at: Int = 0
    if row >= 0:
        at = f.book[f.book[BOOK_TOKENS] + row * s.problem.stages + number]
    if at == 0:
        f.failed = True
        return
    known: Bool = at > 0
    if known:
        for i in range(f.book[at]):
            source = f.book[at + 1 + A_TOKEN * i]
            known = known and begun_at(s, f, leg.start, source) != NOT_KNOWN
    if not known:
        f.tokens = leg.token
        leg.tokens = 0
        return
    for i in range(f.book[at]):
        one = at + 1 + A_TOKEN * i
        if f.book[one + 1] != but:
            begun = begun_at(s, f, leg.start, f.book[one])
            way = go_along(s, f, f.book[one + 2], False)
            add_token(f, leg, begun, next_leg(s, f, way, leg.stretch, False))


def find_tokens(s: System, f: Flow, which: Int) -> None:
    """The ways that the last token may have come to the end of a leg, the path among them; none
    where that is not known."""
    leg = address(f.leg[which])
    if leg.token >= 0 or f.failed:
        return
    number = head_of(f, leg.stretch)
    if leg.previous < 0:
        leg.token = f.tokens
        if f.uses & USES_TOKENS and inputs_of(s, number) == 0:
            add_token(f, leg, 0, find_leg(f, -1, leg.stretch, False))
        return
    find_tokens(s, f, leg.previous)
    leg.token = f.tokens
    before = address(f.leg[leg.previous])
    for i in range(before.tokens):
        begun = f.token[2 * (before.token + i)]
        way = next_leg(s, f, f.token[2 * (before.token + i) + 1], leg.stretch, False)
        add_token(f, leg, begun, way)
    if before.tokens and inputs_of(s, number) > 1:
        other_tokens(s, f, which, number)


def begin_legs(s: System, f: Flow) -> None:
    """No way is known."""
    f.legs = f.rows = f.tokens = f.alone[0].rows = 0
    forget_joins(s, f)
    line_up(s, f.behind)


def find_latencies(
    s: System, f: Flow, asked: Ints, count: Int, found: Ints, at: Int, exact: Int
) -> None:
    """The leg of each way of some, of every event or of those alone whose tokens come last: from a
    place on. Behind so many it is enough that it has a bound if any has."""
    for i in range(count):
        waits: Bool = asked[2 * i + 1] != 0
        which = go_along(s, f, asked[2 * i], waits)
        if i < exact or f.leg[which].total >= UNBOUNDED:
            which = settle(s, f, which)
        if f.failed:
            return
        found[at + i] = which


def tell_latencies(f: Flow, count: Int, found: Ints, at: Int) -> None:
    """The latencies in place of the legs."""
    for i in range(count):
        found[at + i] = f.leg[found[at + i]].total


def tell_steps(f: Flow, count: Int, found: Ints, steps: Ints) -> None:
    """Up to the end of each stage, of one leg after the other."""
    first: Int = 0
    for i in range(count):
        at = found[i]
        while at >= 0:
            leg = address(f.leg[at])
            row = STEP * leg.row + STEP_TOTAL
            for place in range(leg.size):
                steps[first + leg.place + place] = f.row[row + STEP * place]
            at = leg.previous
        first += f.leg[found[i]].end
