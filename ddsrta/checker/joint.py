"""What flow controllers can have sent to a listener, all topics of one together (lemma
joint-outputs)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.levels import least_fixed
from ddsrta.checker.members import of_loads, time
from ddsrta.checker.related import Relations
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Edge, Key, Stage
from ddsrta.checker.streams import Streams
from ddsrta.checker.sums import Claim

_MOST_PARTS = 2_000  # of a window, of which each is looked at

Sent = tuple[Stage, Edge]


class _Samples(NamedTuple):
    """Those of one topic of one flow controller: how much work each brings for each time that
    sending it takes at least, and in all, and its messages."""

    dense: Fraction
    each: int
    messages: tuple[Key, ...]


class _Sender(NamedTuple):
    """A flow controller: its samples, and how much it may have worked beside a window."""

    samples: tuple[_Samples, ...]
    beside: int


class Joint:
    """The windows of all listeners, by what is known of arrivals there."""

    def __init__(
        self,
        stages: Mapping[Key, Stage],
        streams: Streams,
        neighbours: Neighbours,
        hold: bool,
    ) -> None:
        self.hold = hold  # not where threads sleep (note lost-refinements)
        self.stages, self.streams, self.neighbours = stages, streams, neighbours
        self.confirmed: dict[str, int] = {}  # by listener

    def unconfirmed(self, stage: Stage, claim: Claim) -> Claim:
        """What of a claim the window does not confirm, where it says that this may."""
        if not claim.joint or not self.hold or stage.key[0] != "message" or claim.response is None:
            return claim
        known = self.confirmed.get(stage.runner)
        if known is None or known > claim.response:
            if not self._holds(stage, claim.response):
                return claim
            self.confirmed[stage.runner] = claim.response
        before = self.streams[stage.key].before
        in_time = None not in (before, claim.latency)
        if in_time and (before or 0) + claim.response <= (claim.latency or 0):
            claim = claim._replace(latency=None)
        return claim._replace(response=None)

    def _holds(self, stage: Stage, limit: int) -> bool:
        """Whether no message of its listener takes longer than that. Parts of the window are halved
        until none of them may take longer."""
        given = self.neighbours.relations(stage)
        if not self._is_plain(stage, given):
            return False
        there = [*given.ahead, stage]
        if not all(self.streams[one.key].countable for one in (*there, *given.preempts)):
            return False
        listener = _Window(self, given, there)
        length = listener.done(listener.arriving)
        if length is None:
            return False
        parts = [(0, length - EPSILON)]
        for _ in range(_MOST_PARTS):
            if not parts:
                return True
            begin, end = parts.pop()
            work = listener.ahead(end)
            finish = listener.done(lambda _, work=work: work)  # type: ignore[misc]
            if finish is None:
                return False
            if finish - begin > limit:
                if begin == end:
                    return False
                middle = (begin + end) // 2
                parts += (begin, middle), (middle + 1, end)
        return False

    def _is_plain(self, stage: Stage, given: Relations) -> bool:
        """Whether it is a listener on one supply, with nothing else than what is more urgent, as
        urgent, or there before."""
        neighbours = self.neighbours
        if neighbours.cores(stage) or neighbours.wait(stage) is not None:
            return False
        if not neighbours.fits(stage) or given.threads > 1 or given.wait:
            return False
        others = (given.contends, given.lingers, given.alternates, given.precedes)
        return not any((*others, given.due, given.shares, given.blocked_by))


class _Window:
    """That of one listener, which opens when nothing of what goes before its messages is there."""

    def __init__(self, joint: Joint, given: Relations, there: list[Stage]) -> None:
        self.given, self.streams = given, joint.streams
        self.budget = joint.streams.budget
        self.costs = {one.key: one.cost for one in there}
        senders: dict[tuple[str, int], dict[Key, list[Sent]]] = {}
        alone = []
        for one in there:
            edge = one.inputs[0]
            if edge.source[0] != "sample" or edge.loose or edge.again or not edge.distance:
                alone.append(one.key)
                continue
            way = joint.stages[edge.source].runner, edge.link
            senders.setdefault(way, {}).setdefault(edge.source, []).append((one, edge))
        self.alone = alone
        self.senders = [_sender(link, list(some.values())) for (_, link), some in senders.items()]

    def done(self, work: Callable[[int], int]) -> int | None:
        """When work is done with all that may come later and go first."""
        above = [*self.given.preempts, *self.given.overtakes]

        def needed(length: int) -> int:
            self.budget.curve(len(above) + 1)
            total = work(length)
            total += sum(self.streams[one.key].most(length) * one.cost for one in above)
            total += of_loads(self.given.loads, length)
            return time(self.given.supply, total)

        return least_fixed(needed, 1, self.budget)

    def arriving(self, length: int) -> int:
        """All that comes in a window."""
        return sum(self._work(key, length) for key in self.costs)

    def ahead(self, arrival: int) -> int:
        """What can have come by then."""
        length = arrival + EPSILON
        total = sum(self._work(key, length) for key in self.alone)
        for sender in self.senders:
            whole = sum(self._work(key, length) for one in sender.samples for key in one.messages)
            total += min(whole, self._sent(sender, arrival))
        return total

    def _sent(self, sender: _Sender, arrival: int) -> int:
        """One sample that had begun, and what fits into the window after that."""
        total = Fraction(max(one.each for one in sender.samples))
        room = Fraction(arrival + sender.beside)
        for one in sender.samples:
            most = Fraction(sum(self._work(key, arrival + EPSILON) for key in one.messages))
            most = min(most, room * one.dense)
            room -= most / one.dense
            total += most
        return int(total)

    def _work(self, key: Key, length: int) -> int:
        self.budget.curve()
        return self.streams[key].most(length) * self.costs[key]


def _sender(link: int, topics: list[list[Sent]]) -> _Sender:
    found, beside = [], 0
    for messages in topics:
        least = min(edge.distance for _, edge in messages)
        each = sum(edge.times * stage.cost for stage, edge in messages)
        keys = tuple(stage.key for stage, _ in messages)
        found.append(_Samples(Fraction(each, least), each, keys))
        beside = max(beside, link + least - min(edge.least for _, edge in messages))
    found.sort(key=lambda one: one.dense, reverse=True)
    return _Sender(tuple(found), beside)
