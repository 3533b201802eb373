"""Event curves of nodes and units (lemma jitter-propagation). They saturate at UNBOUNDED."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.problem import CLOSE, EXPLICIT, MAXIMUM, PERIODIC, SUM, UNBOUNDED
from ddsrta_kernel.shadow import address, ceiling_quotient, inline, saturated_product
from ddsrta_kernel.structs import System
from ddsrta_kernel.values import Span


def last_at_most(distances: Ints, low: Int, high: Int, value: Int) -> Int:
    """The first index of low … high whose distance exceeds the value (bisect_right)."""
    while low < high:
        middle = (low + high) >> 1
        if distances[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


def explicit_count(s: System, node: Int, window: Int) -> Int:
    period = s.node[node].a
    repeat = s.node[node].b
    first = s.node[node].c
    length = s.node[node].d
    low = first + length - repeat
    last = window - 1
    if last < s.problem.distances[low]:
        return last_at_most(s.problem.distances, first, low, last) - first
    turns = (last - s.problem.distances[low]) // period
    index = last_at_most(s.problem.distances, low, first + length, last - turns * period)
    return index - first + turns * repeat


@inline
def spaced(count: Int, window: Int, spacing: Int, slack: Int, bunch: Int) -> Int:
    """No more than the bunches that fit (lemma output-spacing)."""
    if bunch == 1 and saturated_product(count - 1, spacing, UNBOUNDED) < window + slack:
        return count
    most = saturated_product(bunch, ceiling_quotient(window + slack, spacing), UNBOUNDED)
    return most if most < count else count


@inline
def paced_count(s: System, node: Int, window: Int) -> Int:
    """η of what follows the pace of a node (lemma bursts-once)."""
    longer = window + s.node[node].late
    return UNBOUNDED if longer >= UNBOUNDED else ceiling_quotient(longer, s.node[node].pace)


@inline
def paced_distance(s: System, node: Int, count: Int, sooner: Int) -> Int:
    """And its δ⁻, so much sooner."""
    return saturated_product(count - 1, s.node[node].pace, UNBOUNDED) - s.node[node].late - sooner


@inline
def thinned(count: Int, most: Int, of: Int) -> Int:
    """How many of so many events in a row bring something (lemma thinned-stream)."""
    if of == 0 or count >= UNBOUNDED:
        return count
    turns = count // of
    rest = count - turns * of
    return turns * most + (rest if rest < most else most)


def node_count(s: System, node: Int, window: Int) -> Int:
    """η of a node."""
    if window <= 0:
        return 0
    if window >= UNBOUNDED:
        return UNBOUNDED
    kind = s.node[node].kind
    if kind == PERIODIC:
        count = ceiling_quotient(window + s.node[node].b, s.node[node].a)
        if s.node[node].c > 0:
            other = ceiling_quotient(window, s.node[node].c)
            count = min(count, other)
        return count
    if kind == EXPLICIT:
        return explicit_count(s, node, window)
    kept = address(s.kept[node * s.slots + s.node[node].hit])
    if s.node[node].filled > 0 and kept.least <= window <= kept.most:
        return kept.count
    return joined_span(s, node, window).events


def span(s: System, node: Int, window: Int) -> Span:
    """η of a node, and a range of windows, this one among them, that have no other."""
    if window >= UNBOUNDED:
        return Span(UNBOUNDED, UNBOUNDED, 2 * UNBOUNDED)
    if s.node[node].kind in (SUM, MAXIMUM):
        return joined_span(s, node, window)
    count = node_count(s, node, window)
    return Span(count, node_distance(s, node, count) + 1, node_distance(s, node, count + 1))


def moved_span(s: System, node: Int, window: Int, later: Int, paced: Int) -> Span:
    """The same of what comes so much later than its events, or so much later than at their pace."""
    one = span(s, node, window + later)
    if paced >= later:
        return Span(one.events, one.least - later, one.most - later)
    one = Span(one.events, one.least - later, one.most - later)
    return lesser(one, paced_span(s, node, window, paced))


@inline
def lesser(one: Span, other: Span) -> Span:
    """The less of two counts, which stays what it is until that one grows, whatever the other
    does."""
    least = max(one.least, other.least)
    if one.events < other.events:
        return Span(one.events, least, one.most)
    if other.events < one.events:
        return Span(other.events, least, other.most)
    return Span(one.events, least, max(one.most, other.most))


@inline
def spaced_span(one: Span, window: Int, spacing: Int, slack: Int, bunch: Int) -> Span:
    """No more than the bunches that fit (lemma output-spacing)."""
    bunches = ceiling_quotient(window + slack, spacing)
    fewer = saturated_product(bunch, bunches, UNBOUNDED)
    events = one.events
    most = one.most
    if fewer <= events:
        until = bunches * spacing - slack
        most = until if fewer < events else max(until, most)
        events = fewer
    else:
        bunches = ceiling_quotient(events, bunch)
    apart = saturated_product(bunches - 1, spacing, UNBOUNDED) - slack + 1
    return Span(events, max(one.least, apart), most)


def entry_span(s: System, entry: Int, window: Int) -> Span:
    """The same of what comes through an entry."""
    p = s.problem
    one = moved_span(s, p.entry_node[entry], window, s.entry_shift[entry], s.entry_paced[entry])
    events = thinned(one.events, p.entry_most[entry], p.entry_of[entry])
    events = saturated_product(p.entry_multiplicity[entry], events, UNBOUNDED)
    one = Span(events, one.least, one.most)
    if p.entry_spacing[entry]:
        return spaced_span(
            one, window, p.entry_spacing[entry], p.entry_slack[entry], p.entry_bunch[entry]
        )
    return one


def paced_span(s: System, node: Int, window: Int, sooner: Int) -> Span:
    """The same of what follows the pace of a node, so much sooner."""
    count = paced_count(s, node, window + sooner)
    if count >= UNBOUNDED:
        return Span(UNBOUNDED, 1, UNBOUNDED)
    most = count * s.node[node].pace - s.node[node].late - sooner
    return Span(count, most - s.node[node].pace + 1, most)


def joined_span(s: System, node: Int, window: Int) -> Span:
    """The same of a SUM or MAXIMUM: one that is kept, or as what comes through all entries."""
    n = address(s.node[node])
    first = node * s.slots
    for slot in range(n.filled):
        kept = address(s.kept[first + slot])
        if kept.least <= window <= kept.most:
            n.hit = slot
            return Span(kept.count, kept.least, kept.most)
    s.effort += n.d
    total: Int = 0
    most: Int = UNBOUNDED
    fewest = Span(UNBOUNDED, 1, UNBOUNDED)
    for entry in range(n.c, n.c + n.d):
        one = entry_span(s, entry, window)
        most = min(most, one.most)
        fewest = lesser(fewest, one)
        if n.kind == SUM:
            total = total + one.events if total + one.events < UNBOUNDED else UNBOUNDED
        elif one.events > total:
            total = one.events
    found = Span(total + n.more, fewest.least, most)
    found = lesser(found, Span(fewest.events + n.kept, fewest.least, fewest.most))
    if n.capped:
        found = lesser(found, entry_span(s, n.c + n.d, window))
    if n.pace > 0:
        found = lesser(found, paced_span(s, node, window, 0))
    if n.slowest >= 0:
        one = span(s, n.slowest, window + n.wait)
        fewer = saturated_product(n.times, one.events, UNBOUNDED)
        found = lesser(found, Span(fewer, one.least - n.wait, one.most - n.wait))
    found = Span(min(found.events, UNBOUNDED), max(found.least, 1), min(found.most, UNBOUNDED))
    n.slot = n.slot + 1 if n.slot + 1 < s.slots else 0
    n.hit = n.slot
    n.filled = max(n.filled, n.slot + 1)
    kept = address(s.kept[first + n.slot])
    kept.least = found.least
    kept.most = found.most
    kept.count = found.events
    return found


@inline
def is_mixed(s: System, node: Int) -> Bool:
    """Whether a node is a SUM, or one of sets: there its events have no δ⁻ of their own."""
    n = address(s.node[node])
    return n.kind == SUM or (n.kind == MAXIMUM and (n.kept < UNBOUNDED or n.capped > 0))


def largest_distance(s: System, node: Int, count: Int) -> Int:
    """δ⁻ of a MAXIMUM: the soonest of its entries."""
    soonest: Int = UNBOUNDED
    for entry in range(s.node[node].c, s.node[node].c + s.node[node].d):
        events = ceiling_quotient(count, s.problem.entry_multiplicity[entry])
        if s.problem.entry_of[entry]:
            turns = (events - 1) // s.problem.entry_most[entry]
            events += turns * (s.problem.entry_of[entry] - s.problem.entry_most[entry])
        distance = node_distance(s, s.problem.entry_node[entry], events)
        if distance < UNBOUNDED:
            distance -= s.entry_shift[entry]
            if s.entry_paced[entry] < s.entry_shift[entry]:
                apart = paced_distance(s, s.problem.entry_node[entry], events, s.entry_paced[entry])
                distance = max(distance, apart)
        if s.problem.entry_spacing[entry]:
            bunches = ceiling_quotient(count, s.problem.entry_bunch[entry]) - 1
            apart = (
                saturated_product(bunches, s.problem.entry_spacing[entry], UNBOUNDED)
                - s.problem.entry_slack[entry]
            )
            distance = max(distance, apart)
        soonest = min(soonest, distance)
    if s.node[node].pace > 0:
        apart = paced_distance(s, node, count, 0)
        soonest = max(soonest, apart)
    if s.node[node].slowest >= 0:
        events = ceiling_quotient(count, s.node[node].times)
        apart = node_distance(s, s.node[node].slowest, events)
        soonest = max(soonest, apart - s.node[node].wait)
    return soonest if soonest > 0 else 0


def joined_distance(s: System, node: Int, count: Int) -> Int:
    """δ⁻ of a SUM, or of sets: event by event when close to that of fewer which was asked for last,
    else from there by how far apart events are on the way, and every other time by bisection."""
    if count > UNBOUNDED:
        return UNBOUNDED
    n = address(s.node[node])
    low: Int = n.apart if 0 < n.asked < count else 0
    fewer = node_count(s, node, low + 1)
    if count - fewer > CLOSE:
        halve: Bool = False
        high = max(n.near, low) + 1
        more = node_count(s, node, high + 1)
        while more < count and count - more > CLOSE:
            low = high
            fewer = more
            if high >= UNBOUNDED:
                return UNBOUNDED
            high = 2 * high + 1
            more = node_count(s, node, high + 1)
        if more < count:
            low = high
            fewer = more
        while fewer < count and count - fewer > CLOSE:
            middle = low + (high - low) // (more - fewer) * (count - fewer)
            if halve or middle <= low or middle >= high:
                middle = (low + high) // 2
            halve = not halve
            if middle == low:
                return high
            events = node_count(s, node, middle + 1)
            if events < count:
                low = middle
                fewer = events
            else:
                high = middle
                more = events
    while fewer < count:
        low = joined_span(s, node, low + 1).most
        fewer = node_count(s, node, low + 1)
    n.near = min(low, UNBOUNDED - 1)
    return low


def node_distance(s: System, node: Int, count: Int) -> Int:
    """δ⁻ of a node."""
    if count <= 1:
        return 0
    kind = s.node[node].kind
    if kind == PERIODIC:
        gaps = count - 1
        late = saturated_product(gaps, s.node[node].a, UNBOUNDED + s.node[node].b) - s.node[node].b
        other = saturated_product(gaps, s.node[node].c, UNBOUNDED)
        late = max(late, other)
        return late if late > 0 else 0
    if kind == EXPLICIT:
        index = count - 1
        if index < s.node[node].d:
            return s.problem.distances[s.node[node].c + index]
        turns = (index - s.node[node].d) // s.node[node].b + 1
        other = s.problem.distances[s.node[node].c + index - turns * s.node[node].b]
        late = saturated_product(turns, s.node[node].a, UNBOUNDED) + other
        return late if late < UNBOUNDED else UNBOUNDED
    n = address(s.node[node])
    if n.asked != count:
        n.apart = (
            joined_distance(s, node, count)
            if is_mixed(s, node)
            else largest_distance(s, node, count)
        )
        n.asked = count
    return n.apart


def new_count(s: System, unit: Int, window: Int) -> Int:
    """η of a unit, and notes a range of windows that have no other."""
    if window <= 0:
        return 0
    u = address(s.unit[unit])
    p = address(s.place[unit])
    one = moved_span(s, p.node, window, p.before - p.best, p.paced - p.best)
    one = Span(saturated_product(u.multiplicity, one.events, UNBOUNDED), one.least, one.most)
    if u.spacing:
        one = spaced_span(one, window, u.spacing, u.slack, u.bunch)
    met = address(s.met[unit])
    met.least = max(one.least, 1)
    met.most = one.most
    met.count = one.events
    return one.events


@inline
def unit_count(s: System, unit: Int, window: Int) -> Int:
    """η of a unit."""
    u = address(s.unit[unit])
    longer = window + u.offset
    if u.period > 0 and window > 0 and longer < UNBOUNDED:
        count = ceiling_quotient(longer, u.period)
        if u.multiplicity != 1:
            count = saturated_product(u.multiplicity, count, UNBOUNDED)
        if u.spacing:
            count = spaced(count, window, u.spacing, u.slack, u.bunch)
        return count
    met = address(s.met[unit])
    return met.count if met.least <= window <= met.most else new_count(s, unit, window)


def unit_distance(s: System, unit: Int, count: Int) -> Int:
    """δ⁻ of a unit."""
    p = address(s.place[unit])
    events = count
    if s.unit[unit].multiplicity > 1:
        events = ceiling_quotient(count, s.unit[unit].multiplicity)
    distance = node_distance(s, p.node, events)
    if distance >= UNBOUNDED:
        return UNBOUNDED
    distance -= p.before - p.best
    if p.paced < p.before:
        apart = paced_distance(s, p.node, events, p.paced - p.best)
        distance = max(distance, apart)
    if s.unit[unit].spacing:
        events = ceiling_quotient(count, s.unit[unit].bunch) - 1
        apart = saturated_product(events, s.unit[unit].spacing, UNBOUNDED) - s.unit[unit].slack
        distance = max(distance, apart)
    return distance if distance > 0 else 0


def next_event(s: System, node: Int, time: Int) -> Int:
    """When one more event may come after a time, so long after the first; of a SUM that joins a
    MAXIMUM, and of sets, maybe none."""
    if time < 0:
        return 0
    if not is_mixed(s, node):
        return node_distance(s, node, node_count(s, node, time + 1) + 1)
    return min(span(s, node, time + 1).most, UNBOUNDED)


def next_unit(s: System, unit: Int, time: Int) -> Int:
    """The same of a unit."""
    p = address(s.place[unit])
    u = address(s.unit[unit])
    met = address(s.met[unit])
    later = p.before - p.best
    if time < 0:
        return 0
    if met.least <= time + 1 <= met.most:
        return min(met.most, UNBOUNDED)
    if not is_mixed(s, p.node) or p.paced < p.before:
        return unit_distance(s, unit, unit_count(s, unit, time + 1) + 1)
    now = span(s, p.node, time + 1 + later)
    if u.spacing:
        count = saturated_product(u.multiplicity, now.events, UNBOUNDED)
        if spaced(count, time + 1, u.spacing, u.slack, u.bunch) < count:
            return ((time + u.slack) // u.spacing + 1) * u.spacing - u.slack
    return now.most - later if now.most < UNBOUNDED else UNBOUNDED
