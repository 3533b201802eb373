# Event curves of nodes and units (lemma jitter-propagation). Saturates at UNBOUNDED; see twin.py for the plain form.

from libc.stdint cimport int64_t

cdef extern from *:
    """
    static inline int64_t saturated_product(int64_t a, int64_t b, int64_t limit) {
        int64_t product;
        if (__builtin_mul_overflow(a, b, &product) || product > limit) return limit;
        return product;
    }
    static inline int64_t slot_of(int64_t window) {
        return (int64_t)((uint64_t)window * 0x9E3779B97F4A7C15ULL >> 58);
    }
    static inline int64_t ceiling_quotient(int64_t a, int64_t b) {
        /* 32-bit division is several times faster where it suffices */
        uint64_t dividend = (uint64_t)(a - 1), divisor = (uint64_t)b;
        if ((dividend | divisor) >> 32 == 0)
            return (int64_t)((uint32_t)dividend / (uint32_t)divisor) + 1;
        return (int64_t)(dividend / divisor) + 1;
    }
    """
    void __builtin_prefetch(const void* address) noexcept nogil
    int64_t saturated_product(int64_t a, int64_t b, int64_t limit) noexcept nogil
    int64_t ceiling_quotient(int64_t a, int64_t b) noexcept nogil
    int64_t slot_of(int64_t window) noexcept nogil

cdef enum:
    PERIODIC = 0
    EXPLICIT = 1
    SUM = 2
    MAXIMUM = 3

cdef int64_t UNBOUNDED = 1 << 60

cdef struct Unit:  # what the inner loop reads
    int64_t cost
    int64_t multiplicity
    int64_t period  # of a unit whose node is PERIODIC without least distance, else 0
    int64_t offset  # jitter of that node and shift of the unit
    int64_t loaded  # the cost with all that one execution releases to the level above
    int64_t spacing  # 0: none
    int64_t slack
    int64_t bunch

cdef struct Place:
    int64_t node
    int64_t best
    int64_t before
    int64_t supply
    int64_t first_relation
    int64_t last_relation
    int64_t reach_first
    int64_t reach_last

cdef struct Node:
    int64_t kind
    int64_t a
    int64_t b
    int64_t c
    int64_t d

cdef enum:
    SLOTS = 64  # counts that are kept of a node, as slot_of has it

cdef struct Kept:  # a count that holds as long as no shift has changed
    int64_t window
    int64_t shifts
    int64_t count

cdef struct Curves:
    Kept* kept  # NULL: none
    int64_t shifts  # how often any has changed
    Node* node
    const int64_t* distances
    const int64_t* entry_node
    const int64_t* entry_multiplicity
    const int64_t* entry_spacing
    const int64_t* entry_slack
    const int64_t* entry_bunch
    int64_t* entry_shift
    Unit* unit
    Place* place


cdef int64_t last_at_most(const int64_t* distances, int64_t low, int64_t high, int64_t value) noexcept nogil:
    """The first index of low … high whose distance exceeds the value (bisect_right)."""
    cdef int64_t middle
    while low < high:
        middle = (low + high) >> 1
        if distances[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


cdef int64_t explicit_count(Curves* c, int64_t node, int64_t window) noexcept nogil:
    cdef int64_t period = c.node[node].a, repeat = c.node[node].b
    cdef int64_t first = c.node[node].c, length = c.node[node].d
    cdef int64_t low = first + length - repeat, last = window - 1, turns, index
    if last < c.distances[low]:
        return last_at_most(c.distances, first, low, last) - first
    turns = (last - c.distances[low]) // period
    index = last_at_most(c.distances, low, first + length, last - turns * period)
    return index - first + turns * repeat


cdef inline int64_t spaced(int64_t count, int64_t window, int64_t spacing, int64_t slack, int64_t bunch) noexcept nogil:
    """No more than the bunches that fit (lemma output-spacing)."""
    cdef int64_t most = saturated_product(bunch, ceiling_quotient(window + slack, spacing), UNBOUNDED)
    return most if most < count else count


cdef int64_t node_count(Curves* c, int64_t node, int64_t window) noexcept nogil:
    """η of a node."""
    cdef int64_t kind, count, other
    cdef Kept* kept
    if window <= 0:
        return 0
    if window >= UNBOUNDED:
        return UNBOUNDED
    kind = c.node[node].kind
    if kind == PERIODIC:
        count = ceiling_quotient(window + c.node[node].b, c.node[node].a)
        if c.node[node].c > 0:
            other = ceiling_quotient(window, c.node[node].c)
            if other < count:
                count = other
        return count
    if kind == EXPLICIT:
        return explicit_count(c, node, window)
    if c.kept != NULL:
        kept = &c.kept[node * SLOTS + slot_of(window)]
        if kept.window != window or kept.shifts != c.shifts:
            kept.window = window
            kept.shifts = c.shifts
            kept.count = joined_count(c, node, window)
        return kept.count
    return joined_count(c, node, window)


cdef int64_t joined_count(Curves* c, int64_t node, int64_t window) noexcept nogil:
    """η of a SUM or MAXIMUM."""
    cdef int64_t kind = c.node[node].kind, count, total = 0, entry
    for entry in range(c.node[node].c, c.node[node].c + c.node[node].d):
        count = saturated_product(
            c.entry_multiplicity[entry],
            node_count(c, c.entry_node[entry], window + c.entry_shift[entry]),
            UNBOUNDED,
        )
        if c.entry_spacing[entry]:
            count = spaced(count, window, c.entry_spacing[entry], c.entry_slack[entry], c.entry_bunch[entry])
        if kind == SUM:
            total = total + count if total + count < UNBOUNDED else UNBOUNDED
        elif count > total:
            total = count
    return total


cdef int64_t largest_distance(Curves* c, int64_t node, int64_t count) noexcept nogil:
    """δ⁻ of a MAXIMUM: the soonest of its entries."""
    cdef int64_t soonest = UNBOUNDED, entry, events, bunches, distance, apart
    for entry in range(c.node[node].c, c.node[node].c + c.node[node].d):
        events = ceiling_quotient(count, c.entry_multiplicity[entry])
        distance = node_distance(c, c.entry_node[entry], events)
        if distance < UNBOUNDED:
            distance -= c.entry_shift[entry]
        if c.entry_spacing[entry]:
            bunches = ceiling_quotient(count, c.entry_bunch[entry]) - 1
            apart = saturated_product(bunches, c.entry_spacing[entry], UNBOUNDED) - c.entry_slack[entry]
            if apart > distance:
                distance = apart
        if distance < soonest:
            soonest = distance
    return soonest if soonest > 0 else 0


cdef int64_t joined_distance(Curves* c, int64_t node, int64_t count) noexcept nogil:
    """δ⁻ of a SUM by bisection of its η."""
    cdef int64_t low = -1, high = 0, middle
    while high < UNBOUNDED and node_count(c, node, high + 1) < count:
        low = high
        high = 2 * high + 1
    if high >= UNBOUNDED:
        return UNBOUNDED
    while high - low > 1:
        middle = (low + high) // 2
        if node_count(c, node, middle + 1) < count:
            low = middle
        else:
            high = middle
    return high


cdef int64_t node_distance(Curves* c, int64_t node, int64_t count) noexcept nogil:
    """δ⁻ of a node."""
    cdef int64_t kind, gaps, late, other, index, turns
    if count <= 1:
        return 0
    kind = c.node[node].kind
    if kind == PERIODIC:
        gaps = count - 1
        late = saturated_product(gaps, c.node[node].a, UNBOUNDED + c.node[node].b) - c.node[node].b
        other = saturated_product(gaps, c.node[node].c, UNBOUNDED)
        if other > late:
            late = other
        return late if late > 0 else 0
    if kind == EXPLICIT:
        index = count - 1
        if index < c.node[node].d:
            return c.distances[c.node[node].c + index]
        turns = (index - c.node[node].d) // c.node[node].b + 1
        other = c.distances[c.node[node].c + index - turns * c.node[node].b]
        late = saturated_product(turns, c.node[node].a, UNBOUNDED) + other
        return late if late < UNBOUNDED else UNBOUNDED
    if kind == MAXIMUM:
        return largest_distance(c, node, count)
    return joined_distance(c, node, count)


cdef int64_t slow_count(Curves* c, int64_t unit, int64_t window) noexcept nogil:
    cdef Place* p = &c.place[unit]
    return node_count(c, p.node, window + p.before - p.best)


cdef inline int64_t unit_count(Curves* c, int64_t unit, int64_t window) noexcept nogil:
    """η of a unit."""
    cdef Unit* u = &c.unit[unit]
    cdef int64_t count
    if window <= 0:
        return 0
    if u.period > 0 and window + u.offset < UNBOUNDED:
        count = ceiling_quotient(window + u.offset, u.period)
    else:
        count = slow_count(c, unit, window)
    if u.multiplicity != 1:
        count = saturated_product(u.multiplicity, count, UNBOUNDED)
    if u.spacing:
        count = spaced(count, window, u.spacing, u.slack, u.bunch)
    return count


cdef int64_t unit_distance(Curves* c, int64_t unit, int64_t count) noexcept nogil:
    """δ⁻ of a unit."""
    cdef Place* p = &c.place[unit]
    cdef int64_t events = count, distance, apart
    if c.unit[unit].multiplicity > 1:
        events = ceiling_quotient(count, c.unit[unit].multiplicity)
    distance = node_distance(c, p.node, events)
    if distance >= UNBOUNDED:
        return UNBOUNDED
    distance -= p.before - p.best
    if c.unit[unit].spacing:
        events = ceiling_quotient(count, c.unit[unit].bunch) - 1
        apart = saturated_product(events, c.unit[unit].spacing, UNBOUNDED) - c.unit[unit].slack
        if apart > distance:
            distance = apart
    return distance if distance > 0 else 0
