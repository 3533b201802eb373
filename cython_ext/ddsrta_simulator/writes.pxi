# write() under the locks of its writer and of a queue: see twin_writes.py.

cdef enum:  # instead of the number of copies that a job has sent of a message
    AT_WRITE = -3
    IN_WRITE = -4
    IN_QUEUE = -5
    PAST_QUEUE = -6

cdef class Writes(Things):
    """What jobs do in write() with an asynchronous publication."""

    cdef inline int64_t _whole(self, Unit* u, int64_t publication) noexcept nogil:
        return amount(
            &self.c, self.p.publication_length[publication], self.message(u),
            self._job(u.job).arrival, 0, self.p.publication_write[publication],
        )

    cdef inline int64_t _before(self, Unit* u, int64_t publication) noexcept nogil:
        """How much of it comes before the sample is handed over."""
        return amount(
            &self.c, self.p.publication_split[publication], self.message(u),
            self._job(u.job).arrival, 0, self._whole(u, publication),
        )

    cdef void prepare_job(self, Unit* u) noexcept nogil:
        """The job executes until its sample is handed over, the last of it in write()."""
        cdef int64_t publication, before
        Things.prepare_job(self, u)
        if u.step == self.p.thread_step[u.target + 1] or u.copy != 0:
            return
        publication = self.p.step_publication[u.step]
        if self.p.publication_writer[publication] < 0:
            return
        before = least(u.left, self._before(u, publication))
        u.point = u.done
        u.left -= before
        u.done -= before
        u.copy = AT_WRITE

    cdef bint job_step_done(self, int64_t i) noexcept nogil:
        """A job has done a part of write(), or something else."""
        cdef Unit* u = &self.unit[i]
        if u.copy > AT_WRITE:
            return Things.job_step_done(self, i)
        self._write_step(i, self.p.step_publication[u.step])
        return False

    cdef void _write_step(self, int64_t i, int64_t publication) noexcept nogil:
        """The next part may have to wait for its lock."""
        cdef Unit* u = &self.unit[i]
        cdef int64_t server = self.p.stage_server[u.stage], done = u.done
        cdef int64_t queue = self.p.publication_queue[publication]
        if u.copy == AT_WRITE:
            if self.acquire(server, self.p.publication_writer[publication]):
                u.done = most(done, u.point - 1)
                u.copy = IN_WRITE
        elif u.copy == IN_WRITE:
            if self.acquire(server, queue):
                u.done = u.point
                u.copy = IN_QUEUE
        elif u.copy == IN_QUEUE:
            self.hand_directly(i, publication)
            self.hand_over(i, publication)
            u = &self.unit[i]
            self.release_lock(queue)
            u.done += least(
                self._whole(u, publication) - self._before(u, publication), u.execution - done
            )
            u.copy = PAST_QUEUE
        else:
            self.release_lock(self.p.publication_writer[publication])
            u.copy = 0
            u.step += 1
            self.prepare_job(u)
            return
        u.left = u.done - done
