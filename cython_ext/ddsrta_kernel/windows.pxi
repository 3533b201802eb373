# The busy window of one unit (lemma busy-window). Names as in twin.py; -1 means "gives up". Work is counted in
# two ways, plain and loaded (lemma urgent-by-roots), wherever the unit has a coupled level above it.

cdef enum:
    PREEMPTS = 0
    OVERTAKES = 1
    AHEAD = 2
    LINGERS = 3
    ALTERNATES = 4
    BLOCKS = 5
    PRECEDES = 6
    SHARES = 7
    EARLIER = 8

cdef struct Relation:
    int64_t kind
    int64_t first
    int64_t last
    int64_t shift
    int64_t weight
    int64_t own

cdef struct State:
    int64_t response
    int64_t latency
    int64_t window
    int64_t times
    int64_t steps  # that are left
    int64_t group_steps

cdef struct Level:
    int64_t supply
    int64_t piece
    int64_t first_root
    int64_t last_root
    int64_t found  # its window so far, which only grows
    int64_t overloaded

cdef struct Root:
    int64_t unit
    int64_t work

cdef struct System:
    Curves curves
    bint in_step
    const int64_t* cause_place
    const int64_t* cause_start
    const int64_t* cause_first
    const int64_t* cause_end
    const int64_t* effect_start
    const int64_t* effect_unit
    const int64_t* effect_more
    Level* level
    Root* root
    const int64_t* above  # NULL where nothing is coupled
    const int64_t* burden
    const int64_t* extra  # NULL where there is none
    const int64_t* later_start
    const int64_t* later_unit
    const int64_t* later_jobs
    const int64_t* later_bunch
    const int64_t* supply_budget
    const int64_t* supply_period
    const int64_t* supply_threads
    Relation* relation
    State* state
    int64_t most_steps

cdef struct Tandem

cdef struct Window:
    System* system
    Tandem* tandem  # that this is the first thread of (lemma tandem-window), or NULL
    int64_t floor  # it left its origin no earlier than so long after the window opened
    int64_t unit
    int64_t origin
    int64_t ratio
    int64_t before
    int64_t cost
    int64_t above
    int64_t burden
    int64_t budget
    int64_t period
    int64_t threads
    int64_t first_relation
    int64_t last_relation
    bint is_own
    bint asks_start
    bint has_ahead
    bint has_earlier
    int64_t now  # A, of the unit that is looked at
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


cdef inline int64_t supplied(int64_t budget, int64_t period, int64_t work) noexcept nogil:
    """The inverse of the supply bound (lemma supply-inverse)."""
    cdef int64_t full
    if work <= 0:
        return 0
    if budget == 0 or work >= UNBOUNDED:
        return work
    full = (work - 1) // budget
    return added(
        saturated_product(full, period, UNBOUNDED), 2 * (period - budget) + (work - 1) % budget + 1
    )


cdef inline int64_t service_time(Window* w, int64_t work) noexcept nogil:
    return supplied(w.budget, w.period, work)


cdef int64_t roots_work(System* s, int64_t level, int64_t window, int64_t without) noexcept nogil:
    """Σ η_r(window)·C_r over the roots of a level, but for one."""
    cdef int64_t r, total = 0
    for r in range(s.level[level].first_root, s.level[level].last_root):
        if s.root[r].unit != without:
            total = added(
                total,
                saturated_product(
                    s.root[r].work, unit_count(&s.curves, s.root[r].unit, window), UNBOUNDED
                ),
            )
    return total


cdef inline int64_t level_work(System* s, int64_t level, int64_t window, int64_t without) noexcept nogil:
    """The same with the piece that a less urgent unit has released."""
    return added(s.level[level].piece, roots_work(s, level, window, without))


cdef inline int64_t unit_work(System* s, int64_t unit, int64_t count, bint loaded) noexcept nogil:
    """So many units, with all that they release upwards or without."""
    cdef int64_t cost = s.curves.unit[unit].loaded if loaded else s.curves.unit[unit].cost
    return saturated_product(cost, count, UNBOUNDED)


cdef inline int64_t range_work(System* s, int64_t first, int64_t last, int64_t window, bint loaded) noexcept nogil:
    """Σ η_k(window)·c_k over a range of units."""
    cdef int64_t unit, total = 0
    for unit in range(first, last):
        total = added(total, unit_work(s, unit, unit_count(&s.curves, unit, window), loaded))
    return total


cdef int64_t kind_work(Window* w, int64_t kind, int64_t window, bint loaded) noexcept nogil:
    """The same over all relations of a kind."""
    cdef System* s = w.system
    cdef int64_t r, total = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == kind:
            total = added(total, range_work(s, s.relation[r].first, s.relation[r].last, window, loaded))
    return total


cdef inline int64_t preempting(Window* w, int64_t window, bint loaded) noexcept nogil:
    """P, or the coupled work of the level above."""
    if loaded:
        return level_work(w.system, w.above, window, -1)
    return kind_work(w, PREEMPTS, window, False)


cdef inline int64_t in_turns(Relation* relation, int64_t turns) noexcept nogil:
    """The most units that another serves while one has so many turns."""
    if relation.own > 1:
        turns = ceiling_quotient(turns, relation.own)
    return saturated_product(turns, relation.weight, UNBOUNDED) if relation.weight > 1 else turns


cdef int64_t carried_work(Window* w, int64_t kind, int64_t window, int64_t turns, bint loaded) noexcept nogil:
    """Σ min(turns, η_k(window + response_k))·c_k."""
    cdef System* s = w.system
    cdef int64_t r, unit, count, most, total = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind != kind:
            continue
        most = in_turns(&s.relation[r], turns)
        for unit in range(s.relation[r].first, s.relation[r].last):
            count = unit_count(&s.curves, unit, window + s.state[unit].response)
            if count > most:
                count = most
            total = added(total, unit_work(s, unit, count, loaded))
    return total


cdef int64_t lingering(Window* w, int64_t start, bint loaded) noexcept nogil:
    """What lingers; of what shares threads, their share (lemma pool-window)."""
    cdef int64_t work = carried_work(w, LINGERS, start, UNBOUNDED, loaded), shared = 0
    if w.threads > 1:
        shared = carried_work(w, SHARES, start, UNBOUNDED, loaded)
    if 0 < shared < UNBOUNDED:
        shared = ceiling_quotient(shared, w.threads)
    return added(work, shared)


cdef int64_t earlier_units(Window* w, int64_t other, int64_t index) noexcept nogil:
    """The most units of an effect in the window of the index-th own one: of the events before, as
    far as they may not be done when it opens (lemma effects-in-turn)."""
    cdef System* s = w.system
    cdef Curves* c = &s.curves
    cdef int64_t reach = s.state[other].latency - c.place[w.unit].best
    cdef int64_t events = node_count(c, c.place[w.unit].node, reach) - 1
    if events < 0:
        events = 0
    return saturated_product(c.unit[other].multiplicity, added(index - 1, events), UNBOUNDED)


cdef int64_t not_yet(Window* w, int64_t start, int64_t index, bint loaded) noexcept nogil:
    """What turns count of effects that come only later."""
    cdef System* s = w.system
    cdef int64_t i, unit, turns, count, total = 0
    for i in range(s.effect_start[w.unit], s.effect_start[w.unit + 1]):
        unit = s.effect_unit[i]
        turns = unit_count(&s.curves, unit, start + s.state[unit].response)
        if turns > index + s.effect_more[i]:
            turns = index + s.effect_more[i]
        count = turns - earlier_units(w, unit, index)
        if count > 0:
            total = added(total, unit_work(s, unit, count, loaded))
    return total


cdef int64_t work_at_start(Window* w, int64_t start, int64_t index, bint loaded) noexcept nogil:
    """V(S)."""
    cdef int64_t work = all_at_start(w, start, index, loaded)
    if work < UNBOUNDED and w.system.effect_start[w.unit] < w.system.effect_start[w.unit + 1]:
        work -= not_yet(w, start, index, loaded)
    return work


cdef int64_t earlier_work(Window* w, int64_t start, bint loaded) noexcept nogil:
    """Σ η_k(min(A + shift, S) + 1)·c_k."""
    cdef System* s = w.system
    cdef int64_t r, window, total = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == EARLIER:
            window = w.now + s.relation[r].shift
            if window > start:
                window = start
            if window >= 0:
                total = added(
                    total,
                    range_work(s, s.relation[r].first, s.relation[r].last, window + 1, loaded),
                )
    return total


cdef int64_t all_at_start(Window* w, int64_t start, int64_t index, bint loaded) noexcept nogil:
    """The same without a look at what comes after what."""
    return added(
        added(
            added(
                kind_work(w, OVERTAKES, start + 1, loaded),
                earlier_work(w, start, loaded) if w.has_earlier else 0,
            ),
            lingering(w, start, loaded),
        ),
        added(
            carried_work(w, ALTERNATES, start, index, loaded),
            carried_work(w, PRECEDES, start, index + 1, loaded),
        ),
    )


cdef inline int64_t extra_work(Window* w) noexcept nogil:
    """What comes first whatever else does (lemma shared-datagrams)."""
    return w.system.extra[w.unit] if w.system.extra else 0


cdef int64_t blocking(Window* w, bint loaded) noexcept nogil:
    """B."""
    cdef System* s = w.system
    cdef int64_t r, unit, one, longest = 0
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == BLOCKS:
            for unit in range(s.relation[r].first, s.relation[r].last):
                one = unit_work(s, unit, 1, loaded) - 1
                if one > longest:
                    longest = one
    return added(longest, extra_work(w))


cdef inline bint gives_up(Window* w, int64_t value) noexcept nogil:
    w.steps += 1
    return value >= UNBOUNDED or w.steps > w.left_over


cdef struct Work:  # that is ahead, counted both ways
    int64_t plain
    int64_t loaded


cdef int64_t find_start(Window* w, Work ahead, int64_t index, int64_t start) noexcept nogil:
    """S(q, A), or -1."""
    cdef int64_t later, work, other
    while True:
        work = added(
            ahead.plain, added(work_at_start(w, start, index, False), preempting(w, start + 1, False))
        )
        if w.above >= 0:
            other = added(
                ahead.loaded, added(work_at_start(w, start, index, True), preempting(w, start + 1, True))
            )
            if other < work:
                work = other
        later = service_time(w, added(work, 1)) - 1
        if gives_up(w, later):
            return -1
        if later <= start:
            return start
        start = later


cdef int64_t find_finish(Window* w, Work ahead, int64_t index, int64_t start, int64_t finish) noexcept nogil:
    """F(q, A), or -1."""
    cdef int64_t later, work, other
    if w.asks_start:
        ahead.plain = added(ahead.plain, work_at_start(w, start, index, False))
        if w.above >= 0:
            ahead.loaded = added(ahead.loaded, work_at_start(w, start, index, True))
    ahead.plain = added(ahead.plain, w.cost)
    ahead.loaded = added(ahead.loaded, w.cost + w.burden)
    while True:
        work = added(ahead.plain, preempting(w, finish, False))
        if w.above >= 0:
            other = added(ahead.loaded, preempting(w, finish, True))
            if other < work:
                work = other
        later = service_time(w, work)
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
    cdef int64_t alone = finish, later = 0
    if w.tandem != NULL:
        later = finished_last(w, index, arrival, start, finish)
        if later < 0:
            return
        finish += later + w.tandem.link - w.tandem.saved
    if gone < w.floor:
        gone = w.floor
    if finish - gone + w.before > w.latency:
        if w.tandem != NULL:
            w.tandem.first_finish = alone
            w.tandem.last_finish = later
        w.latency = finish - gone + w.before
        w.index = index
        w.arrival = arrival
        w.start = start
        w.finish = finish


cdef inline Work with_own(Window* w, Work ahead, int64_t units) noexcept nogil:
    """And so many of the unit's own."""
    ahead.plain = added(ahead.plain, unit_work(w.system, w.unit, units, False))
    if w.above >= 0:
        ahead.loaded = added(ahead.loaded, unit_work(w.system, w.unit, units, True))
    return ahead


cdef bint own_window(Window* w) noexcept nogil:
    """The window that opens with the unit's own first arrival; False where it gives up."""
    cdef Curves* c = &w.system.curves
    cdef int64_t index = 1, start = 0, finish = w.cost, arrival
    cdef Work ahead
    while True:
        ahead = with_own(w, Work(extra_work(w), extra_work(w)), index - 1)
        if w.asks_start:
            start = find_start(w, ahead, index, start)
            if start < 0:
                return False
            if start + w.cost > finish:
                finish = start + w.cost
        finish = find_finish(w, ahead, index, start, finish)
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


cdef int64_t filling(Window* w, int64_t window, bint loaded) noexcept nogil:
    """All work of a window of the level."""
    cdef int64_t work = added(blocking(w, loaded), preempting(w, window, loaded))
    work = added(work, kind_work(w, OVERTAKES, window, loaded))
    work = added(work, kind_work(w, AHEAD, window, loaded))
    if w.has_earlier:
        work = added(work, kind_work(w, EARLIER, window, loaded))
    if not w.has_ahead:
        work = added(work, range_work(w.system, w.unit, w.unit + 1, window, loaded))
    return added(work, lingering(w, window, loaded))


cdef bint find_length(Window* w) noexcept nogil:
    """L; False where it gives up."""
    cdef int64_t window = 1, work, other, longer
    while True:
        work = filling(w, window, False)
        if w.above >= 0:
            other = filling(w, window, True)
            if other < work:
                work = other
        longer = service_time(w, work)
        if gives_up(w, longer):
            return False
        if longer <= window:
            w.length = window
            return True
        window = longer


cdef int64_t all_work_ahead(Window* w, int64_t arrival, bint loaded) noexcept nogil:
    """B + H(A), without the unit's own stream."""
    cdef System* s = w.system
    cdef int64_t r, first, last, total = blocking(w, loaded)
    for r in range(w.first_relation, w.last_relation):
        if s.relation[r].kind == AHEAD:
            first = s.relation[r].first
            last = s.relation[r].last
            if first <= w.unit < last:
                total = added(total, range_work(s, first, w.unit, arrival + 1, loaded))
                first = w.unit + 1
            total = added(total, range_work(s, first, last, arrival + 1, loaded))
    return total


cdef int64_t work_ahead(Window* w, int64_t arrival, bint loaded) noexcept nogil:
    """The same; of later siblings less (lemma later-siblings)."""
    cdef System* s = w.system
    cdef Curves* c = &s.curves
    cdef int64_t i, unit, jobs, more, total = all_work_ahead(w, arrival, loaded)
    if total >= UNBOUNDED:
        return total
    for i in range(s.later_start[w.unit], s.later_start[w.unit + 1]):
        unit = s.later_unit[i]
        jobs = node_count(
            c, c.place[w.unit].node, arrival + 1 + c.place[unit].before - c.place[w.unit].best
        )
        jobs = saturated_product(jobs, s.later_jobs[i], UNBOUNDED) - 1
        more = unit_count(c, unit, arrival + 1) - saturated_product(jobs, s.later_bunch[i], UNBOUNDED)
        if more > 0:
            total -= unit_work(s, unit, more, loaded)
    return total


cdef Work all_ahead(Window* w, int64_t arrival) noexcept nogil:
    return Work(work_ahead(w, arrival, False), work_ahead(w, arrival, True) if w.above >= 0 else 0)


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
        elif s.relation[r].kind == EARLIER:
            for unit in range(s.relation[r].first, s.relation[r].last):
                step = arrival + s.relation[r].shift
                step = unit_distance(c, unit, unit_count(c, unit, step + 1) + 1 if step >= 0 else 1)
                if step < UNBOUNDED and step - s.relation[r].shift < soonest:
                    soonest = step - s.relation[r].shift
    for r in range(s.later_start[w.unit], s.later_start[w.unit + 1]):
        # The bound of a later sibling may step where no curve does.
        step = c.place[s.later_unit[r]].before - c.place[w.unit].best
        if step < UNBOUNDED:
            unit = node_count(c, c.place[w.unit].node, arrival + 1 + step)
            step = node_distance(c, c.place[w.unit].node, unit + 1) - step
            if step < soonest:
                soonest = step
    return soonest


cdef bint level_window(Window* w) noexcept nogil:
    """The window of the unit's level: every arrival in it is a candidate; False: gives up."""
    cdef Curves* c = &w.system.curves
    cdef int64_t arrival = 0, warm_start = 0, warm_finish = 0, start, finish
    cdef int64_t index, first, last, gone
    cdef Work others, ahead
    if not find_length(w):
        return False
    while arrival < w.length:
        w.now = arrival
        others = all_ahead(w, arrival)
        last = unit_count(c, w.unit, arrival + 1)
        first = left_by(w, arrival)
        if first > last:
            first = last
        if first < 1:
            first = 1
        start = warm_start
        finish = warm_finish
        for index in range(first, last + 1):
            ahead = with_own(w, others, index - 1)
            if w.asks_start:
                start = find_start(w, ahead, index, start)
                if start < 0:
                    return False
            if start + w.cost > finish:
                finish = start + w.cost
            finish = find_finish(w, ahead, index, start, finish)
            if finish < 0:
                return False
            if index == first:
                warm_start = start
                warm_finish = finish
            gone = left(w, index)
            record(w, index, arrival, start, finish, gone if gone > arrival else arrival)
        if finish - arrival > w.response:
            w.response = finish - arrival
        arrival = next_arrival(w, arrival)
    return True


cdef void prepare(System* s, int64_t unit, int64_t origin, int64_t before, int64_t most_steps, Window* w) noexcept nogil:
    """A window that is to be searched."""
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
    w.above = s.above[unit] if s.above else -1
    w.burden = s.burden[unit] if s.above else 0
    w.budget = s.supply_budget[supply]
    w.period = s.supply_period[supply]
    w.threads = s.supply_threads[supply]
    w.first_relation = s.curves.place[unit].first_relation
    w.last_relation = s.curves.place[unit].last_relation
    w.asks_start = w.has_ahead = w.has_earlier = w.is_own = False
    w.now = 0
    w.steps = 0
    w.left_over = most_steps
    w.response = w.latency = -1
    w.tandem = NULL
    w.floor = 0
    for r in range(w.first_relation, w.last_relation):
        kind = s.relation[r].kind
        if kind == ALTERNATES or kind == PRECEDES:
            w.is_own = True
        elif kind == AHEAD:
            w.has_ahead = True
        elif kind == EARLIER:
            w.has_earlier = True
        if kind != PREEMPTS and kind != AHEAD and kind != BLOCKS:
            w.asks_start = True
        if kind == OVERTAKES or kind == LINGERS or kind == BLOCKS or kind == SHARES:
            others = True
    w.is_own = w.is_own or not (others or w.has_ahead or w.has_earlier)


cdef inline bint search(Window* w) noexcept nogil:
    """Both bounds; False where it gives up."""
    return own_window(w) if w.is_own else level_window(w)


cdef bint examine(System* s, int64_t unit, int64_t origin, int64_t before, int64_t most_steps, Window* w) noexcept nogil:
    """Both bounds of a unit; False where it gives up."""
    prepare(s, unit, origin, before, most_steps, w)
    return search(w)
