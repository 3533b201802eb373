"""How often jobs come at most that wait for one of each input: by number, no more often than what
any one source brings, as late as the others may be (lemmas slowest-input and slowest-release)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import gcd
from typing import NamedTuple, Protocol

from ddsrta.checker.budget import Budget
from ddsrta.checker.clocks import Clocks
from ddsrta.checker.curves import Base, Input, Limit
from ddsrta.checker.stages import Edge, Key, Stage

_MOST = 256  # bases that one join is followed back to
_MOST_NUMBERS = 8192  # that are compared one by one


class Streams(Protocol):
    """What is known of the streams that a join is behind."""

    stages: Mapping[Key, Stage]
    budget: Budget
    clocks: Clocks

    def input(self, edge: Edge) -> Input:
        """What comes along an edge."""

    def in_order(self, edge: Edge) -> bool:
        """Whether what comes by an edge keeps the numbers and the order of its events."""


class _Source(NamedTuple):
    """A source, each event of which so many of the join have to have, and when the first of them
    is there at the earliest."""

    base: Base
    times: int
    best: int
    period: int
    first: int  # the n-th event comes no sooner than that and n − 1 periods


def limits(streams: Streams, stage: Stage, inputs: Sequence[Input]) -> tuple[Limit, ...]:
    """What each source says that the others keep up with."""
    return _limits(streams, stage, inputs, lambda source: _Behind(streams, source))


def limits_of_releases(
    streams: Streams, stage: Stage, start: Callable[[Key], int]
) -> tuple[Limit, ...]:
    """The same of jobs that come of what is released in a window before which all was done, with
    how long after the event of its base each stage is released by time (lemma slowest-release)."""
    inputs = _inputs(streams, stage)
    return _limits(streams, stage, inputs, lambda source: _Released(streams, source, start))


def _limits(
    streams: Streams,
    stage: Stage,
    inputs: Sequence[Input],
    behind: Callable[[_Source], _Behind],
) -> tuple[Limit, ...]:
    if not _by_number(stage):
        return ()
    found: dict[tuple[int, int], Limit] = {}
    for source in _sources(streams, inputs):
        known_by = behind(source)
        latest = known_by.all_of(stage, inputs, 1)
        if latest is not None:
            longer = max(0, latest - known_by.soonest)
            limit = Limit(source.base, source.times, longer)
            known = found.setdefault((id(source.base), source.times), limit)
            if longer < known.longer:
                found[id(source.base), source.times] = limit
    return tuple(found.values())


def _by_number(stage: Stage) -> bool:
    """Whether the n-th job takes the n-th token of each input."""
    return stage.joins and len(stage.inputs) > 1 and stage.synchronizer is None and not stage.anew


def _sources(streams: Streams, inputs: Sequence[Input]) -> Iterator[_Source]:
    """Those that joins by number alone lead to."""
    ahead = [(given, given.times, given.best) for given in inputs]
    for _ in range(_MOST):
        if not ahead:
            return
        given, times, best = ahead.pop()
        base = given.base
        streams.budget.curve()
        if base.source is None:
            stage = streams.stages[base.key]
            more = _inputs(streams, stage) if _by_number(stage) else ()
            ahead += [(one, times * one.times, best + one.best) for one in more]
        elif base.source.kind in ("periodic", "sporadic"):
            early = streams.clocks.early(base)
            yield _Source(base, times, best, base.source.period, -early)


def _inputs(streams: Streams, stage: Stage) -> list[Input]:
    return [streams.input(edge) for edge in stage.inputs]


class _Behind:
    """When, after the event of one source, what belongs to the same number of a join is there."""

    def __init__(self, streams: Streams, slow: _Source) -> None:
        self.streams, self.slow = streams, slow
        self.soonest = slow.best  # what a job needs of the source is there no sooner
        self.left = _MOST
        self.known: dict[tuple[int, int], int | None] = {}

    def all_of(self, stage: Stage, inputs: Sequence[Input], times: int) -> int | None:
        """All tokens that a job of the join waits for."""
        both = zip(stage.inputs, inputs, strict=True)
        found = [self._token(edge, given, times) for edge, given in both]
        known = [one for one in found if one is not None]
        return max(known) if len(known) == len(found) else None

    def _any_of(self, stage: Stage, times: int) -> int | None:
        """As many tokens as one of several inputs brings."""
        usable = [
            (edge, self.streams.input(edge))
            for edge in stage.inputs
            if self.streams.in_order(edge) and not edge.again
        ]
        found = [self._token(edge, given, times) for edge, given in usable]
        return min((one for one in found if one is not None), default=None)

    def _token(self, edge: Edge, given: Input, times: int) -> int | None:
        """One token, of the event that each so many of the join belong to."""
        numbered = times * given.times
        event = self._event(given.base, numbered)
        if event is None or given.arrival is None or given.paced is None:
            return None
        own = given.base is self.slow.base and numbered >= self.slow.times
        return event + (given.paced if given.base.source and not own else given.arrival)

    def _event(self, base: Base, times: int) -> int | None:
        key = id(base), times
        if key not in self.known:
            self.left -= 1
            self.streams.budget.curve()
            self.known[key] = self._find(base, times) if self.left >= 0 else None
        return self.known[key]

    def _find(self, base: Base, times: int) -> int | None:
        if base.source is not None:
            return self._released(base, times)
        stage = self.streams.stages[base.key]
        if stage.synchronizer is not None:
            return None
        if stage.joins and len(stage.inputs) > 1:
            matched = _by_number(stage)
            return self.all_of(stage, _inputs(self.streams, stage), times) if matched else None
        return self._any_of(stage, times) if len(stage.inputs) > 1 else None

    def _released(self, base: Base, times: int) -> int | None:
        """The n-th event of a source, from when it is due in the long run."""
        source, slow = base.source, self.slow
        assert source is not None
        if base is slow.base and times >= slow.times:
            return 0
        if source.kind == "periodic":
            after = 0 if source.offset is None else self.streams.clocks.after[base.key]
            period, first = source.period, source.period + after + source.jitter
        elif source.gap is not None:
            period = first = source.gap
        else:
            return None
        if period * slow.times > slow.period * times:
            return None
        return first - slow.first + _apart(period, times, slow.period, slow.times)


class _Released(_Behind):
    """When, after the event of one source, all is released that belongs to the same number."""

    def __init__(self, streams: Streams, slow: _Source, start: Callable[[Key], int]) -> None:
        super().__init__(streams, slow)
        self.start = start
        self.soonest = 0

    def _token(self, edge: Edge, given: Input, times: int) -> int | None:
        """What it comes of: releases so long after the event of its base, or another join."""
        event = self._event(given.base, times * given.times)
        if event is None or not self.streams.in_order(edge):
            return None
        return event + self.start(edge.source)


def _apart(period: int, times: int, slow: int, slow_times: int) -> int:
    """How much later than the event of the slow source one of another may be due that belongs to
    the same number, if both begin together."""
    turn = times // gcd(times, slow_times) * slow_times
    if turn > _MOST_NUMBERS:
        return slow
    return max(n // times * period - n // slow_times * slow for n in range(turn))
