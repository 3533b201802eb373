# The memory of a solver, and what its text asks of C; shadow.py and memory.py are the same in Python.

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc

from array import array

from ddsrta_kernel.outcomes import Outcome, PendingOutcome, TandemOutcome

ctypedef int64_t Int
ctypedef bint Bool
ctypedef double Float
ctypedef int64_t* Ints
ctypedef double* Floats
ctypedef char* Flags
ctypedef void* Owner

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
    static inline int64_t saturated_product(int64_t a, int64_t b, int64_t limit) {
        int64_t product;
        if (__builtin_mul_overflow(a, b, &product) || product > limit) return limit;
        return product;
    }
    static inline int64_t ceiling_quotient(int64_t a, int64_t b) {
        /* 32-bit division is several times faster where it suffices */
        uint64_t dividend = (uint64_t)(a - 1), divisor = (uint64_t)b;
        if ((dividend | divisor) >> 32 == 0)
            return (int64_t)((uint32_t)dividend / (uint32_t)divisor) + 1;
        if (a <= 0) return a / b; /* which C rounds up */
        return (int64_t)(dividend / divisor) + 1;
    }
    """
    int64_t lowest_bit "__builtin_ctzll"(int64_t word) noexcept nogil
    void prefetch "__builtin_prefetch"(const void* address) noexcept nogil
    int64_t saturated_product(int64_t a, int64_t b, int64_t limit) noexcept nogil
    int64_t ceiling_quotient(int64_t a, int64_t b) noexcept nogil
