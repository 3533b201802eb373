"""What a thread waits for where one clock releases it and more urgent ones (lemma
offset-windows)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm
from typing import NamedTuple

from ddsrta.checker.stages import Stage
from ddsrta.checker.things import Reservation

_MOST_LOOKS = 5_000
_MOST_OTHERS = 200
_MOST_STEPS = 100


class _TooLongError(Exception):
    """Nothing is found."""


class _Jobs(NamedTuple):
    """Of one thread, or of a load; without an offset nothing is known but how often they come."""

    work: int
    period: int
    jitter: int
    offset: int

    def due_before(self, time: int) -> int:
        """How many of them, counted from the first at the offset."""
        return (time - self.offset - 1) // self.period + 1

    def between(self, begin: int, end: int) -> int:
        """The work that may come from a time of the clock to another."""
        return self.work * (self.due_before(end) - self.due_before(begin - self.jitter))


def wait(stage: Stage, others: Sequence[Stage], loads: Sequence[Reservation]) -> int | None:
    """For those more urgent, where all are released by themselves; None where that is no less than
    without offsets."""
    if len(others) + len(loads) > _MOST_OTHERS:
        return None
    jobs = [_jobs(other) for other in (stage, *others)]
    if any(one is None for one in jobs) or not _is_clocked(stage):
        return None
    own, *more = (one for one in jobs if one is not None)
    clocked = [one for one, at in zip(more, others, strict=True) if _is_clocked(at)]
    free = [one for one, at in zip(more, others, strict=True) if not _is_clocked(at)]
    free += [_Jobs(load.budget, load.period, load.period - load.budget, 0) for load in loads]
    turn = lcm(own.period, *(one.period for one in clocked))
    looks = sum(turn // one.period for one in (own, *clocked)) * (len(clocked) + len(free))
    if looks > _MOST_LOOKS or all(one.period == own.period for one in clocked):
        return None
    if own.period - own.jitter < own.work:
        return None
    try:
        without = _end(0, own.work, [], [*clocked, *free])
        longest = max(_responses(own, clocked, free, turn))
    except _TooLongError:
        return None
    return longest - own.work if longest < without else None


def _is_clocked(stage: Stage) -> bool:
    return stage.arrival is not None and stage.arrival.offset is not None and _is_job(stage)


def _is_job(stage: Stage) -> bool:
    return stage.arrival is not None and stage.kind == "thread" and stage.arrival.kind == "periodic"


def _jobs(stage: Stage) -> _Jobs | None:
    source = stage.arrival
    if source is None or stage.kind != "thread" or source.kind not in ("periodic", "sporadic"):
        return None
    return _Jobs(stage.cost, source.period, source.jitter, source.offset or 0)


def _responses(
    own: _Jobs, clocked: Sequence[_Jobs], free: Sequence[_Jobs], turn: int
) -> Iterator[int]:
    """From all moments at which the last thing comes that may be late so long."""
    yield own.work
    for one in (own, *clocked):
        for opens in range(one.offset + one.jitter, one.offset + one.jitter + turn, one.period):
            number = own.due_before(opens - own.jitter)
            for jobs in range(_MOST_STEPS):
                comes = own.offset + (number + jobs) * own.period
                if comes > opens and _end(opens, jobs * own.work, clocked, free) <= comes:
                    break
                end = _end(opens, (jobs + 1) * own.work, clocked, free)
                yield end - max(opens, comes)
            else:
                raise _TooLongError


def _end(opens: int, mine: int, clocked: Sequence[_Jobs], free: Sequence[_Jobs]) -> int:
    """When all that has come is done, with so much of one's own."""
    end = opens + 1
    for _ in range(_MOST_STEPS):
        work = mine + sum(one.between(opens, end) for one in clocked)
        work += sum(-(-(end - opens + one.jitter) // one.period) * one.work for one in free)
        if opens + work <= end:
            return opens + work
        end = opens + work
    raise _TooLongError
