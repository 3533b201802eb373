"""events: EventsExecutor of rclcpp, one first-in first-out queue.

All that came no later is ahead of z, and nothing that comes after it. A thread of its own watches
the timers: of the executor's priority on its core, it runs when the queue is empty, so that all
others, until it starts, come before a timer (lemma timers-thread).
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies import fifo
from ddsrta.policies.relation import Relation
from ddsrta.ros2.entities import Described
from ddsrta.ros2.kind import Kind, Queue, Service, Turn, Waiting
from ddsrta.ros2.one_by_one import OneByOne, any_of_others
from ddsrta_simulator.orders import ARRIVAL


class InOrder(OneByOne):
    """By arrival."""

    takes = "from a queue of events, the first first"
    window = "queue"
    serves = ARRIVAL

    def among(self, turns: Sequence[Turn]) -> list[list[Relation]]:
        """
        >>> InOrder().relate([Turn(1), Turn(1)])[1]
        [Relation(kind=2, first=0, last=2)]
        """
        return [
            any_of_others(own, len(turns)) if turn.timer else relations
            for own, (turn, relations) in enumerate(
                zip(turns, fifo.relate(len(turns)), strict=True)
            )
        ]

    def queues(self, waiting: Sequence[Waiting]) -> list[Queue]:
        return [Queue(0, False, tuple(one.key for one in waiting))]


class Events(Kind):
    """One queue, and a thread for timers."""

    name = "events"
    of_rclcpp = True
    releases = ("iron", "jazzy", "kilted", "lyrical", "rolling")
    timers_thread = True
    takes_locks = True
    intra_process = True

    def service(self, executor: Described) -> Service:
        return InOrder()


KIND = Events()
