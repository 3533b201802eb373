"""Which callback the thread of an executor of ROS 2 takes.

Written from the behaviour of rclcpp. A queue is an entity: a timer, a subscription, a service, a
client, a waitable. Messages that come directly from a publisher in the same process are waitables
of their own, beside the subscription. The first queue is for inline callbacks: they run as part of
the one that released them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ddsrta_simulator.orders import DEADLINE, RESERVED, ROUNDS
from ddsrta_simulator.program import ANYWHERE, BEST, RANDOM, Program
from ddsrta_simulator.twin_decisions import Decider, mix
from ddsrta_simulator.twin_limits import Limited
from ddsrta_simulator.twin_threads import Server, Supply, Unit


def server_of(program: Program, decide: Decider, number: int, supply: Supply) -> Server:
    """The thread of this number: an executor's, or one that needs no more than its queues."""
    order = program.server_order[number]
    first, last = program.server_queue[number : number + 2]
    if order == RESERVED or program.server_limit[number]:
        return Limited(program, decide, number, supply)
    if order < ROUNDS or order == DEADLINE:
        priority = program.server_priority[number]
        server = Server(number, order, priority, last - first, supply)
        server.due = list(program.queue_due[first:last])
        server.weight = list(program.queue_weight[first:last])
        return server
    return (Rounds if order == ROUNDS else Any)(program, decide, number, supply)


class Executor(Server, ABC):
    """`turns`: its places, but for the first, in the order in which it looks at them."""

    __slots__ = ("decide", "turns")

    def __init__(self, program: Program, decide: Decider, number: int, supply: Supply) -> None:
        first, last = program.server_queue[number : number + 2]
        order, priority = program.server_order[number], program.server_priority[number]
        super().__init__(number, order, priority, last - first, supply)
        self.decide = decide
        self.turns = turns(
            list(program.queue_turn[first:last]), *decide.fixed(program.server_turns[number])
        )

    def first_in_order(self) -> int | None:
        """The place of the first queue with anything in it."""
        return next((place for place in self.turns if self.queues[place]), None)

    def _next(self) -> int | None:
        return 0 if self.queues[0] else self.pick()

    @abstractmethod
    def pick(self) -> int | None:
        """The place that comes next."""


class Rounds(Executor):
    """Single-threaded: when all that it had found is done, it looks what there is now, and serves
    one of each queue. It does not look again for what was not there, but for late ones."""

    __slots__ = ("decision", "found", "late", "left")

    def __init__(self, program: Program, decide: Decider, number: int, supply: Supply) -> None:
        super().__init__(program, decide, number, supply)
        first = program.server_queue[number]
        self.decision = program.server_poll[number]
        self.left: list[int] = []  # places whose turn in this round is still to come
        self.late: set[int] = set()  # those among which are looked at again in their turn
        habit, seed = decide.fixed(program.server_late[number])
        if habit == BEST or (habit == RANDOM and mix(seed, 0) & 1):
            self.late = {place for place in self.turns if program.queue_late[first + place]}
        self.found: set[int] = set()

    def rest_of_round(self) -> int | None:
        """The place that comes next in the round in progress."""
        return next(
            (p for p in self.left if self.queues[p] and (p in self.found or p in self.late)), None
        )

    def pick(self) -> int | None:
        """The place that comes next, if need be in a new round."""
        place = self.rest_of_round()
        return self.first_in_order() if place is None else place

    def poll(self) -> None:
        """A round begins: whatever has come by now belongs to it."""
        self.left = list(self.turns)
        self.found = {place for place in self.turns if self.queues[place]}

    def look(self, has_core: bool) -> None:
        """It has done all it had found, or has been woken: it may look before all that comes at
        this time has come."""
        if not has_core or self.queues[0] or self.rest_of_round() is not None:
            return
        now = self.supply.core.now
        if self.first_in_order() is not None and not self.decide.amount(
            self.decision, self.finished, now, 0, 1
        ):
            self.poll()

    def take(self) -> Unit:
        """Begin what comes next."""
        if not self.queues[0]:
            if self.rest_of_round() is None:
                self.poll()
            place = self.rest_of_round()
            assert place is not None
            self.left = self.left[self.left.index(place) + 1 :]
        else:
            place = 0
        self.current = self.queues[place].popleft()
        return self.current


class Any(Executor):
    """Whichever: by arrival, always the first in the order that has anything, or at random."""

    __slots__ = ("decision",)

    def __init__(self, program: Program, decide: Decider, number: int, supply: Supply) -> None:
        super().__init__(program, decide, number, supply)
        self.decision = program.server_pick[number]

    def pick(self) -> int | None:
        """The place that comes next."""
        habit, seed = self.decide.habit_at(self.decision, self.finished, self.supply.core.now)
        if habit == BEST:
            return self.first_in_order()
        places = [place for place in range(1, len(self.queues)) if self.queues[place]]
        if not places:
            return None
        if habit == RANDOM:
            return places[mix(seed, self.finished) % len(places)]
        return min(places, key=lambda place: self.queues[place][0].arrival)


def turns(turn: list[int], habit: int, seed: int) -> list[int]:
    """The places from 1 on in the order of their turns, equal ones as they are, backwards or at
    random; those that may come anywhere are first, last or at random.

    >>> turns([0, 2, 1, 2, -1], 0, 0), turns([0, 2, 1, 2, -1], BEST, 0)
    ([4, 2, 1, 3], [2, 3, 1, 4])
    """
    fixed = [place for place in range(1, len(turn)) if turn[place] != ANYWHERE]
    if habit == BEST:
        fixed.reverse()
    elif habit == RANDOM:
        fixed.sort(key=lambda place: mix(seed, place))
    found = sorted(fixed, key=lambda place: turn[place])
    for place in range(1, len(turn)):
        if turn[place] == ANYWHERE:
            at = mix(seed, place) % (len(found) + 1) if habit == RANDOM else 0
            found.insert(len(found) if habit == BEST else at, place)
    return found
