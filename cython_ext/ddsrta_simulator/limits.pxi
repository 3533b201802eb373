# Limits of bytes: see twin_limits.py.

cdef class Limits(Pools):
    """What flow controllers may send."""

    cdef inline int64_t bytes_of(self, int64_t i) noexcept nogil:
        return self.p.publication_bytes[self.unit[i].target]

    cdef inline bint goes_first(self, int64_t queue) noexcept nogil:
        cdef int64_t size = self.bytes_of(self.queue_head[queue])
        return self.p.queue_share[queue] > self.spent[queue] + size

    cdef int64_t reserved_queue(self, int64_t server) noexcept nogil:
        """The first queue that has enough of its share left, else the first."""
        cdef int64_t queue, waiting = -1
        for queue in range(self.p.server_queue[server], self.p.server_queue[server + 1]):
            if self.queue_head[queue] >= 0:
                if self.goes_first(queue):
                    return queue
                if waiting < 0:
                    waiting = queue
        return waiting

    cdef void charge(self, int64_t server, int64_t queue) noexcept nogil:
        """What is begun counts."""
        cdef int64_t size = self.bytes_of(self.queue_head[queue])
        if self.goes_first(queue):
            self.spent[queue] += size
        self.used[server] += size

    cdef inline bint fits(self, int64_t server, int64_t i) noexcept nogil:
        """Whether a sample may still be sent."""
        cdef int64_t limit = self.p.server_limit[server]
        return not limit or self.used[server] + self.bytes_of(i) <= limit

    cdef void reset(self, int64_t server, int64_t time) noexcept nogil:
        """A period begins."""
        cdef int64_t queue
        self.began[server] = time
        self.used[server] = 0
        for queue in range(self.p.server_queue[server], self.p.server_queue[server + 1]):
            self.spent[queue] = 0

    cdef inline void rests(self, int64_t server) noexcept nogil:
        """It has no more work."""
        self.is_idle[server] = 1
        if self.p.server_limit[server] and (
            self.s.now - self.began[server] >= self.p.server_period[server]
        ):
            self.reset(server, self.s.now)
