# What synchronizers keep, and what is seen of their sets: see twin_synchronizers.py.

cdef class Tokens(Paths):
    """Tokens: a list for each hop, the first that came first. What a search has passed by is before
    `token_ahead`; the candidate is the first of each list. `asked`: when what makes a set came."""

    cdef int64_t asked

    cdef void arrive(self, int64_t thread, int64_t j, int64_t hop) noexcept nogil:
        """A job of a thread arrives: things.pxi says what then."""

    # Lists of tokens

    cdef void add_token(self, int64_t hop, int64_t source) noexcept nogil:
        cdef int64_t i = self._new_unit()
        self.unit[i].job = source
        self.unit[i].time = self.s.now
        self.unit[i].next = -1
        if self.token_head[hop] < 0:
            self.token_head[hop] = i
        else:
            self.unit[self.token_tail[hop]].next = i
        self.token_tail[hop] = i

    cdef inline int64_t stamp(self, int64_t i) noexcept nogil:
        return self._job(self.unit[i].job).stamp

    cdef inline void lose_first(self, int64_t hop) noexcept nogil:
        """The first of a list is kept no more."""
        cdef int64_t i = self.token_head[hop]
        self.token_head[hop] = self.unit[i].next
        if self.token_ahead[hop] == i:
            self.token_ahead[hop] = self.unit[i].next
        self.held[hop] -= 1
        self._free_unit(i)

    cdef void lose_stamp(self, int64_t hop, int64_t least, int64_t most_stamp) noexcept nogil:
        """Keep no more what has a stamp in between."""
        cdef int64_t i = self.token_head[hop], before = -1, following
        while i >= 0:
            following = self.unit[i].next
            if least <= self.stamp(i) <= most_stamp:
                if before < 0:
                    self.token_head[hop] = following
                else:
                    self.unit[before].next = following
                if following < 0:
                    self.token_tail[hop] = before
                self.held[hop] -= 1
                self._free_unit(i)
            else:
                before = i
            i = following

    # Sets

    cdef void make_set(self, int64_t thread) noexcept nogil:
        """The members release a job."""
        cdef int64_t first = self.p.thread_hop[thread], last = self.p.thread_hop[thread + 1]
        cdef int64_t low = NEVER, high = -NEVER, came = 0, hop, i, j
        for hop in range(first, last):
            i = self.member[hop]
            low = self.stamp(i) if self.stamp(i) < low else low
            high = most(high, self.stamp(i))
            came = most(came, self.unit[i].time)
        self.see(self.p.thread_disparity[thread], high - low)
        if self.last_set[thread] >= 0:
            self.see(self.p.thread_gap[thread], self.s.now - self.last_set[thread])
        self.last_set[thread] = self.s.now
        j = self.make_job(thread, -1)
        self._job(j).stamp = high
        if self.p.thread_inline[thread]:
            self._job(j).asked = self.asked
        for hop in range(first, last):
            i = self.member[hop]
            self.see(self.p.hop_wait[hop], self.s.now - self.unit[i].time)
            self.trace(TAKEN, hop, self.unit[i].number, self._job(j).index)
            self.carry(hop, self.unit[i].job, j, self.unit[i].time == came)
        self.arrive(thread, j, last - 1)

    cdef bint all_have(self, int64_t* which, int64_t thread) noexcept nogil:
        """Whether there is something for each hop."""
        cdef int64_t hop
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            if which[hop] < 0:
                return False
        return True
