# Which callback a thread of a pool takes, and which thread may: see twin_pools.py.

cdef class Pools(Executors):
    """Threads that share queues; one at a time looks for work."""

    cdef inline bint _may_take(self, int64_t queue) noexcept nogil:
        """Whether a queue has anything, and nothing of its group is in progress."""
        cdef int64_t group = self.p.queue_group[queue]
        return self.queue_head[queue] >= 0 and (group < 0 or not self.is_busy[group])

    cdef bint has_work(self, int64_t pool) noexcept nogil:
        """Whether there is anything that may be taken."""
        cdef int64_t queue
        for queue in range(self.p.server_queue[pool], self.p.server_queue[pool + 1]):
            if self._may_take(queue):
                return True
        return False

    cdef int64_t pool_queue(self, int64_t server) noexcept nogil:
        """The queue from which a thread takes next, if it may and there is anything."""
        cdef int64_t pool = self.p.server_pool[server], first = self.p.server_queue[pool]
        cdef int64_t last = self.p.server_queue[pool + 1], decision = self.p.server_pick[pool]
        cdef int64_t habit = WORST, count = 0, best = -1, queue, k
        if self.holder[pool] != server or self.current[server] >= 0:
            return -1
        if decision >= 0:
            habit = resolved(
                self.c.decision_habit[decision], self.c.decision_turn[decision],
                self.c.decision_seed[decision], self.picks[pool], self.s.now,
            )
        for k in range(first, last):
            queue = self.turn_order[k] if habit == BEST else k
            if not self._may_take(queue):
                continue
            if habit == BEST:
                return queue
            count += 1
            if best < 0 or (
                self.unit[self.queue_head[queue]].arrival
                < self.unit[self.queue_head[best]].arrival
            ):
                best = queue
        if habit == RANDOM and count:
            count = <int64_t>(
                mix(self.c.decision_seed[decision], self.picks[pool]) % <uint64_t>count
            )
            for best in range(first, last):
                if self._may_take(best):
                    if count == 0:
                        break
                    count -= 1
        return best
