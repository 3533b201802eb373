"""The busy window of a stage: every inequality of theory 5, with the claims put in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Relations, time
from ddsrta.checker.stages import EPSILON, Key, Stage
from ddsrta.checker.streams import Stream, Streams
from ddsrta.checker.words import duration

Limit = tuple[int, str]  # a latest finish, and what says so


class RefutedError(Exception):
    """An inequality that does not hold, in a sentence."""


@dataclass(frozen=True)
class Claim:
    """What a certificate says of a stage; None is unbounded, or not claimed."""

    response: int | None
    latency: int | None
    window: int | None


class Point(NamedTuple):
    """The last of some units: behind event number `event` of the base, done at `finish`."""

    finish: int
    arrival: int
    event: int


class Term(NamedTuple):
    """Work of one other stage."""

    stream: Stream
    cost: int
    response: int


class Window:
    """The windows of one stage."""

    def __init__(
        self,
        stage: Stage,
        relations: Relations,
        streams: Streams,
        claims: Mapping[Key, Claim],
        budget: Budget,
    ) -> None:
        self.stage = stage
        self.claim = claims[stage.key]
        self.relations = relations
        self.budget = budget
        self.stream = streams[stage.key]
        if not self.stream.bounded:
            raise RefutedError(f"{stage.label}: is fed by something unbounded (theory 5)")

        def terms(stages: list[Stage], pending: bool = False) -> list[Term]:
            return [_term(stage, other, streams, claims, pending) for other in stages]

        self.preempts = terms(relations.preempts)
        self.overtakes = terms(relations.overtakes)
        self.ahead = terms(relations.ahead)
        self.lingers = terms(relations.lingers, True)
        # Whatever has no bound of its own still takes no more than one turn for each of ours.
        endless = [o for o in relations.alternates if _is_endless(o, streams, claims)]
        self.each_turn = sum(other.cost for other in endless)
        self.alternates = terms([o for o in relations.alternates if o not in endless], True)
        self.size = len(relations.loads) + sum(
            len(group)
            for group in (self.preempts, self.overtakes, self.ahead, self.lingers, self.alternates)
        )

    def points(self) -> list[Point]:
        """Every finish that counts; raises RefutedError where one is later than claimed."""
        return list(self._own() if self.relations.is_own else self._level())

    def _own(self) -> Iterator[Point]:
        base, times, start, event = self.stream.base, self.stream.times, 0, 0
        while True:
            event = base.most(base.least(event + 1) + EPSILON)
            count = event * times
            arrival = self.stream.least(count)
            limit = self._limit(arrival, event, 0)
            start, finish = self._finish(start, count, 0, arrival, limit)
            yield Point(finish, 0, event)
            if finish <= self.stream.least(count + 1):
                return

    def _level(self) -> Iterator[Point]:
        window = self._confirmed_window()
        base, times, start = self.stream.base, self.stream.times, 0
        for arrival in self._arrivals(window):
            count = self.stream.most(arrival + EPSILON)
            ahead = _work(self.ahead, arrival + EPSILON)
            event, first = base.most(arrival + EPSILON), None
            while True:
                units = min(event * times, count)
                limit = self._limit(arrival, event, arrival)
                begun, finish = self._finish(start, units, ahead, arrival, limit)
                first = begun if first is None else first
                yield Point(finish, arrival, event)
                if units == count:
                    break
                event = base.most(base.least(event + 1) + EPSILON)
            start = first

    def _confirmed_window(self) -> int:
        window, label = self.claim.window, self.stage.label
        if window is None:
            raise RefutedError(f"{label}: claims a bound without a window (theory 5)")
        if window < 1:
            raise RefutedError(f"{label}: the window of {window} ns is empty (theory 5)")
        self.budget.work(self.size)
        needed = time(
            self.relations.supply,
            self.relations.blocks
            + self.stream.most(window) * self.stage.cost
            + _work(self.ahead, window)
            + _work(self.overtakes, window)
            + _pending(self.lingers, window)
            + self._preempting(window),
        )
        if needed > window:
            raise RefutedError(
                f"{label}: the work of its level takes {duration(needed)}, longer than the claimed "
                f"window of {duration(window)} (theory 5)"
            )
        return window

    def _arrivals(self, window: int) -> list[int]:
        found = {0}
        for stream in [self.stream, *(term.stream for term in self.ahead)]:
            step = stream.least(1)
            while step < window:
                self.budget.work()
                found.add(step)
                step = stream.least(stream.most(step + EPSILON) + 1)
        return sorted(found)

    def _finish(
        self, start: int, count: int, ahead: int, arrival: int, limit: Limit
    ) -> tuple[int, int]:
        """S and F of the count-th unit, from an S that is not too late."""
        supply, cost = self.relations.supply, self.stage.cost
        fixed = self.relations.blocks + ahead + (count - 1) * cost
        while True:
            self.budget.work(self.size)
            delay = fixed + self._delaying(start, count)
            work = delay + self._preempting(start + EPSILON)
            found = time(supply, work + EPSILON) - EPSILON
            if found <= start:
                break
            start = found
            self._check(start + cost, limit, count, arrival)
        finish = start + cost
        while True:
            self.budget.work(self.size)
            found = time(supply, delay + cost + self._preempting(finish))
            if found <= finish:
                break
            finish = found
            self._check(finish, limit, count, arrival)
        self._check(finish, limit, count, arrival)
        return start, finish

    def _delaying(self, start: int, count: int) -> int:
        turns = count * self.each_turn + sum(
            min(count, term.stream.most(start + term.response)) * term.cost
            for term in self.alternates
        )
        return turns + _work(self.overtakes, start + EPSILON) + _pending(self.lingers, start)

    def _preempting(self, length: int) -> int:
        loads = sum(
            -(-(length + load.period) // load.period) * load.budget for load in self.relations.loads
        )
        return (loads if length > 0 else 0) + _work(self.preempts, length)

    def _limit(self, arrival: int, event: int, counted: int) -> Limit:
        """The latest finish that the claims allow, and which of them it is."""
        limits = [(MOST, "what is a number (theory 8)")]
        if self.claim.response is not None:
            claimed = self.claim.response
            limits.append((arrival + claimed, f"the claimed response of {duration(claimed)}"))
        if self.claim.latency is not None:
            claimed = self.claim.latency
            left = max(counted, self.stream.base.least(event)) - (self.stream.before or 0)
            limits.append((left + claimed, f"the claimed latency of {duration(claimed)}"))
        return min(limits)

    def _check(self, finish: int, limit: Limit, count: int, arrival: int) -> None:
        if finish > limit[0]:
            raise RefutedError(
                f"{self.stage.label}: unit {count} arriving at {duration(arrival)} finishes at "
                f"{duration(finish)} or later, but {limit[1]} ends at {duration(limit[0])} "
                "(theory 5)"
            )


def _is_endless(other: Stage, streams: Streams, claims: Mapping[Key, Claim]) -> bool:
    return not streams[other.key].bounded or claims[other.key].response is None


def _term(
    stage: Stage, other: Stage, streams: Streams, claims: Mapping[Key, Claim], pending: bool
) -> Term:
    stream, response = streams[other.key], claims[other.key].response
    if not stream.bounded or (pending and response is None):
        raise RefutedError(f"{stage.label}: is delayed by {other.label}, unbounded (theory 5)")
    return Term(stream, other.cost, response or 0)


def _work(terms: list[Term], length: int) -> int:
    return sum(term.stream.most(length) * term.cost for term in terms)


def _pending(terms: list[Term], length: int) -> int:
    return sum(term.stream.most(length + term.response) * term.cost for term in terms)
