# What the engine's text asks of C; shadow.py is the same in Python.

cimport cython
from cpython.array cimport array
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport abort, calloc, free, realloc
from libc.string cimport memcpy, memset

from dataclasses import fields
from zlib import crc32

from ddsrta_simulator.layout import Counts as counts_of

ctypedef int64_t Int
ctypedef bint Bool
ctypedef uint64_t Word
ctypedef int64_t* Ints

cdef extern from *:
    """
    #ifndef DDSRTA_LAYOUT
    #error "setup.py says for which layout this is built"
    #endif
    """
    const unsigned int DDSRTA_LAYOUT

LAYOUT = DDSRTA_LAYOUT

cdef extern from *:
    """
    static inline int64_t modulo(int64_t a, int64_t b) {
        return a % b >= 0 ? a % b : a % b + b;
    }
    static inline int64_t penalised(int64_t time) { return time * 11 / 10; }
    static inline uint64_t mix(int64_t seed, int64_t number) {
        uint64_t z = (uint64_t)seed + (uint64_t)(number + 1) * 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    static inline int64_t below(int64_t seed, int64_t number, int64_t count) {
        return (int64_t)(mix(seed, number) % (uint64_t)count);
    }
    static inline int64_t bucket(int64_t value) {
        int power;
        if (value < 16) return value;
        power = 63 - __builtin_clzll((unsigned long long)value);
        return 16 * (power - 3) + ((value >> (power - 4)) & 15);
    }
    """
    int64_t modulo(int64_t a, int64_t b) noexcept nogil
    int64_t penalised(int64_t time) noexcept nogil
    uint64_t mix(int64_t seed, int64_t number) noexcept nogil
    int64_t below(int64_t seed, int64_t number, int64_t count) noexcept nogil
    int64_t bucket(int64_t value) noexcept nogil


cdef struct RowsRecord:
    Ints data
    Int count
    Int room

ctypedef RowsRecord* Rows


cdef Bool grow(Rows rows, Int count) noexcept nogil:
    """Room for so many more numbers."""
    cdef Int room = rows.room
    cdef void* data
    if rows.count + count <= room:
        return True
    while room < rows.count + count:
        room = 64 if room == 0 else 2 * room
    data = realloc(rows.data, room * sizeof(Int))
    if data == NULL:
        return False
    rows.data = <Ints>data
    rows.room = room
    return True


cdef bytes numbers(const void* data, Int count):
    return (<const char*>data)[: count * sizeof(Int)] if count else b""


cdef array copied(Ints values, Int first, Int count):
    """So many of them."""
    return array("q", numbers(values + first, count))
