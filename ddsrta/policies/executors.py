"""Executors of ROS 2: which policy each kind amounts to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ddsrta.policies import fifo, high_priority, rounds
from ddsrta.policies.relation import AHEAD, BLOCKS, LINGERS, OVERTAKES, Relation, span
from ddsrta.policies.rounds import Turn
from ddsrta_simulator.orders import ANY, ARRIVAL, ROUNDS, URGENCY


class Executor(Protocol):
    """What is asked of an executor."""

    @property
    def kind(self) -> str: ...
    @property
    def order(self) -> str: ...
    @property
    def works_in_rounds(self) -> bool: ...


def peers(executor: Executor) -> int:
    """How other threads of the same priority on the core delay its callbacks.

    >>> from ddsrta.models.executors import Executor
    >>> peers(Executor("x", "m/c", 50, kind="events")) == OVERTAKES
    True
    """
    by_window = executor.works_in_rounds or executor.kind == "fixed_priority"
    return LINGERS if by_window else OVERTAKES


def serves(executor: Executor) -> int:
    """The order in which the simulator takes callbacks.

    >>> from ddsrta.models.executors import Executor
    >>> serves(Executor("x", "m/c", 50)) == ROUNDS
    True
    """
    if executor.works_in_rounds:
        return ROUNDS
    return {"events": ARRIVAL, "fixed_priority": URGENCY}.get(executor.kind, ANY)


def relate(
    executor: Executor, priorities: Sequence[int], turns: Sequence[Turn]
) -> list[list[Relation]]:
    """The relations among the callbacks of an executor, the most urgent or the earliest first.

    >>> from ddsrta.models.executors import Executor
    >>> relate(Executor("x", "m/c", 50, kind="events"), [0, 0], [Turn(1), Turn(1)])[1]
    [Relation(kind=2, first=0, last=2)]
    """
    if executor.works_in_rounds:
        return rounds.relate(turns, executor.order == "registered")
    if executor.kind == "events":
        found = [
            _any_of_others(i, len(turns)) if turn.timer else relations
            for i, (turn, relations) in enumerate(
                zip(turns, fifo.relate(len(priorities)), strict=True)
            )
        ]
    elif executor.kind == "fixed_priority":
        found = [_any_of_equals(r, i) for i, r in enumerate(high_priority.relate(priorities))]
    else:
        found = [_any_of_others(i, len(turns)) for i in range(len(turns))]
    return [
        [] if turn.inline else _behind_inline(relations, turns)
        for turn, relations in zip(turns, found, strict=True)
    ]


def _any_of_others(own: int, count: int) -> list[Relation]:
    """Whatever comes before it starts may come first: also where a timer is in no queue before the
    thread that watches it runs, which is when its executor has nothing else to do."""
    return span(OVERTAKES, 0, own) + span(OVERTAKES, own + 1, count)


def _any_of_equals(relations: list[Relation], own: int) -> list[Relation]:
    """Equally urgent callbacks may be taken in any order."""
    found: list[Relation] = []
    for kind, first, last, *_ in relations:
        if kind == AHEAD:
            found += span(OVERTAKES, first, own) + span(OVERTAKES, own + 1, last)
        else:
            found.append(Relation(kind, first, last))
    return found


def _behind_inline(relations: list[Relation], turns: Sequence[Turn]) -> list[Relation]:
    """An inline callback runs when it is released, before all that waits by then."""
    found: list[Relation] = []
    for kind, first, last, *_ in relations:
        if kind not in (AHEAD, BLOCKS):
            found.append(Relation(kind, first, last))
            continue
        begin = first
        for k in range(first, last):
            if turns[k].inline:
                found += span(kind, begin, k) + span(OVERTAKES, k, k + 1)
                begin = k + 1
        found += span(kind, begin, last)
    return found
