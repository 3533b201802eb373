# What an engine keeps in memory: programs and choices as pointers, pools, and the block of the rest.

cdef extern from *:
    int __builtin_clzll(unsigned long long) noexcept nogil


cdef struct Code:  # the arrays of a Program, in the order of its fields
    int64_t* core_supply
    int64_t* supply_core
    int64_t* supply_budget
    int64_t* supply_period
    int64_t* server_supply
    int64_t* server_priority
    int64_t* server_order
    int64_t* server_queue
    int64_t* server_pending
    int64_t* server_turns
    int64_t* server_poll
    int64_t* server_late
    int64_t* server_pick
    int64_t* server_pool
    int64_t* server_baton
    int64_t* server_limit
    int64_t* server_period
    int64_t* server_phase
    int64_t* queue_share
    int64_t* server_begun
    int64_t* queue_due
    int64_t* queue_weight
    int64_t* queue_turn
    int64_t* queue_late
    int64_t* queue_group
    int64_t* stage_server
    int64_t* stage_queue
    int64_t* stage_response
    int64_t* stage_pending
    int64_t* thread_activation
    int64_t* thread_caller
    int64_t* thread_inline
    int64_t* thread_best
    int64_t* thread_worst
    int64_t* thread_decision
    int64_t* thread_point
    int64_t* thread_step
    int64_t* thread_hop
    int64_t* thread_link
    int64_t* thread_end
    int64_t* thread_origins
    int64_t* thread_room
    int64_t* thread_fires
    int64_t* thread_disparity
    int64_t* thread_gap
    int64_t* step_publication
    int64_t* publication_thread
    int64_t* publication_mode
    int64_t* publication_earliest
    int64_t* publication_best
    int64_t* publication_worst
    int64_t* publication_decision
    int64_t* publication_readers
    int64_t* publication_stage
    int64_t* publication_stream
    int64_t* publication_direct
    int64_t* publication_first
    int64_t* direct_hop
    int64_t* publication_send
    int64_t* publication_writer
    int64_t* publication_batch
    int64_t* publication_queue
    int64_t* publication_write
    int64_t* publication_length
    int64_t* publication_split
    int64_t* publication_look
    int64_t* publication_bytes
    int64_t* lock_none
    int64_t* lock_wake
    int64_t* stream_hop
    int64_t* stream_stage
    int64_t* stream_ddl
    int64_t* net_best
    int64_t* net_worst
    int64_t* net_decision
    int64_t* net_loose
    int64_t* read_best
    int64_t* read_worst
    int64_t* read_decision
    int64_t* stream_transfer
    int64_t* transfer_stream
    int64_t* transfer_stage
    int64_t* transfer_frame
    int64_t* transfer_decision
    int64_t* transfer_tail
    int64_t* transfer_late
    int64_t* frame_best
    int64_t* frame_worst
    int64_t* link_hop
    int64_t* link_best
    int64_t* link_worst
    int64_t* link_decision
    int64_t* link_loose
    int64_t* hop_target
    int64_t* hop_reader
    int64_t* hop_queue
    int64_t* hop_wait
    int64_t* hop_copy
    int64_t* copy_from
    int64_t* copy_to
    int64_t* end_origin
    int64_t* end_first
    int64_t* end_latency
    int64_t* end_trigger
    int64_t* end_data_age
    int64_t* end_reaction
    int64_t* source_thread
    int64_t* source_model
    int64_t* source_period
    int64_t* source_b
    int64_t* source_c
    int64_t* source_gap
    int64_t* source_pause
    int64_t* source_most
    int64_t* source_distance
    int64_t* source_leader
    int64_t* source_offset
    int64_t* source_span
    int64_t* distances


cdef struct Chosen:  # the arrays of Choices, likewise
    int64_t* decision_habit
    int64_t* decision_turn
    int64_t* decision_seed
    int64_t* source_kind
    int64_t* source_moment
    int64_t* source_seed
    int64_t* source_jitter
    int64_t* source_pause
    int64_t* supply_phase
    int64_t* supply_habit
    int64_t* supply_turn
    int64_t* supply_seed


cdef struct Unit:  # a piece of work, a message on its way, or a token; `next` in its queue
    int64_t next
    int64_t job
    int64_t time  # when it arrives where it travels to; of a token: when it came
    int64_t stage
    int64_t target
    int64_t number
    int64_t arrival
    int64_t since
    int64_t left
    int64_t execution
    int64_t step
    int64_t copy
    int64_t done
    int64_t sent
    int64_t lock
    int64_t point  # of a message in write(): when it is handed over; of a sample: see batches.pxi


cdef struct Job:  # followed by its origins: release, and twice the index plus whether always last
    int64_t uses  # by units, registers and whatever else will look at it; free: the next free one
    int64_t index
    int64_t arrival
    int64_t asked  # from when its response counts: behind subscriptions, the last message
    int64_t reader
    int64_t stamp


cdef struct Rows:  # that grow
    int64_t* data
    int64_t count
    int64_t room


cdef bint grow(Rows* rows, int64_t count) noexcept nogil:
    """Room for so many more numbers."""
    cdef int64_t room = rows.room
    cdef void* data
    if rows.count + count <= room:
        return True
    while room < rows.count + count:
        room = 64 if room == 0 else 2 * room
    data = realloc(rows.data, room * sizeof(int64_t))
    if data == NULL:
        return False
    rows.data = <int64_t*>data
    rows.room = room
    return True


cdef class Layout:
    """A program in memory of its own; shared by all runs of it."""

    cdef Code code
    cdef int64_t* block
    cdef int64_t cores, supplies, servers, queues, stages, threads, publications, streams
    cdef int64_t samples_end  # the first stage that is none of a job or sample
    cdef int64_t links, hops, ends, sources, measures, history, origins, locks, crc
    cdef int64_t timers  # a server each, where some sleep for their limits
    cdef object placements  # of each core: the supplies with a budget, shortest periods first

    def __init__(self, program):
        cdef int64_t used = 0, total = 0, i
        cdef int64_t** place = <int64_t**>&self.code
        cdef array values
        arrays = [getattr(program, f.name) for f in fields(program) if f.type == "array[int]"]
        assert sizeof(Code) == len(arrays) * sizeof(int64_t*)
        for values in arrays:
            total += len(values) + 1
        self.block = <int64_t*>calloc(total, sizeof(int64_t))
        if self.block == NULL:
            raise MemoryError
        for i, values in enumerate(arrays):
            place[i] = self.block + used
            memcpy(place[i], values.data.as_voidptr, len(values) * sizeof(int64_t))
            used += len(values) + 1
        self.cores = len(program.cores)
        self.supplies = len(program.supply_core)
        self.servers = len(program.server_supply)
        self.queues = program.server_queue[self.servers]
        self.stages = len(program.stage_server)
        self.threads = len(program.thread_worst)
        self.publications = len(program.publication_mode)
        self.streams = len(program.stream_hop)
        self.samples_end = self.stages - self.streams - len(program.transfer_stage)
        self.links = len(program.link_hop)
        self.hops = len(program.hop_target)
        self.locks = len(program.lock_none)
        self.timers = self.servers if any(program.server_limit) else 0
        self.ends = len(program.end_first)
        self.sources = len(program.source_thread)
        self.measures = len(program.measures)
        self.origins = max(program.thread_origins, default=0)
        self.crc = crc32(b"".join([values.tobytes() for values in arrays]))
        starts = program.core_supply
        self.placements = [
            sorted(
                (s for s in range(first, last) if program.supply_budget[s]),
                key=lambda s: program.supply_period[s],
            )
            for first, last in zip(starts, starts[1:])
        ]
        for i in range(self.sources):
            self.history += self.reach(i)

    def __dealloc__(self):
        free(self.block)

    cdef int64_t reach(self, int64_t source) noexcept nogil:
        """How many releases a source has to remember."""
        if self.code.source_model[source] == BURST:
            return self.code.source_b[source]
        return self.code.source_distance[source + 1] - self.code.source_distance[source]
