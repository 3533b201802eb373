"""The threads of an executor of ROS 2 that are on several cores.

Written from the behaviour of rclcpp. One thread at a time looks for work, under a mutex that it
also holds while it waits for some: the holder. When it has taken a callback, an idle thread becomes
the holder; so does a thread that ends a callback while all others work. A holder that something
more urgent keeps off its core takes nothing, and no other idle thread can. Of a mutually exclusive
group one callback runs at a time; what waits for it is passed over. An inline callback is what its
thread goes on with, before its group is free.
"""

from __future__ import annotations

from ddsrta_simulator.executors import Executors
from ddsrta_simulator.program import BEST, RANDOM, WORST
from ddsrta_simulator.structs import Bool, Int


class Pools(Executors):
    """The first thread of a pool has the queues that all share."""

    def may_take(self, queue: Int) -> Bool:
        """Whether a queue has anything, and nothing of its group is in progress."""
        group = self.p.queue_group[queue]
        return self.queue_head[queue] >= 0 and (group < 0 or not self.is_busy[group])

    def has_work(self, pool: Int) -> Bool:
        """Whether there is anything that may be taken."""
        for queue in range(self.p.server_queue[pool], self.p.server_queue[pool + 1]):
            if self.may_take(queue):
                return True
        return False

    def pool_queue(self, server: Int) -> Int:
        """The queue from which a thread takes next, if it may and there is anything."""
        pool = self.p.server_pool[server]
        first = self.p.server_queue[pool]
        last = self.p.server_queue[pool + 1]
        decision = self.p.server_pick[pool]
        count: Int = 0
        best: Int = -1
        if self.inline_next[server] >= 0:
            return self.inline_next[server]
        if self.holder[pool] != server or self.current[server] >= 0:
            return -1
        habit = self.way_of(decision, self.picks[pool], self.s.now)
        for k in range(first, last):
            queue = self.turn_order[k] if habit == BEST else k
            if not self.may_take(queue):
                continue
            if habit == BEST:
                return queue
            count += 1
            if self.came_before(queue, best):
                best = queue
        if habit == RANDOM and count:
            count = self.drawn(decision, self.picks[pool], count)
            for queue in range(first, last):
                if self.may_take(queue):
                    if count == 0:
                        return queue
                    count -= 1
        return best

    def stir(self, pool: Int) -> None:
        """There may be something to take: who may look for work is woken for it."""
        holder = self.holder[pool]
        if holder >= 0 and self.current[holder] < 0 and self.has_work(pool):
            if not self.awake[holder]:
                self.wake(holder)
            self.touch(self.core_of(holder))

    def is_kept_off(self, server: Int) -> Bool:
        """Whether something more urgent has its core, or an equal of SCHED_OTHER."""
        supply = self.supply_of[server]
        other = self.top(self.p.supply_core[supply])
        return other >= 0 and (
            self.supply_of[other] != supply
            or self.p.server_priority[other] > self.p.server_priority[server]
            or (self.is_fair(server) and other != server)
        )

    def pass_on(self, server: Int, queue: Int) -> None:
        """A thread has taken a unit: an idle one may look for more."""
        pool = self.p.server_pool[server]
        if self.inline_next[server] >= 0:
            self.inline_next[server] = -1
            return
        decision = self.p.server_baton[pool]
        habit = self.way_of(decision, self.picks[pool], self.s.now)
        idle: Int = 0
        first: Int = -1
        last: Int = -1
        kept: Int = -1
        if self.p.queue_group[queue] >= 0:
            self.is_busy[self.p.queue_group[queue]] = 1
        other = pool
        while other < self.layout.servers and self.p.server_pool[other] == pool:
            if self.looks_idle(other):
                idle += 1
                last = other
                if first < 0:
                    first = other
                if kept < 0 and habit == WORST and self.is_kept_off(other):
                    kept = other
            other += 1
        if habit == WORST and kept >= 0:
            first = kept
        self.holder[pool] = last if habit == BEST else first
        if habit == RANDOM and idle:
            idle = self.drawn(decision, self.picks[pool], idle)
            other = first
            while idle or not self.looks_idle(other):
                if self.looks_idle(other):
                    idle -= 1
                other += 1
            self.holder[pool] = other
        self.picks[pool] += 1
        self.stir(pool)

    def looks_idle(self, server: Int) -> Bool:
        """Whether a thread is at nothing."""
        return self.current[server] < 0 and self.inline_next[server] < 0

    def inline_queue(self, pool: Int, group: Int) -> Int:
        """The queue of a group with an inline callback that has been released, if any is."""
        for queue in range(self.p.server_queue[pool], self.p.server_queue[pool + 1]):
            if self.p.queue_group[queue] != group or self.queue_head[queue] < 0:
                continue
            if self.p.thread_inline[self.unit[self.queue_head[queue]].stage]:
                return queue
        return -1

    def give_back(self, server: Int, stage: Int) -> None:
        """A thread has done its unit: it goes on with an inline callback that this has released, or
        others of the group may be taken, and it looks for work if no other thread does."""
        pool = self.p.server_pool[server]
        group = self.p.queue_group[self.p.stage_queue[stage]]
        if group >= 0:
            self.inline_next[server] = self.inline_queue(pool, group)
            if self.inline_next[server] >= 0:
                return
            self.is_busy[group] = 0
        if self.holder[pool] < 0:
            self.holder[pool] = server
