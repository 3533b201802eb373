# Time, the events to come, and threads on cores: see twin_events.py.

cdef class Clock(Limits):
    """Events, queues and the order of threads on their cores."""

    # Events

    cdef inline void at(self, int64_t event, int64_t time) noexcept nogil:
        """The event will be at this time, and no longer when it was to be."""
        cdef int64_t node = event + self.leaves, best = event, other
        self.version[event] += 1
        self.time[event] = time
        if self.tie_mode == SHUFFLED and time < NEVER:
            self.tie[event] = <int64_t>(
                mix(<int64_t>mix(self.tie_seed, event), self.version[event]) >> 1
            )
        while node > 1:
            other = self.winner[node ^ 1]
            if self.time[other] < self.time[best] or (
                self.time[other] == self.time[best]
                and (
                    self.tie[other] < self.tie[best]
                    or (self.tie[other] == self.tie[best] and other < best)
                )
            ):
                best = other
            node >>= 1
            self.winner[node] = best

    # What was seen

    cdef inline void note(self, int64_t measure, int64_t value) noexcept nogil:
        if value > self.worst_seen[measure]:
            self.worst_seen[measure] = value
            self.worst_at[measure] = self.s.now
        self.number_seen[measure] += 1
        if self.buckets:
            self.buckets[measure * BUCKETS + bucket(value)] += 1

    cdef inline void see(self, int64_t measure, int64_t value) noexcept nogil:
        """A value of a measure."""
        if measure < 0:
            return
        self.note(measure, value)
        if self.records_size:
            if not grow(&self.records, 3):
                self.failed = True
                return
            self.records.data[self.records.count] = measure
            self.records.data[self.records.count + 1] = self.s.now
            self.records.data[self.records.count + 2] = value
            self.records.count += 3

    cdef inline void count(self, int64_t measure, int64_t change) noexcept nogil:
        """More or less is pending."""
        if measure < 0:
            return
        self.pending[measure] += change
        if change > 0 and not self.is_touched[measure]:
            self.is_touched[measure] = 1
            self.touched[self.touched_count] = measure
            self.touched_count += 1

    cdef inline void trace(
        self, int64_t kind, int64_t what, int64_t number, int64_t other
    ) noexcept nogil:
        cdef int64_t* row
        if not self.traced_size:
            return
        if not grow(&self.traced, 5):
            self.failed = True
            return
        row = self.traced.data + self.traced.count
        row[0] = self.s.now
        row[1] = kind
        row[2] = what
        row[3] = number
        row[4] = other
        self.traced.count += 5

    # Supplies

    cdef int64_t _next_interval(self, int64_t supply) noexcept nogil:
        """When a reservation serves next; its end is kept."""
        cdef Placement* core = &self.placement[self.p.supply_core[supply]]
        cdef int64_t rank = self.reservation_of[supply], begin, end
        cdef Reservation* own = &self.reservation[rank]
        cdef bint fits
        while True:
            while own.shown == own.intervals.count:
                forget(core, self.reservation)
                if core.as_chosen:
                    fits = place(
                        &self.c, self.reservation, core.first, rank, &self.taken, &self.free_time
                    )
                else:
                    fits = most_urgent(core, self.reservation)
                if not fits:
                    self.failed = True
                    return NEVER
            begin = own.intervals.data[own.shown]
            end = own.intervals.data[own.shown + 1]
            own.shown += 2
            if end > 0:
                self.supply_end[supply] = end
                return begin if begin > 0 else 0

    cdef void turn(self, int64_t supply) noexcept nogil:
        """A reservation begins to serve, or stops, unless its next interval follows at once."""
        cdef int64_t begin
        if self.is_open[supply]:
            begin = self._next_interval(supply)
            if begin == self.s.now:
                self.at(supply, self.supply_end[supply])
                return
            self.at(supply, begin)
        else:
            self.at(supply, self.supply_end[supply])
        self.is_open[supply] = not self.is_open[supply]
        self.trace(OPENED if self.is_open[supply] else CLOSED, supply, -1, self.p.supply_core[supply])
        self.touch(self.p.supply_core[supply])

    # Threads and their queues

    cdef inline void touch(self, int64_t core) noexcept nogil:
        if not self.is_dirty[core]:
            self.is_dirty[core] = 1
            self.dirty[self.dirty_count] = core
            self.dirty_count += 1

    cdef inline int64_t top(self, int64_t core) noexcept nogil:
        """The thread that should have the core now."""
        cdef int64_t supply
        for supply in range(self.p.core_supply[core], self.p.core_supply[core + 1]):
            if self.is_open[supply] and self.supply_ready[supply] >= 0:
                return self.supply_ready[supply]
        return -1

    cdef inline void wake(self, int64_t server) noexcept nogil:
        """At the tail of its priority."""
        cdef int64_t supply = self.p.server_supply[server]
        cdef int64_t urgency = self.p.server_priority[server]
        cdef int64_t* place = &self.supply_ready[supply]
        self.awake[server] = 1
        while place[0] >= 0 and self.p.server_priority[place[0]] >= urgency:
            place = &self.next_ready[place[0]]
        self.next_ready[server] = place[0]
        place[0] = server

    cdef inline void sleep(self, int64_t server) noexcept nogil:
        """Leave the processor for want of work."""
        cdef int64_t* place = &self.supply_ready[self.p.server_supply[server]]
        while place[0] != server:
            place = &self.next_ready[place[0]]
        place[0] = self.next_ready[server]
        self.awake[server] = 0

    cdef int64_t due_queue(self, int64_t first, int64_t last) noexcept nogil:
        """The queue whose first unit is due first."""
        cdef int64_t queue, due, soonest = NEVER, found = -1
        for queue in range(first, last):
            if self.queue_head[queue] >= 0:
                due = self.unit[self.queue_head[queue]].arrival + self.p.queue_due[queue]
                if due < soonest:
                    soonest = due
                    found = queue
        return found

    cdef inline int64_t next_queue(self, int64_t server) noexcept nogil:
        cdef int64_t first = self.p.server_queue[server], last = self.p.server_queue[server + 1]
        cdef int64_t start = first, queue
        if self.p.server_order[server] == POOL:
            return self.pool_queue(server)
        if last - first == 1:
            return first if self.queue_head[first] >= 0 else -1
        if self.p.server_order[server] == RESERVED:
            return self.reserved_queue(server)
        if self.p.server_order[server] == DEADLINE:
            return self.due_queue(first, last)
        if self.p.server_order[server] >= ROUNDS:
            return self.next_of_executor(server)
        if self.p.server_order[server] == TURNS:
            start = first + self.cursor[server]
        for queue in range(start, last):
            if self.queue_head[queue] >= 0:
                return queue
        for queue in range(first, start):
            if self.queue_head[queue] >= 0:
                return queue
        return -1

    cdef inline void push(self, int64_t i, int64_t queue) noexcept nogil:
        """A unit arrives at a thread, which wakes at the tail of its priority if it slept."""
        cdef int64_t stage = self.unit[i].stage
        cdef int64_t server = self.p.stage_server[stage]
        self.count(self.p.stage_pending[stage], 1)
        self.count(self.p.server_pending[server], 1)
        if self.watches(stage):
            server = self.p.thread_caller[stage]
            queue = self.p.server_queue[server]
        self.bring(i, server, queue)

    cdef inline void bring(self, int64_t i, int64_t server, int64_t queue) noexcept nogil:
        cdef int64_t core
        self.unit[i].next = -1
        if self.queue_head[queue] < 0:
            self.queue_head[queue] = i
        else:
            self.unit[self.queue_tail[queue]].next = i
        self.queue_tail[queue] = i
        if self.p.server_order[server] == POOL:
            self.stir(server)
            return
        core = self.p.supply_core[self.p.server_supply[server]]
        if not self.awake[server] and self.waits[server] < 0:
            self.wake(server)
            if self.p.server_order[server] == ROUNDS and self.top(core) == server:
                self.poll_at_once(server)
        self.touch(core)

    cdef inline int64_t take(self, int64_t server) noexcept nogil:
        """Begin the unit that comes next."""
        cdef int64_t queue = self.next_queue(server), i = self.queue_head[queue]
        cdef int64_t first = self.p.server_queue[server]
        if self.p.server_order[server] == ROUNDS:
            self.take_turn(server)
        elif self.p.server_order[server] != POOL:
            if self.p.server_limit[server]:
                self.charge(server, queue)
            if self.cursor[server] != queue - first:
                self.cursor[server] = queue - first
                self.in_turn[server] = 0
            self.in_turn[server] += 1
            if self.in_turn[server] >= self.p.queue_weight[queue]:
                self.in_turn[server] = 0
                self.cursor[server] = queue + 1 - first
                if queue + 1 == self.p.server_queue[server + 1]:
                    self.cursor[server] = 0
        self.queue_head[queue] = self.unit[i].next
        self.current[server] = i
        if self.p.server_order[server] == POOL:
            self.pass_on(server, queue)
        return i

    # Timers: see twin_timers.py

    cdef inline bint skips(self, int64_t thread, int64_t due) noexcept nogil:
        """Whether a release is none, as the call before it skips it; else the timer waits."""
        if self.p.thread_caller[thread] < 0:
            return False
        if self.is_due[thread] or due <= self.called_at[thread]:
            return True
        self.is_due[thread] = 1
        return False

    cdef inline bint watches(self, int64_t stage) noexcept nogil:
        """Whether a thread of its own watches the timer that a stage is of, if any."""
        return (
            stage < self.layout.threads
            and self.p.thread_caller[stage] >= 0
            and self.p.server_order[self.p.thread_caller[stage]] == TIMERS
        )

    cdef inline void called(self, int64_t thread) noexcept nogil:
        self.is_due[thread] = 0
        self.called_at[thread] = self.s.now

    cdef void call(self, int64_t server) noexcept nogil:
        """The thread that watches timers calls all that are due, and sleeps."""
        cdef int64_t queue = self.p.server_queue[server], i, stage
        self.sleep(server)
        while self.queue_head[queue] >= 0:
            i = self.queue_head[queue]
            self.queue_head[queue] = self.unit[i].next
            stage = self.unit[i].stage
            self.called(stage)
            self.bring(i, self.p.stage_server[stage], self.p.stage_queue[stage])

    # Pools

    cdef void stir(self, int64_t pool) noexcept nogil:
        """There may be something to take: who may look for work is woken for it."""
        cdef int64_t holder = self.holder[pool]
        if holder >= 0 and self.current[holder] < 0 and self.has_work(pool):
            if not self.awake[holder]:
                self.wake(holder)
            self.touch(self.p.supply_core[self.p.server_supply[holder]])

    cdef bint _is_kept_off(self, int64_t server) noexcept nogil:
        """Whether something more urgent has its core."""
        cdef int64_t supply = self.p.server_supply[server]
        cdef int64_t other = self.top(self.p.supply_core[supply])
        return other >= 0 and (
            self.p.server_supply[other] != supply
            or self.p.server_priority[other] > self.p.server_priority[server]
        )

    cdef void pass_on(self, int64_t server, int64_t queue) noexcept nogil:
        """A thread has taken a unit: an idle one may look for more."""
        cdef int64_t pool = self.p.server_pool[server], decision = self.p.server_baton[pool]
        cdef int64_t habit = WORST, other, idle = 0, first = -1, last = -1, kept = -1, count
        if self.p.queue_group[queue] >= 0:
            self.is_busy[self.p.queue_group[queue]] = 1
        if decision >= 0:
            habit = resolved(
                self.c.decision_habit[decision], self.c.decision_turn[decision],
                self.c.decision_seed[decision], self.picks[pool], self.s.now,
            )
        other = pool
        while other < self.layout.servers and self.p.server_pool[other] == pool:
            if self.current[other] < 0:
                idle += 1
                last = other
                if first < 0:
                    first = other
                if kept < 0 and habit == WORST and self._is_kept_off(other):
                    kept = other
            other += 1
        self.holder[pool] = last if habit == BEST else kept if kept >= 0 else first
        if habit == RANDOM and idle:
            count = <int64_t>(
                mix(self.c.decision_seed[decision], self.picks[pool]) % <uint64_t>idle
            )
            other = first
            while count or self.current[other] >= 0:
                if self.current[other] < 0:
                    count -= 1
                other += 1
            self.holder[pool] = other
        self.picks[pool] += 1
        self.stir(pool)

    cdef void give_back(self, int64_t server, int64_t stage) noexcept nogil:
        """A thread has done its unit: others of the group may be taken, and it looks for work if no
        other thread does."""
        cdef int64_t pool = self.p.server_pool[server]
        cdef int64_t group = self.p.queue_group[self.p.stage_queue[stage]]
        if group >= 0:
            self.is_busy[group] = 0
        if self.holder[pool] < 0:
            self.holder[pool] = server
    # Locks

    cdef bint acquire(self, int64_t server, int64_t lock) noexcept nogil:
        """Take a lock, or sleep until it is free."""
        if self.owner[lock] < 0 or self.owner[lock] == server:
            self.owner[lock] = server
            return True
        self.waits[server] = lock
        self.s.slept += 1
        self.asleep[server] = self.s.slept
        self.sleep(server)
        self.touch(self.p.supply_core[self.p.server_supply[server]])
        return False

    cdef void release_lock(self, int64_t lock) noexcept nogil:
        """One that waits is woken, and takes it if nobody does before; who tries again and again
        sees that it is free."""
        cdef int64_t server = self._woken_next(lock), core
        self.owner[lock] = -1
        if server >= 0:
            self.waits[server] = -1
            self.wake(server)
            self.touch(self.p.supply_core[self.p.server_supply[server]])
        for core in range(self.layout.cores):
            if self.running[core] >= 0 and self.current[self.running[core]] < 0:
                self.touch(core)

    cdef int64_t _woken_next(self, int64_t lock) noexcept nogil:
        """Who is woken: the most urgent one that waits, the least urgent one, or any; -1: none."""
        cdef int64_t decision = self.p.lock_wake[lock], habit = WORST, count = 0, server, found = -1
        if decision >= 0:
            habit = resolved(
                self.c.decision_habit[decision], self.c.decision_turn[decision],
                self.c.decision_seed[decision], self.s.slept, self.s.now,
            )
        for server in range(self.layout.servers):
            if self.waits[server] == lock:
                count += 1
                if found < 0 or self._waits_before(server, found) == (habit != BEST):
                    found = server
        if habit != RANDOM or not count:
            return found
        count = <int64_t>(mix(self.c.decision_seed[decision], self.s.slept) % <uint64_t>count)
        for server in range(self.layout.servers):
            if self.waits[server] == lock:
                if not count:
                    return server
                count -= 1
        return -1

    cdef inline bint _waits_before(self, int64_t server, int64_t other) noexcept nogil:
        """Whether it is more urgent, or as urgent and has waited longer."""
        if self.p.server_priority[server] != self.p.server_priority[other]:
            return self.p.server_priority[server] > self.p.server_priority[other]
        return self.asleep[server] < self.asleep[other]

    cdef inline void account(self, int64_t core) noexcept nogil:
        """Charge the running thread for the time since."""
        if self.running[core] >= 0 and self.current[self.running[core]] >= 0:
            self.unit[self.current[self.running[core]]].left -= self.s.now - self.core_since[core]
        self.core_since[core] = self.s.now

    cdef inline bint yields(self, int64_t server) noexcept nogil:
        """Whether a thread that has just run out of work sleeps before it sees what comes now."""
        if not self.eager:
            return False
        return <int64_t>(
            mix(<int64_t>mix(self.eager_seed, server), self.finished[server]) & 0xFFFF
        ) < self.eager

    cdef inline void show(self, int64_t core, int64_t i) noexcept nogil:
        cdef int64_t shown = self.shown[core]
        if i == shown:
            return
        if shown >= 0:
            self.trace(PREEMPTED, self.unit[shown].stage, self.unit[shown].number, core)
        if i >= 0:
            self.trace(RUNS, self.unit[i].stage, self.unit[i].number, core)
        self.shown[core] = i
