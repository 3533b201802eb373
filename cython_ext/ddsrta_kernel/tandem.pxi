# Two threads in tandem (lemma tandem-window). Names as in twin_tandem.py.

cdef struct Feed:
    int64_t source
    int64_t target
    int64_t times
    int64_t slack

cdef struct Tandem:
    Window last
    const Feed* feed
    int64_t feeds
    int64_t worst
    int64_t link
    int64_t units  # of the last stage that its window counts, the one in question included
    int64_t saved  # what is paid on one of both threads only
    int64_t first_finish
    int64_t last_finish
    bint failed

cdef struct Unshared:  # work that does not reach the last thread, or comes once, counted both ways
    Work less
    Work blockers


cdef int64_t relation_to(Window* w, int64_t other) noexcept nogil:
    """The relation of another unit; -1: none."""
    cdef Relation* relation = w.system.relation
    cdef int64_t r, kind = -1
    for r in range(w.first_relation, w.last_relation):
        if relation[r].first <= other < relation[r].last and (kind < 0 or relation[r].kind < kind):
            kind = relation[r].kind
    return kind


cdef int64_t counted(Window* w, int64_t source, int64_t kind, int64_t index, int64_t arrival, int64_t start) noexcept nogil:
    """How many units of a source the window of the first thread counts."""
    cdef System* s = w.system
    cdef Curves* c = &s.curves
    cdef int64_t i, jobs, most, count
    if source == w.unit:
        return index
    if kind == OVERTAKES:
        return unit_count(c, source, start + 1)
    if kind == ALTERNATES or kind == PRECEDES:
        count = unit_count(c, source, start + s.state[source].response)
        if count > index + (kind == PRECEDES):
            count = index + (kind == PRECEDES)
        for i in range(s.effect_start[w.unit], s.effect_start[w.unit + 1]):
            if s.effect_unit[i] == source:
                count = min(count, earlier_units(w, source, index))
        return count
    if kind != AHEAD:
        return 0
    count = unit_count(c, source, arrival + 1)
    for i in range(s.later_start[w.unit], s.later_start[w.unit + 1]):
        if s.later_unit[i] == source:
            jobs = node_count(
                c, c.place[w.unit].node, arrival + 1 + c.place[source].before - c.place[w.unit].best
            )
            jobs = saturated_product(jobs, s.later_jobs[i], UNBOUNDED) - 1
            most = saturated_product(jobs, s.later_bunch[i], UNBOUNDED)
            if most < count:
                count = most
    return count


cdef inline void remove_work(Window* z, Unshared* u, int64_t unit, int64_t count) noexcept nogil:
    u.less.plain = added(u.less.plain, unit_work(z.system, unit, count, False))
    if z.above >= 0:
        u.less.loaded = added(u.less.loaded, unit_work(z.system, unit, count, True))


cdef int64_t share(
    Window* x, int64_t first, int64_t last, int64_t reach, int64_t index, int64_t arrival, int64_t start, int64_t finish,
    Unshared* u,
) noexcept nogil:
    """What the feeds of one source save at most by one unit; adds up what all of them save."""
    cdef Tandem* t = x.tandem
    cdef Window* z = &t.last
    cdef System* s = x.system
    cdef Curves* c = &s.curves
    cdef int64_t source = t.feed[first].source
    cdef int64_t kind = AHEAD if source == x.unit else relation_to(x, source)
    cdef int64_t i, target, times, have, arriving, extra, most, paid, units = -1, cost = 0
    cdef bint own, in_order
    cdef Work once = Work(0, 0)
    if kind < 0 or kind == PREEMPTS or kind == LINGERS:
        return 0
    have = counted(x, source, kind, index, arrival, start)
    for i in range(first, last):
        target = t.feed[i].target
        times = t.feed[i].times
        own = target == z.unit
        in_order = own or t.feed[i].slack < 0
        if not own and relation_to(z, target) != AHEAD:
            continue
        if not in_order and (kind == ALTERNATES or kind == BLOCKS or kind == PRECEDES):
            continue
        arriving = unit_count(c, target, reach)
        if kind == BLOCKS:
            remove_work(z, u, target, arriving)
            if arriving:
                once.plain = added(once.plain, unit_work(s, target, times, False))
                if z.above >= 0:
                    once.loaded = added(once.loaded, unit_work(s, target, times, True))
            continue
        extra = 0
        if not in_order:
            extra = unit_count(c, source, finish + t.feed[i].slack + 1) - have
            if extra < 0:
                extra = 0
        most = saturated_product(times, added(have, extra), UNBOUNDED)
        if arriving < most:
            most = arriving
        if own:
            t.units = most
        else:
            remove_work(z, u, target, arriving - most)
        paid = most // times - extra
        if paid < 0:
            paid = 0
        if units < 0 or paid < units:
            units = paid
        cost = added(cost, unit_work(s, target, times, False))
    if once.plain > u.blockers.plain:
        u.blockers.plain = once.plain
    if once.loaded > u.blockers.loaded:
        u.blockers.loaded = once.loaded
    if units <= 0:
        return 0
    if s.curves.unit[source].cost < cost:
        cost = s.curves.unit[source].cost
    t.saved += units * cost
    return cost


cdef int64_t finished_last(Window* x, int64_t index, int64_t arrival, int64_t start, int64_t finish) noexcept nogil:
    """When the last thread is done after its window opened, or -1; sets what both share."""
    cdef Tandem* t = x.tandem
    cdef Window* z = &t.last
    cdef Unshared u = Unshared(Work(0, 0), Work(0, 0))
    cdef Work ahead = Work(0, 0)
    cdef int64_t first = 0, last, one, longest = 0, begun = 0
    cdef int64_t reach = finish + t.worst - arrival - t.link
    if reach < 1:
        reach = 1
    t.saved = 0
    t.units = 1
    while first < t.feeds:
        last = first + 1
        while last < t.feeds and t.feed[last].source == t.feed[first].source:
            last += 1
        one = share(x, first, last, reach, index, arrival, start, finish, &u)
        if one > longest:
            longest = one
        first = last
    if longest > u.blockers.plain:  # what blocks is served before all others
        t.saved -= longest - u.blockers.plain
    if not z.is_own:
        ahead.plain = all_work_ahead(z, reach - 1, False)
        if ahead.plain < UNBOUNDED:
            ahead.plain += u.blockers.plain - u.less.plain
        if z.above >= 0:
            ahead.loaded = all_work_ahead(z, reach - 1, True)
            if ahead.loaded < UNBOUNDED:
                ahead.loaded += u.blockers.loaded - u.less.loaded
    ahead = with_own(z, ahead, t.units - 1)
    if z.asks_start:
        begun = find_start(z, ahead, t.units, 0)
    if begun >= 0:
        begun = find_finish(z, ahead, t.units, begun, begun + z.cost)
    t.failed = t.failed or begun < 0
    return begun


cdef bint examine_tandem(System* s, Tandem* t, int64_t first, int64_t last, int64_t origin, int64_t early, int64_t late, Window* one, Window* both) noexcept nogil:
    """Both cases; False where either gives up."""
    cdef int64_t floor = late - early - t.link
    prepare(s, last, origin, late, s.most_steps, one)
    one.floor = floor if floor > 0 else 0
    if not search(one):
        return False
    prepare(s, last, origin, late, s.most_steps, &t.last)
    prepare(s, first, origin, early, s.most_steps, both)
    both.tandem = t
    t.failed = False
    t.first_finish = t.last_finish = 0
    if not search(both) or t.failed:
        return False
    return one.latency < UNBOUNDED and both.latency < UNBOUNDED
