# What threads do to each other: see twin.py.

cdef enum:  # instead of the number of copies that a job has sent of a message
    AT_POINT = -1
    PAST_POINT = -2

cdef class Things(Matching):
    """Jobs, samples, messages and tokens."""

    # Jobs

    cdef void arrive(self, int64_t thread, int64_t j, int64_t hop) noexcept nogil:
        """A job of a thread arrives; the hop is what released it."""
        cdef int64_t i = self._new_unit(), index = self._job(j).index
        cdef Unit* u = &self.unit[i]
        u.job = j
        u.stage = u.target = thread
        u.number = index
        u.arrival = u.since = self.s.now
        u.copy = u.done = u.sent = 0
        u.step = self.p.thread_step[thread]
        u.execution = amount(
            &self.c, self.p.thread_decision[thread], index, self.s.now,
            self.p.thread_best[thread], self.p.thread_worst[thread],
        )
        self.trace(ARRIVED, thread, index, hop)
        self.prepare_job(u)
        self.push(i, self.p.hop_queue[hop] if hop >= 0 else self.p.stage_queue[thread])

    cdef inline void begin(self, int64_t server) noexcept nogil:
        """A unit begins; a job of a thread released by time reads the newest of everything."""
        cdef int64_t i = self.take(server), thread = self.unit[i].stage, hop
        if thread < self.layout.threads and not self.watches(thread):
            self.called(thread)
        if thread < self.layout.threads and self.p.thread_activation[thread] == TIMED:
            for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
                if self.register[hop] >= 0:
                    self.carry(hop, self.register[hop], self.unit[i].job, False)

    # Steps: executing, handing over and sending, in program order

    cdef inline int64_t readers(self, int64_t publication) noexcept nogil:
        return self.p.publication_stream[publication + 1] - self.p.publication_stream[publication]

    cdef inline int64_t message(self, Unit* u) noexcept nogil:
        """The number of the message that a job is about to send, of all of its thread."""
        cdef int64_t first = self.p.thread_step[u.target]
        return u.number * (self.p.thread_step[u.target + 1] - first) + u.step - first

    cdef inline int64_t sending(
        self, int64_t publication, int64_t message, int64_t copy, int64_t time
    ) noexcept nogil:
        """The cost of sending one copy."""
        return amount(
            &self.c, self.p.publication_decision[publication],
            message * self.readers(publication) + copy, time,
            self.p.publication_best[publication], self.p.publication_worst[publication],
        )

    cdef void prepare_job(self, Unit* u) noexcept nogil:
        """How long it takes until the job has sent its next copy, or is complete."""
        cdef int64_t thread = u.target, publication, low, point, cost
        u.lock = -1
        if u.step == self.p.thread_step[thread + 1]:
            u.left = u.execution - u.done
            return
        u.left = 0
        publication = self.p.step_publication[u.step]
        if u.copy == 0:  # else the message was begun before
            low = most(u.done, self.p.publication_earliest[publication] - u.sent)
            point = amount(
                &self.c, self.p.thread_point[thread], self.message(u), self._job(u.job).arrival,
                low, u.execution,
            )
            u.left = point - u.done
            u.done = point
            if (
                self.p.publication_send[publication] >= 0
                and self.p.publication_mode[publication] != ASYNC
            ) or self.is_direct_first(u, publication):
                u.copy = AT_POINT
                return
        if self.p.publication_mode[publication] != ASYNC:
            u.lock = self.p.publication_send[publication]
            cost = self.sending(publication, self.message(u), most(0, u.copy), self._job(u.job).arrival)
            u.left += cost
            u.sent += cost

    cdef bint job_step_done(self, int64_t i) noexcept nogil:
        """A job has handed over a sample, or sent a copy, or is complete."""
        cdef int64_t publication
        cdef Unit* u = &self.unit[i]
        if u.step == self.p.thread_step[u.target + 1]:
            return True
        publication = self.p.step_publication[u.step]
        if u.copy == AT_POINT:
            if self.is_direct_first(u, publication):
                self.hand_directly(i, publication)
            u = &self.unit[i]
            u.copy = PAST_POINT
        elif self.p.publication_mode[publication] == ASYNC:
            self.hand_directly(i, publication)
            if self.p.publication_stage[publication] >= 0:
                self.hand_over(i, publication)
            u = &self.unit[i]
            u.step += 1
        else:
            u.copy = most(0, u.copy)
            self.leave(i, publication, self.message(u), self._job(u.job).arrival)
            u = &self.unit[i]
            if u.copy == self.readers(publication):
                self.let_go(u)
                if not self.is_direct_first(u, publication):
                    self.hand_directly(i, publication)
                    u = &self.unit[i]
                u.copy = 0
                u.step += 1
        self.prepare_job(u)
        return False

    cdef inline void let_go(self, Unit* u) noexcept nogil:
        """The lock under which a message was sent, if that took any time."""
        if u.lock >= 0 and self.owner[u.lock] == self.p.stage_server[u.stage]:
            self.release_lock(u.lock)

    cdef inline bint is_direct_first(self, Unit* u, int64_t publication) noexcept nogil:
        """Whether readers in the same process have a message before copies of it are sent."""
        if self.p.publication_mode[publication] == ASYNC or (
            self.p.publication_direct[publication] == self.p.publication_direct[publication + 1]
        ):
            return False
        return amount(
            &self.c, self.p.publication_first[publication], self.message(u),
            self._job(u.job).arrival, 0, 1,
        ) == 1

    cdef inline void hand_directly(self, int64_t i, int64_t publication) noexcept nogil:
        """Readers in the same process have the message at once."""
        cdef int64_t k, hop, job = self.unit[i].job
        for k in range(
            self.p.publication_direct[publication], self.p.publication_direct[publication + 1]
        ):
            hop = self.p.direct_hop[k]
            self.trace(HANDED, hop, self.handed[hop], self._job(job).index)
            self.handed[hop] += 1
            self.s.messages += 1
            self.inform(hop, job)

    cdef int64_t carrier(self, int64_t i, int64_t stage, int64_t target, int64_t number) noexcept nogil:
        """A new unit that carries on the job of another."""
        cdef int64_t new = self._new_unit()
        cdef Unit* u = &self.unit[new]
        cdef bint is_job
        u.job = self.unit[i].job
        u.stage = stage
        u.target = target
        u.number = number
        u.copy = u.step = u.point = 0
        u.lock = -1
        u.arrival = self.s.now
        is_job = self.unit[i].stage < self.layout.threads
        u.since = self._job(u.job).asked if is_job else self.unit[i].since
        self._job(u.job).uses += 1
        return new

    cdef void hand_over(self, int64_t i, int64_t publication) noexcept nogil:
        """An asynchronous publication: the sample goes into the queue of the flow controller."""
        cdef int64_t stage = self.p.publication_stage[publication]
        cdef int64_t number = self.samples[publication], new
        self.samples[publication] += 1
        self.trace(PUBLISHED, stage, number, self.unit[i].number)
        self.trace(ARRIVED, stage, number, -1)
        new = self.carrier(i, stage, publication, number)
        self.unit[new].since = self.s.now
        self.unit[new].left = self.sending(publication, number, 0, self.s.now)
        self.unit[new].lock = self.p.publication_send[publication]
        self.push(new, self.p.stage_queue[stage])

    cdef bint sample_step_done(self, int64_t i) noexcept nogil:
        """A copy has been sent by a flow controller."""
        cdef Unit* u = &self.unit[i]
        self.leave(i, u.target, u.number, u.arrival)
        u = &self.unit[i]
        if u.copy == self.readers(u.target):
            return True
        u.left = self.sending(u.target, u.number, u.copy, u.arrival)
        return False

    cdef void leave(
        self, int64_t i, int64_t publication, int64_t message, int64_t time
    ) noexcept nogil:
        """A copy leaves; it arrives after all that went before it to the same reader."""
        cdef int64_t stream, number
        stream = self.p.publication_stream[publication] + reader(
            &self.c, self.p.publication_readers[publication], message, time,
            self.readers(publication), self.unit[i].copy,
        )
        self.unit[i].copy += 1
        number = self.sent[stream]
        self.sent[stream] += 1
        self.trace(SENT, stream, number, self._job(self.unit[i].job).index)
        self.hand_on(i, self.p.stream_transfer[stream], stream, number)

    # Links: see twin_transfers.py

    cdef void hand_on(
        self, int64_t i, int64_t transfer, int64_t stream, int64_t number
    ) noexcept nogil:
        """A copy arrives at the next link on its way, or has passed the last one."""
        cdef int64_t stage, server, thread, new
        if transfer == self.p.stream_transfer[stream + 1]:
            self.set_out(i, stream, number)
            return
        stage = self.p.transfer_stage[transfer]
        server = self.p.stage_server[stage]
        thread = self.p.server_begun[server]
        if thread >= 0 and not self.awake[server]:
            self.arrive(thread, self.make_job(thread, -1), -1)
        self.trace(ARRIVED, stage, number, -1)
        new = self.carrier(i, stage, transfer, number)
        self._next_frame(&self.unit[new])
        self.push(new, self.p.stage_queue[stage])

    cdef void _next_frame(self, Unit* u) noexcept nogil:
        """How long the next frame takes; the last one, until it is received."""
        cdef int64_t first = self.p.transfer_frame[u.target]
        cdef int64_t last = self.p.transfer_frame[u.target + 1]
        cdef int64_t frame = first + u.step, tail = self.p.transfer_tail[u.target]
        u.left = amount(
            &self.c, self.p.transfer_decision[u.target], u.number * (last - first) + u.step,
            u.arrival, self.p.frame_best[frame], self.p.frame_worst[frame],
        )
        if frame + 1 == last:
            tail -= amount(&self.c, self.p.transfer_late[u.target], u.number, u.arrival, 0, tail)
            u.point = least(tail, u.left)
            u.left -= u.point

    cdef bint transfer_step_done(self, int64_t server, int64_t i) noexcept nogil:
        """A frame has been sent, or the last one received, or its end has been sent, too."""
        cdef Unit* u = &self.unit[i]
        cdef int64_t transfer = u.target, queue = self.p.stage_queue[u.stage]
        cdef int64_t count = self.p.transfer_frame[transfer + 1] - self.p.transfer_frame[transfer]
        u.step += 1
        if u.step < count:
            self._next_frame(u)
            if u.left > 0:
                u.next = self.queue_head[queue]
                if u.next < 0:
                    self.queue_tail[queue] = i
                self.queue_head[queue] = i
                self.current[server] = -1
        elif u.step == count:
            self.hand_on(i, transfer + 1, self.p.transfer_stream[transfer], u.number)
            u = &self.unit[i]
            u.left = u.point
        return u.step > count

    cdef void set_out(self, int64_t i, int64_t stream, int64_t number) noexcept nogil:
        """A copy is on its way to the listener."""
        cdef int64_t delay = amount(
            &self.c, self.p.net_decision[stream], number, self.s.now,
            self.p.net_best[stream], self.p.net_worst[stream],
        )
        cdef int64_t new = self.carrier(i, self.p.stream_stage[stream], stream, number)
        self.travel(stream, new, delay)

    # Ways: streams, then links

    cdef void travel(self, int64_t way, int64_t i, int64_t delay) noexcept nogil:
        """Something sets out; it arrives after all that went before it."""
        cdef bint alone = self.way_head[way] < 0
        if self.is_loose(way):
            self.wander(way, i, delay)
            return
        self.way_last[way] = most(self.way_last[way], self.s.now + delay)
        if self.way_last[way] == self.s.now and alone:
            self.arrived(way, i)
            return
        self.unit[i].next = -1
        self.unit[i].time = self.way_last[way]
        if alone:
            self.way_head[way] = i
        else:
            self.unit[self.way_tail[way]].next = i
        self.way_tail[way] = i
        if self.way_last[way] == self.s.now:
            self.arrived(way, self.first_of(way))
        elif alone:
            self.at(self.first_stream + way, self.way_last[way])

    cdef inline bint is_loose(self, int64_t way) noexcept nogil:
        """Whether what travels may overtake."""
        if way < self.layout.streams:
            return self.p.net_loose[way]
        return self.p.link_loose[way - self.layout.streams]

    cdef void wander(self, int64_t way, int64_t i, int64_t delay) noexcept nogil:
        """Something sets out where what takes less time comes first."""
        cdef int64_t before = -1, after = self.way_head[way]
        if delay == 0:
            self.arrived(way, i)
            return
        self.unit[i].time = self.s.now + delay
        while after >= 0 and self.unit[after].time <= self.unit[i].time:
            before = after
            after = self.unit[after].next
        self.unit[i].next = after
        if after < 0:
            self.way_tail[way] = i
        if before >= 0:
            self.unit[before].next = i
            return
        self.way_head[way] = i
        self.at(self.first_stream + way, self.unit[i].time)

    cdef int64_t first_of(self, int64_t way) noexcept nogil:
        """The first arrives; the next one will."""
        cdef int64_t i = self.way_head[way], following = self.unit[i].next
        self.way_head[way] = following
        self.at(self.first_stream + way, self.unit[following].time if following >= 0 else NEVER)
        return i

    cdef void arrived(self, int64_t way, int64_t i) noexcept nogil:
        cdef Unit* u = &self.unit[i]
        cdef int64_t job = u.job
        if way >= self.layout.streams:  # the follower hears of a completed job
            self.inform(self.p.link_hop[way - self.layout.streams], job)
            self._free_unit(i)
            return
        u.arrival = self.s.now
        u.left = amount(
            &self.c, self.p.read_decision[way], u.number, self.s.now,
            self.p.read_best[way], self.p.read_worst[way],
        )
        self.trace(RECEIVED, way, u.number, self._job(job).index)
        self.trace(ARRIVED, u.stage, u.number, -1)
        self.push(i, self.p.stage_queue[u.stage])

    cdef void deliver(self, int64_t i) noexcept nogil:
        """The listener has finished: the message is with its reader."""
        cdef Unit* u = &self.unit[i]
        cdef int64_t stream = u.target, job = u.job
        self.s.messages += 1
        self.see(self.p.stream_ddl[stream], self.s.now - u.since)
        self.trace(DELIVERED, stream, u.number, self._job(job).index)
        self.inform(self.p.stream_hop[stream], job)

    # Jobs and those who wait for them

    cdef void inform(self, int64_t hop, int64_t source) noexcept nogil:
        """An input of a thread has something new."""
        cdef int64_t thread = self.p.hop_target[hop], j
        if self.p.thread_activation[thread] == EACH:
            self.count(self.p.hop_reader[hop], 1)
            j = self.make_job(thread, self.p.hop_reader[hop])
            self._job(j).stamp = self._job(source).stamp
            self.carry(hop, source, j, True)
            self.arrive(thread, j, hop)
            return
        self._job(source).uses += 1
        if self.p.thread_activation[thread] == TIMED:
            if self.register[hop] >= 0:
                self._drop(self.register[hop])
            self.register[hop] = source
            return
        self.add_token(hop, source)
        if self.p.thread_activation[thread] >= EXACT:
            self.asked = self._job(source).asked
            self.match(thread, hop)
            return
        for j in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            if self.token_head[j] < 0:
                return
        self.join(thread)

    cdef void join(self, int64_t thread) noexcept nogil:
        """One token of each input releases a job."""
        cdef int64_t first = self.p.thread_hop[thread], last = self.p.thread_hop[thread + 1]
        cdef int64_t hop, i, came = 0, asked = 0, j = self.make_job(thread, -1)
        self._job(j).stamp = -NEVER
        for hop in range(first, last):
            i = self.token_head[hop]
            came = most(came, self.unit[i].time)
            asked = most(asked, self._job(self.unit[i].job).asked)
            self._job(j).stamp = most(self._job(j).stamp, self.stamp(i))
        for hop in range(first, last):
            i = self.token_head[hop]
            self.token_head[hop] = self.unit[i].next
            self.carry(hop, self.unit[i].job, j, self.unit[i].time == came)
            self._free_unit(i)
        if self.p.thread_inline[thread]:
            self._job(j).asked = asked
        self.arrive(thread, j, last - 1)

    cdef void completed(self, int64_t i) noexcept nogil:
        """A job, a sample or a message is complete."""
        cdef Unit* u = &self.unit[i]
        cdef int64_t thread = u.stage, job = u.job, k, new, delay
        if thread >= self.layout.threads:
            self.see(self.p.stage_response[thread], self.s.now - u.arrival)
            return
        self.see(self.p.stage_response[thread], self.s.now - self._job(job).asked)
        self.count(self._job(job).reader, -1)
        for k in range(self.p.thread_end[thread], self.p.thread_end[thread + 1]):
            self.measure_path(k, job)
        for k in range(self.p.thread_link[thread], self.p.thread_link[thread + 1]):
            delay = amount(
                &self.c, self.p.link_decision[k], self.told[k], self.s.now,
                self.p.link_best[k], self.p.link_worst[k],
            )
            self.told[k] += 1
            new = self.carrier(i, thread, thread, 0)
            self.travel(self.layout.streams + k, new, delay)
