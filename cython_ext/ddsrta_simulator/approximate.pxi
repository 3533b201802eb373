# The search of approximate_time for the best set with the pivot: see matching.py.

cdef inline int64_t penalised(int64_t time) noexcept nogil:
    """With the age penalty; rounded towards 0."""
    return time * 11 // 10


cdef class Approximate(Tokens):
    """What has been passed by is before `token_ahead`; the candidate is the first of each list."""

    cdef void match_approximate(self, int64_t thread, int64_t hop) noexcept nogil:
        if self.token_ahead[hop] < 0:
            self.token_ahead[hop] = self.token_tail[hop]
            self.process(thread)
        if self.p.thread_room[thread] and self.held[hop] > self.p.thread_room[thread]:
            self.recover(thread)
            self.lose_first(hop)
            self.lost[hop] = 1
            if self.pivot[thread] >= 0:
                self.pivot[thread] = -1
                self.process(thread)

    cdef void recover(self, int64_t thread) noexcept nogil:
        """What the search has passed by is ahead again."""
        cdef int64_t hop
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            self.token_ahead[hop] = self.token_head[hop]

    cdef void publish(self, int64_t thread) noexcept nogil:
        """The candidate is the set."""
        cdef int64_t first = self.p.thread_hop[thread], last = self.p.thread_hop[thread + 1], hop
        for hop in range(first, last):
            self.member[hop] = self.token_head[hop]
        self.make_set(thread)
        self.pivot[thread] = -1
        self.recover(thread)
        for hop in range(first, last):
            self.lose_first(hop)

    cdef void extent(
        self, int64_t* which, int64_t thread, int64_t otherwise, int64_t* low, int64_t* high
    ) noexcept nogil:
        """The least and the largest stamp of these tokens; where there is none, another counts.
        Then `low[1]` is the first hop with the least, `high[1]` the last with the largest."""
        cdef int64_t hop, stamp
        low[0] = NEVER
        high[0] = -NEVER
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            stamp = self.stamp(which[hop]) if which[hop] >= 0 else otherwise
            if stamp < low[0]:
                low[0] = stamp
                low[1] = hop
            if stamp >= high[0]:
                high[0] = stamp
                high[1] = hop

    cdef void take_candidate(self, int64_t thread) noexcept nogil:
        """What is ahead is a better candidate."""
        cdef int64_t hop
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            while self.token_head[hop] != self.token_ahead[hop]:
                self.lose_first(hop)

    cdef inline void pass_by(self, int64_t hop) noexcept nogil:
        self.token_ahead[hop] = self.unit[self.token_ahead[hop]].next

    cdef void process(self, int64_t thread) noexcept nogil:
        """As far as messages allow."""
        cdef int64_t hop
        cdef int64_t start[2]
        cdef int64_t end[2]
        cdef int64_t candidate_start[2]
        cdef int64_t candidate_end[2]
        while self.all_have(self.token_ahead, thread):
            self.extent(self.token_ahead, thread, 0, start, end)
            for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
                if hop != end[1]:
                    self.lost[hop] = 0
            if self.pivot[thread] < 0:
                if self.lost[end[1]]:
                    self.lose_first(start[1])
                    continue
                self.take_candidate(thread)
                self.pivot[thread] = end[1]
                self.pivot_time[thread] = end[0]
            else:
                self.extent(self.token_head, thread, 0, candidate_start, candidate_end)
                if penalised(end[0] - candidate_end[0]) < start[0] - candidate_start[0]:
                    self.take_candidate(thread)
            self.pass_by(start[1])
            self.decide_set(thread, start[1], end[0])

    cdef void decide_set(self, int64_t thread, int64_t earliest, int64_t end) noexcept nogil:
        """Publishes the candidate if nothing can be better."""
        cdef int64_t best
        cdef int64_t low[2]
        cdef int64_t high[2]
        self.extent(self.token_head, thread, 0, low, high)
        best = self.pivot_time[thread] - low[0]
        if earliest == self.pivot[thread] or penalised(end - high[0]) >= best:
            self.publish(thread)
        elif not self.all_have(self.token_ahead, thread):
            self.look_ahead(thread, best, low[0], high[0])

    cdef void look_ahead(
        self, int64_t thread, int64_t best, int64_t low, int64_t high
    ) noexcept nogil:
        """What is still to come can have no stamp before the pivot's: can it be better?"""
        cdef int64_t hop, later
        cdef int64_t start[2]
        cdef int64_t end[2]
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            self.ahead_before[hop] = self.token_ahead[hop]
        while True:
            self.extent(self.token_ahead, thread, self.pivot_time[thread], start, end)
            later = penalised(end[0] - high)
            if later >= best:
                self.publish(thread)
                return
            if later < start[0] - low:
                for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
                    self.token_ahead[hop] = self.ahead_before[hop]
                return
            self.pass_by(start[1])  # there is one: where it is the pivot's time, we are done
