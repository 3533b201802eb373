"""One callback at a time: whenever one has ended, the thread asks anew what waits."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from ddsrta.policies.relation import Delay, Relation, span
from ddsrta.ros2.kind import Decisions, Queue, Service, Turn, Waiting
from ddsrta_simulator.orders import ANY


class OneByOne(Service):
    """No rounds. An inline callback runs when it is released, before all that waits by then."""

    peers = Delay.OVERTAKES

    @abstractmethod
    def among(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        """The relations among callbacks if none were inline."""

    def relate(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        return [
            [] if turn.inline else _behind_inline(relations, turns)
            for turn, relations in zip(turns, self.among(turns), strict=True)
        ]


class Whichever(OneByOne):
    """Nothing is known of which comes next: whatever comes before one starts may come first."""

    takes = "one at a time, in an order that nobody knows"
    serves = ANY

    def among(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        return [any_of_others(own, len(turns)) for own in range(len(turns))]

    def queues(self, waiting: Sequence[Waiting]) -> list[Queue]:
        return [Queue(0, False, (one.key,)) for one in waiting]

    def decisions(self, queues: Sequence[Queue]) -> Decisions:
        several = len(queues) > 1
        return Decisions(turns=several, pick=several)


def any_of_others(own: int, count: int) -> list[Relation]:
    """All others may come first.

    >>> any_of_others(0, 2)
    [Relation(kind=1, first=1, last=2)]
    """
    return span(Delay.OVERTAKES, 0, own) + span(Delay.OVERTAKES, own + 1, count)


def _behind_inline(relations: list[Relation], turns: Sequence[Turn]) -> list[Relation]:
    found: list[Relation] = []
    for kind, first, last, *_ in relations:
        if kind not in (Delay.AHEAD, Delay.BLOCKS):
            found.append(Relation(kind, first, last))
            continue
        begin = first
        for k in range(first, last):
            if turns[k].inline:
                found += span(kind, begin, k) + span(Delay.OVERTAKES, k, k + 1)
                begin = k + 1
        found += span(kind, begin, last)
    return found
