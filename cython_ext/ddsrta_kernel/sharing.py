"""How long all takes that shares locks and cores, by what arrives there (lemma sharing-window)."""

from __future__ import annotations

from ddsrta_kernel.basis import Int, Ints
from ddsrta_kernel.curves import unit_count
from ddsrta_kernel.problem import (
    GAP_AMOUNTS,
    GAP_BESIDE,
    GAP_BUDGET,
    GAP_LOADS,
    GAP_OTHERS,
    GAP_PERIOD,
    GAP_WAKES,
    SHARING_GAPS,
    SHARING_MEMBERS,
    SHARING_SLEEPS,
    SHARING_UNITS,
    SLEEP_AMOUNTS,
    SLEEP_BYTES,
    SLEEP_LARGEST,
    SLEEP_LEAST,
    SLEEP_PERIOD,
    UNBOUNDED,
)
from ddsrta_kernel.shadow import ceiling_quotient, inline, saturated_product
from ddsrta_kernel.structs import System
from ddsrta_kernel.works import added


def amount(s: System, plan: Ints, at: Int, members: Int) -> Int:
    """What all units of a window add, where one of each adds so much."""
    total: Int = 0
    for i in range(members):
        total = added(total, saturated_product(s.counted[i], plan[at + i], UNBOUNDED))
    return total


def promised(plan: Ints, at: Int, rows: Int, length: Int) -> Int:
    """What so many threads with budgets take of a window: the budget, its period, and how late it
    may begin (lemma waking-budgets)."""
    total: Int = 0
    for row in range(at, at + 3 * rows, 3):
        periods = ceiling_quotient(length + plan[row + 2], plan[row + 1])
        total = added(total, saturated_product(periods, plan[row], UNBOUNDED))
    return total


def woken(plan: Ints, at: Int, rows: Int, length: Int) -> Int:
    """How often flow controllers that wake in so many periods make something ready."""
    total: Int = 0
    for row in range(at, at + 2 * rows, 2):
        total = added(total, saturated_product(length // plan[row] + 2, plan[row + 1], UNBOUNDED))
    return total


def gap(s: System, plan: Ints, at: Int, members: Int, length: Int) -> Int:
    """How long a supply serves others, or nobody (lemma gaps-of-supplies)."""
    budget = plan[at + GAP_BUDGET]
    loads = at + GAP_AMOUNTS + 2 * members
    others = loads + 3 * plan[at + GAP_LOADS]
    first = promised(plan, others, plan[at + GAP_OTHERS], length)
    if budget == 0:
        return first
    beside = others + 3 * plan[at + GAP_OTHERS]
    wakes = beside + 3 * plan[at + GAP_BESIDE]
    work = amount(s, plan, at + GAP_AMOUNTS, members)
    done = added(work, promised(plan, loads, plan[at + GAP_LOADS], length))
    begins = amount(s, plan, at + GAP_AMOUNTS + members, members)
    begins = added(begins, woken(plan, wakes, plan[at + GAP_WAKES], length))
    without = plan[at + GAP_PERIOD] - budget
    served: Int = UNBOUNDED
    if done < UNBOUNDED:
        served = saturated_product(added(2 * begins, done // budget), without, UNBOUNDED)
    most = saturated_product(length // plan[at + GAP_PERIOD] + 2, without, UNBOUNDED)
    most = added(most, promised(plan, beside, plan[at + GAP_BESIDE], length))
    return added(first, min(served, most))


@inline
def gap_size(plan: Ints, at: Int, members: Int) -> Int:
    """How many numbers say what there is of a supply."""
    rows = plan[at + GAP_LOADS] + plan[at + GAP_OTHERS] + plan[at + GAP_BESIDE]
    return GAP_AMOUNTS + 2 * members + 3 * rows + 2 * plan[at + GAP_WAKES]


def asleep(s: System, plan: Ints, at: Int, members: Int) -> Int:
    """How long a flow controller sleeps for its limit (lemma limit-windows)."""
    units: Int = 0
    for i in range(members):
        if plan[at + SLEEP_AMOUNTS + i] > 0:
            units = added(units, s.counted[i])
    if units == 0:
        return 0
    limit = plan[at + SLEEP_BYTES]
    largest = plan[at + SLEEP_LARGEST]
    sent = amount(s, plan, at + SLEEP_AMOUNTS, members)
    if sent >= UNBOUNDED:
        return UNBOUNDED
    begun = (sent - plan[at + SLEEP_LEAST]) // (limit - largest + 1)
    resets = min((units - 1) // (limit // largest), begun)
    return saturated_product(resets + 1, plan[at + SLEEP_PERIOD], UNBOUNDED)


def needed_in(s: System, plan: Ints, length: Int) -> Int:
    """All that a window of a length has to do, or waits for."""
    members = plan[SHARING_MEMBERS]
    for i in range(members):
        s.counted[i] = unit_count(s, plan[SHARING_UNITS + i], length)
    at = SHARING_UNITS + members
    total = amount(s, plan, at, members)
    at += members
    for _ in range(plan[SHARING_GAPS]):
        total = added(total, gap(s, plan, at, members, length))
        at += gap_size(plan, at, members)
    for _ in range(plan[SHARING_SLEEPS]):
        total = added(total, asleep(s, plan, at, members))
        at += SLEEP_AMOUNTS + members
    return total


def sharing_length(s: System, plan: Ints, limit: Int, rounds: Int) -> Int:
    """The window, if so many rounds find one below a limit; else -1."""
    length: Int = 1
    for _ in range(rounds):
        needed = needed_in(s, plan, length)
        if needed <= length:
            return length
        if needed >= limit:
            break
        length = needed
    return -1
