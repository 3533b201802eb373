# When reservations serve: see twin_supplies.py.

cdef struct Reservation:
    int64_t supply
    int64_t budget
    int64_t period
    int64_t start
    int64_t placed
    int64_t left
    int64_t shown  # numbers, not intervals
    Rows intervals  # begin, end, begin, end, …


cdef struct Placement:
    int64_t first  # of its reservations, shortest periods first
    int64_t last
    int64_t as_chosen
    int64_t time


cdef int64_t most_service(Chosen* c, Reservation* own, Reservation* window) noexcept nogil:
    """The most that a reservation can serve in one period of another."""
    cdef int64_t length = window.period, rest
    cdef int64_t shift = c.supply_phase[window.supply] - c.supply_phase[own.supply]
    if length % own.period == 0 and shift % own.period == 0:
        return length // own.period * own.budget
    if length <= own.budget:
        return length
    rest = (length - own.budget) % own.period
    return own.budget + (length - own.budget) // own.period * own.budget + (
        own.budget if own.budget < rest else rest
    )


cdef bint add_interval(Rows* rows, int64_t begin, int64_t end) noexcept nogil:
    if not grow(rows, 2):
        return False
    rows.data[rows.count] = begin
    rows.data[rows.count + 1] = end
    rows.count += 2
    return True


cdef bint cut(Rows* free_time, int64_t skipped, int64_t length, Rows* chosen) noexcept nogil:
    """`length` of the free time, after leaving out `skipped` of it."""
    cdef int64_t i, begin, stop, leave, take
    for i in range(0, free_time.count, 2):
        begin = free_time.data[i]
        stop = free_time.data[i + 1]
        leave = skipped if skipped < stop - begin else stop - begin
        skipped -= leave
        take = stop - begin - leave
        if take > length:
            take = length
        length -= take
        if take and not add_interval(chosen, begin + leave, begin + leave + take):
            return False
    return True


cdef bint choose(Chosen* c, Reservation* own, Rows* free_time) noexcept nogil:
    """Where the budget is in this period."""
    cdef int64_t i, room = -own.budget, seed = c.supply_seed[own.supply], number = 8 * own.placed
    cdef int64_t skipped, first, habit
    for i in range(0, free_time.count, 2):
        room += free_time.data[i + 1] - free_time.data[i]
    habit = resolved(
        c.supply_habit[own.supply], c.supply_turn[own.supply], seed, number + 7, own.start
    )
    if habit != RANDOM:
        return cut(free_time, room if habit == WORST else 0, own.budget, &own.intervals)
    skipped = <int64_t>(mix(seed, number) % <uint64_t>(room + 1))
    if mix(seed, number + 1) & 1:
        return cut(free_time, skipped, own.budget, &own.intervals)
    first = <int64_t>(mix(seed, number + 2) % <uint64_t>(own.budget + 1))
    return cut(
        free_time,
        <int64_t>(mix(seed, number + 3) % <uint64_t>(skipped + 1)),
        first,
        &own.intervals,
    ) and cut(free_time, first + skipped, own.budget - first, &own.intervals)


cdef bint collect(Reservation* r, int64_t first, int64_t rank, Rows* taken) noexcept nogil:
    """What reservations before this one take of its next period, sorted."""
    cdef int64_t e, i, k, begin, stop, start = r[rank].start, end = start + r[rank].period
    taken.count = 0
    for e in range(first, rank):
        for i in range(0, r[e].intervals.count, 2):
            begin = r[e].intervals.data[i]
            stop = r[e].intervals.data[i + 1]
            if stop <= start or begin >= end:
                continue
            if not add_interval(taken, begin, stop):
                return False
            k = taken.count - 2
            while k and taken.data[k - 2] > begin:
                taken.data[k] = taken.data[k - 2]
                taken.data[k + 1] = taken.data[k - 1]
                k -= 2
            taken.data[k] = begin
            taken.data[k + 1] = stop
    return True


cdef bint place(
    Chosen* c, Reservation* r, int64_t first, int64_t rank, Rows* taken, Rows* free_time
) noexcept nogil:
    """Place the next period of a reservation."""
    cdef int64_t earlier, i, start = r[rank].start, end = start + r[rank].period
    for earlier in range(first, rank):
        while r[earlier].start < end:
            if not place(c, r, first, earlier, taken, free_time):
                return False
    if not collect(r, first, rank, taken):
        return False
    free_time.count = 0
    for i in range(0, taken.count, 2):
        if taken.data[i] > start and not add_interval(free_time, start, taken.data[i]):
            return False
        start = taken.data[i + 1]
    if start < end and not add_interval(free_time, start, end):
        return False
    if not choose(c, &r[rank], free_time):
        return False
    r[rank].start = end
    r[rank].placed += 1
    return True


cdef bint most_urgent(Placement* core, Reservation* r) noexcept nogil:
    """Earliest deadline first, up to the next release of a budget; equals by number."""
    cdef int64_t i, first = -1, following = NEVER, length
    for i in range(core.first, core.last):
        # What was promised to too many is late, and has its next budget when it has had this one.
        if r[i].start <= core.time and not r[i].left:
            r[i].left = r[i].budget
            r[i].start += r[i].period
        if core.time < r[i].start < following:
            following = r[i].start
    for i in range(core.first, core.last):
        if r[i].left and (
            first < 0
            or r[i].start < r[first].start
            or (r[i].start == r[first].start and r[i].supply < r[first].supply)
        ):
            first = i
    if first < 0:
        core.time = following
        return True
    length = r[first].left
    if length > following - core.time:
        length = following - core.time
    if not add_interval(&r[first].intervals, core.time, core.time + length):
        return False
    r[first].left -= length
    core.time += length
    return True


cdef void forget(Placement* core, Reservation* r) noexcept nogil:
    """Drop what was shown and is before all periods that have yet to be placed around it."""
    cdef int64_t i, later, until, dropped
    for i in range(core.first, core.last):
        until = NEVER if i + 1 < core.last else r[i].start
        for later in range(i + 1, core.last):
            if r[later].start < until:
                until = r[later].start
        dropped = 0
        while dropped < r[i].shown and (
            not core.as_chosen or r[i].intervals.data[dropped + 1] <= until
        ):
            dropped += 2
        if dropped:
            r[i].intervals.count -= dropped
            r[i].shown -= dropped
            memmove(
                r[i].intervals.data,
                r[i].intervals.data + dropped,
                r[i].intervals.count * sizeof(int64_t),
            )
