"""Which callback the thread of an executor of ROS 2 takes.

Written from the behaviour of rclcpp. A queue is an entity: a timer, a subscription, a service, a
client, a waitable. Messages that come directly from a publisher in the same process are waitables
of their own, beside the subscription. The first queue is for inline callbacks: they run as part of
the one that released them.

Single-threaded, by rounds: when all that it had found is done, it looks what there is now, and
serves one of each queue. It does not look again for what was not there, but for late ones.
"""

from __future__ import annotations

from ddsrta_simulator.cores import Cores
from ddsrta_simulator.orders import ANY, POOL, ROUNDS
from ddsrta_simulator.program import ANYWHERE, BEST, RANDOM, WORST
from ddsrta_simulator.shadow import below, mix
from ddsrta_simulator.structs import Bool, Int


class Executors(Cores):
    """The cursor of a round: where it is in the order of turns."""

    def arrange(self) -> None:
        """The order of the queues of each executor, and whether it looks at late ones again."""
        for server in range(self.layout.servers):
            first = self.p.server_queue[server]
            last = self.p.server_queue[server + 1]
            if not ROUNDS <= self.p.server_order[server] <= POOL or first == last:
                continue
            turns = self.p.server_turns[server]
            habit = self.fixed_habit(turns)
            self.put_in_order(first, last, habit, 0 if turns < 0 else self.c.decision_seed[turns])
            self.cursor[server] = last - first
            late = self.p.server_late[server]
            habit = self.fixed_habit(late)
            if habit == RANDOM:
                habit = BEST if mix(self.c.decision_seed[late], 0) & 1 else WORST
            self.looks_again[server] = habit == BEST

    def put_in_order(self, first: Int, last: Int, habit: Int, seed: Int) -> None:
        """By turns, equal ones as they are, backwards or at random; those that may come anywhere
        are put between the others at last."""
        end = first + 1
        self.turn_order[first] = first
        for queue in range(first + 1, last):
            if self.p.queue_turn[queue] != ANYWHERE:
                place = end
                while place > first + 1 and self.comes_before(
                    queue, self.turn_order[place - 1], first, habit, seed
                ):
                    place -= 1
                self.insert(queue, place, end)
                end += 1
        for queue in range(first + 1, last):
            if self.p.queue_turn[queue] == ANYWHERE:
                place = first + 1
                if habit == BEST:
                    place = end
                elif habit == RANDOM:
                    place += below(seed, queue - first, end - first)
                self.insert(queue, place, end)
                end += 1

    def comes_before(self, one: Int, other: Int, first: Int, habit: Int, seed: Int) -> Bool:
        """Whether the turn of a queue is before that of another."""
        if self.p.queue_turn[one] != self.p.queue_turn[other]:
            return self.p.queue_turn[one] < self.p.queue_turn[other]
        if habit == RANDOM:
            its = mix(seed, one - first)
            others = mix(seed, other - first)
            if its != others:
                return its < others
        return one > other if habit == BEST else one < other

    def insert(self, queue: Int, place: Int, end: Int) -> None:
        """At this place in the order."""
        for k in range(end, place, -1):
            self.turn_order[k] = self.turn_order[k - 1]
        self.turn_order[place] = queue

    def rest_of_round(self, server: Int) -> Int:
        """The place in the order of what comes next in the round in progress, if anything does."""
        first = self.p.server_queue[server]
        for k in range(first + self.cursor[server], self.p.server_queue[server + 1]):
            queue = self.turn_order[k]
            if self.queue_head[queue] >= 0 and (
                self.in_round[queue] or (self.looks_again[server] and self.p.queue_late[queue])
            ):
                return k
        return -1

    def first_in_order(self, server: Int) -> Int:
        """The place in the order of the first queue with anything in it."""
        for k in range(self.p.server_queue[server] + 1, self.p.server_queue[server + 1]):
            if self.queue_head[self.turn_order[k]] >= 0:
                return k
        return -1

    def poll(self, server: Int) -> None:
        """A round begins: whatever has come by now belongs to it."""
        for queue in range(self.p.server_queue[server] + 1, self.p.server_queue[server + 1]):
            self.in_round[queue] = self.queue_head[queue] >= 0
        self.cursor[server] = 1

    def poll_at_once(self, server: Int) -> None:
        """It has done all it had found, or has been woken: it may look before all that comes at
        this time has come."""
        decision = self.p.server_poll[server]
        if decision < 0 or self.queue_head[self.p.server_queue[server]] >= 0:
            return
        if self.amount(decision, self.finished[server], self.s.now, 0, 1) == 1:
            return
        if self.rest_of_round(server) < 0 and self.first_in_order(server) >= 0:
            self.poll(server)

    def take_turn(self, server: Int) -> None:
        """What is taken has had its turn; a round begins where none goes on."""
        first = self.p.server_queue[server]
        if self.queue_head[first] >= 0:  # an inline callback
            return
        k = self.rest_of_round(server)
        if k < 0:
            self.poll(server)
            k = self.first_in_order(server)
        self.in_round[self.turn_order[k]] = 0
        self.cursor[server] = k + 1 - first

    def came_before(self, queue: Int, other: Int) -> Bool:
        """Whether the first unit of a queue came before that of another, if that is any."""
        return other < 0 or (
            self.unit[self.queue_head[queue]].arrival < self.unit[self.queue_head[other]].arrival
        )

    def any_queue(self, server: Int) -> Int:
        """Whichever of the earliest turn that has anything: by arrival, always the first in the
        order, or at random."""
        first = self.p.server_queue[server] + 1
        last = self.p.server_queue[server + 1]
        decision = self.p.server_pick[server]
        habit = self.way_of(decision, self.finished[server], self.s.now)
        count: Int = 0
        best = self.first_in_order(server)
        if best < 0:
            return -1
        if habit == BEST:
            return self.turn_order[best]
        turn = self.p.queue_turn[self.turn_order[best]]
        best = -1
        for queue in range(first, last):
            if self.queue_head[queue] >= 0 and self.p.queue_turn[queue] == turn:
                count += 1
                if self.came_before(queue, best):
                    best = queue
        if habit == RANDOM:
            count = self.drawn(decision, self.finished[server], count)
            for queue in range(first, last):
                if self.queue_head[queue] >= 0 and self.p.queue_turn[queue] == turn:
                    if count == 0:
                        return queue
                    count -= 1
        return best

    def next_of_executor(self, server: Int) -> Int:
        """The queue from which the executor takes next, if there is anything."""
        first = self.p.server_queue[server]
        if self.queue_head[first] >= 0:
            return first
        if self.p.server_order[server] == ANY:
            return self.any_queue(server)
        k = self.rest_of_round(server)
        if k < 0:
            k = self.first_in_order(server)
        return self.turn_order[k] if k >= 0 else -1
