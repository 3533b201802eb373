# How time goes on: see twin_events.py.

@cython.final
cdef class Moves(Batches):
    """A program in motion."""

    # Cores

    cdef void finish(self, int64_t server) noexcept nogil:
        """The step is done, and what follows it without taking time."""
        cdef int64_t i = self.current[server], stage = self.unit[i].stage, core
        cdef bint done
        while self.unit[i].left == 0:
            if stage < self.layout.threads:
                done = self.job_step_done(i)
            elif stage < self.layout.samples_end:
                done = self.sent_step(i)
            elif stage < self.layout.stages - self.layout.streams:
                done = self.transfer_step_done(server, i)
            else:
                self.deliver(i)
                done = True
            if self.waits[server] >= 0:
                return
            if done:
                core = self.p.supply_core[self.p.server_supply[server]]
                self.current[server] = -1
                self.finished[server] += 1
                self.count(self.p.stage_pending[stage], -1)
                self.count(self.p.server_pending[self.p.stage_server[stage]], -1)
                if self.shown[core] == i:
                    self.shown[core] = -1
                self.trace(COMPLETED, stage, self.unit[i].number, core)
                if self.p.server_order[server] == POOL:
                    self.give_back(server, stage)
                self.completed(i)
                self._free_unit(i)
                if self.p.server_order[server] == ROUNDS:
                    self.poll_at_once(server)
                elif self.p.server_order[server] == POOL:
                    self.stir(self.p.server_pool[server])
                if self.eager and self.next_queue(server) < 0 and self.yields(server):
                    self.sleep(server)
                    self.rests(server)
                return

    cdef void settle(self, int64_t core) noexcept nogil:
        """Let the core do all that takes no time."""
        cdef int64_t server, queue
        self.account(core)
        while True:
            server = self.top(core)
            if server < 0:
                return
            if self.p.server_order[server] == TIMERS:
                self.call(server)
                continue
            if self.current[server] < 0:
                queue = self.next_queue(server)
                if queue < 0:
                    self.sleep(server)
                    self.rests(server)
                    continue
                if self.unit[self.queue_head[queue]].left > 0:
                    return
                if self.p.server_limit[server] and self.held_back(server):
                    continue
                if self.spins(server):
                    return
                self.start(server)
            if self.unit[self.current[server]].left > 0:
                return
            self.finish(server)

    cdef void commit(self, int64_t core) noexcept nogil:
        """Time goes on: the thread that has the core works."""
        cdef int64_t server = self.top(core), end = NEVER, i = -1
        if server >= 0:
            if self.p.server_order[server] == TIMERS:
                self.touch(core)
                return
            if self.current[server] < 0:
                if self.p.server_limit[server] and self.held_back(server):
                    return  # its core goes on with another
                if not self.spins(server):
                    self.start(server)
            i = self.current[server]
            if i >= 0:
                if self.unit[i].lock >= 0 and not self.acquire(server, self.unit[i].lock):
                    return  # its core goes on with another
                end = self.s.now + self.unit[i].left
        if server != self.running[core] or end != self.core_end[core]:
            self.running[core] = server
            self.core_end[core] = end
            self.core_since[core] = self.s.now
            self.at(self.first_core + core, end)
        self.show(core, i)

    cdef inline bint spins(self, int64_t server) noexcept nogil:
        """Whether a flow controller can but try again, as the next writer is in write()."""
        cdef int64_t queue, stage, writer
        if not self.layout.locks:
            return False
        queue = self.next_queue(server)
        if queue < 0:
            return False
        stage = self.unit[self.queue_head[queue]].stage
        if not self.layout.threads <= stage < self.layout.samples_end:
            return False
        writer = self.p.publication_writer[self.unit[self.queue_head[queue]].target]
        return writer >= 0 and self.owner[writer] >= 0

    # Time

    cdef inline void happens(self, int64_t event) noexcept nogil:
        cdef int64_t core, server, i, due
        if event >= self.first_timer:
            self.time[event] = NEVER
            self.replay(event)
            self.period_over(event - self.first_timer)
        elif event >= self.first_core:
            core = event - self.first_core
            server = self.running[core]
            self.account(core)
            self.running[core] = -1
            self.core_end[core] = NEVER
            self.time[event] = NEVER
            self.replay(event)
            self.finish(server)
            self.touch(core)
        elif event >= self.first_stream:
            i = self.first_of(event - self.first_stream)
            self.arrived(event - self.first_stream, i)
        elif event >= self.first_source:
            i = event - self.first_source
            due = self.source[i].due
            self.at(event, self.next_release(i))
            if not self.skips(self.p.source_thread[i], due):
                self.arrive(
                    self.p.source_thread[i], self.make_job(self.p.source_thread[i], -1), -1
                )
        else:
            self.turn(event)

    cdef inline void replay(self, int64_t event) noexcept nogil:
        """An event has happened and none takes its place: as `at`, but no new version."""
        self.version[event] -= 1
        self.at(event, NEVER)

    cdef inline int64_t next_release(self, int64_t i) noexcept nogil:
        if self.p.source_model[i] == ANCHORED:
            return anchored(&self.p, &self.c, i, &self.source[i])
        return greedy(&self.p, &self.c, i, &self.source[i], self.layout.reach(i))

    cdef void instant(self, int64_t now) noexcept nogil:
        """All that happens at one time; what a thread of a pool takes may wake another one."""
        cdef int64_t k, measure
        self.s.now = now
        while self.dirty_count or self.time[self.winner[1]] == now:
            self._settle_all(now)
        for k in range(self.touched_count):
            measure = self.touched[k]
            self.is_touched[measure] = 0
            self.note(measure, self.pending[measure])
        self.touched_count = 0

    cdef void _settle_all(self, int64_t now) noexcept nogil:
        """What happens, up to where time may go on."""
        cdef int64_t core, k
        while self.dirty_count or self.time[self.winner[1]] == now:
            while self.time[self.winner[1]] == now:
                self.s.events += 1
                self.happens(self.winner[1])
            while self.dirty_count:
                self.dirty_count -= 1
                core = self.dirty[self.dirty_count]
                self.is_dirty[core] = 0
                self.settle(core)
                if not self.is_settled[core]:
                    self.is_settled[core] = 1
                    self.settled[self.settled_count] = core
                    self.settled_count += 1
        for k in range(self.settled_count):
            core = self.settled[k]
            self.is_settled[core] = 0
            self.commit(core)
        self.settled_count = 0

    cdef int64_t go(self, int64_t until) noexcept nogil:
        """Everything that happens before this time, or until a buffer is full."""
        cdef int64_t now
        while not self.failed:
            now = self.time[self.winner[1]]
            if now >= until:
                break
            if (self.records_size and self.records.count >= 3 * self.records_size) or (
                self.traced_size and self.traced.count >= 5 * self.traced_size
            ):
                self.s.reached = most(self.s.reached, now)
                return self.s.reached
            self.instant(now)
        self.s.reached = most(self.s.reached, until)
        return self.s.reached

    cdef void begin_all(self):
        """The first event of each source and reservation."""
        cdef int64_t i, k, number = 0, room
        cdef Reservation* r = self.reservation
        cdef Placement* placed
        self.arrange()
        for i, supplies in enumerate(self.layout.placements):
            placed = &self.placement[i]
            placed.first = number
            placed.as_chosen = 1
            placed.time = NEVER
            for supply in supplies:
                self.reservation_of[<int64_t>supply] = number
                r[number].supply = supply
                r[number].budget = self.p.supply_budget[r[number].supply]
                r[number].period = self.p.supply_period[r[number].supply]
                r[number].start = modulo(
                    self.c.supply_phase[r[number].supply], r[number].period
                ) - r[number].period
                if r[number].start < placed.time:
                    placed.time = r[number].start
                room = r[number].period
                for k in range(placed.first, number):
                    room -= most_service(&self.c, &r[k], &r[number])
                if room < r[number].budget:
                    placed.as_chosen = 0
                number += 1
            placed.last = number
        for i in range(self.layout.supplies):
            if self.p.supply_budget[i]:
                self.at(i, self._next_interval(i))
        for i in range(self.layout.sources):
            source_begins(&self.p, &self.c, i, &self.source[i], self.layout.reach(i))
            self.at(self.first_source + i, self.next_release(i))
