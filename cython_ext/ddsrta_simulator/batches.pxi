# Samples that leave together, and the locks of their writers: see twin_batches.py.

cdef enum:  # how far a flow controller is with looking into its queue, after it has sent
    NO_LOOK = 0
    TO_LOOK = 1
    HAS_SENT = 2
    LOOKS = 3

cdef class Batches(Writes):
    """What a flow controller takes, keeps and sends at once."""

    cdef inline void start(self, int64_t server) noexcept nogil:
        """A unit begins; a flow controller takes more with it."""
        cdef int64_t stage
        self.begin(server)
        stage = self.unit[self.current[server]].stage
        if self.layout.threads <= stage < self.layout.samples_end:
            self.gather(server, self.current[server])

    cdef inline bint sent_step(self, int64_t i) noexcept nogil:
        """A copy has been sent, or is in the datagram."""
        if self.p.publication_batch[self.unit[i].target]:
            return self.batch_step_done(i)
        return self.sample_step_done(i)

    cdef void gather(self, int64_t server, int64_t i) noexcept nogil:
        """A flow controller takes the lock of the writer, and what else of it comes next."""
        cdef int64_t publication = self.unit[i].target, room, queue, k
        if self.p.publication_writer[publication] >= 0:
            self.owner[self.p.publication_writer[publication]] = server
        self.batch_head[server] = -1
        self.batch_at[server] = i
        room = self.p.publication_batch[publication] - 1
        while room > 0:
            queue = self.next_queue(server)
            if queue < 0 or self.unit[self.queue_head[queue]].stage != self.unit[i].stage:
                break
            if not self.fits(server, self.queue_head[queue]):
                break
            k = self.take(server)
            self.unit[k].next = -1
            if self.batch_head[server] < 0:
                self.batch_head[server] = k
            else:
                self.unit[self.batch_tail[server]].next = k
            self.batch_tail[server] = k
            room -= 1
        self.unit[i].next = self.batch_head[server]
        self.current[server] = i
        if self.p.publication_queue[publication] >= 0 and self.unit[i].left > 1 and not amount(
            &self.c, self.p.publication_look[publication], self.unit[i].number, self.s.now, 0, 1
        ):
            self.unit[i].left -= 1
            self.unit[i].point = TO_LOOK

    cdef bint batch_step_done(self, int64_t i) noexcept nogil:
        """A copy of a sample is in the datagram, which leaves when all of them are. Then the flow
        controller may look into its queue."""
        cdef int64_t publication = self.unit[i].target
        cdef int64_t queue = self.p.publication_queue[publication]
        cdef int64_t server = self.p.stage_server[self.unit[i].stage]
        if self.unit[i].point <= TO_LOOK:
            if self._goes_on(server, i):
                return False
            self.batch_sent(server, i)
            if self.unit[i].point == NO_LOOK:
                self.batch_done(server, i)
                return True
            self.unit[i].point = HAS_SENT
        if self.unit[i].point == HAS_SENT:
            if self.acquire(server, queue):
                self.unit[i].point = LOOKS
                self.unit[i].left = 1
            return False
        self.release_lock(queue)
        self.batch_done(server, i)
        return True

    cdef bint _goes_on(self, int64_t server, int64_t i) noexcept nogil:
        """Whether there is one more copy in the datagram."""
        cdef int64_t publication = self.unit[i].target
        cdef Unit* member = &self.unit[self.batch_at[server]]
        member.copy += 1
        if member.copy == self.readers(publication):
            self.batch_at[server] = member.next
            if self.batch_at[server] < 0:
                return False
            member = &self.unit[self.batch_at[server]]
        self.unit[i].left = self.sending(publication, member.number, member.copy, member.arrival)
        return True

    cdef void batch_sent(self, int64_t server, int64_t i) noexcept nogil:
        """All copies of some samples leave at once."""
        cdef int64_t publication = self.unit[i].target, each = i, copy
        while each >= 0:
            self.unit[each].copy = 0
            for copy in range(self.readers(publication)):
                self.leave(each, publication, self.unit[each].number, self.unit[each].arrival)
            each = self.unit[each].next
        self.let_go(&self.unit[i])
        self.unit[i].lock = -1
        if self.p.publication_writer[publication] >= 0:
            self.release_lock(self.p.publication_writer[publication])

    cdef void batch_done(self, int64_t server, int64_t i) noexcept nogil:
        """All but the first are complete; what is done with the first, the caller sees to."""
        cdef int64_t stage = self.unit[i].stage, each = self.batch_head[server], following
        cdef int64_t core = self.p.supply_core[self.p.server_supply[server]]
        while each >= 0:
            following = self.unit[each].next
            self.count(self.p.stage_pending[stage], -1)
            self.count(self.p.server_pending[server], -1)
            self.trace(COMPLETED, stage, self.unit[each].number, core)
            self.completed(each)
            self._free_unit(each)
            each = following
        self.batch_head[server] = -1

    # Limits

    cdef bint held_back(self, int64_t server) noexcept nogil:
        """Whether it has to sleep until its next period."""
        cdef int64_t period = self.p.server_period[server], late = self.s.now - self.began[server]
        cdef int64_t queue = self.next_queue(server), i
        if queue < 0:
            return False
        i = self.queue_head[queue]
        if self.is_over[server]:
            self.reset(server, self.s.now)
        elif self.is_idle[server] and late >= period:
            self.reset(server, self.s.now - late % period)
        elif late >= period and not self.fits(server, i):
            self.reset(server, self.s.now)
        self.is_idle[server] = self.is_over[server] = 0
        if self.fits(server, i):
            return False
        self.waits[server] = FOR_TIME
        self.sleep(server)
        self.at(self.first_timer + server, self.began[server] + period)
        self.touch(self.p.supply_core[self.p.server_supply[server]])
        return True

    cdef void period_over(self, int64_t server) noexcept nogil:
        """It wakes at the tail of its priority; the next period begins when it runs."""
        self.waits[server] = -1
        self.is_over[server] = 1
        self.wake(server)
        self.touch(self.p.supply_core[self.p.server_supply[server]])
