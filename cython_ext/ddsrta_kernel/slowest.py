"""The fixed point where ANDs come no more often than their slowest input (lemma slowest-input):
from below, until what joins are taken to wait for is what follows from that."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.pack import restart
from ddsrta_kernel.problem import (
    A_DUE,
    A_SLOW,
    DUE_INPUTS,
    FEW_WAITS,
    MOST_WAITS,
    UNBOUNDED,
)
from ddsrta_kernel.rates import fastest_rate, find_rates
from ddsrta_kernel.structs import System
from ddsrta_kernel.sweeps import begin, iterate, touch_node
from ddsrta_kernel.works import added


def begin_again(s: System) -> None:
    """Forgets all that was found, but for ceilings and waits."""
    restart(s)
    begin(s)
    find_rates(s)


def keep_rates(s: System, f: Flow) -> None:
    """The rates of joins that are as fast as their fastest input."""
    for node in range(s.problem.nodes):
        s.rate[node] = f.rate[node] = fastest_rate(s, node)


def due_time(s: System, f: Flow, at: Int) -> Int:
    """How much later than the slowest source's event of a number another may come."""
    p = s.problem
    inputs = f.slow[at + 3]
    if inputs == 0:
        return f.slow[at]
    found: Int = 0 if f.slow[at + 2] else UNBOUNDED
    for i in range(inputs):
        row = at + DUE_INPUTS + A_DUE * i
        unit = p.stage_unit[f.slow[row]]
        before = f.slow[row + 2]
        begins = due_time(s, f, before)
        takes: Int = s.latency[unit]
        if f.slow[before + 1] and p.node_pace[p.node[unit]] > 0:
            takes = min(takes, s.state[unit].paced)
        arrival: Int = UNBOUNDED
        if takes < UNBOUNDED and begins < UNBOUNDED:
            arrival = min(begins + takes + f.slow[row + 1], UNBOUNDED)
        if i == 0:
            found = arrival
        elif f.slow[at + 2]:
            found = max(found, arrival)
        else:
            found = min(found, arrival)
    return found


def grow_waits(s: System, f: Flow, attempt: Int) -> Bool:
    """Longer waits of joins where what is found needs them; whether there are any."""
    p = s.problem
    grown: Bool = False
    endless: Bool = False
    for i in range(f.slow[0]):
        row = 1 + A_SLOW * i
        node = f.slow[row]
        needed = due_time(s, f, f.slow[row + 2])
        if needed < UNBOUNDED:
            needed = max(0, needed - f.slow[row + 1])
        wait = p.node_wait[node]
        if needed > wait:
            grown = True
            more: Int = needed - wait if attempt >= FEW_WAITS else 0
            p.node_wait[node] = added(needed, more) if attempt < MOST_WAITS else UNBOUNDED
            endless = endless or p.node_wait[node] >= UNBOUNDED
            s.node[node].wait = p.node_wait[node]
            touch_node(s, node)
    if endless:
        begin_again(s)
    for i in range(p.supplies):
        s.queued[i] = 0
    return grown


def solve_slowest(s: System, f: Flow) -> None:
    """All windows, with what joins wait for. More waits mean more work, so what was found before is
    where the next search begins."""
    for i in range(f.slow[0]):
        s.problem.node_wait[f.slow[1 + A_SLOW * i]] = 0
    if f.slow[0]:
        begin_again(s)
    iterate(s)
    attempt: Int = 0
    while grow_waits(s, f, attempt):
        iterate(s)
        attempt += 1
