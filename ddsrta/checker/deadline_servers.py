"""Jobs that SCHED_DEADLINE serves by their deadlines (lemma deadline-servers), and what it gives to
other threads (lemma fresh-budgets)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from heapq import heapify, heapreplace
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.members import Supply
from ddsrta.checker.stages import Key, Stage
from ddsrta.checker.things import Place, Reservation, System

_MOST_DEADLINES = 30_000  # times the jobs beside one


class _Job(NamedTuple):
    """A thread with a job of its own, no two closer than a distance, due a period after each."""

    work: int
    period: int
    apart: int


def waits(system: System, promised: Mapping[str, list[tuple[Stage, Place]]]) -> dict[Key, int]:
    """How long such jobs wait at most; `promised` are stages with reservations, by core, one of
    each thread."""
    found: dict[Key, int] = {}
    for core, members in promised.items():
        given = [(stage, place.reservation) for stage, place in members if place.reservation]
        if system.fastdds is not None or system.cores[core].partitions or not _is_less(given):
            continue
        jobs = {stage.key: job for stage, own in given if (job := _job(stage, own)) is not None}
        rest = sum(
            (Fraction(own.budget, own.period) for stage, own in given if stage.key not in jobs),
            Fraction(),
        )
        for key, own in jobs.items():
            found[key] = _wait(own, [job for name, job in jobs.items() if name != key], rest)
    return found


def _is_less(given: Iterable[tuple[Stage, Reservation]]) -> bool:
    return sum(Fraction(own.budget, own.period) for _, own in given) < 1


def _job(stage: Stage, own: Reservation) -> _Job | None:
    """What a thread does that has nothing to do but its job."""
    if stage.kind != "thread" or stage.arrival is None or stage.cost > own.budget:
        return None
    apart = stage.arrival.least(2)
    return _Job(stage.cost, own.period, apart) if apart >= own.period else None


def _wait(own: _Job, others: list[_Job], rest: Fraction) -> int:
    """The most that is due no later than a job and not done at its release; `rest` is the share of
    those who keep within it and no more. What is due by a deadline `due`, after an idle instant, is
    looked at for each deadline; our job comes a period before it."""
    share = rest + sum(Fraction(one.work, one.period) for one in others)
    left = 1 - share - Fraction(own.work, own.period)
    most = 0
    for count, due in enumerate(_deadlines(own, others)):
        since = due - own.period
        if share * own.period + 1 - since * left <= most:
            return most
        if count * (len(others) + 1) > _MOST_DEADLINES:
            break
        demands = [(one, max(0, (due - one.period) // one.apart + 1)) for one in others]
        mine = (since // own.apart + 1) * own.work
        most = max(most, _end(mine, demands, -((-rest * due) // 1)) - own.work - since)
    return -((-share * own.period) // 1)


def _end(mine: int, demands: list[tuple[_Job, int]], more: int) -> int:
    """When all that is due is done; where all others have jobs, of what has come before."""
    work = mine + more + sum(jobs * one.work for one, jobs in demands)
    if more:
        return work
    end = mine
    while True:
        come = [(one, min(jobs, (end - 1) // one.apart + 1)) for one, jobs in demands]
        later = mine + sum(jobs * one.work for one, jobs in come)
        if later == end:
            return end
        end = later


def _deadlines(own: _Job, others: list[_Job]) -> Iterator[int]:
    """Moments from the first deadline of ours on, each of some job."""
    yield own.period
    ahead = [(own.period + own.apart, own.apart)]
    for one in others:
        by_then = max(0, (own.period - one.period) // one.apart + 1)
        ahead.append((by_then * one.apart + one.period, one.apart))
    heapify(ahead)
    while True:
        due, apart = ahead[0]
        heapreplace(ahead, (due + apart, apart))
        yield due


def by_deadlines(
    members: Mapping[str, list[tuple[Stage, Place]]], served: Collection[Key]
) -> dict[tuple[str, str], Supply]:
    """What threads of SCHED_DEADLINE have, whatever else they did before, where all on their core
    have theirs, and none has a whole one; `left` is 0 yet. By kind and name of the thread; `served`
    are those who never need more than their jobs cost."""
    found = {}
    for some in members.values():
        given = [(stage, place.reservation) for stage, place in some if place.reservation]
        shares = [_share(stage, one, stage.key in served) for stage, one in given]
        all_shares = sum(shares, Fraction())
        if sum(Fraction(one.budget, one.period) for _, one in given) > 1:
            continue
        for (stage, one), share in zip(given, shares, strict=True):
            if one.budget == one.period:
                continue
            others = -(-(all_shares - share) * one.period // 1)
            rest = one.period - one.budget
            found[stage.kind, stage.runner] = Supply(*one, rest + int(others))
    return found


def fresh(supply: Supply) -> Supply:
    """The same to a thread that had nothing to do: the budget is whole, and its period begins. It
    is as fresh again once it has less to do than its share of the time."""
    rest = supply.period - supply.budget
    late = supply.late - rest
    return supply._replace(late=late, left=rest - late + EPSILON)


def _share(stage: Stage, own: Reservation, is_served: bool) -> Fraction:
    return Fraction(stage.cost if is_served else own.budget, own.period)
