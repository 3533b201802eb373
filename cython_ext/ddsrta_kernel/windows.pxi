# The busy window of one unit (theory 5). Names as in twin.py; -1 means "gives up".

cdef enum:
    PREEMPTS = 0
    OVERTAKES = 1
    AHEAD = 2
    LINGERS = 3
    ALTERNATES = 4
    BLOCKS = 5

cdef struct Relation:
    int64_t kind
    int64_t first
    int64_t last

cdef struct State:
    int64_t response
    int64_t latency
    int64_t window
    int64_t times
    int64_t steps  # that are left

cdef struct System:
    Curves curves
    const int64_t* supply_budget
    const int64_t* supply_period
    Relation* relation
    State* state
    int64_t most_steps

cdef struct Window:
    System* system
    int64_t unit
    int64_t origin
    int64_t ratio
    int64_t before
    int64_t cost
    int64_t budget
    int64_t period
    int64_t first_relation
    int64_t last_relation
    bint is_own
    bint asks_start
    bint has_ahead
    int64_t steps
    int64_t left_over
    int64_t response
    int64_t latency
    int64_t length
    int64_t index
    int64_t arrival
    int64_t start
    int64_t finish


cdef inline int64_t added(int64_t a, int64_t b) noexcept nogil:
    """a + b of two amounts that do not exceed UNBOUNDED."""
    return a + b if a + b < UNBOUNDED else UNBOUNDED


cdef inline int64_t service_time(Window* w, int64_t work) noexcept nogil:
    """The inverse of the supply bound (theory 4)."""
    cdef int64_t full
    if work <= 0:
        return 0
    if w.budget == 0 or work >= UNBOUNDED:
        return work
    full = (work - 1) // w.budget
    return added(
        saturated_product(full, w.period, UNBOUNDED),
        2 * (w.period - w.budget) + (work - 1) % w.budget + 1,
    )


cdef inline int64_t range_work(System* s, int64_t first, int64_t last, int64_t window) noexcept nogil:
    """Σ η_k(window)·c_k over a range of units."""
    cdef int64_t unit, total = 0
    for unit in range(first, last):
        total = added(
            total,
            saturated_product(s.curves.unit[unit].cost, unit_count(&s.curves, unit, window), UNBOUNDED),
        )
    return total


cdef int64_t kind_work(Window* w, int64_t kind, int64_t window) noexcept nogil:
    """The same over all relations of a kind."""
    cdef System* s = w.system
    cdef int64_t r, total = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == kind:
            total = added(total, range_work(s, s.relation[r].first, s.relation[r].last, window))
    return total


cdef int64_t carried_work(Window* w, int64_t kind, int64_t window, int64_t most) noexcept nogil:
    """Σ min(most, η_k(window + response_k))·c_k."""
    cdef System* s = w.system
    cdef int64_t r, unit, count, total = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind != kind:
            continue
        for unit in range(s.relation[r].first, s.relation[r].last):
            count = unit_count(&s.curves, unit, window + s.state[unit].response)
            if count > most:
                count = most
            total = added(total, saturated_product(s.curves.unit[unit].cost, count, UNBOUNDED))
    return total


cdef int64_t work_at_start(Window* w, int64_t start, int64_t index) noexcept nogil:
    """V(S)."""
    return added(
        added(kind_work(w, OVERTAKES, start + 1), carried_work(w, LINGERS, start, UNBOUNDED)),
        carried_work(w, ALTERNATES, start, index),
    )


cdef int64_t blocking(Window* w) noexcept nogil:
    """B."""
    cdef System* s = w.system
    cdef int64_t r, unit, longest = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == BLOCKS:
            for unit in range(s.relation[r].first, s.relation[r].last):
                if s.curves.unit[unit].cost - 1 > longest:
                    longest = s.curves.unit[unit].cost - 1
    return longest


cdef inline bint gives_up(Window* w, int64_t value) noexcept nogil:
    w.steps += 1
    return value >= UNBOUNDED or w.steps > w.left_over


cdef int64_t find_start(Window* w, int64_t work, int64_t index, int64_t start) noexcept nogil:
    """S(q, A) for work = B + H(A) + (q - 1)·c, or -1."""
    cdef int64_t later
    while True:
        later = service_time(
            w,
            1 + added(work, added(work_at_start(w, start, index), kind_work(w, PREEMPTS, start + 1))),
        ) - 1
        if gives_up(w, later):
            return -1
        if later <= start:
            return start
        start = later


cdef int64_t find_finish(Window* w, int64_t work, int64_t finish) noexcept nogil:
    """F(q, A) for work = B + H(A) + q·c + V(S), or -1."""
    cdef int64_t later
    while True:
        later = service_time(w, added(work, kind_work(w, PREEMPTS, finish)))
        if gives_up(w, later):
            return -1
        if later <= finish:
            return finish
        finish = later


cdef int64_t left(Window* w, int64_t index) noexcept nogil:
    """The least time from the first of the units to the index-th, at the origin."""
    cdef Curves* c = &w.system.curves
    cdef int64_t events = index
    if w.ratio > 1:
        events = ceiling_quotient(index, w.ratio)
    if w.origin < 0:
        return node_distance(c, c.place[w.unit].node, events)
    return unit_distance(c, w.origin, events)


cdef int64_t left_by(Window* w, int64_t arrival) noexcept nogil:
    """How many units may have left the origin within this time."""
    cdef Curves* c = &w.system.curves
    cdef int64_t count
    if w.origin < 0:
        count = node_count(c, c.place[w.unit].node, arrival + 1)
    else:
        count = unit_count(c, w.origin, arrival + 1)
    return saturated_product(w.ratio, count, UNBOUNDED)


cdef void record(Window* w, int64_t index, int64_t arrival, int64_t start, int64_t finish, int64_t gone) noexcept nogil:
    if finish - gone + w.before > w.latency:
        w.latency = finish - gone + w.before
        w.index = index
        w.arrival = arrival
        w.start = start
        w.finish = finish


cdef bint own_window(Window* w) noexcept nogil:
    """The window that opens with the unit's own first arrival; False where it gives up."""
    cdef Curves* c = &w.system.curves
    cdef int64_t index = 1, start = 0, finish = w.cost, extra = 0, arrival
    while True:
        if w.asks_start:
            start = find_start(w, saturated_product(index - 1, w.cost, UNBOUNDED), index, start)
            if start < 0:
                return False
            extra = work_at_start(w, start, index)
            if start + w.cost > finish:
                finish = start + w.cost
        finish = find_finish(w, added(saturated_product(index, w.cost, UNBOUNDED), extra), finish)
        if finish < 0:
            return False
        arrival = unit_distance(c, w.unit, index)
        if finish - arrival > w.response:
            w.response = finish - arrival
        record(w, index, arrival, start, finish, left(w, index))
        if finish <= unit_distance(c, w.unit, index + 1):
            w.length = finish
            return True
        index += 1
        finish += w.cost


cdef bint find_length(Window* w) noexcept nogil:
    """L; False where it gives up."""
    cdef int64_t window = 1, fixed = blocking(w), work, longer
    while True:
        work = added(fixed, kind_work(w, PREEMPTS, window))
        work = added(work, kind_work(w, OVERTAKES, window))
        work = added(work, kind_work(w, AHEAD, window))
        if not w.has_ahead:
            work = added(work, range_work(w.system, w.unit, w.unit + 1, window))
        longer = service_time(w, added(work, carried_work(w, LINGERS, window, UNBOUNDED)))
        if gives_up(w, longer):
            return False
        if longer <= window:
            w.length = window
            return True
        window = longer


cdef int64_t work_ahead(Window* w, int64_t arrival) noexcept nogil:
    """H(A): what is ahead, without the unit's own stream."""
    cdef System* s = w.system
    cdef int64_t r, first, last, total = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == AHEAD:
            first = s.relation[r].first
            last = s.relation[r].last
            if first <= w.unit < last:
                total = added(total, range_work(s, first, w.unit, arrival + 1))
                first = w.unit + 1
            total = added(total, range_work(s, first, last, arrival + 1))
    return total


cdef int64_t next_arrival(Window* w, int64_t arrival) noexcept nogil:
    """The next step of a curve that is ahead, its own included."""
    cdef System* s = w.system
    cdef Curves* c = &s.curves
    cdef int64_t r, unit, step
    cdef int64_t soonest = unit_distance(c, w.unit, unit_count(c, w.unit, arrival + 1) + 1)
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == AHEAD:
            for unit in range(s.relation[r].first, s.relation[r].last):
                step = unit_distance(c, unit, unit_count(c, unit, arrival + 1) + 1)
                if step < soonest:
                    soonest = step
    return soonest


cdef bint level_window(Window* w) noexcept nogil:
    """The window of the unit's level: every arrival in it is a candidate; False: gives up."""
    cdef Curves* c = &w.system.curves
    cdef int64_t arrival = 0, warm_start = 0, warm_finish = 0, start, finish, extra
    cdef int64_t fixed = blocking(w), others, index, first, last, work
    if not find_length(w):
        return False
    while arrival < w.length:
        others = added(fixed, work_ahead(w, arrival))
        last = unit_count(c, w.unit, arrival + 1)
        first = left_by(w, arrival)
        if first > last:
            first = last
        if first < 1:
            first = 1
        start = warm_start
        finish = warm_finish
        extra = 0
        for index in range(first, last + 1):
            work = added(others, saturated_product(index - 1, w.cost, UNBOUNDED))
            if w.asks_start:
                start = find_start(w, work, index, start)
                if start < 0:
                    return False
                extra = work_at_start(w, start, index)
            if start + w.cost > finish:
                finish = start + w.cost
            finish = find_finish(w, added(work, w.cost + extra), finish)
            if finish < 0:
                return False
            if index == first:
                warm_start = start
                warm_finish = finish
            work = left(w, index)
            record(w, index, arrival, start, finish, work if work > arrival else arrival)
        if finish - arrival > w.response:
            w.response = finish - arrival
        arrival = next_arrival(w, arrival)
    return True


cdef bint examine(System* s, int64_t unit, int64_t origin, int64_t before, int64_t most_steps, Window* w) noexcept nogil:
    """Both bounds of a unit; False where it gives up."""
    cdef int64_t r, kind, supply = s.curves.place[unit].supply
    cdef bint others = False
    w.system = s
    w.unit = unit
    w.origin = origin
    w.before = before
    w.ratio = s.curves.unit[unit].multiplicity
    if origin >= 0:
        w.ratio = w.ratio // s.curves.unit[origin].multiplicity
    w.cost = s.curves.unit[unit].cost
    w.budget = s.supply_budget[supply]
    w.period = s.supply_period[supply]
    w.first_relation = s.curves.place[unit].first_relation
    w.last_relation = s.curves.place[unit].last_relation
    w.asks_start = w.has_ahead = w.is_own = False
    w.steps = 0
    w.left_over = most_steps
    w.response = w.latency = -1
    for r in range(w.first_relation, w.last_relation):
        kind = s.relation[r].kind
        if kind == ALTERNATES:
            w.is_own = True
        elif kind == AHEAD:
            w.has_ahead = True
        if kind == OVERTAKES or kind == LINGERS or kind == ALTERNATES:
            w.asks_start = True
        if kind == OVERTAKES or kind == LINGERS or kind == BLOCKS:
            others = True
    if w.is_own or not (others or w.has_ahead):
        return own_window(w)
    return level_window(w)
