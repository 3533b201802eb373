# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled engine: see twin.py, which does the same in plain Python and says why."""

from dataclasses import fields
from zlib import crc32

cimport cython
from cpython.array cimport array
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport abort, calloc, free, realloc
from libc.string cimport memcpy, memmove

from ddsrta_simulator import orders as _orders
from ddsrta_simulator import program as _program

cdef extern from *:
    """
    #ifndef DDSRTA_LAYOUT
    #error "setup.py says for which layout this is built"
    #endif
    """
    const unsigned int DDSRTA_LAYOUT

LAYOUT = DDSRTA_LAYOUT

cdef enum:
    ARRIVAL = 0
    URGENCY = 1
    TURNS = 2
    ROUNDS = 3
    ANY = 4
    POOL = 5
    RESERVED = 6
    TIMERS = 7
    DEADLINE = 8
cdef enum:
    ANYWHERE = -1
cdef enum:
    TIMED = 0
    EACH = 1
    ALL = 2
    EXACT = 3
    APPROXIMATE = 4
    LATEST = 5
    NEAREST = 6
cdef enum:
    SYNC = 0
    ASYNC = 1
cdef enum:
    ANCHORED = 0
    BURST = 1
    CURVE = 2
cdef enum:
    WORST = 0
    BEST = 1
    RANDOM = 2
    EITHER = 3
    WORST_THEN_BEST = 4
    BEST_THEN_WORST = 5
cdef enum:
    DENSE = 0
    ALIGNED = 1
    WILD = 2
cdef enum:
    ANY_JITTER = 0
    EXTREME_JITTER = 1
cdef enum:
    CALM = 0
    SHUFFLED = 1
cdef enum:
    ARRIVED = 0
    RUNS = 1
    PREEMPTED = 2
    COMPLETED = 3
    PUBLISHED = 4
    SENT = 5
    RECEIVED = 6
    DELIVERED = 7
    OPENED = 8
    CLOSED = 9
    HANDED = 10
    TAKEN = 11
cdef enum:
    BUCKETS = 960

cdef int64_t NEVER = 1 << 62
cdef int64_t FOR_TIME = 1 << 40

assert (NEVER, FOR_TIME, BUCKETS) == (_program.NEVER, _program.FOR_TIME, _program.BUCKETS)
assert (
    ARRIVAL, URGENCY, TURNS, ROUNDS, ANY, POOL, RESERVED, TIMERS, DEADLINE
) == (
    _orders.ARRIVAL, _orders.URGENCY, _orders.TURNS, _orders.ROUNDS,
    _orders.ANY, _orders.POOL, _orders.RESERVED, _orders.TIMERS,
    _orders.DEADLINE,
)
assert all(
    getattr(_program, name) == value
    for name, value in {
        "ANYWHERE": ANYWHERE,
        "TIMED": TIMED,
        "EACH": EACH,
        "ALL": ALL,
        "EXACT": EXACT,
        "APPROXIMATE": APPROXIMATE,
        "LATEST": LATEST,
        "NEAREST": NEAREST,
        "SYNC": SYNC,
        "ASYNC": ASYNC,
        "ANCHORED": ANCHORED,
        "BURST": BURST,
        "CURVE": CURVE,
        "WORST": WORST,
        "BEST": BEST,
        "RANDOM": RANDOM,
        "EITHER": EITHER,
        "WORST_THEN_BEST": WORST_THEN_BEST,
        "BEST_THEN_WORST": BEST_THEN_WORST,
        "DENSE": DENSE,
        "ALIGNED": ALIGNED,
        "WILD": WILD,
        "ANY_JITTER": ANY_JITTER,
        "EXTREME_JITTER": EXTREME_JITTER,
        "CALM": CALM,
        "SHUFFLED": SHUFFLED,
        "ARRIVED": ARRIVED,
        "RUNS": RUNS,
        "PREEMPTED": PREEMPTED,
        "COMPLETED": COMPLETED,
        "PUBLISHED": PUBLISHED,
        "SENT": SENT,
        "RECEIVED": RECEIVED,
        "DELIVERED": DELIVERED,
        "OPENED": OPENED,
        "CLOSED": CLOSED,
        "HANDED": HANDED,
        "TAKEN": TAKEN,
    }.items()
)

include "memory.pxi"
include "decisions.pxi"
include "releases.pxi"
include "supplies.pxi"
include "block.pxi"
include "executors.pxi"
include "pools.pxi"
include "limits.pxi"
include "cores.pxi"
include "paths.pxi"
include "tokens.pxi"
include "approximate.pxi"
include "matching.pxi"
include "things.pxi"
include "writes.pxi"
include "batches.pxi"
include "engine.pxi"
include "state.pxi"
