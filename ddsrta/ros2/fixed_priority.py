"""fixed_priority: the most urgent callback first, by priorities of callbacks, the bigger first.

One in progress ends. Equals may be taken in any order, so that they overtake z as more urgent ones
do, until it starts; of less urgent ones no more than one has begun.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies import high_priority
from ddsrta.policies.relation import Delay, Relation, span
from ddsrta.ros2.entities import Described
from ddsrta.ros2.kind import Decisions, Kind, Queue, Service, Turn, Waiting
from ddsrta.ros2.one_by_one import OneByOne
from ddsrta_simulator.orders import ANY


class ByPriority(OneByOne):
    """Turns by priority; of equals, nothing is known."""

    takes = "one at a time, the most urgent"
    window = "priorities"
    serves = ANY
    peers = Delay.LINGERS

    def among(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        found = high_priority.relate([turn.priority for turn in turns])
        return [_any_of_equals(relations, own) for own, relations in enumerate(found)]

    def queues(self, waiting: Sequence[Waiting]) -> list[Queue]:
        levels = sorted({one.urgency for one in waiting}, reverse=True)
        found = [Queue(levels.index(one.urgency), False, (one.key,)) for one in waiting]
        return sorted(found, key=lambda queue: queue.turn)

    def decisions(self, queues: Sequence[Queue]) -> Decisions:
        equals = len({queue.turn for queue in queues}) < len(queues)
        return Decisions(turns=equals, pick=equals)


def _any_of_equals(relations: list[Relation], own: int) -> list[Relation]:
    found: list[Relation] = []
    for kind, first, last, *_ in relations:
        if kind == Delay.AHEAD:
            found += span(Delay.OVERTAKES, first, own) + span(Delay.OVERTAKES, own + 1, last)
        else:
            found.append(Relation(kind, first, last))
    return found


class FixedPriority(Kind):
    """Priorities of callbacks."""

    name = "fixed_priority"
    by_priority = True
    takes_locks = True
    intra_process = True

    def service(self, executor: Described) -> Service:
        return ByPriority()


KIND = FixedPriority()
