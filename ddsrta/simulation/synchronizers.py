"""Synchronizers as state machines: they take messages one after the other and make sets of them.

They do what message_filters of ROS 2 (exact_time, approximate_time, latest) and the synchronisation
node of Saito et al. (mtd) do, to the letter of their rules, and know nothing of the analysis.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ddsrta.models.synchronization import Synchronizer

Set = tuple[int, ...]  # the stamps of the members, by topic


class Machine(Protocol):
    """Takes messages in the order in which they arrive."""

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives; the sets that it makes."""


def machine(synchronizer: Synchronizer, topics: int) -> Machine:
    """The state machine of a policy.

    >>> mtd = machine(Synchronizer("mtd"), 2)
    >>> mtd.add(0, 10, 11), mtd.add(0, 20, 21), mtd.add(1, 13, 22)
    ([], [], [(10, 13)])
    """
    queue = synchronizer.queue
    if synchronizer.policy == "exact_time":
        return ExactTime(topics, queue)
    if synchronizer.policy == "approximate_time":
        return ApproximateTime(topics, queue)
    return EveryMessage(topics) if synchronizer.policy == "latest" else Mtd(queue)


class ExactTime:
    """Messages of one stamp; older incomplete sets go when one is complete, or too many."""

    def __init__(self, topics: int, queue: int | None) -> None:
        self.topics = topics
        self.queue = queue
        self.waiting: dict[int, set[int]] = {}

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives."""
        self.waiting.setdefault(stamp, set()).add(topic)
        sets = []
        if len(self.waiting[stamp]) == self.topics:
            sets.append((stamp,) * self.topics)
            self.waiting = {s: found for s, found in self.waiting.items() if s > stamp}
        while self.queue is not None and len(self.waiting) > self.queue:
            del self.waiting[min(self.waiting)]
        return sets


class EveryMessage:
    """A set of the newest messages whenever one arrives: all that `latest` can ever make."""

    def __init__(self, topics: int) -> None:
        self.newest: list[int | None] = [None] * topics

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives."""
        self.newest[topic] = stamp
        found = [stamp for stamp in self.newest if stamp is not None]
        return [tuple(found)] if len(found) == len(self.newest) else []


@dataclass
class _Rate:
    """A smoothed rate and its mean error, which begin anew where the rate jumps."""

    seen: int
    rate: float = 0.0
    error: float = 0.0
    has_rate: bool = False
    has_error: bool = False

    def update(self, now: int) -> bool:
        """A message arrives; whether time has passed since the last one."""
        period = (now - self.seen) / 1e9
        if period <= 0:
            return False
        if self.has_rate and self.has_error and abs(self.rate - 1 / period) > 10 * self.error:
            self.has_rate = self.has_error = False
        if not self.has_rate:
            self.rate, self.has_rate = 1 / period, True
        else:
            off = abs(self.rate - 1 / period)
            self.error = 0.3 * off + 0.7 * self.error if self.has_error else off
            self.has_error = True
            self.rate = 0.9 / period + 0.1 * self.rate
        self.seen = now
        return True


@dataclass
class LatestTime:
    """The newest messages, when one of the fastest topic arrives that is not late: message_filters'
    choice among the sets of EveryMessage, with its default smoothing."""

    topics: int
    newest: dict[int, int] = field(default_factory=dict)
    rates: dict[int, _Rate] = field(default_factory=dict)

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives."""
        known = topic in self.newest
        self.newest[topic] = stamp
        if not known:
            self.rates[topic] = _Rate(now)
            return []
        fires = self.rates[topic].update(now) and self.pivot(now) == topic
        if not fires or len(self.newest) < self.topics:
            return []
        return [tuple(self.newest[i] for i in range(self.topics))]

    def pivot(self, now: int) -> int | None:
        """The fastest topic that is not late."""
        for topic, rate in sorted(self.rates.items(), key=lambda each: -each[1].rate):
            period = (now - rate.seen) / 1e9
            late = period > 0 and rate.has_error and rate.rate - 1 / period > 10 * rate.error
            if rate.rate > 0 and not late:
                return topic
        return None


class Mtd:
    """When both topics have brought a message since the last set: the older of the two newest, and
    the message of the other topic that is nearest to it."""

    def __init__(self, queue: int | None) -> None:
        self.kept: tuple[deque[int], deque[int]] = (deque(maxlen=queue), deque(maxlen=queue))
        self.new: set[int] = set()

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives."""
        self.kept[topic].append(stamp)
        self.new.add(topic)
        if len(self.new) < len(self.kept):
            return []
        self.new.clear()
        return [self.nearest()]

    def nearest(self) -> Set:
        """The set that could be made now."""
        old = 0 if self.kept[0][-1] <= self.kept[1][-1] else 1
        stamp = self.kept[old][-1]
        other = min(self.kept[1 - old], key=lambda each: abs(each - stamp))
        return (stamp, other) if old == 0 else (other, stamp)


class ApproximateTime:
    """message_filters' search for the best set with the pivot: the latest of the first messages
    when all topics have one. No longest interval, no lower bounds, an age penalty of 0.1."""

    def __init__(self, topics: int, queue: int | None) -> None:
        self.topics = range(topics)
        self.queue = queue
        self.ahead: list[deque[int]] = [deque() for _ in self.topics]
        self.past: list[list[int]] = [[] for _ in self.topics]
        self.candidate: Set | None = None
        self.pivot = -1
        self.dropped = [False] * topics
        self.sets: list[Set] = []

    def add(self, topic: int, stamp: int, now: int) -> list[Set]:
        """A message arrives."""
        self.sets = []
        self.ahead[topic].append(stamp)
        if len(self.ahead[topic]) == 1:
            self.process()
        held = len(self.ahead[topic]) + len(self.past[topic])
        if self.queue is not None and held > self.queue:
            self.recover()
            self.ahead[topic].popleft()
            self.dropped[topic] = True
            if self.candidate is not None:
                self.candidate = None
                self.process()
        return self.sets

    def is_full(self) -> bool:
        """Whether all topics have a message ahead."""
        return all(self.ahead)

    def recover(self) -> None:
        """What the search has passed by is ahead again."""
        for topic in self.topics:
            self.ahead[topic].extendleft(reversed(self.past[topic]))
            self.past[topic].clear()

    def publish(self) -> None:
        """The candidate is the set."""
        assert self.candidate is not None
        self.sets.append(self.candidate)
        self.candidate = None
        self.recover()
        for queue in self.ahead:
            queue.popleft()

    def pass_by(self, topic: int) -> None:
        """The first message ahead is looked at no more for this pivot."""
        self.past[topic].append(self.ahead[topic].popleft())

    def take(self, fronts: Sequence[int]) -> None:
        """A better candidate."""
        self.candidate = tuple(fronts)
        for passed in self.past:
            passed.clear()

    def process(self) -> None:
        """As far as messages allow."""
        while self.is_full():
            fronts = [queue[0] for queue in self.ahead]
            start, end = min(fronts), max(fronts)
            first = fronts.index(start)
            last = max(topic for topic in self.topics if fronts[topic] == end)
            for topic in self.topics:
                if topic != last:
                    self.dropped[topic] = False
            if self.candidate is None:
                if self.dropped[last]:
                    self.ahead[first].popleft()
                    continue
                self.take(fronts)
                self.pivot, self.pivot_time = last, end
            elif _penalised(end - max(self.candidate)) < start - min(self.candidate):
                self.take(fronts)
            self.pass_by(first)
            self.decide(first, end)

    def decide(self, first: int, end: int) -> None:
        """Publishes the candidate if nothing can be better."""
        assert self.candidate is not None
        best = self.pivot_time - min(self.candidate)
        if first == self.pivot or _penalised(end - max(self.candidate)) >= best:
            self.publish()
        elif not self.is_full():
            self.look_ahead(best)

    def look_ahead(self, best: int) -> None:
        """What is still to come can have no stamp before the pivot's: can it be better?"""
        assert self.candidate is not None
        moved: list[int] = []
        while True:
            times = [queue[0] if queue else self.pivot_time for queue in self.ahead]
            later = _penalised(max(times) - max(self.candidate))
            if later >= best:
                self.publish()
                return
            if later < min(times) - min(self.candidate):
                for topic in reversed(moved):
                    self.ahead[topic].appendleft(self.past[topic].pop())
                return
            topic = times.index(min(times))
            self.pass_by(topic)
            moved.append(topic)


def _penalised(time: int) -> int:
    return time * 11 // 10 if time >= 0 else -(-time * 11 // 10)
