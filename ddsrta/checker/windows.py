"""The busy window of a stage: every inequality of lemma busy-window, with the claims put in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.reading import MOST
from ddsrta.checker.relations import Relations, time
from ddsrta.checker.stages import Edge, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.words import duration
from ddsrta.checker.work import Sum

Limit = tuple[int, str, int]  # a latest finish, which claim says so, and what is claimed
NO_LIMIT: Limit = (MOST, "", 0)  # what is a number (definition time-saturation)


class Point(NamedTuple):
    """The last of some units: number `unit` of the stage, begun at `start`, done at `finish`."""

    finish: int
    arrival: int
    unit: int
    start: int


class Window:
    """The windows of one stage."""

    def __init__(
        self,
        stage: Stage,
        relations: Relations,
        streams: Streams,
        sums: list[Sum],
        claim: Claim,
        budget: Budget,
    ) -> None:
        self.stage = stage
        self.claim = claim
        self.relations = relations
        self.budget = budget
        self.stream = streams[stage.key]
        self.streams = streams
        self.sums = sums
        self.size = len(relations.loads) + sum(
            len(group)
            for group in (
                relations.preempts,
                relations.overtakes,
                relations.ahead,
                relations.lingers,
                relations.alternates,
                relations.precedes,
                relations.shares,
                relations.due,
            )
        )

    def with_sums(self, sums: list[Sum]) -> Window:
        """The same with other work."""
        return Window(self.stage, self.relations, self.streams, sums, self.claim, self.budget)

    def points(self) -> list[Point]:
        """Every finish that counts; raises RefutedError where one is later than claimed."""
        return list(self._own() if self.relations.is_own else self._level())

    def _own(self) -> Iterator[Point]:
        start = count = finish = 0
        while True:
            count = self._next(count)
            arrival = self.stream.least(count)
            limit = self._limit(arrival, count, 0)
            start, finish = self.finish((start, finish), count, 0, arrival, limit)
            yield Point(finish, 0, count, start)
            if finish <= self.stream.least(count + 1):
                if self.stage.first and finish > (self.claim.window or 0):
                    raise RefutedError(
                        f"{self.stage.label}: its windows end {duration(finish)} after they open, "
                        "later than claimed, and waits depend on that (lemma sleeping-window)"
                    )
                return

    def _next(self, count: int) -> int:
        """The next unit that is the last of those that are as early as each other."""
        stream = self.stream
        if stream.edge or self.claim.paced is not None:
            return (count // stream.bunch + 1) * stream.bunch
        event = count // stream.times + 1
        return stream.base.most(stream.base.least(event) + EPSILON) * stream.times

    def _level(self) -> Iterator[Point]:
        window, reached = self._confirmed_window(), (0, 0)
        spacings = self.streams.spacings(self.stage.key)
        for arrival in self._arrivals(window):
            most = self.stream.most(arrival + EPSILON)
            count, first = self._before(arrival, spacings), None
            while count < most:
                count = min(self._next(count), most)
                limit = self._limit(arrival, count, arrival)
                reached = self.finish(reached, count, arrival, arrival, limit)
                first = reached if first is None else first
                yield Point(reached[1], arrival, count, reached[0])
            reached = first or reached

    def _before(self, arrival: int, spacings: list[tuple[int, Edge]] | None) -> int:
        """How many units need no look: wherever a path begins, they and the one after them may
        have left it by the arrival, and the window of that one counts more (lemma level-window)."""
        if spacings is None:
            return 0
        self.budget.curve(1 + len(spacings))
        length = arrival + EPSILON
        first = self.stream.times * self.stream.base.most(length)
        if self.claim.paced is not None:  # at the pace of the base, no more are due by now
            first = min(first, self.stream.times * (arrival // self.stream.base.pace + 1))
        for ratio, edge in spacings:
            first = min(first, ratio * (edge.most(length) or first))
        return max(0, min(first, self.stream.most(length)) - 1)

    def _confirmed_window(self) -> int:
        window, label = self.claim.window, self.stage.label
        if window is None:  # groups gave the claims: the window is still good for paths
            window = least_fixed(self._needed, 1, self.budget)
        if window is None:
            raise RefutedError(f"{label}: claims a bound without a window (lemma busy-window)")
        if window < 1:
            raise RefutedError(f"{label}: the window of {window} ns is empty (lemma busy-window)")
        needed = self._needed(window)
        if needed > window:
            raise RefutedError(
                f"{label}: the work of its level takes {duration(needed)}, longer than the claimed "
                f"window of {duration(window)} (lemma busy-window)"
            )
        return window

    def _needed(self, window: int) -> int:
        """How long the work takes that comes in a window of the level."""
        self.budget.work(self.size)
        own = self.stream.most(window)
        return time(self.relations.supply, min(one.level(window, own) for one in self.sums))

    def _arrivals(self, window: int) -> list[int]:
        found = {0}
        for stream in [self.stream, *(term.stream for term in self.sums[0].ahead)]:
            step = stream.least(1)
            while step < window:
                self.budget.work()
                found.add(step)
                step = stream.least(stream.most(step + EPSILON) + 1)
        for term in self.sums[0].ahead:  # what counts of a later sibling has steps of its own
            step = term.later.next_step(EPSILON) if term.later else window
            while term.later and step < window:
                self.budget.work()
                found.add(max(0, step))
                step = term.later.next_step(step + EPSILON)
        for due in self.sums[0].due:
            for step in due.steps(window):
                self.budget.work()
                found.add(step)
        crowd = self.sums[0].crowd
        for step in crowd.steps(window) if crowd else ():
            self.budget.work()
            found.add(step)
        return sorted(found)

    def finish(
        self, reached: tuple[int, int], count: int, ahead: int, arrival: int, limit: Limit
    ) -> tuple[int, int]:
        """S and F of the count-th unit behind what is ahead, from both of one that counts less."""
        start = reached[0]
        supply, cost = self.relations.supply, self.stage.cost
        fixed = [one.behind(ahead, count) for one in self.sums]
        while True:
            self.budget.work(self.size)
            work = min(
                behind + one.overtaking(start, count, ahead) + one.preempting(start + EPSILON)
                for behind, one in zip(fixed, self.sums, strict=True)
            )
            found = time(supply, work + EPSILON) - EPSILON
            if found <= start:
                break
            start = found
            self._check(start + cost, limit, count, arrival)
        delays = [
            behind + one.overtaking(start, count, ahead) + one.last
            for behind, one in zip(fixed, self.sums, strict=True)
        ]
        finish = max(reached[1], start + cost)
        while True:
            self.budget.work(self.size)
            work = min(
                delay + one.preempting(finish) for delay, one in zip(delays, self.sums, strict=True)
            )
            found = time(supply, work)
            if found <= finish:
                break
            finish = found
            self._check(finish, limit, count, arrival)
        self._check(finish, limit, count, arrival)
        return start, finish

    def _limit(self, arrival: int, count: int, counted: int) -> Limit:
        """The latest finish that the claims allow, and which of them it is."""
        found = NO_LIMIT
        if self.claim.response is not None:
            claimed = self.claim.response
            found = min(found, (arrival + claimed, "response", claimed))
        if self.claim.latency is not None:
            claimed = self.claim.latency
            event = -(-count // self.stream.times)
            left = max(counted, self.stream.base.least(event)) - (self.stream.before or 0)
            found = min(found, (left + claimed, "latency", claimed))
        if self.claim.paced is not None:
            claimed = self.claim.paced
            due = max(counted, (-(-count // self.stream.times) - 1) * self.stream.base.pace)
            left = due - (self.stream.paced or 0)
            found = min(found, (left + claimed, "latency at its pace", claimed))
        return found

    def _check(self, finish: int, limit: Limit, count: int, arrival: int) -> None:
        if finish > limit[0]:
            latest, which, claimed = limit
            what = f"the claimed {which} of {duration(claimed)}" if which else "what is a number"
            raise RefutedError(
                f"{self.stage.label}: unit {count} arriving at {duration(arrival)} finishes at "
                f"{duration(finish)} or later, but {what} ends at {duration(latest)} "
                "(lemma busy-window)"
            )
