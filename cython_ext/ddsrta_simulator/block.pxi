# The block of all numbers that a run has, apart from its pools; and how it is laid out and freed.

cdef struct Scalars:
    int64_t now
    int64_t reached
    int64_t events
    int64_t messages
    int64_t free_unit
    int64_t units
    int64_t free_job
    int64_t jobs
    int64_t slept


cdef class Block:
    """The memory of an engine."""

    cdef Layout layout
    cdef Code p
    cdef Chosen c
    cdef int64_t* chosen
    cdef int64_t tie_mode, tie_seed, eager, eager_seed
    cdef int64_t first_source, first_stream, first_link, first_core, first_timer, leaves, stride
    cdef int64_t* block
    cdef int64_t size
    cdef Scalars* s
    # events: time, tie and version of each; a tournament of who comes first
    cdef int64_t* time
    cdef int64_t* tie
    cdef int64_t* version
    cdef int64_t* winner
    # supplies, cores, servers, queues
    cdef int64_t* is_open
    cdef int64_t* supply_end
    cdef int64_t* supply_ready
    cdef int64_t* running
    cdef int64_t* core_since
    cdef int64_t* core_end
    cdef int64_t* shown
    cdef int64_t* is_dirty
    cdef int64_t* is_settled
    cdef int64_t* dirty
    cdef int64_t* settled
    cdef int64_t* current
    cdef int64_t* cursor
    cdef int64_t* in_turn  # units that the queue at the cursor has been served in its turn
    cdef int64_t* finished
    cdef int64_t* awake
    cdef int64_t* next_ready
    cdef int64_t* queue_head
    cdef int64_t* queue_tail
    cdef int64_t* turn_order
    cdef int64_t* in_round
    cdef int64_t* looks_again
    cdef int64_t* holder  # of the first thread of a pool: who may look for work
    cdef int64_t* picks
    cdef int64_t* is_busy  # of the first queue of a group
    # locks: who has each; of servers: for which they sleep, since when in order, and what they send
    # together with the unit that they are at: the first, the last, and the one that is next
    cdef int64_t* owner
    cdef int64_t* waits
    cdef int64_t* asleep
    cdef int64_t* batch_head
    cdef int64_t* batch_tail
    cdef int64_t* batch_at
    # of limited servers: when the period began, bytes in it, whether idle, whether it is over; of
    # queues: the bytes that went first
    cdef int64_t* began
    cdef int64_t* used
    cdef int64_t* is_idle
    cdef int64_t* is_over
    cdef int64_t* spent
    # ways: streams, then links
    cdef int64_t* way_last
    cdef int64_t* way_head
    cdef int64_t* way_tail
    # what threads did, and what they wait for
    cdef int64_t* released
    cdef int64_t* first_release
    cdef int64_t* is_due  # of timers: whether they wait to be called, and when they were last
    cdef int64_t* called_at
    cdef int64_t* samples
    cdef int64_t* sent
    cdef int64_t* told
    cdef int64_t* handed
    cdef int64_t* register
    cdef int64_t* token_head
    cdef int64_t* token_tail
    # what synchronizers keep: the first of a list that was not passed by, how many it has, how many
    # came, whether some were lost, or came since the last set; its member in a set, and a place for
    # the pointer to what is ahead
    cdef int64_t* token_ahead
    cdef int64_t* held
    cdef int64_t* heard
    cdef int64_t* lost
    cdef int64_t* is_new
    cdef int64_t* member
    cdef int64_t* ahead_before
    cdef int64_t* last_set
    cdef int64_t* pivot  # -1: there is no candidate
    cdef int64_t* pivot_time
    cdef int64_t* known
    cdef int64_t* known_arrival
    # measures
    cdef int64_t* worst_seen
    cdef int64_t* worst_at
    cdef int64_t* number_seen
    cdef int64_t* pending
    cdef int64_t* is_touched
    cdef int64_t* touched
    cdef int64_t* rings
    # outside of the block
    cdef int64_t* buckets
    cdef Unit* unit
    cdef int64_t unit_room
    cdef int64_t* job
    cdef int64_t job_room
    cdef Source* source
    cdef Reservation* reservation
    cdef int64_t* reservation_of  # of a supply
    cdef Placement* placement
    cdef Rows taken
    cdef Rows free_time
    cdef Rows records
    cdef Rows traced
    cdef int64_t records_size, traced_size, dirty_count, settled_count, touched_count
    cdef bint failed

    cdef int64_t* _take(self, int64_t count):
        self.size += count
        return self.block + self.size - count if self.block != NULL else NULL

    cdef void _lay(self):
        """Everything has its place in the block; the first time, only to know its size."""
        cdef Layout l = self.layout
        cdef int64_t events = self.first_timer + l.timers
        self.size = 0
        self.s = <Scalars*>self._take(sizeof(Scalars) // sizeof(int64_t))
        self.time = self._take(self.leaves)
        self.tie = self._take(self.leaves)
        self.version = self._take(events)
        self.winner = self._take(2 * self.leaves)
        self.is_open = self._take(l.supplies)
        self.supply_end = self._take(l.supplies)
        self.supply_ready = self._take(l.supplies)
        self.running = self._take(l.cores)
        self.core_since = self._take(l.cores)
        self.core_end = self._take(l.cores)
        self.shown = self._take(l.cores)
        self.is_dirty = self._take(l.cores)
        self.is_settled = self._take(l.cores)
        self.dirty = self._take(l.cores)
        self.settled = self._take(l.cores)
        self.current = self._take(l.servers)
        self.cursor = self._take(l.servers)
        self.in_turn = self._take(l.servers)
        self.finished = self._take(l.servers)
        self.awake = self._take(l.servers)
        self.next_ready = self._take(l.servers)
        self.queue_head = self._take(l.queues)
        self.queue_tail = self._take(l.queues)
        self.turn_order = self._take(l.queues)
        self.in_round = self._take(l.queues)
        self.looks_again = self._take(l.servers)
        self.holder = self._take(l.servers)
        self.picks = self._take(l.servers)
        self.is_busy = self._take(l.queues)
        self.owner = self._take(l.locks)
        self.waits = self._take(l.servers)
        self.asleep = self._take(l.servers)
        self.batch_head = self._take(l.servers)
        self.batch_tail = self._take(l.servers)
        self.batch_at = self._take(l.servers)
        self.began = self._take(l.servers)
        self.used = self._take(l.servers)
        self.is_idle = self._take(l.servers)
        self.is_over = self._take(l.servers)
        self.spent = self._take(l.queues)
        self.way_last = self._take(l.streams + l.links)
        self.way_head = self._take(l.streams + l.links)
        self.way_tail = self._take(l.streams + l.links)
        self.released = self._take(l.threads)
        self.first_release = self._take(l.threads)
        self.is_due = self._take(l.threads)
        self.called_at = self._take(l.threads)
        self.samples = self._take(l.publications)
        self.sent = self._take(l.streams)
        self.told = self._take(l.links)
        self.handed = self._take(l.hops)
        self.register = self._take(l.hops)
        self.token_head = self._take(l.hops)
        self.token_tail = self._take(l.hops)
        self.token_ahead = self._take(l.hops)
        self.held = self._take(l.hops)
        self.heard = self._take(l.hops)
        self.lost = self._take(l.hops)
        self.is_new = self._take(l.hops)
        self.member = self._take(l.hops)
        self.ahead_before = self._take(l.hops)
        self.last_set = self._take(l.threads)
        self.pivot = self._take(l.threads)
        self.pivot_time = self._take(l.threads)
        self.known = self._take(l.ends)
        self.known_arrival = self._take(l.ends)
        self.worst_seen = self._take(l.measures)
        self.worst_at = self._take(l.measures)
        self.number_seen = self._take(l.measures)
        self.pending = self._take(l.measures)
        self.is_touched = self._take(l.measures)
        self.touched = self._take(l.measures)
        self.rings = self._take(2 * l.history)

    def __init__(self, program, choices, records=0, trace=0, histograms=True):
        cdef int64_t i
        choices.check(program)
        if program.layout is None:
            program.layout = Layout(program)
        self.layout = program.layout
        self.p = self.layout.code
        self._choose(choices)
        self.first_source = self.layout.supplies
        self.first_stream = self.first_source + self.layout.sources
        self.first_link = self.first_stream + self.layout.streams
        self.first_core = self.first_link + self.layout.links
        self.first_timer = self.first_core + self.layout.cores
        self.leaves = 2
        while self.leaves < self.first_timer + self.layout.timers:
            self.leaves *= 2
        self.stride = sizeof(Job) // sizeof(int64_t) + 2 * self.layout.origins
        self._lay()
        self.block = <int64_t*>calloc(self.size, sizeof(int64_t))
        self.source = <Source*>calloc(self.layout.sources + 1, sizeof(Source))
        self.reservation = <Reservation*>calloc(self.layout.supplies + 1, sizeof(Reservation))
        self.reservation_of = <int64_t*>calloc(self.layout.supplies + 1, sizeof(int64_t))
        self.placement = <Placement*>calloc(self.layout.cores + 1, sizeof(Placement))
        if histograms:
            self.buckets = <int64_t*>calloc(self.layout.measures * BUCKETS + 1, sizeof(int64_t))
        if not (self.block and self.source and self.reservation and self.reservation_of
                and self.placement and (self.buckets or not histograms)):
            raise MemoryError
        self._lay()
        self._empty()
        self.records_size = records
        self.traced_size = trace

    cdef _choose(self, choices):
        """A copy of the choices."""
        cdef int64_t** place = <int64_t**>&self.c
        cdef int64_t used = 0, total = 1, i
        cdef array values
        arrays = [value for value in vars(choices).values() if isinstance(value, array)]
        assert sizeof(Chosen) == len(arrays) * sizeof(int64_t*)
        for values in arrays:
            total += len(values)
        self.chosen = <int64_t*>calloc(total, sizeof(int64_t))
        if self.chosen == NULL:
            raise MemoryError
        for i, values in enumerate(arrays):
            place[i] = self.chosen + used
            memcpy(place[i], values.data.as_voidptr, len(values) * sizeof(int64_t))
            used += len(values)
        self.tie_mode = choices.tie_mode
        self.tie_seed = choices.tie_seed
        self.eager = choices.eager
        self.eager_seed = choices.eager_seed

    cdef void _empty(self):
        """-1 wherever that is what there is at first."""
        cdef Layout l = self.layout
        cdef int64_t i, ring = 0, reach
        self.s.free_unit = self.s.free_job = -1
        for i in range(self.leaves):
            self.time[i] = NEVER
            self.winner[self.leaves + i] = i
        for i in range(self.leaves - 1, 0, -1):
            self.winner[i] = self.winner[2 * i]
        for i in range(l.supplies):
            self.is_open[i] = self.p.supply_budget[i] == 0
            self.supply_ready[i] = -1
        for i in range(l.cores):
            self.running[i] = self.shown[i] = -1
            self.core_end[i] = NEVER
        for i in range(l.servers):
            self.current[i] = self.waits[i] = self.batch_head[i] = -1
            self.holder[i] = i
            self.is_idle[i] = 1
            self.began[i] = -amount(
                &self.c, self.p.server_phase[i], 0, 0, 0, most(0, self.p.server_period[i] - 1)
            )
        for i in range(l.locks):
            self.owner[i] = -1
        for i in range(l.queues):
            self.queue_head[i] = -1
        for i in range(l.streams + l.links):
            self.way_head[i] = -1
        for i in range(l.threads):
            self.first_release[i] = self.last_set[i] = self.pivot[i] = -1
            self.called_at[i] = -NEVER
        for i in range(l.hops):
            self.register[i] = self.token_head[i] = self.token_ahead[i] = -1
        for i in range(l.measures):
            self.worst_seen[i] = self.worst_at[i] = -1
        for i in range(l.sources):
            reach = l.reach(i)
            self.source[i].times = self.rings + 2 * ring
            self.source[i].tails = self.rings + 2 * ring + reach
            ring += reach

    def __dealloc__(self):
        cdef int64_t i
        if self.reservation and self.layout is not None:
            for i in range(self.layout.supplies):
                free(self.reservation[i].intervals.data)
        free(self.chosen)
        free(self.block)
        free(self.buckets)
        free(self.unit)
        free(self.job)
        free(self.source)
        free(self.reservation)
        free(self.reservation_of)
        free(self.placement)
        free(self.taken.data)
        free(self.free_time.data)
        free(self.records.data)
        free(self.traced.data)

    # Pools: what is no longer needed is used again

    cdef _room(self, int64_t units, int64_t jobs):
        """Room for so many, whatever is in there now."""
        free(self.unit)
        free(self.job)
        self.unit_room = units + 64
        self.job_room = jobs + 64
        self.unit = <Unit*>calloc(self.unit_room, sizeof(Unit))
        self.job = <int64_t*>calloc(self.job_room, self.stride * sizeof(int64_t))
        if not (self.unit and self.job):
            raise MemoryError

    cdef int64_t _new_unit(self) noexcept nogil:
        cdef int64_t i = self.s.free_unit, room
        cdef void* data
        if i >= 0:
            self.s.free_unit = self.unit[i].next
            return i
        if self.s.units == self.unit_room:
            room = 64 if self.unit_room == 0 else 2 * self.unit_room
            data = realloc(self.unit, room * sizeof(Unit))
            if data == NULL:
                self.failed = True
                if self.unit_room == 0:
                    abort()
                return 0
            self.unit = <Unit*>data
            self.unit_room = room
        self.s.units += 1
        return self.s.units - 1

    cdef inline void _free_unit(self, int64_t i) noexcept nogil:
        self._drop(self.unit[i].job)
        self.unit[i].next = self.s.free_unit
        self.s.free_unit = i

    cdef inline Job* _job(self, int64_t i) noexcept nogil:
        return <Job*>(self.job + i * self.stride)

    cdef inline int64_t* _origins(self, int64_t i) noexcept nogil:
        return self.job + i * self.stride + sizeof(Job) // sizeof(int64_t)

    cdef int64_t _new_job(self) noexcept nogil:
        cdef int64_t i = self.s.free_job, room
        cdef void* data
        if i >= 0:
            self.s.free_job = self._job(i).uses
            return i
        if self.s.jobs == self.job_room:
            room = 64 if self.job_room == 0 else 2 * self.job_room
            data = realloc(self.job, room * self.stride * sizeof(int64_t))
            if data == NULL:
                self.failed = True
                if self.job_room == 0:
                    abort()
                return 0
            self.job = <int64_t*>data
            self.job_room = room
        self.s.jobs += 1
        return self.s.jobs - 1

    cdef inline void _drop(self, int64_t i) noexcept nogil:
        """One use less of a job."""
        cdef Job* job = self._job(i)
        job.uses -= 1
        if job.uses == 0:
            job.uses = self.s.free_job
            self.s.free_job = i
