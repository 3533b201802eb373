# What happened behind a job, and how long ago: see twin_paths.py.

cdef class Paths(Clock):
    """Jobs with their origins, and the measures of paths."""

    cdef int64_t make_job(self, int64_t thread, int64_t reader) noexcept nogil:
        """A job of a thread, without origins."""
        cdef int64_t j = self._new_job(), k
        cdef Job* job = self._job(j)
        cdef int64_t* origins = self._origins(j)
        job.uses = 1
        job.index = self.released[thread]
        job.arrival = job.asked = job.stamp = self.s.now
        job.reader = reader
        for k in range(self.p.thread_origins[thread]):
            origins[2 * k] = -1
        if self.released[thread] == 0:
            self.first_release[thread] = self.s.now
        self.released[thread] += 1
        return j

    cdef void carry(self, int64_t hop, int64_t source, int64_t j, bint came_last) noexcept nogil:
        """Origins go from a job to the one that it releases, or that reads it."""
        cdef int64_t k, f, t
        cdef int64_t* theirs = self._origins(source)
        cdef int64_t* own = self._origins(j)
        for k in range(self.p.hop_copy[hop], self.p.hop_copy[hop + 1]):
            f = self.p.copy_from[k]
            t = self.p.copy_to[k]
            if f < 0:
                own[2 * t] = self._job(source).arrival
                own[2 * t + 1] = 2 * self._job(source).index + came_last
            else:
                own[2 * t] = theirs[2 * f]
                own[2 * t + 1] = theirs[2 * f + 1] if came_last else theirs[2 * f + 1] & ~1

    cdef void measure_path(self, int64_t end, int64_t job) noexcept nogil:
        """A job at the end of a path is complete: how long ago its origin was."""
        cdef int64_t origin = self.p.end_origin[end], arrival, index, age, missed
        cdef bint always_last = True
        if origin < 0:
            arrival = self._job(job).arrival
            index = self._job(job).index
        else:
            arrival = self._origins(job)[2 * origin]
            if arrival < 0:
                return
            always_last = self._origins(job)[2 * origin + 1] & 1
            index = self._origins(job)[2 * origin + 1] >> 1
        age = self.s.now - arrival
        self.see(self.p.end_latency[end], age)
        if always_last:
            self.see(self.p.end_trigger[end], age)
        self.see(self.p.end_data_age[end], age)
        if index > self.known[end]:
            missed = self.known_arrival[end]
            if self.known[end] == 0:
                missed = self.first_release[self.p.end_first[end]]
            self.see(self.p.end_reaction[end], self.s.now - missed)
            self.known[end] = index
            self.known_arrival[end] = arrival
