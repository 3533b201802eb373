# The memory of an engine; memory.py is the same in Python.

cdef Ints copies(arrays, Ints* places, Int* size) except NULL:
    """A block with copies of arrays, each at its place in it, and how many numbers that are."""
    cdef Int used = 0, i
    cdef array values
    cdef Ints block
    for values in arrays:
        used += len(values)
    block = <Ints>calloc(used + 1, sizeof(Int))
    if block == NULL:
        raise MemoryError
    used = 0
    for i, values in enumerate(arrays):
        places[i] = block + used
        memcpy(places[i], values.data.as_voidptr, len(values) * sizeof(Int))
        used += len(values)
    size[0] = used
    return block


cdef class Layout:
    """A program in memory of its own; shared by all runs of it."""

    cdef CodeRecord code
    cdef CountsRecord counts
    cdef Ints block
    cdef Int size
    cdef object placements

    def __init__(self, program):
        arrays = [getattr(program, f.name) for f in fields(program) if f.type == "array[int]"]
        assert sizeof(CodeRecord) == len(arrays) * sizeof(Ints)
        self.block = copies(arrays, <Ints*>&self.code, &self.size)
        counted = counts_of(program)
        read_counts(&self.counts, counted)
        self.placements = counted.placements

    def __dealloc__(self):
        free(self.block)


cdef class Memory(Tables):
    """A table has its place in a block, in the order in which they are declared."""

    cdef object placements, kept
    cdef Ints block, columns
    cdef Int size, columns_size, stride, unit_room, job_room
    cdef Ints jobs

    cdef lay_out(self, program, choices, Bool histograms):
        """All that the program needs."""
        cdef Layout kept
        if not isinstance(program.layout, Layout):
            program.layout = Layout(program)
        self.kept = kept = program.layout
        self.p = kept.code
        self.layout = kept.counts
        self.placements = kept.placements
        self.columns = copies(columns_of(choices), <Ints*>&self.c, &self.columns_size)
        read_rest(&self.c, choices)
        self.stride = sizeof(JobRecord) // sizeof(Int) + 2 * self.layout.origins
        lay_tables(self)
        self.block = <Ints>calloc(self.size, sizeof(Int))
        self.source = <Source>calloc(self.layout.sources + 1, sizeof(SourceRecord))
        self.reservation = <Reservation>calloc(self.layout.supplies + 1, sizeof(ReservationRecord))
        self.intervals = <Rows>calloc(self.layout.supplies + 5, sizeof(RowsRecord))
        self.placement = <Placement>calloc(self.layout.cores + 1, sizeof(PlacementRecord))
        if histograms:
            self.buckets = <Ints>calloc(self.layout.measures * BUCKETS + 1, sizeof(Int))
        if not (self.block and self.source and self.reservation and self.intervals
                and self.placement and (self.buckets or not histograms)):
            raise MemoryError
        lay_tables(self)
        self.taken = self.intervals + self.layout.supplies
        self.free_time = self.taken + 1
        self.records = self.taken + 2
        self.traced = self.taken + 3
        self.noted = self.taken + 4

    cdef Ints part(self, Int count, Int first):
        """So many numbers of the block; the first time, only to know its size."""
        cdef Ints start
        cdef Int i
        self.size += count
        if self.block == NULL:
            return NULL
        start = self.block + self.size - count
        if first:
            for i in range(count):
                start[i] = first
        return start

    def __dealloc__(self):
        cdef Int i
        if self.intervals:
            for i in range(self.layout.supplies + 5):
                free(self.intervals[i].data)
        free(self.block)
        free(self.columns)
        free(self.buckets)
        free(self.unit)
        free(self.jobs)
        free(self.source)
        free(self.reservation)
        free(self.intervals)
        free(self.placement)

    @cython.final
    cdef inline Job job(self, Int i) noexcept nogil:
        return <Job>(self.jobs + i * self.stride)

    @cython.final
    cdef inline Ints origins(self, Int i) noexcept nogil:
        return self.jobs + i * self.stride + sizeof(JobRecord) // sizeof(Int)

    @cython.final
    cdef void* _more(self, void* data, Int* room, Int size) noexcept nogil:
        """Twice the room for what is so long; without memory, what there is."""
        cdef Int more = 64 if room[0] == 0 else 2 * room[0]
        cdef void* found = realloc(data, more * size * sizeof(Int))
        if found == NULL:
            self.failed = True
            if data == NULL:
                abort()
            return data
        memset(<Ints>found + room[0] * size, 0, (more - room[0]) * size * sizeof(Int))
        room[0] = more
        return found

    @cython.final
    cdef Bool more_units(self) noexcept nogil:
        """Room for one more, if there is any."""
        if self.s.units == self.unit_room:
            self.unit = <Unit>self._more(self.unit, &self.unit_room, sizeof(UnitRecord) // sizeof(Int))
        return self.s.units < self.unit_room

    @cython.final
    cdef Bool more_jobs(self) noexcept nogil:
        """Room for one more, if there is any."""
        if self.s.jobs == self.job_room:
            self.jobs = <Ints>self._more(self.jobs, &self.job_room, self.stride)
        return self.s.jobs < self.job_room

    cdef bytes chosen(self):
        """All numbers of the choices."""
        cdef Int rest = sizeof(ChosenRecord) // sizeof(Int) - COLUMNS
        return numbers(self.columns, self.columns_size) + numbers(<Ints>&self.c + COLUMNS, rest)

    cdef bytes dump(self):
        """All numbers but for the buckets, by index."""
        cdef Int i
        parts = [numbers(&self.s, sizeof(ProgressRecord) // sizeof(Int))]
        parts.append(numbers(self.block, self.size))
        parts.append(numbers(self.unit, self.s.units * sizeof(UnitRecord) // sizeof(Int)))
        parts.append(numbers(self.jobs, self.s.jobs * self.stride))
        parts.append(numbers(self.source, self.layout.sources * sizeof(SourceRecord) // sizeof(Int)))
        parts.append(
            numbers(self.reservation, self.layout.supplies * sizeof(ReservationRecord) // sizeof(Int))
        )
        parts.append(numbers(self.placement, self.layout.cores * sizeof(PlacementRecord) // sizeof(Int)))
        for i in range(self.layout.supplies):
            parts.append(numbers(&self.intervals[i].count, 1))
            parts.append(numbers(self.intervals[i].data, self.intervals[i].count))
        return b"".join(parts)

    cdef Int fill(self, array values, Int place) except -1:
        """Become what was dumped from this place on; where that ends."""
        cdef Int i
        place = read_numbers(values, place, &self.s, sizeof(ProgressRecord) // sizeof(Int))
        place = read_numbers(values, place, self.block, self.size)
        free(self.unit)
        free(self.jobs)
        self.unit_room = self.s.units + 64
        self.job_room = self.s.jobs + 64
        self.unit = <Unit>calloc(self.unit_room, sizeof(UnitRecord))
        self.jobs = <Ints>calloc(self.job_room, self.stride * sizeof(Int))
        if not (self.unit and self.jobs):
            raise MemoryError
        place = read_numbers(values, place, self.unit, self.s.units * sizeof(UnitRecord) // sizeof(Int))
        place = read_numbers(values, place, self.jobs, self.s.jobs * self.stride)
        place = read_numbers(
            values, place, self.source, self.layout.sources * sizeof(SourceRecord) // sizeof(Int)
        )
        place = read_numbers(
            values, place, self.reservation, self.layout.supplies * sizeof(ReservationRecord) // sizeof(Int)
        )
        place = read_numbers(
            values, place, self.placement, self.layout.cores * sizeof(PlacementRecord) // sizeof(Int)
        )
        for i in range(self.layout.supplies):
            place = read_numbers(values, place, &self.intervals[i].count, 1)
            self.intervals[i].room = 0
            free(self.intervals[i].data)
            self.intervals[i].data = NULL
            if self.intervals[i].count > len(values) or not grow(&self.intervals[i], 0):
                raise MemoryError
            place = read_numbers(values, place, self.intervals[i].data, self.intervals[i].count)
        return place


cdef Int read_numbers(array values, Int place, void* target, Int count) except -1:
    """So many numbers, from a place on; the place after them."""
    if not 0 <= count <= len(values) - place:
        raise ValueError("the state is not complete")
    memcpy(target, values.data.as_longlongs + place, count * sizeof(Int))
    return place + count
