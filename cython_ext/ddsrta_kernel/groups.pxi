# Windows of a level, and of groups of joined stages (lemma group-window). Names as in twin_groups.py.

cdef enum:
    ROOT = 0
    PIECE = 1
    ANYHOW = 2

cdef struct Group:
    int64_t kind
    int64_t head
    int64_t level
    int64_t first
    int64_t each
    int64_t later
    int64_t least
    int64_t last

cdef struct GroupWindow:
    System* system
    Group* group
    int64_t origin
    int64_t ratio
    int64_t node
    int64_t before
    int64_t budget
    int64_t period
    int64_t steps
    int64_t left_over
    int64_t response
    int64_t latency
    int64_t length
    int64_t index
    int64_t arrival
    int64_t finish


cdef inline int64_t fixed_point(GroupWindow* w, int64_t work) noexcept nogil:
    """The time for this work, or -1 where the search gives up."""
    cdef int64_t time = supplied(w.budget, w.period, work)
    w.steps += 1
    return -1 if time >= UNBOUNDED or w.steps > w.left_over else time


cdef int64_t level_length(GroupWindow* w) noexcept nogil:
    """L of the level, or -1."""
    cdef Level* level = &w.system.level[w.group.level]
    cdef int64_t window = level.found, longer
    while True:
        longer = fixed_point(w, level_work(w.system, w.group.level, window, -1))
        if longer < 0:
            return -1
        if longer <= window:
            level.found = window
            return window
        window = longer


cdef int64_t piece_finish(GroupWindow* w) noexcept nogil:
    """F of a window that opens with a piece of a less urgent stage, or -1."""
    cdef int64_t finish = 1, later
    while True:
        later = fixed_point(w, added(w.group.first, roots_work(w.system, w.group.level, finish, -1)))
        if later <= finish:
            return later if later < 0 else finish
        finish = later


cdef int64_t event_finish(GroupWindow* w, int64_t index, int64_t finish) noexcept nogil:
    """F(q), or -1."""
    cdef Group* g = w.group
    cdef int64_t work, more, longer
    cdef int64_t fixed = added(g.first, saturated_product(index - 1, g.each, UNBOUNDED))
    while True:
        more = unit_count(&w.system.curves, g.head, finish) - index
        work = added(fixed, level_work(w.system, g.level, finish, g.head))
        if more > 0:
            work = added(work, saturated_product(more, g.later, UNBOUNDED))
        longer = fixed_point(w, work)
        if longer <= finish:
            return longer if longer < 0 else finish
        finish = longer


cdef bint root_events(GroupWindow* w) noexcept nogil:
    """All events of the root in the window of the level, one after the other; False: gives up."""
    cdef Curves* c = &w.system.curves
    cdef int64_t index = 1, finish = 1, arrival, gone, events
    while True:
        arrival = unit_distance(c, w.group.head, index)
        if arrival >= w.length:
            return True
        finish = event_finish(w, index, finish)
        if finish < 0:
            return False
        if finish - arrival - w.group.least > w.response:
            w.response = finish - arrival - w.group.least
        events = ceiling_quotient(index, w.ratio)
        if w.origin < 0:
            gone = node_distance(c, c.place[w.group.head].node, events)
        else:
            gone = unit_distance(c, w.origin, events)
        if finish - gone + w.before > w.latency:
            w.latency = finish - gone + w.before
            w.index = index
            w.arrival = arrival
            w.finish = finish
        index += 1


cdef inline bint is_effect(GroupWindow* w, int64_t unit) noexcept nogil:
    """Whether a unit of the event in question comes only after the group has ended."""
    cdef System* s = w.system
    cdef int64_t i, last = w.group.last
    if s.curves.unit[last].multiplicity != 1 or s.curves.place[last].node != w.node:
        return False
    for i in range(s.cause_start[last], s.cause_start[last + 1]):
        if s.cause_first[i] <= s.cause_place[unit] < s.cause_end[i]:
            return True
    return False


cdef struct Phases:  # all from one to another are looked at as one: what any of them counts
    int64_t first
    int64_t last


cdef inline int64_t earlier_events(GroupWindow* w, int64_t unit, Phases phases, int64_t finish) noexcept nogil:
    """How many base events up to the one in question may bring a unit into the window."""
    cdef Curves* c = &w.system.curves
    cdef int64_t count = node_count(c, w.node, phases.last + c.place[unit].before + 1)
    if count > 0 and (finish <= phases.first + c.place[unit].best or is_effect(w, unit)):
        return count - 1
    return count


cdef inline int64_t later_events(GroupWindow* w, int64_t unit, Phases phases, int64_t finish) noexcept nogil:
    """And how many after it."""
    cdef Curves* c = &w.system.curves
    cdef int64_t count = node_count(c, w.node, finish - phases.first - c.place[unit].best) - 1
    return count if count > 0 else 0


cdef int64_t phase_work(GroupWindow* w, Phases phases, int64_t finish) noexcept nogil:
    """The work of all roots but the head's, those of its base in step with it."""
    cdef System* s = w.system
    cdef Curves* c = &s.curves
    cdef int64_t i, unit, count, most, total = 0
    for i in range(s.level[w.group.level].first_root, s.level[w.group.level].last_root):
        unit = s.root[i].unit
        if unit == w.group.head and w.group.kind == ROOT:
            continue
        count = unit_count(c, unit, finish)
        if c.place[unit].node == w.node and unit != w.group.head:
            most = saturated_product(
                c.unit[unit].multiplicity,
                added(earlier_events(w, unit, phases, finish), later_events(w, unit, phases, finish)),
                UNBOUNDED,
            )
            if most < count:
                count = most
        total = added(total, saturated_product(s.root[i].work, count, UNBOUNDED))
    return total


cdef struct Fixed:  # what a phase counts whatever the window
    int64_t work
    int64_t own


cdef Fixed phase_fixed(GroupWindow* w, Phases phases) noexcept nogil:
    """The work of the events so far, and how many units of the head they bring."""
    cdef System* s = w.system
    cdef Curves* c = &s.curves
    cdef Group* g = w.group
    cdef Fixed fixed = Fixed(g.first, 0)
    if g.kind == ROOT:
        fixed.own = saturated_product(
            c.unit[g.head].multiplicity,
            node_count(c, w.node, phases.last + c.place[g.head].before + 1),
            UNBOUNDED,
        )
        fixed.work = added(
            added(fixed.work, s.level[g.level].piece),
            saturated_product(fixed.own - 1, g.each, UNBOUNDED),
        )
    return fixed


cdef int64_t phase_time(GroupWindow* w, Fixed fixed, Phases phases, int64_t finish) noexcept nogil:
    """The time for all work of a window of this length, or -1."""
    cdef Curves* c = &w.system.curves
    cdef Group* g = w.group
    cdef int64_t more, most, work = added(fixed.work, phase_work(w, phases, finish))
    if g.kind == ROOT and g.later:
        more = unit_count(c, g.head, finish) - fixed.own
        most = saturated_product(
            c.unit[g.head].multiplicity, later_events(w, g.head, phases, finish), UNBOUNDED
        )
        if most < more:
            more = most
        if more > 0:
            work = added(work, saturated_product(more, g.later, UNBOUNDED))
    return fixed_point(w, work)


cdef int64_t phase_finish(GroupWindow* w, int64_t phase, int64_t enough) noexcept nogil:
    """F(x), or -1; no more than what is enough counts as that."""
    cdef int64_t finish = 1, longer
    cdef Phases phases = Phases(phase, phase)
    cdef Fixed fixed = phase_fixed(w, phases)
    if enough > 0:
        longer = phase_time(w, fixed, phases, enough)
        if longer <= enough:
            return longer if longer < 0 else enough
    while True:
        longer = phase_time(w, fixed, phases, finish)
        if longer <= finish:
            return longer if longer < 0 else finish
        finish = longer


cdef int64_t all_phases_time(GroupWindow* w, int64_t first, int64_t last, int64_t enough) noexcept nogil:
    """The time for all that any phase from one to another counts in a window that is enough, or -1."""
    cdef Phases phases = Phases(first, last)
    return phase_time(w, phase_fixed(w, phases), phases, enough)


cdef inline int64_t next_phase(GroupWindow* w, int64_t phase, int64_t late) noexcept nogil:
    """The next phase at which one more event may have arrived in the window so far."""
    cdef Curves* c = &w.system.curves
    return node_distance(c, w.node, node_count(c, w.node, phase + late + 1) + 1) - late


cdef int64_t phase_after(GroupWindow* w, int64_t phase) noexcept nogil:
    """The next phase at which one more event of anything may have arrived in the window so far."""
    cdef System* s = w.system
    cdef Curves* c = &s.curves
    cdef int64_t head = w.group.head, i, unit, other, after = next_phase(w, phase, c.place[head].before)
    for i in range(s.level[w.group.level].first_root, s.level[w.group.level].last_root):
        unit = s.root[i].unit
        if c.place[unit].node == w.node and unit != head and c.place[unit].before < UNBOUNDED:
            other = next_phase(w, phase, c.place[unit].before)
            if other < after:
                after = other
    return after


cdef bint phases(GroupWindow* w) noexcept nogil:
    """All times from the opening of the window to the base event (lemma phase-window); False: gives up.

    Where a window that would change nothing is enough for many phases in a row, they need no look
    one by one: twice as many are tried next, and fewer where it was not enough.
    """
    cdef Curves* c = &w.system.curves
    cdef int64_t head = w.group.head, earliest = c.place[head].best, phase = -c.place[head].before
    cdef int64_t end = 1 - earliest, left = 0, finish, since, arrived, enough, last, needed, width = 0
    if w.group.kind == ROOT:
        end = w.length - earliest
    if w.origin >= 0:
        left = c.place[w.origin].best
    if phase < -earliest < end:  # of those that arrive at the opening the last finds the most
        finish = phase_finish(w, -earliest, w.response + w.group.least)
        if finish < 0:
            return False
        if finish - w.group.least > w.response:
            w.response = finish - w.group.least
    while phase < end:
        arrived = phase + earliest if phase + earliest > 0 else 0
        since = phase + left if phase + left > -w.before else -w.before
        enough = w.response + arrived + w.group.least
        if w.latency + since < enough:
            enough = w.latency + since
        last = min(phase + width, end - 1)
        if last > phase and enough > 0:
            needed = all_phases_time(w, phase, last, enough)
            if 0 <= needed <= enough:
                phase = phase_after(w, last)
                width *= 2
                continue
            width //= 4
        finish = phase_finish(w, phase, enough)
        if finish < 0:
            return False
        if finish - arrived - w.group.least > w.response:
            w.response = finish - arrived - w.group.least
        if finish - since > w.latency:
            w.latency = finish - since
            w.index = 1
            w.arrival = arrived
            w.finish = finish
        last = phase
        phase = phase_after(w, phase)
        if phase - last > width:
            width = phase - last
    return True


cdef bint by_phase_or_event(GroupWindow* w) noexcept nogil:
    """The least bounds of both ways to look at a group; False where neither gives any."""
    cdef int64_t response
    cdef GroupWindow other = w[0]
    if not phases(w):
        return False
    if w.group.kind == ROOT and (w.origin >= 0 or w.system.curves.unit[w.group.head].spacing):
        other.steps = w.steps
        if not root_events(&other):
            w.steps = other.steps
            return False
        w.steps = other.steps
        response = w.response if w.response < other.response else other.response
        if other.latency < w.latency:
            w[0] = other
        w.response = response
    return True


cdef bint examine_group(System* s, Group* group, int64_t origin, int64_t before, int64_t most_steps, GroupWindow* w) noexcept nogil:
    """Both bounds that a group gives; False where it gives none."""
    cdef int64_t supply = s.level[group.level].supply
    w.system = s
    w.group = group
    w.origin = origin
    w.before = before
    w.steps = 0
    w.left_over = most_steps
    w.response = w.latency = -1
    if before >= UNBOUNDED or s.level[group.level].overloaded:
        return False
    w.ratio = s.curves.unit[group.head].multiplicity
    if origin >= 0:
        w.ratio = w.ratio // s.curves.unit[origin].multiplicity
    w.budget = s.supply_budget[supply]
    w.period = s.supply_period[supply]
    w.node = s.curves.place[group.head].node
    w.length = 0
    if group.kind != PIECE:
        w.length = level_length(w)
        if w.length < 0:
            return False
    if group.kind != ANYHOW:
        if s.in_step and s.curves.place[group.head].before < UNBOUNDED:
            return by_phase_or_event(w)
        if group.kind == ROOT:
            return root_events(w)
        w.length = piece_finish(w)
        if w.length < 0:
            return False
    w.finish = w.length
    w.index = 1
    w.arrival = 0
    w.response = w.finish - group.least
    w.latency = w.finish + before
    return True
