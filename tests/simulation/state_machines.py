"""Synchronizers as state machines: they take messages one after the other and make sets of them.

They do what message_filters of ROS 2 (exact_time, approximate_time, latest) and the synchronisation
node of Saito et al. (mtd) do, to the letter of their rules, and share nothing with the engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from ddsrta_simulator.program import APPROXIMATE, EXACT, LATEST


class Stamped(Protocol):
    """A message, or whatever else has a stamp."""

    @property
    def stamp(self) -> int:
        """What messages are put together by."""


M = TypeVar("M", bound=Stamped)


class Machine(Protocol[M]):
    """Takes messages in the order in which they arrive."""

    def add(self, topic: int, message: M) -> list[tuple[M, ...]]:
        """A message arrives; the sets that it makes, their members by topic."""


def machine_of(activation: int, topics: int, room: int) -> Machine[M]:
    """The state machine of a policy; room for so many (of exact_time: sets), 0: without limit."""
    if activation == EXACT:
        return Exact(topics, room)
    if activation == APPROXIMATE:
        return Approximate(topics, room)
    return Latest(topics) if activation == LATEST else Nearest(room)


class Exact(Generic[M]):
    """Messages of one stamp; older incomplete sets go when one is complete, or too many."""

    def __init__(self, topics: int, room: int) -> None:
        self.topics = range(topics)
        self.room = room
        self.waiting: dict[int, dict[int, M]] = {}

    def add(self, topic: int, message: M) -> list[tuple[M, ...]]:
        """A message arrives."""
        stamp = message.stamp
        own = self.waiting.setdefault(stamp, {})
        own[topic] = message
        sets = []
        if len(own) == len(self.topics):
            sets.append(tuple(own[each] for each in self.topics))
            self.waiting = {s: found for s, found in self.waiting.items() if s > stamp}
        while self.room and len(self.waiting) > self.room:
            del self.waiting[min(self.waiting)]
        return sets


class Latest(Generic[M]):
    """A set of the newest messages whenever one arrives: all that `latest` can ever make."""

    def __init__(self, topics: int) -> None:
        self.newest: list[M | None] = [None] * topics

    def add(self, topic: int, message: M) -> list[tuple[M, ...]]:
        """A message arrives."""
        self.newest[topic] = message
        found = [each for each in self.newest if each is not None]
        return [tuple(found)] if len(found) == len(self.newest) else []


class Nearest(Generic[M]):
    """When both topics have brought a message since the last set: the older of the two newest, and
    the message of the other topic that is nearest to it; of equals the one that came first."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.kept: tuple[deque[M], deque[M]] = (deque(), deque())
        self.new: set[int] = set()

    def add(self, topic: int, message: M) -> list[tuple[M, ...]]:
        """A message arrives."""
        self.kept[topic].append(message)
        if self.room and len(self.kept[topic]) > self.room:
            self.kept[topic].popleft()
        self.new.add(topic)
        sets: list[tuple[M, ...]] = []
        if len(self.new) == len(self.kept):
            self.new.clear()
            sets.append(self._nearest())
        self._forget()
        return sets

    def _nearest(self) -> tuple[M, M]:
        """The set that could be made now."""
        old = 0 if self.kept[0][-1].stamp <= self.kept[1][-1].stamp else 1
        one = self.kept[old][-1]
        other = min(self.kept[1 - old], key=lambda each: abs(each.stamp - one.stamp))
        return (one, other) if old == 0 else (other, one)

    def _forget(self) -> None:
        """What comes before one that is no newer than the older of the newest is nearest no more:
        stamps only grow."""
        if not all(self.kept):
            return
        old = min(kept[-1].stamp for kept in self.kept)
        for kept in self.kept:
            while len(kept) > 1 and kept[1].stamp <= old:
                kept.popleft()


class Approximate(Generic[M]):
    """message_filters' search for the best set with the pivot: the latest of the first messages
    when all topics have one. No longest interval, no lower bounds, an age penalty of 0.1."""

    def __init__(self, topics: int, room: int) -> None:
        self.topics = range(topics)
        self.room = room
        self.ahead: list[deque[M]] = [deque() for _ in self.topics]
        self.past: list[list[M]] = [[] for _ in self.topics]
        self.candidate: tuple[M, ...] | None = None
        self.start = self.end = 0  # of the candidate
        self.pivot = -1
        self.pivot_time = 0
        self.lost = [False] * topics
        self.sets: list[tuple[M, ...]] = []

    def add(self, topic: int, message: M) -> list[tuple[M, ...]]:
        """A message arrives."""
        self.sets = []
        self.ahead[topic].append(message)
        if len(self.ahead[topic]) == 1:
            self._process()
        if self.room and len(self.ahead[topic]) + len(self.past[topic]) > self.room:
            self._recover()
            self.ahead[topic].popleft()
            self.lost[topic] = True
            if self.candidate is not None:
                self.candidate = None
                self._process()
        return self.sets

    def _recover(self) -> None:
        """What the search has passed by is ahead again."""
        for topic in self.topics:
            self.ahead[topic].extendleft(reversed(self.past[topic]))
            self.past[topic].clear()

    def _publish(self) -> None:
        """The candidate is the set."""
        assert self.candidate is not None
        self.sets.append(self.candidate)
        self.candidate = None
        self._recover()
        for queue in self.ahead:
            queue.popleft()

    def _pass_by(self, topic: int) -> None:
        """The first message ahead is looked at no more for this pivot."""
        self.past[topic].append(self.ahead[topic].popleft())

    def _take(self, start: int, end: int) -> None:
        """What is ahead is a better candidate."""
        self.candidate = tuple(queue[0] for queue in self.ahead)
        self.start, self.end = start, end
        for passed in self.past:
            passed.clear()

    def _process(self) -> None:
        """As far as messages allow."""
        while all(self.ahead):
            fronts = [queue[0].stamp for queue in self.ahead]
            start, end = min(fronts), max(fronts)
            first = fronts.index(start)
            last = max(topic for topic in self.topics if fronts[topic] == end)
            for topic in self.topics:
                if topic != last:
                    self.lost[topic] = False
            if self.candidate is None:
                if self.lost[last]:
                    self.ahead[first].popleft()
                    continue
                self._take(start, end)
                self.pivot, self.pivot_time = last, end
            elif penalised(end - self.end) < start - self.start:
                self._take(start, end)
            self._pass_by(first)
            self._decide(first, end)

    def _decide(self, first: int, end: int) -> None:
        """Publishes the candidate if nothing can be better."""
        best = self.pivot_time - self.start
        if first == self.pivot or penalised(end - self.end) >= best:
            self._publish()
        elif not all(self.ahead):
            self._look_ahead(best)

    def _look_ahead(self, best: int) -> None:
        """What is still to come can have no stamp before the pivot's: can it be better?"""
        moved: list[int] = []
        while True:
            times = self._expected()
            later = penalised(max(times) - self.end)
            if later >= best:
                self._publish()
                return
            if later < min(times) - self.start:
                for topic in reversed(moved):
                    self.ahead[topic].appendleft(self.past[topic].pop())
                return
            topic = times.index(min(times))
            self._pass_by(topic)
            moved.append(topic)

    def _expected(self) -> Sequence[int]:
        return [queue[0].stamp if queue else self.pivot_time for queue in self.ahead]


def penalised(time: int) -> int:
    """With the age penalty.

    >>> penalised(19), penalised(-19)
    (20, -20)
    """
    return time * 11 // 10 if time >= 0 else -(-time * 11 // 10)
