"""Units in the queues of threads, and timers.

Timers, written from the behaviour of rcl: a call skips what was due until then. A timer that is due
waits until it is called; then it is next due at the first of its times that is later. The thread
that watches the timers of an events executor calls them when it runs, and puts them into the queue
of the executor.
"""

from __future__ import annotations

from ddsrta_simulator.limits import Limits
from ddsrta_simulator.orders import DEADLINE, POOL, RESERVED, ROUNDS, TIMERS, TURNS
from ddsrta_simulator.program import NEVER, RANDOM, WORST
from ddsrta_simulator.structs import Bool, Int


class Queues(Limits):
    """A unit is taken when time goes on, so of simultaneous arrivals all are seen."""

    def due_queue(self, first: Int, last: Int) -> Int:
        """The queue whose first unit is due first."""
        soonest: Int = NEVER
        found: Int = -1
        for queue in range(first, last):
            if self.queue_head[queue] >= 0:
                due = self.unit[self.queue_head[queue]].arrival + self.p.queue_due[queue]
                if due < soonest:
                    soonest = due
                    found = queue
        return found

    def next_queue(self, server: Int) -> Int:
        """From which it takes next, if there is anything that it may take."""
        if self.in_hand[server] >= 0:
            return self.in_hand[server]
        first = self.p.server_queue[server]
        last = self.p.server_queue[server + 1]
        order = self.p.server_order[server]
        start = first
        if order == POOL:
            return self.pool_queue(server)
        if last - first == 1:
            return first if self.queue_head[first] >= 0 else -1
        if order == RESERVED:
            return self.reserved_queue(server)
        if order == DEADLINE:
            return self.due_queue(first, last)
        if order >= ROUNDS:
            return self.next_of_executor(server)
        if order == TURNS:
            start = first + self.cursor[server]
        for queue in range(start, last):
            if self.queue_head[queue] >= 0:
                return queue
        for queue in range(first, start):
            if self.queue_head[queue] >= 0:
                return queue
        return -1

    def push(self, i: Int, queue: Int) -> None:
        """A unit arrives at a thread, which wakes at the tail of its priority if it slept."""
        stage = self.unit[i].stage
        server = self.p.stage_server[stage]
        self.count(self.p.stage_pending[stage], 1)
        self.count(self.p.server_pending[server], 1)
        if self.watches(stage):
            server = self.p.thread_caller[stage]
            queue = self.p.server_queue[server]
        self.bring(i, server, queue)

    def bring(self, i: Int, server: Int, queue: Int) -> None:
        """The same, without a count."""
        before: Int = -1 if self.queue_head[queue] < 0 else self.queue_tail[queue]
        stage = self.unit[i].stage
        if before >= 0 and stage < self.layout.threads and self.p.thread_taken[stage] >= 0:
            before = self.goes_behind(i, queue, self.p.thread_taken[stage])
        self.unit[i].next = self.queue_head[queue] if before < 0 else self.unit[before].next
        if before < 0:
            self.queue_head[queue] = i
        else:
            self.unit[before].next = i
        if self.unit[i].next < 0:
            self.queue_tail[queue] = i
        if self.p.server_order[server] == POOL:
            self.stir(server)
            return
        if self.is_told(server) or (not self.awake[server] and self.waits[server] < 0):
            self.wakes_up(server)
            is_first: Bool = self.top(self.core_of(server)) == server
            if self.p.server_order[server] == ROUNDS and is_first:
                self.poll_at_once(server)
        self.touch(self.core_of(server))

    def goes_behind(self, i: Int, queue: Int, decision: Int) -> Int:
        """What a message waits behind that may go first, -1: nothing. It stays behind those that
        came the same way (lemma mixed-publishers)."""
        behind: Int = -1
        others: Int = 0  # that came after the last one of its way
        j = self.queue_head[queue]
        while j >= 0:
            others += 1
            if self.unit[j].hop == self.unit[i].hop:
                behind = j
                others = 0
            j = self.unit[j].next
        habit = self.way_of(decision, self.unit[i].number, self.s.now)
        passed: Int = 0 if habit == WORST else others
        if habit == RANDOM:
            passed = self.drawn(decision, self.unit[i].number, others + 1)
        while passed > 0:
            behind = self.queue_head[queue] if behind < 0 else self.unit[behind].next
            passed -= 1
        return behind

    def take(self, server: Int) -> Int:
        """Begin the unit that comes next."""
        queue = self.next_queue(server)
        self.in_hand[server] = -1
        i = self.queue_head[queue]
        order = self.p.server_order[server]
        if order == ROUNDS:
            self.take_turn(server)
        elif order != POOL:
            if self.p.server_limit[server]:
                self.charge(server, queue)
            self.turn_taken(server, queue)
        self.queue_head[queue] = self.unit[i].next
        self.current[server] = i
        if order == POOL:
            self.pass_on(server, queue)
        return i

    def turn_taken(self, server: Int, queue: Int) -> None:
        """One more of the turn of a queue, which may be over then."""
        place = queue - self.p.server_queue[server]
        if self.cursor[server] != place:
            self.cursor[server] = place
            self.in_turn[server] = 0
        self.in_turn[server] += 1
        if self.in_turn[server] >= self.p.queue_weight[queue]:
            self.in_turn[server] = 0
            self.cursor[server] = 0 if queue + 1 == self.p.server_queue[server + 1] else place + 1

    def skips(self, thread: Int, due: Int) -> Bool:
        """Whether a release is none, as the call before it skips it; else the timer waits."""
        if self.p.thread_caller[thread] < 0:
            return False
        if self.is_due[thread] or due <= self.called_at[thread]:
            return True
        self.is_due[thread] = 1
        return False

    def watches(self, stage: Int) -> Bool:
        """Whether a thread of its own watches the timer that a stage is of, if any."""
        return (
            stage < self.layout.threads
            and self.p.thread_caller[stage] >= 0
            and self.p.server_order[self.p.thread_caller[stage]] == TIMERS
        )

    def called(self, thread: Int) -> None:
        """A timer; what is of no timer does not mind."""
        self.is_due[thread] = 0
        self.called_at[thread] = self.s.now

    def call(self, server: Int) -> None:
        """The thread that watches timers calls all that are due, and sleeps."""
        queue = self.p.server_queue[server]
        self.sleep(server)
        while self.queue_head[queue] >= 0:
            i = self.queue_head[queue]
            self.queue_head[queue] = self.unit[i].next
            stage = self.unit[i].stage
            self.called(stage)
            self.bring(i, self.p.stage_server[stage], self.p.stage_queue[stage])
