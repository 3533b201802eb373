"""A compiled system whose stages wait for locks and limits (lemmas sleeping-window and
byte-limit)."""

from __future__ import annotations

from array import array
from copy import copy
from dataclasses import replace
from operator import sub

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.locks.wait import NO_WAIT, Waits
from ddsrta_kernel.problem import UNBOUNDED


def waiting(compiled: Compiled, waits: Waits) -> Compiled:
    """What was compiled without waits, with these: only the work of units is another.

    >>> from ddsrta.bounds.compile import compile_system
    >>> from ddsrta.bounds.locks.wait import Wait
    >>> from ddsrta.examples import two_threads
    >>> waiting(compile_system(two_threads()), {0: Wait(first=7)}).problem.extra[0]
    7
    """
    p, found = copy(compiled.problem), replace(compiled, waits=waits)
    works = [_work(found, unit) for unit in range(len(p))]
    if p.loaded:  # with all that a unit releases
        more = map(sub, p.loaded, p.cost)
        p.loaded = array("q", (work[0] + each for work, each in zip(works, more, strict=True)))
    p.cost = array("q", (cost for cost, _ in works))
    p.extra = array("q", (extra for _, extra in works if waits))
    found.problem = p
    return found


def _work(compiled: Compiled, unit: int) -> tuple[int, int]:
    """The cost of a unit, and what comes before it once, with the waits of its stage."""
    placement = compiled.placement
    stage = placement.stage_of[unit]
    number = placement.copied(unit) if stage is None else stage
    if number is None:
        return placement.load_cost(unit), 0
    wait = compiled.waits.get(number, NO_WAIT)
    cost = compiled.stages[number].cost + wait.spinning
    first = 0 if stage is None else compiled.stages[stage].first
    return min(UNBOUNDED, cost), min(UNBOUNDED, wait.first + first)
