# Decisions as pure functions of a seed, an instance number and the time.

cdef inline uint64_t mix(int64_t seed, int64_t number) noexcept nogil:
    """The splitmix64 sequence of a seed."""
    cdef uint64_t z = <uint64_t>seed + <uint64_t>(number + 1) * <uint64_t>0x9E3779B97F4A7C15ULL
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline int64_t resolved(
    int64_t habit, int64_t turn, int64_t seed, int64_t number, int64_t time
) noexcept nogil:
    """WORST, BEST or RANDOM: what a habit means this time."""
    if habit == EITHER:
        return WORST if mix(seed, number) & 1 else BEST
    if habit == WORST_THEN_BEST:
        return WORST if time < turn else BEST
    if habit == BEST_THEN_WORST:
        return BEST if time < turn else WORST
    return habit


cdef inline int64_t amount(
    Chosen* c, int64_t decision, int64_t number, int64_t time, int64_t best, int64_t worst
) noexcept nogil:
    """Something from best to worst."""
    cdef int64_t habit
    if decision < 0 or best >= worst:
        return worst
    habit = resolved(
        c.decision_habit[decision], c.decision_turn[decision], c.decision_seed[decision], number, time
    )
    if habit == RANDOM:
        return best + <int64_t>(mix(c.decision_seed[decision], number) % <uint64_t>(worst - best + 1))
    return worst if habit == WORST else best


cdef inline int64_t reader(
    Chosen* c, int64_t decision, int64_t number, int64_t time, int64_t readers, int64_t copy
) noexcept nogil:
    """Which of its readers a copy of a message is for: in order, backwards, or from any one on."""
    cdef int64_t habit, start
    cdef uint64_t drawn
    if decision < 0:
        return copy
    habit = resolved(
        c.decision_habit[decision], c.decision_turn[decision], c.decision_seed[decision], number, time
    )
    if habit == WORST:
        return copy
    if habit == BEST:
        return readers - 1 - copy
    drawn = mix(c.decision_seed[decision], number)
    start = <int64_t>((drawn >> 1) % <uint64_t>readers)
    return (start + (copy if drawn & 1 else readers - copy)) % readers


cdef inline int64_t bucket(int64_t value) noexcept nogil:
    """The bucket of a value in a histogram."""
    cdef int64_t power
    if value < 16:
        return value
    power = 63 - __builtin_clzll(<unsigned long long>value)
    return 16 * (power - 3) + ((value >> (power - 4)) & 15)
