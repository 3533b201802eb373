"""What windows of stages that share locks count, as the kernel reads it (lemma sharing-window)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ddsrta.base.frozen import frozen
from ddsrta.bounds.closed_window.gaps import Gap, Gaps
from ddsrta.bounds.closed_window.sleeps import Sleep, Sleeps
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.locks.beside import Promised
from ddsrta.bounds.locks.sharing import LockSharing


@frozen
class Plan:
    """Of a set of stages: gaps and sleeps, if there are any, and numbers for the kernel; whatever
    they wait for, these stay what they are."""

    gaps: Gaps | None
    sleeps: Sleeps | None
    words: array[int]


def plan_of(compiled: Compiled, held: Sequence[int], locks: LockSharing | None) -> Plan | None:
    """None where something of it is not countable."""
    gaps, sleeps = Gaps(compiled, held, locks) if locks else None, Sleeps(compiled, held)
    gaps = gaps if gaps and gaps.each else None
    if not sleeps.is_whole or (gaps and sleeps.wakes and not compiled.limit_gaps):
        return None
    sizes = len(held), len(gaps.each) if gaps else 0, len(sleeps.each)
    units = (compiled.unit_of[number] for number in held)
    costs = (compiled.stages[number].cost for number in held)
    of_gaps = chain.from_iterable(_of_gap(one, held) for one in (gaps.each if gaps else ()))
    of_sleeps = chain.from_iterable(_of_sleep(one, held) for one in sleeps.each)
    words = array("q", chain(sizes, units, costs, of_gaps, of_sleeps))
    return Plan(gaps, sleeps if sleeps.each else None, words)


def _of_gap(one: Gap, held: Sequence[int]) -> Iterator[int]:
    """As `GAP_BUDGET` and what follows it say."""
    others = one.beside.others
    yield from (one.budget, one.period, len(one.loads), len(one.others), len(others))
    yield len(one.wakes)
    for amounts in (one.work, one.begins):
        yield from (amounts.get(number, 0) for number in held)
    for loads in (one.loads, one.others, others):
        yield from _promised(loads)
    yield from chain.from_iterable(one.wakes)


def _promised(loads: Iterable[Promised]) -> Iterator[int]:
    for load in loads:
        yield from (load.budget, load.period, load.late)


def _of_sleep(one: Sleep, held: Sequence[int]) -> Iterator[int]:
    """As `SLEEP_PERIOD` and what follows it say."""
    yield from (one.limit.period, one.limit.bytes, one.largest, min(one.bytes.values()))
    yield from (one.bytes.get(number, 0) for number in held)
