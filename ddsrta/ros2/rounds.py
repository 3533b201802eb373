"""Rounds: what a single-threaded executor of ROS 2 does (lemma round-turns).

It asks what is ready when all that it had found is done, and then serves one message of each
entity: the kinds in a fixed order, those of one kind in an order that may be unknown. Who is served
q times shares q rounds, and the rest of the one in progress when its first message comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ddsrta.policies.relation import Delay, Relation, span
from ddsrta.ros2.entities import Entity
from ddsrta.ros2.kind import ANYWHERE, WAITABLE, Decisions, Queue, Service, Turn, Waiting
from ddsrta_simulator.orders import ROUNDS


class Rounds(Service):
    """`turn` says when an entity is looked at; `registered`, whether those of one turn come in the
    order of the file; `sampled`, whether what comes within a round waits for the next."""

    takes = "in rounds, one message of each entity"
    window = "rounds"
    serves = ROUNDS
    in_rounds = True

    def __init__(self, turn: Callable[[Entity], int], registered: bool, sampled: bool) -> None:
        self.turn = turn
        self.registered = registered
        self.sampled = sampled

    def relate(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        """Whatever may come earlier in a round is served once more than what comes later.

        >>> Rounds(lambda entity: 0, False, False).relate([Turn(0), Turn(1), Turn(2)])[1]
        [Relation(kind=6, first=0, last=1), Relation(kind=4, first=2, last=3)]
        """
        count, often = len(turns), any(turn.often for turn in turns)
        found: list[list[Relation]] = []
        for i, (each, end) in enumerate(zip(turns, self._ends(turns), strict=True)):
            if each.inline:  # nothing comes between it and what releases it
                found.append([])
                continue
            relations = span(Delay.PRECEDES, 0, i) + span(Delay.PRECEDES, i + 1, end)
            relations += span(Delay.ALTERNATES, end, count)
            found.append(_without_often(relations, turns) if often else relations)
        return found

    def _ends(self, turns: Sequence[Turn]) -> list[int]:
        """Where those begin that come later in a round than each."""
        count = len(turns)
        ends = [count] * count
        for i in reversed(range(count)):
            end, turn = i + 1, turns[i].turn
            while not self.registered and end < count and turns[end].turn <= turn:
                end = ends[end] if turns[end].turn != ANYWHERE else end + 1
            ends[i] = count if turn == ANYWHERE else end
        return ends

    def queues(self, waiting: Sequence[Waiting]) -> list[Queue]:
        found = []
        for key, entity, _ in waiting:
            turn = ANYWHERE if entity is None else self.turn(entity)
            found.append(Queue(turn, entity == WAITABLE, (key,)))
        found.sort(key=lambda queue: queue.turn)
        if self.registered:
            found = [q._replace(turn=i) if q.turn != ANYWHERE else q for i, q in enumerate(found)]
        return found

    def decisions(self, queues: Sequence[Queue]) -> Decisions:
        turns = [queue.turn for queue in queues]
        several = len(turns) > 1
        is_open = len(set(turns)) < len(turns) or (several and ANYWHERE in turns)
        late = several and not self.sampled and any(queue.late for queue in queues)
        return Decisions(is_open, several, late)


def _without_often(relations: list[Relation], turns: Sequence[Turn]) -> list[Relation]:
    """What may run several times in a round is not counted by rounds."""
    found: list[Relation] = []
    for kind, first, last, *_ in relations:
        for k in range(first, last):
            found += span(Delay.LINGERS if turns[k].often else kind, k, k + 1)
    return found
