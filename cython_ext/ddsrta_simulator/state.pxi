# The engine as Python sees it, with its checkpoints.

cdef enum:
    MAGIC = 0x64647338  # the format of states: to be changed with the layout of the block
    UNIT = 16  # numbers in one


cdef bytes numbers(int64_t* data, int64_t count):
    return (<char*>data)[: count * sizeof(int64_t)] if count else b""


cdef class Engine:
    """A program in motion; the twin has the same methods."""

    cdef Moves _m

    def __init__(self, program, choices, records=0, trace=0, histograms=True):
        self._m = Moves(program, choices, records, trace, histograms)
        self._m.begin_all()
        self._check()

    cdef _check(self):
        if self._m.failed:
            raise MemoryError("the simulation needs more memory than there is")

    def advance(self, int64_t until):
        cdef int64_t reached
        cdef Moves m = self._m
        with nogil:
            reached = m.go(until)
        self._check()
        return reached

    @property
    def events(self):
        return self._m.s.events

    @property
    def messages(self):
        return self._m.s.messages

    def worst(self):
        return array("q", numbers(self._m.worst_seen, self._m.layout.measures))

    def worst_at(self):
        return array("q", numbers(self._m.worst_at, self._m.layout.measures))

    def counts(self):
        return array("q", numbers(self._m.number_seen, self._m.layout.measures))

    def histogram(self, int64_t measure):
        if not 0 <= measure < self._m.layout.measures:
            raise IndexError(measure)
        if not self._m.buckets:
            return array("q", bytes(8 * BUCKETS))
        return array("q", numbers(self._m.buckets + measure * BUCKETS, BUCKETS))

    def take_records(self):
        rows = array("q", numbers(self._m.records.data, self._m.records.count))
        self._m.records.count = 0
        return rows

    def take_trace(self):
        rows = array("q", numbers(self._m.traced.data, self._m.traced.count))
        self._m.traced.count = 0
        return rows

    cdef list _header(self):
        """What a state has to agree with."""
        cdef Moves m = self._m
        return [MAGIC, m.layout.crc, self._choices_crc(), m.size, m.buckets != NULL]

    cdef int64_t _choices_crc(self):
        cdef Moves m = self._m
        cdef int64_t open_ones = m.c.source_kind - m.c.decision_habit
        cdef int64_t count = open_ones + 5 * m.layout.sources + 4 * m.layout.supplies
        rest = array("q", [m.tie_mode, m.tie_seed, m.eager, m.eager_seed])
        return crc32(rest.tobytes(), crc32(numbers(m.chosen, count)))

    def state(self):
        """All numbers of the run, by index: no pointers."""
        cdef Moves m = self._m
        cdef Layout l = m.layout
        cdef int64_t i
        parts = [numbers(m.block, m.size), numbers(<int64_t*>m.unit, m.s.units * UNIT)]
        parts.append(numbers(m.job, m.s.jobs * m.stride))
        for i in range(l.sources):
            parts.append(numbers(<int64_t*>&m.source[i], 6))
        for i in range(l.supplies):
            parts.append(numbers(<int64_t*>&m.reservation[i], 7))
            parts.append(array("q", [m.reservation[i].intervals.count]).tobytes())
            parts.append(
                numbers(m.reservation[i].intervals.data, m.reservation[i].intervals.count)
            )
        for i in range(l.cores):
            parts.append(numbers(<int64_t*>&m.placement[i], 4))
        if m.buckets:
            parts.append(self._sparse())
        body = array("q", self._header()).tobytes() + b"".join(parts)
        return body + array("q", [crc32(body)]).tobytes()

    cdef bytes _sparse(self):
        """The buckets that are not empty: how many, then place and count of each."""
        cdef Moves m = self._m
        cdef int64_t i
        cdef Rows rows = Rows(NULL, 0, 0)
        try:
            for i in range(m.layout.measures * BUCKETS):
                if m.buckets[i]:
                    if not grow(&rows, 2):
                        raise MemoryError
                    rows.data[rows.count] = i
                    rows.data[rows.count + 1] = m.buckets[i]
                    rows.count += 2
            return array("q", [rows.count]).tobytes() + numbers(rows.data, rows.count)
        finally:
            free(rows.data)

    def restore(self, bytes state):
        """Become the run that was in this state."""
        cdef Moves m = self._m
        cdef Layout l = m.layout
        cdef int64_t i, k
        cdef array values = array("q")
        values.frombytes(state[: len(state) // 8 * 8])
        header = self._header()
        k = len(state) - 8
        if (
            len(values) <= len(header)
            or list(values[: len(header)]) != header
            or values[len(values) - 1] != crc32(state[:k])
        ):
            raise ValueError("the state is none of this program with these choices")
        reader = Reader(values, len(header))
        reader.into(m.block, m.size)
        m._room(m.s.units, m.s.jobs)
        reader.into(<int64_t*>m.unit, m.s.units * UNIT)
        reader.into(m.job, m.s.jobs * m.stride)
        for i in range(l.sources):
            reader.into(<int64_t*>&m.source[i], 6)
        for i in range(l.supplies):
            reader.into(<int64_t*>&m.reservation[i], 7)
            k = reader.one()
            m.reservation[i].intervals.count = 0
            if not grow(&m.reservation[i].intervals, k):
                raise MemoryError
            m.reservation[i].intervals.count = k
            reader.into(m.reservation[i].intervals.data, k)
        for i in range(l.cores):
            reader.into(<int64_t*>&m.placement[i], 4)
        if m.buckets:
            for i in range(reader.one() // 2):
                k = reader.one()
                m.buckets[k] = reader.one()


cdef class Reader:
    """Numbers, one after the other."""

    cdef array values
    cdef int64_t place

    def __init__(self, values, place):
        self.values = values
        self.place = place

    cdef int64_t one(self) except? -1:
        if self.place >= len(self.values):
            raise ValueError("the state is not complete")
        self.place += 1
        return self.values.data.as_longlongs[self.place - 1]

    cdef into(self, int64_t* target, int64_t count):
        if count > len(self.values) - self.place:
            raise ValueError("the state is not complete")
        memcpy(target, self.values.data.as_longlongs + self.place, count * sizeof(int64_t))
        self.place += count
