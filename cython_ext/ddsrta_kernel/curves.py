"""Event curves of nodes and units (lemma jitter-propagation). They saturate at UNBOUNDED."""

from __future__ import annotations

from ddsrta_kernel.problem import EXPLICIT, MAXIMUM, PERIODIC, SLOTS, SUM, UNBOUNDED
from ddsrta_kernel.shadow import address, ceiling_quotient, inline, saturated_product, slot_of
from ddsrta_kernel.structs import Int, Ints, System


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
    most = saturated_product(bunch, ceiling_quotient(window + slack, spacing), UNBOUNDED)
    return most if most < count else count


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
    if s.kept:
        kept = address(s.kept[node * SLOTS + slot_of(window)])
        if kept.window != window or kept.shifts != s.shifts:
            kept.window = window
            kept.shifts = s.shifts
            kept.count = joined_count(s, node, window)
        return kept.count
    return joined_count(s, node, window)


def joined_count(s: System, node: Int, window: Int) -> Int:
    """η of a SUM or MAXIMUM."""
    kind = s.node[node].kind
    total: Int = 0
    for entry in range(s.node[node].c, s.node[node].c + s.node[node].d):
        count = saturated_product(
            s.problem.entry_multiplicity[entry],
            node_count(s, s.problem.entry_node[entry], window + s.entry_shift[entry]),
            UNBOUNDED,
        )
        if s.problem.entry_spacing[entry]:
            count = spaced(
                count,
                window,
                s.problem.entry_spacing[entry],
                s.problem.entry_slack[entry],
                s.problem.entry_bunch[entry],
            )
        if kind == SUM:
            total = total + count if total + count < UNBOUNDED else UNBOUNDED
        elif count > total:
            total = count
    return total


def largest_distance(s: System, node: Int, count: Int) -> Int:
    """δ⁻ of a MAXIMUM: the soonest of its entries."""
    soonest: Int = UNBOUNDED
    for entry in range(s.node[node].c, s.node[node].c + s.node[node].d):
        events = ceiling_quotient(count, s.problem.entry_multiplicity[entry])
        distance = node_distance(s, s.problem.entry_node[entry], events)
        if distance < UNBOUNDED:
            distance -= s.entry_shift[entry]
        if s.problem.entry_spacing[entry]:
            bunches = ceiling_quotient(count, s.problem.entry_bunch[entry]) - 1
            apart = (
                saturated_product(bunches, s.problem.entry_spacing[entry], UNBOUNDED)
                - s.problem.entry_slack[entry]
            )
            distance = max(distance, apart)
        soonest = min(soonest, distance)
    return soonest if soonest > 0 else 0


def joined_distance(s: System, node: Int, count: Int) -> Int:
    """δ⁻ of a SUM by bisection of its η."""
    low: Int = -1
    high: Int = 0
    while high < UNBOUNDED and node_count(s, node, high + 1) < count:
        low = high
        high = 2 * high + 1
    if high >= UNBOUNDED:
        return UNBOUNDED
    while high - low > 1:
        middle = (low + high) // 2
        if node_count(s, node, middle + 1) < count:
            low = middle
        else:
            high = middle
    return high


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
    if kind == MAXIMUM:
        return largest_distance(s, node, count)
    return joined_distance(s, node, count)


def slow_count(s: System, unit: Int, window: Int) -> Int:
    p = address(s.place[unit])
    return node_count(s, p.node, window + p.before - p.best)


@inline
def unit_count(s: System, unit: Int, window: Int) -> Int:
    """η of a unit."""
    u = address(s.unit[unit])
    if window <= 0:
        return 0
    if u.period > 0 and window + u.offset < UNBOUNDED:
        count = ceiling_quotient(window + u.offset, u.period)
    else:
        count = slow_count(s, unit, window)
    if u.multiplicity != 1:
        count = saturated_product(u.multiplicity, count, UNBOUNDED)
    if u.spacing:
        count = spaced(count, window, u.spacing, u.slack, u.bunch)
    return count


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
    if s.unit[unit].spacing:
        events = ceiling_quotient(count, s.unit[unit].bunch) - 1
        apart = saturated_product(events, s.unit[unit].spacing, UNBOUNDED) - s.unit[unit].slack
        distance = max(distance, apart)
    return distance if distance > 0 else 0
