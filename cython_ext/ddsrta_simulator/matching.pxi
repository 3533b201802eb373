# Which messages a synchronizer puts together: see matching.py.

cdef class Matching(Approximate):
    """The policies."""

    cdef void match(self, int64_t thread, int64_t hop) noexcept nogil:
        """A message has come to a synchronizer: the last of its list."""
        cdef int64_t policy = self.p.thread_activation[thread]
        self.unit[self.token_tail[hop]].number = self.heard[hop]
        self.heard[hop] += 1
        self.held[hop] += 1
        if policy == EXACT:
            self.match_exact(thread, hop)
        elif policy == APPROXIMATE:
            self.match_approximate(thread, hop)
        elif policy == LATEST:
            self.match_latest(thread, hop)
        else:
            self.match_nearest(thread, hop)

    # exact_time: the sets of one stamp

    cdef void match_exact(self, int64_t thread, int64_t hop) noexcept nogil:
        cdef int64_t first = self.p.thread_hop[thread], last = self.p.thread_hop[thread + 1]
        cdef int64_t i, each, oldest, stamp = self.stamp(self.token_tail[hop])
        self.replace(hop, stamp)
        for each in range(first, last):
            self.member[each] = self.with_stamp(each, stamp)
        if self.all_have(self.member, thread):
            self.make_set(thread)
            for each in range(first, last):
                self.lose_stamp(each, -NEVER, stamp)
        while self.p.thread_room[thread] and self.stamps(thread) > self.p.thread_room[thread]:
            oldest = NEVER
            for each in range(first, last):
                i = self.token_head[each]
                while i >= 0:
                    oldest = self.stamp(i) if self.stamp(i) < oldest else oldest
                    i = self.unit[i].next
            for each in range(first, last):
                self.lose_stamp(each, oldest, oldest)

    cdef void replace(self, int64_t hop, int64_t stamp) noexcept nogil:
        """The last of a list takes the place of another with its stamp."""
        cdef int64_t i = self.with_stamp(hop, stamp), before
        if i == self.token_tail[hop]:
            return
        if i == self.token_head[hop]:
            self.token_head[hop] = self.unit[i].next
        else:
            before = self.token_head[hop]
            while self.unit[before].next != i:
                before = self.unit[before].next
            self.unit[before].next = self.unit[i].next
        self.held[hop] -= 1
        self._free_unit(i)

    cdef int64_t with_stamp(self, int64_t hop, int64_t stamp) noexcept nogil:
        """The first of a list with this stamp, if any."""
        cdef int64_t i = self.token_head[hop]
        while i >= 0 and self.stamp(i) != stamp:
            i = self.unit[i].next
        return i

    cdef int64_t stamps(self, int64_t thread) noexcept nogil:
        """How many different stamps are kept."""
        cdef int64_t first = self.p.thread_hop[thread], count = 0, hop, other, i
        for hop in range(first, self.p.thread_hop[thread + 1]):
            i = self.token_head[hop]
            while i >= 0:
                count += 1
                for other in range(first, hop):
                    if self.with_stamp(other, self.stamp(i)) >= 0:
                        count -= 1
                        break
                i = self.unit[i].next
        return count

    # latest: one of each

    cdef void match_latest(self, int64_t thread, int64_t hop) noexcept nogil:
        cdef int64_t first = self.p.thread_hop[thread], last = self.p.thread_hop[thread + 1]
        cdef int64_t each, turn = self.unit[self.token_tail[hop]].number
        if self.held[hop] > 1:
            self.lose_first(hop)
        turn = turn * (last - first) + hop - first
        if self.all_have(self.token_head, thread) and amount(
            &self.c, self.p.thread_fires[thread], turn, self.s.now, 0, 1
        ):
            for each in range(first, last):
                self.member[each] = self.token_head[each]
            self.make_set(thread)

    # mtd: the older of the newest, and the nearest

    cdef void match_nearest(self, int64_t thread, int64_t hop) noexcept nogil:
        cdef int64_t first = self.p.thread_hop[thread], old, other, stamp, i, best, off
        cdef int64_t nearest = -1
        if self.p.thread_room[thread] and self.held[hop] > self.p.thread_room[thread]:
            self.lose_first(hop)
        self.is_new[hop] = 1
        if not self.all_have(self.token_head, thread):
            return
        old = first
        if self.stamp(self.token_tail[first]) > self.stamp(self.token_tail[first + 1]):
            old = first + 1
        other = 2 * first + 1 - old
        stamp = self.stamp(self.token_tail[old])
        if self.is_new[first] and self.is_new[first + 1]:
            self.is_new[first] = self.is_new[first + 1] = 0
            best = NEVER
            i = self.token_head[other]
            while i >= 0:
                off = self.stamp(i) - stamp
                off = off if off >= 0 else -off
                if off < best:
                    best = off
                    nearest = i
                i = self.unit[i].next
            self.member[old] = self.token_tail[old]
            self.member[other] = nearest
            self.make_set(thread)
        for other in range(first, first + 2):
            while self.held[other] > 1 and (
                self.stamp(self.unit[self.token_head[other]].next) <= stamp
            ):
                self.lose_first(other)
