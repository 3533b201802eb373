"""What a thread of SCHED_DEADLINE has of its core, and when (lemma fresh-budgets)."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import ceil

from ddsrta.bounds.placement import Placement, Supply
from ddsrta.bounds.stages import Stage
from ddsrta.models.executors import Executor
from ddsrta.models.reservations import by_deadlines, job_cost, served, share_of
from ddsrta.models.system import Middleware, Reservation, System, Thread
from ddsrta.policies.relation import Delay, Relation


def use_budgets(system: System, stages: list[Stage], placement: Placement) -> None:
    """Says of the supplies of such threads how long they may give nothing to begin with."""
    waits: dict[int, int] = {}  # by the identity of a thread
    known = served(system)
    for some in by_deadlines(system).values():
        shares = [_share(system, *one, known) for one in some]
        total = sum(shares, Fraction())
        for (reservation, thing), share in zip(some, shares, strict=True):
            waits[id(thing)] = ceil(reservation.period * (total - share))
    for number, supply in enumerate(placement.supplies):
        stage = placement.stage_of[supply.first] if supply.first < supply.last else None
        if supply.reservation is None or stage is None:
            continue
        kind, name = stages[stage].server
        thing = getattr(system, kind)[name]
        wait = waits.get(id(thing))
        if wait is None:
            continue
        late = supply.reservation.period - supply.reservation.budget + wait
        fresh = wait if kind != "executors" and _is_queue(placement, supply) else None
        placement.supplies[number] = supply._replace(late=late, fresh=fresh)


def _share(
    system: System,
    reservation: Reservation,
    thing: Thread | Executor | Middleware,
    known: Collection[str],
) -> Fraction:
    """The part of a core that a thread takes at most; those that are served no more than jobs."""
    if isinstance(thing, Thread) and thing.name in known:
        return Fraction(job_cost(system, thing), reservation.period)
    return share_of(reservation)


def _is_queue(placement: Placement, supply: Supply) -> bool:
    """Whether all that a thread does goes one after the other, as it came or in any order."""
    for unit in range(supply.first, supply.last):
        itself = Relation(Delay.OVERTAKES, unit, unit + 1)
        relations = [
            one for one in placement.relations[unit] if one.first < one.last and one != itself
        ]
        if any(one.kind != Delay.AHEAD for one in relations):
            return False
        ahead = {unit, *(other for one in relations for other in range(one.first, one.last))}
        if len(ahead) < supply.last - supply.first:
            return False
    return True
