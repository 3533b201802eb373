"""Windows of threads whose more urgent ones are released by the same clock, at any periods (lemma
offset-windows)."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

from ddsrta.bounds.placement import Placement
from ddsrta.bounds.stages import Stage
from ddsrta.models.arrivals import Periodic, Sporadic
from ddsrta.policies.relation import Delay

_MOST_LOOKS = 5_000  # at other threads, from all moments at which a window may open
_MOST_OTHERS = 200
_MOST_STEPS = 100  # of one window


class Source(NamedTuple):
    """Jobs of so much work, a period apart or up to `jitter` closer; from `offset` on by the clock
    of the machine, if that is known."""

    work: int
    period: int
    jitter: int
    offset: int | None = None

    def most(self, opens: int | None, length: int) -> int:
        """How many come in a window that opens at this time of the clock."""
        if self.offset is None or opens is None:
            return -(-(length + self.jitter) // self.period)
        first = -(-(opens - self.jitter - self.offset) // self.period)
        return max(0, -(-(opens + length - self.offset) // self.period) - first)


def use_offsets(stages: Sequence[Stage], placement: Placement) -> None:
    """Bounds such threads beforehand: by what they wait for, instead of relations."""
    for unit, number in enumerate(placement.stage_of):
        own = None if number is None else _source(stages[number])
        if number is None or own is None or own.offset is None or stages[number].first_only:
            continue
        others = _more_urgent(stages, placement, unit)
        wait = _wait(own, others) if others else None
        if wait is not None:
            stages[number].first, stages[number].first_only = wait, True
            placement.relations[unit] = []


def _source(stage: Stage) -> Source | None:
    """What releases the job of a thread by itself."""
    if stage.server[0] != "threads":
        return None
    if isinstance(stage.arrival, Periodic):
        return Source(stage.cost, stage.arrival.period, stage.arrival.jitter, stage.arrival.offset)
    if isinstance(stage.arrival, Sporadic):
        return Source(stage.cost, stage.arrival.distance, stage.arrival.jitter)
    return None


def _more_urgent(stages: Sequence[Stage], placement: Placement, unit: int) -> list[Source] | None:
    """All that delays a unit of a whole core, if it preempts and is released by itself."""
    supply = placement.supplies[placement.supply_of[unit]]
    relations = placement.relations[unit]
    alone = supply.reservation is None and supply.threads == 1 and not supply.is_link
    if not alone or any(each.kind != Delay.PREEMPTS for each in relations):
        return None
    if sum(each.last - each.first for each in relations) > _MOST_OTHERS:
        return None
    found: list[Source] = []
    for other in (k for each in relations for k in range(each.first, each.last)):
        stage = placement.stage_of[other]
        source = None if stage is None else _source(stages[stage])
        if other in placement.load_of:
            load = placement.load_of[other]
            source = Source(load.budget, load.period, load.period - load.budget)
        if source is None:
            return None
        found.append(source)
    return found


def _wait(own: Source, others: Sequence[Source]) -> int | None:
    """The most work of others from the release of a job to its end, where that is less than without
    offsets; None also where all periods are the same, or there is too much to look at."""
    clocked = [one for one in (own, *others) if one.offset is not None]
    turn = lcm(*(one.period for one in clocked))
    looks = sum(turn // one.period for one in clocked) * len(others)
    if len({one.period for one in clocked}) == 1 or looks > _MOST_LOOKS:
        return None
    if own.period - own.jitter < own.work:
        return None
    plain = _window(others, None, own.work)
    longest = own.work
    for one in clocked:
        assert one.offset is not None
        first = one.offset + one.jitter
        for opens in range(first, first + turn, one.period):
            response = _response(own, others, opens)
            if response is None or plain is None or response >= plain:
                return None
            longest = max(longest, response)
    return longest - own.work


def _response(own: Source, others: Sequence[Source], opens: int) -> int | None:
    """The longest of the jobs in a window that opens then; 0 where there is none."""
    assert own.offset is not None
    release = own.offset - -(opens - own.jitter - own.offset) // own.period * own.period
    longest = jobs = 0
    while jobs < _MOST_STEPS:
        length = _window(others, opens, jobs * own.work)
        if length is None:
            return None
        if opens < release and opens + length <= release:
            return longest  # all is done before it comes
        jobs += 1
        length = _window(others, opens, jobs * own.work)
        if length is None:
            return None
        longest = max(longest, opens + length - max(opens, release))
        release += own.period
    return None


def _window(others: Sequence[Source], opens: int | None, mine: int) -> int | None:
    """How long a window is with so much work of one's own."""
    length = 1
    for _ in range(_MOST_STEPS):
        later = mine + sum(one.most(opens, length) * one.work for one in others)
        if later <= length:
            return later
        length = later
    return None
