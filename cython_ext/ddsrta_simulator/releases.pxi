# Release times of sources, generated as they are needed: see twin_releases.py.

cdef struct Source:
    int64_t made
    int64_t last
    int64_t nominal
    int64_t before
    int64_t place  # of the oldest release in the ring
    int64_t due  # when the last release was due, without its jitter
    int64_t* times
    int64_t* tails


cdef inline int64_t most(int64_t a, int64_t b) noexcept nogil:
    return a if a > b else b


cdef inline int64_t pause(Code* p, Chosen* c, int64_t i, Source* s) noexcept nogil:
    """A pause before the next release."""
    cdef int64_t longest = c.source_pause[i] if p.source_pause[i] else 0
    cdef uint64_t drawn
    if longest <= 0:
        return 0
    drawn = mix(c.source_seed[i], 2 * s.made + 1)
    if drawn % 3 == 1:
        return p.source_most[i]
    return <int64_t>((drawn >> 8) % <uint64_t>longest) if drawn % 3 == 0 else 0


cdef inline int64_t longest_gap(Code* p, int64_t i) noexcept nogil:
    return p.source_most[i] if p.source_most[i] else NEVER


cdef inline int64_t least(int64_t a, int64_t b) noexcept nogil:
    return a if a < b else b


cdef inline int64_t modulo(int64_t a, int64_t b) noexcept nogil:
    return a % b if a % b >= 0 else a % b + b


cdef void source_begins(Code* p, Chosen* c, int64_t i, Source* s, int64_t reach) noexcept nogil:
    cdef int64_t k, leader = p.source_leader[i]
    s.made = s.place = s.before = 0
    s.last = -NEVER
    s.nominal = c.source_moment[i]
    if p.source_model[i] != ANCHORED:
        s.before = c.source_kind[i] == ALIGNED and c.source_moment[i] > 0
        for k in range(reach):
            s.times[k] = s.tails[k] = -NEVER
    elif c.source_kind[i] != WILD:
        s.nominal -= p.source_b[i]
        if c.source_kind[i] == ALIGNED and s.nominal > 0:
            s.nominal %= p.source_period[i]
    if leader >= 0:  # on a shared clock; the leader's first release ends at its moment
        s.nominal = c.source_moment[leader] - p.source_b[leader] - p.source_offset[leader]
        s.nominal = modulo(s.nominal, p.source_span[leader]) + p.source_offset[i]
    s.nominal = least(s.nominal, longest_gap(p, i))


cdef int64_t anchored(Code* p, Chosen* c, int64_t i, Source* s) noexcept nogil:
    """Nominal times a period and a pause apart, each up to a jitter late, in order."""
    cdef int64_t jitter, late, longest = longest_gap(p, i)
    cdef uint64_t drawn
    while True:
        if c.source_kind[i] != WILD:
            jitter = p.source_b[i] if s.nominal <= c.source_moment[i] - p.source_b[i] else 0
        else:
            drawn = mix(c.source_seed[i], 2 * s.made)
            if c.source_jitter[i] == EXTREME_JITTER:
                jitter = p.source_b[i] if drawn & 1 else 0
            else:
                jitter = <int64_t>(drawn % <uint64_t>(p.source_b[i] + 1))
        late = least(s.nominal + jitter, longest + (s.last if s.made else 0))
        s.last = most(late, s.last + p.source_c[i])
        s.due = s.nominal
        s.nominal += p.source_period[i]
        if c.source_kind[i] == WILD:
            s.nominal += least(pause(p, c, i, s), longest - p.source_period[i])
        s.made += 1
        if s.last >= 0:
            return s.last


cdef inline int64_t back(Source* s, int64_t reach, int64_t distance) noexcept nogil:
    """The place of the release so many before the next one."""
    cdef int64_t place = s.place - distance
    return place if place >= 0 else place + reach


cdef int64_t earliest(Code* p, int64_t i, Source* s, int64_t reach) noexcept nogil:
    """The earliest time of the next release."""
    cdef int64_t k, time, recurs = reach - p.source_b[i]
    cdef int64_t* distances = p.distances + p.source_distance[i]
    if p.source_model[i] == BURST:
        return most(
            s.times[back(s, reach, 1)] + p.source_c[i],
            s.times[back(s, reach, reach)] + p.source_period[i],
        )
    time = -NEVER
    if recurs == 0:
        time = s.tails[back(s, reach, reach)] + p.source_period[i]
    for k in range(1, reach):
        if k < recurs:
            time = most(time, s.times[back(s, reach, k)] + distances[k])
        else:
            time = most(time, s.tails[back(s, reach, k)] + distances[k])
    return time


cdef inline void push_release(
    Code* p, int64_t i, Source* s, int64_t reach, int64_t time
) noexcept nogil:
    cdef int64_t tail = s.tails[back(s, reach, p.source_b[i])] + p.source_period[i]
    s.tails[s.place] = most(time, tail)
    s.times[s.place] = time
    s.place = s.place + 1 if s.place + 1 < reach else 0


cdef int64_t greedy(Code* p, Chosen* c, int64_t i, Source* s, int64_t reach) noexcept nogil:
    """Each release as early as its distances to all earlier ones allow, plus a pause."""
    cdef int64_t time, old_time, old_tail, place, latest
    while True:
        latest = longest_gap(p, i)
        if s.made == 0:
            time = 0 if s.before else least(c.source_moment[i], latest)
        else:
            latest += s.times[back(s, reach, 1)]
            time = earliest(p, i, s, reach)
            if s.before or c.source_kind[i] == WILD:
                time += pause(p, c, i, s)
            time = least(time, latest)
        place = s.place
        old_time = s.times[place]
        old_tail = s.tails[place]
        push_release(p, i, s, reach, time)
        if s.before:
            s.before = (
                time < c.source_moment[i] and earliest(p, i, s, reach) <= c.source_moment[i]
            )
            if not s.before and c.source_moment[i] <= latest:
                s.place = place
                s.times[place] = old_time
                s.tails[place] = old_tail
                time = c.source_moment[i]
                push_release(p, i, s, reach, time)
        s.made += 1
        if time >= 0:
            s.due = time
            return time
