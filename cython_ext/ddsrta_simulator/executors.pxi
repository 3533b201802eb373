# Which callback an executor takes: see twin_executors.py.

cdef inline int64_t fixed_habit(Chosen* c, int64_t decision) noexcept nogil:
    """What a habit means that stays the same for a whole run: WORST, BEST or RANDOM."""
    cdef int64_t habit
    if decision < 0:
        return WORST
    habit = c.decision_habit[decision]
    return habit if habit == WORST or habit == BEST else RANDOM


cdef class Executors(Block):
    """Queues of executors, the first of each for inline callbacks."""

    cdef void arrange(self) noexcept nogil:
        """The order of the queues of each executor, and whether it looks at late ones again."""
        cdef int64_t server, first, last, habit, seed
        for server in range(self.layout.servers):
            first = self.p.server_queue[server]
            last = self.p.server_queue[server + 1]
            if not ROUNDS <= self.p.server_order[server] <= POOL or first == last:
                continue
            habit = fixed_habit(&self.c, self.p.server_turns[server])
            seed = 0 if habit == WORST else self.c.decision_seed[self.p.server_turns[server]]
            self._put_in_order(first, last, habit, seed)
            self.cursor[server] = last - first
            habit = fixed_habit(&self.c, self.p.server_late[server])
            if habit == RANDOM:
                seed = self.c.decision_seed[self.p.server_late[server]]
                habit = BEST if mix(seed, 0) & 1 else WORST
            self.looks_again[server] = habit == BEST

    cdef void _put_in_order(
        self, int64_t first, int64_t last, int64_t habit, int64_t seed
    ) noexcept nogil:
        """By turns; those that may come anywhere are put between the others at last."""
        cdef int64_t queue, place, end = first + 1
        self.turn_order[first] = first
        for queue in range(first + 1, last):
            if self.p.queue_turn[queue] != ANYWHERE:
                place = end
                while place > first + 1 and self._comes_before(
                    queue, self.turn_order[place - 1], first, habit, seed
                ):
                    place -= 1
                self._insert(queue, place, end)
                end += 1
        for queue in range(first + 1, last):
            if self.p.queue_turn[queue] == ANYWHERE:
                place = first + 1
                if habit == BEST:
                    place = end
                elif habit == RANDOM:
                    place += <int64_t>(mix(seed, queue - first) % <uint64_t>(end - first))
                self._insert(queue, place, end)
                end += 1

    cdef bint _comes_before(
        self, int64_t one, int64_t other, int64_t first, int64_t habit, int64_t seed
    ) noexcept nogil:
        cdef uint64_t its, others
        if self.p.queue_turn[one] != self.p.queue_turn[other]:
            return self.p.queue_turn[one] < self.p.queue_turn[other]
        if habit == RANDOM:
            its = mix(seed, one - first)
            others = mix(seed, other - first)
            if its != others:
                return its < others
        return one > other if habit == BEST else one < other

    cdef void _insert(self, int64_t queue, int64_t place, int64_t end) noexcept nogil:
        cdef int64_t k
        for k in range(end, place, -1):
            self.turn_order[k] = self.turn_order[k - 1]
        self.turn_order[place] = queue

    # Rounds

    cdef int64_t rest_of_round(self, int64_t server) noexcept nogil:
        """The place in the order of what comes next in the round in progress, if anything does."""
        cdef int64_t first = self.p.server_queue[server], last = self.p.server_queue[server + 1]
        cdef int64_t k, queue
        for k in range(first + self.cursor[server], last):
            queue = self.turn_order[k]
            if self.queue_head[queue] >= 0 and (
                self.in_round[queue] or (self.looks_again[server] and self.p.queue_late[queue])
            ):
                return k
        return -1

    cdef int64_t first_in_order(self, int64_t server) noexcept nogil:
        """The place in the order of the first queue with anything in it."""
        cdef int64_t first = self.p.server_queue[server], last = self.p.server_queue[server + 1], k
        for k in range(first + 1, last):
            if self.queue_head[self.turn_order[k]] >= 0:
                return k
        return -1

    cdef void poll(self, int64_t server) noexcept nogil:
        """A round begins: whatever has come by now belongs to it."""
        cdef int64_t first = self.p.server_queue[server], last = self.p.server_queue[server + 1]
        cdef int64_t queue
        for queue in range(first + 1, last):
            self.in_round[queue] = self.queue_head[queue] >= 0
        self.cursor[server] = 1

    cdef void poll_at_once(self, int64_t server) noexcept nogil:
        """The executor may look for work before all that comes at this time has come."""
        cdef int64_t decision = self.p.server_poll[server]
        if decision < 0 or self.queue_head[self.p.server_queue[server]] >= 0:
            return
        if amount(&self.c, decision, self.finished[server], self.s.now, 0, 1) == 1:
            return
        if self.rest_of_round(server) < 0 and self.first_in_order(server) >= 0:
            self.poll(server)

    cdef void take_turn(self, int64_t server) noexcept nogil:
        """What is taken now has had its turn; a round begins where none goes on."""
        cdef int64_t first = self.p.server_queue[server], k
        if self.queue_head[first] >= 0:  # an inline callback
            return
        k = self.rest_of_round(server)
        if k < 0:
            self.poll(server)
            k = self.first_in_order(server)
        self.in_round[self.turn_order[k]] = 0
        self.cursor[server] = k + 1 - first

    # Whichever

    cdef int64_t any_queue(self, int64_t server) noexcept nogil:
        """By arrival, by the order, or at random."""
        cdef int64_t first = self.p.server_queue[server], last = self.p.server_queue[server + 1]
        cdef int64_t decision = self.p.server_pick[server], habit = WORST, count = 0, best = -1
        cdef int64_t queue
        if decision >= 0:
            habit = resolved(
                self.c.decision_habit[decision], self.c.decision_turn[decision],
                self.c.decision_seed[decision], self.finished[server], self.s.now,
            )
        if habit == BEST:
            best = self.first_in_order(server)
            return self.turn_order[best] if best >= 0 else -1
        for queue in range(first + 1, last):
            if self.queue_head[queue] >= 0:
                count += 1
                if best < 0 or (
                    self.unit[self.queue_head[queue]].arrival
                    < self.unit[self.queue_head[best]].arrival
                ):
                    best = queue
        if habit == RANDOM and count:
            count = <int64_t>(
                mix(self.c.decision_seed[decision], self.finished[server]) % <uint64_t>count
            )
            for best in range(first + 1, last):
                if self.queue_head[best] >= 0:
                    if count == 0:
                        break
                    count -= 1
        return best

    cdef int64_t next_of_executor(self, int64_t server) noexcept nogil:
        """The queue from which the executor takes next, if there is anything."""
        cdef int64_t first = self.p.server_queue[server], k
        if self.queue_head[first] >= 0:
            return first
        if self.p.server_order[server] == ANY:
            return self.any_queue(server)
        k = self.rest_of_round(server)
        if k < 0:
            k = self.first_in_order(server)
        return self.turn_order[k] if k >= 0 else -1
