"""The work of ranges of units, which many windows ask for: kept by halves, so that of a range no
more is counted anew than what changed, or came since."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.curves import unit_count
from ddsrta_kernel.problem import PART, UNBOUNDED
from ddsrta_kernel.shadow import address, inline, saturated_product
from ddsrta_kernel.structs import Kept, System

# Part n is 2n and 2n + 1; unit k is part `units + k`. Of each the work of windows from the least to
# the most, which count no more. What is out of date is so in all that it is in.


@inline
def unit_work(s: System, unit: Int, count: Int, loaded: Bool) -> Int:
    """So many units, with all that they release upwards or without."""
    cost: Int = s.unit[unit].loaded if loaded else s.unit[unit].cost
    return saturated_product(cost, count, UNBOUNDED)


@inline
def is_kept(s: System, first: Int, last: Int, window: Int) -> Bool:
    """Whether the work of a range is kept: it is long, and what was counted likely to hold."""
    return s.is_calm and last - first >= PART and window > 0


def forget_parts(s: System, unit: Int) -> None:
    """What is kept of a unit is out of date."""
    part = (s.problem.units + unit) // 2
    while part > 0 and (s.part[part].most > 0 or s.part[part + s.problem.units].most > 0):
        s.part[part].most = s.part[part + s.problem.units].most = 0
        part //= 2


def forget_all_parts(s: System) -> None:
    """Nothing is kept."""
    for part in range(2 * s.problem.units):
        s.part[part].most = 0


def add_part(s: System, part: Int, window: Int, loaded: Bool, total: Kept) -> None:
    """Adds the work of a part, for all windows of `total` that count the same of both."""
    units = s.problem.units
    if part >= units:
        unit = part - units
        work = unit_work(s, unit, unit_count(s, unit, window), loaded)
        met = address(s.met[unit])
        total.least = max(total.least, met.least)
        total.most = min(total.most, met.most)
        total.count = min(total.count + work, UNBOUNDED)
        return
    kept = address(s.part[part + units if loaded else part])
    if not kept.least <= window <= kept.most:
        kept.least = 1
        kept.most = UNBOUNDED
        kept.count = 0
        add_part(s, 2 * part, window, loaded, kept)
        add_part(s, 2 * part + 1, window, loaded, kept)
    total.least = max(total.least, kept.least)
    total.most = min(total.most, kept.most)
    total.count = min(total.count + kept.count, UNBOUNDED)


def sum_parts(s: System, first: Int, last: Int, window: Int, loaded: Bool) -> Kept:
    """Σ η_k(window)·c_k over a range of units, and of which windows."""
    total = address(s.part[0])
    total.least = 1
    total.most = UNBOUNDED
    total.count = 0
    low = first + s.problem.units
    high = last + s.problem.units
    while low < high:
        if low % 2:
            add_part(s, low, window, loaded, total)
            low += 1
        if high % 2:
            high -= 1
            add_part(s, high, window, loaded, total)
        low //= 2
        high //= 2
    return total
