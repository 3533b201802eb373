"""The global fixed point: all windows, until none finds more."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.groups import examine_group
from ddsrta_kernel.paces import lateness, shares_pace
from ddsrta_kernel.parts import forget_parts
from ddsrta_kernel.problem import (
    ALL_STEPS,
    FEW,
    IN_CACHE,
    LOST,
    MOST_TIMES,
    PERIODIC,
    SWEEPS,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import address, inline, prefetch
from ddsrta_kernel.structs import System, Window
from ddsrta_kernel.windows import examine, later, most_latency
from ddsrta_kernel.works import added


def begin(s: System) -> None:
    """What is known before the first window."""
    for unit in range(s.problem.units):
        s.dirty[unit] = not s.problem.is_load[unit]
        refresh(s, unit)
    arrange(s)


def forget_sums(s: System, unit: Int, supply: Int) -> None:
    """What was summed up over levels that have a unit is out of date."""
    level = s.entered[unit]
    while level < s.problem.levels and s.level[level].supply == supply:
        s.summed[level].most = 0
        level += 1


def refresh(s: System, unit: Int) -> None:
    """The short form of a periodic unit's curve, for the inner loop; what was counted is out of
    date."""
    s.met[unit].most = 0
    place = address(s.place[unit])
    node = address(s.node[place.node])
    if s.is_calm:
        forget_parts(s, unit)
        forget_sums(s, unit, place.supply)
    if node.kind == PERIODIC and node.c == 0 and not s.is_calm:
        s.unit[unit].period = node.a
        s.unit[unit].offset = node.b + (place.paced if node.pace > 0 else place.before) - place.best


def follower(s: System, unit: Int, step: Int) -> Int:
    """What comes after a unit: what it feeds, then the next of its supply; -1: that is none."""
    p = s.problem
    if step < p.edge_start[unit + 1] - p.edge_start[unit]:
        return s.edge[p.edge_start[unit] + step].unit
    if unit + 1 < p.units and s.place[unit + 1].supply == s.place[unit].supply:
        return unit + 1
    return -1


def arrange(s: System) -> None:
    """An order in which a unit comes after what feeds it and what is more urgent than it,
    wherever no circle forbids that: the reverse of the order in which a search leaves them.
    `times` marks what was entered.
    """
    p = s.problem
    left = p.units
    for root in range(p.units):
        if s.state[root].times:
            continue
        s.state[root].times = 1
        s.path[0] = root
        s.step[0] = 0
        depth: Int = 1
        while depth:
            unit = s.path[depth - 1]
            step = s.step[depth - 1]
            if step > p.edge_start[unit + 1] - p.edge_start[unit]:
                depth -= 1
                left -= 1
                s.order[left] = unit
                continue
            other = follower(s, unit, step)
            s.step[depth - 1] += 1
            if other >= 0 and not s.state[other].times:
                s.state[other].times = 1
                s.path[depth] = other
                s.step[depth] = 0
                depth += 1
    for unit in range(p.units):
        s.state[unit].times = 0


def touch(s: System, unit: Int) -> None:
    """The curve of a unit changed: what it can delay must be examined again."""
    p = s.problem
    supply = s.place[unit].supply
    refresh(s, unit)
    for other in range(s.place[unit].reach_first, s.place[unit].reach_last):
        s.dirty[other] = not p.is_load[other]
    if not s.queued[supply]:
        s.queued[supply] = 1
        tail = s.head + s.waiting
        s.queue[tail - p.supplies if tail >= p.supplies else tail] = supply
        s.waiting += 1


def touch_node(s: System, node: Int) -> None:
    """The same for all that stands on a node."""
    p = s.problem
    s.node[node].late = lateness(s, node)
    s.node[node].filled = s.node[node].hit = s.node[node].asked = 0
    s.node[node].slot = -1
    for i in range(p.user_start[node], p.user_start[node + 1]):
        touch(s, p.user_unit[i])
    for i in range(p.dependent_start[node], p.dependent_start[node + 1]):
        touch_node(s, p.entry_owner[p.dependent_entry[i]])


def propagate(s: System, unit: Int) -> None:
    """A latency grew: what comes after arrives with more jitter."""
    p = s.problem
    for i in range(p.edge_start[unit], p.edge_start[unit + 1]):
        edge = address(s.edge[i])
        before = later(s.state[unit].latency, edge.worst)
        paced = later(s.state[unit].paced, edge.worst)
        if edge.unit >= 0:
            place = address(s.place[edge.unit])
            if before > place.before or paced > place.paced:
                place.before = max(before, place.before)
                place.paced = max(paced, place.paced)
                touch(s, edge.unit)
            continue
        if s.node[p.entry_owner[edge.entry]].pace < 0:
            paced = before
        before = later(before, -edge.best)
        paced = later(paced, -edge.best)
        if before > s.entry_shift[edge.entry] or paced > s.entry_paced[edge.entry]:
            s.entry_shift[edge.entry] = max(before, s.entry_shift[edge.entry])
            s.entry_paced[edge.entry] = max(paced, s.entry_paced[edge.entry])
            touch_node(s, p.entry_owner[edge.entry])


@inline
def is_high(s: System, unit: Int) -> Bool:
    """Whether it has reached its ceilings."""
    state = address(s.state[unit])
    latest = most_latency(s, unit)
    high: Bool = state.response >= s.problem.ceiling[unit] and state.latency >= latest
    return high and state.paced >= latest


def improve(s: System, unit: Int, most: Int) -> None:
    """Examines the windows of a unit once more."""
    w = address(s.window[0])
    state = address(s.state[unit])
    before = s.place[unit].before
    found: Bool = False
    rises: Bool = s.flow[0].rises
    if state.latency >= UNBOUNDED or (rises and is_high(s, unit)):
        return
    s.solved += 1
    state.times += 1
    is_due: Bool = state.times <= most and not s.stopped
    if is_due and before < UNBOUNDED and not s.overloaded[unit]:
        found = examine(s, unit, -1, before, min(s.most_steps, state.steps), w)
        state.steps -= w.steps
        if not found and w.pace > 0 and w.length > 0 and shares_pace(s, s.place[unit].node):
            state.is_plain = True
            state.steps = ALL_STEPS * s.most_steps
            found = examine(s, unit, -1, before, s.most_steps, w)
            state.steps -= w.steps
    if not found:
        state.steps = 0  # as all it needs only grows, it finds nothing later
        w.response = w.latency = w.length = UNBOUNDED
    paced = added(s.place[unit].paced, w.paced) if found and w.pace > 0 else UNBOUNDED
    latest = added(paced, s.node[s.place[unit].node].late)
    w.latency = min(w.latency, latest)
    if rises:
        w.response = min(w.response, s.problem.ceiling[unit])
        w.latency = min(w.latency, most_latency(s, unit))
    more: Bool = w.response > state.response or w.latency > state.latency
    more = more or min(paced, w.latency) > state.paced
    if s.problem.groups and is_due and more:  # else groups, which only lower it, say nothing new
        examine_groups(s, unit, w)
    w.latency = min(w.latency, later(before, w.response))
    if s.problem.ceilings:
        latest = later(before, s.problem.ceiling[unit])
        latest = min(latest, s.problem.latest[unit])
        state.is_cut = w.response > s.problem.ceiling[unit] or w.latency > latest
        w.response = min(w.response, s.problem.ceiling[unit])
        w.latency = min(w.latency, latest)
    paced = min(paced, w.latency)
    state.window = w.length
    if w.response > state.response:
        state.response = w.response
        if s.problem.is_carried[unit]:
            touch(s, unit)
    if w.latency > state.latency or paced > state.paced:
        state.latency = max(w.latency, state.latency)
        state.paced = max(paced, state.paced)
        propagate(s, unit)
        if s.problem.is_carried[unit] == 2:
            touch(s, unit)


def examine_groups(s: System, unit: Int, w: Window) -> None:
    """The least of what the unit's window and its groups give."""
    g = address(s.group_window[0])
    state = address(s.state[unit])
    for i in range(s.problem.group_start[unit], s.problem.group_start[unit + 1]):
        group = address(s.group[i])
        most = min(s.most_steps, state.group_steps)
        found = examine_group(s, group, -1, s.place[group.head].before, most, g)
        state.group_steps -= g.steps
        if found:
            w.response = min(w.response, g.response)
            w.latency = min(w.latency, g.latency)
        else:
            group.kind = LOST


def fetch(s: System, place: Int) -> None:
    """Asks for the memory of a unit some time before it is examined, in two steps: what the
    order leads to is anywhere in a large problem."""
    p = s.problem
    if place + 12 < p.units:
        unit = s.order[place + 12]
        prefetch(address(s.place[unit]))
        prefetch(address(s.state[unit]))
        prefetch(address(p.edge_start[unit]))
        prefetch(address(s.overloaded[unit]))
    if place + 6 < p.units:
        unit = s.order[place + 6]
        prefetch(address(s.node[s.place[unit].node]))
        prefetch(address(s.relation[s.place[unit].first_relation]))
        prefetch(address(s.edge[p.edge_start[unit]]))
        first = s.place[unit].reach_first
        for other in range(max(first - 10, 0), first + 2, 2):
            prefetch(address(s.unit[other]))
    if place + 3 < p.units:
        unit = s.order[place + 3]
        for i in range(p.edge_start[unit], p.edge_start[unit + 1]):
            if s.edge[i].unit >= 0:
                prefetch(address(s.place[s.edge[i].unit]))
                prefetch(address(s.unit[s.edge[i].unit]))


def sweep(s: System, most: Int) -> Int:
    """Examines all units that are due, in order; returns how many these were."""
    examined: Int = 0
    for place in range(s.problem.units):
        if s.problem.units > IN_CACHE:
            fetch(s, place)
        unit = s.order[place]
        if s.dirty[unit]:
            s.dirty[unit] = 0
            improve(s, unit, most)
            examined += 1
    return examined


def tell(s: System) -> None:
    """What was found."""
    for unit in range(s.problem.units):
        s.response[unit] = s.state[unit].response
        s.latency[unit] = s.state[unit].latency
        s.length[unit] = s.state[unit].window


def measure(s: System) -> None:
    """How long all windows are with what was found: while that rose, they were not looked at to the
    end."""
    w = address(s.window[0])
    for unit in range(s.problem.units):
        state = address(s.state[unit])
        if s.problem.is_load[unit] or state.latency >= UNBOUNDED or s.stopped:
            continue
        found: Bool = examine(s, unit, -1, s.place[unit].before, s.most_steps, w)
        state.window = w.length if found else UNBOUNDED


def allow(s: System, most_steps: Int) -> Bool:
    """Gives windows so many steps; whether one of a unit, or of a group, ended without so far."""
    s.most_steps = most_steps
    gave_up: Bool = False
    for unit in range(s.problem.units):
        gave_up = gave_up or s.length[unit] >= UNBOUNDED or s.state[unit].is_plain
    for i in range(s.problem.groups):
        gave_up = gave_up or s.group[i].kind == LOST
    return gave_up


def rise(s: System, sweeps: Int) -> Int:
    """Sweeps over what is due, so often, to see what rises to its ceilings, or measures all windows
    where that is none; returns how many units the last time examined."""
    p = s.problem
    examined: Int = 1
    if sweeps == 0:
        measure(s)
    s.flow[0].rises = p.ceilings > 0
    while sweeps > 0 and examined > 0:
        sweeps -= 1
        s.head = s.waiting = 0
        for supply in range(p.supplies):
            s.queued[supply] = 0
        examined = sweep(s, MOST_TIMES)
    s.flow[0].rises = False
    tell(s)
    return examined


def iterate(s: System) -> None:
    """Sweeps over all units, then visits the supplies that changed, until nothing does. Once it is
    stopped, what is due has no bound, nor has what that delays: what keeps one needs nothing else
    (lemma global-fixed-point)."""
    p = s.problem
    most = 200 + 2 * p.units
    sweeps: Int = 0
    examined: Int = 0
    s.head = s.waiting = 0
    while sweeps < SWEEPS or FEW * examined > p.units:
        sweeps += 1
        examined = sweep(s, most)
    while s.waiting > 0:
        supply = s.queue[s.head]
        s.head += 1
        if s.head == p.supplies:
            s.head = 0
        s.waiting -= 1
        s.queued[supply] = 0
        for unit in range(p.supply_first[supply], p.supply_last[supply]):
            if s.dirty[unit]:
                s.dirty[unit] = 0
                improve(s, unit, most)
    tell(s)
