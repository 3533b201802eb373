# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled kernel: the global fixed point over flat arrays, without Python objects in the loop."""

from array import array

from libc.stdlib cimport calloc, free

from ddsrta_kernel.problem import MOST_STEPS as _MOST_STEPS
from ddsrta_kernel.problem import UNBOUNDED as _UNBOUNDED
from ddsrta_kernel.problem import Outcome

include "curves.pxi"
include "windows.pxi"

assert UNBOUNDED == _UNBOUNDED

NOTHING = Outcome(_UNBOUNDED, _UNBOUNDED, _UNBOUNDED, 0, 0, 0, _UNBOUNDED)
cdef double OVERLOAD = 1.0 + 1e-9


cdef class Solver:
    """Finds the global fixed point: all responses and latencies of a problem."""

    cdef readonly object problem
    cdef readonly object response
    cdef readonly object latency
    cdef readonly object window
    cdef readonly int64_t solved
    cdef list _kept
    cdef System system
    cdef int64_t units
    cdef int64_t supplies
    cdef const int64_t* supply_first
    cdef const int64_t* supply_last
    cdef const int64_t* entry_owner
    cdef const int64_t* reach_first
    cdef const int64_t* reach_last
    cdef const int64_t* is_load
    cdef const int64_t* is_carried
    cdef const int64_t* edge_start
    cdef const int64_t* edge_unit
    cdef const int64_t* edge_entry
    cdef const int64_t* edge_worst
    cdef const int64_t* edge_best
    cdef const int64_t* user_start
    cdef const int64_t* user_unit
    cdef const int64_t* dependent_start
    cdef const int64_t* dependent_entry
    cdef int64_t* responses
    cdef int64_t* latencies
    cdef int64_t* windows
    cdef int64_t* times
    cdef char* dirty
    cdef char* queued
    cdef int64_t* queue
    cdef int64_t head
    cdef int64_t waiting
    cdef double* rate
    cdef double* load

    def __init__(self, problem, int64_t most_steps=_MOST_STEPS):
        cdef int64_t units = len(problem.cost), nodes = len(problem.node_kind), unit
        self.problem = problem
        self.units = units
        self.supplies = len(problem.supply_first)
        self._kept = []
        self.system.most_steps = most_steps
        self.response = array("q", problem.cost)
        self.latency = array("q", bytes(8 * units))
        self.window = array("q", bytes(8 * units))
        self._read(problem)
        self.responses = self._writable(self.response)
        self.latencies = self._writable(self.latency)
        self.windows = self._writable(self.window)
        self.system.response = self.responses
        self.system.curves.before = self._writable(array("q", problem.best))
        self.system.curves.entry_shift = self._writable(array("q", bytes(8 * len(problem.entry_node))))
        self.system.curves.period = self._writable(array("q", bytes(8 * units)))
        self.system.curves.offset = self._writable(array("q", bytes(8 * units)))
        self.times = self._writable(array("q", bytes(8 * units)))
        self.queue = self._writable(array("q", bytes(8 * self.supplies)))
        self.rate = <double*>calloc(nodes + 1, sizeof(double))
        self.load = <double*>calloc(units + 1, sizeof(double))
        self.dirty = <char*>calloc(units + 1, 1)
        self.queued = <char*>calloc(self.supplies + 1, 1)
        if not (self.rate and self.load and self.dirty and self.queued):
            raise MemoryError
        for unit in range(units):
            self.dirty[unit] = not self.is_load[unit]
            self._refresh(unit)
        self._rates(nodes)

    def __dealloc__(self):
        free(self.rate)
        free(self.load)
        free(self.dirty)
        free(self.queued)

    cdef const int64_t* _readable(self, values):
        """The memory of an array that is kept as long as the solver lives."""
        return self._writable(values)

    cdef int64_t* _writable(self, values):
        cdef int64_t[::1] view = values if len(values) else array("q", [0])
        self._kept.append(view)
        return &view[0]

    cdef _read(self, problem):
        cdef Curves* c = &self.system.curves
        cdef System* s = &self.system
        c.node_kind = self._readable(problem.node_kind)
        c.node_a = self._readable(problem.node_a)
        c.node_b = self._readable(problem.node_b)
        c.node_c = self._readable(problem.node_c)
        c.node_d = self._readable(problem.node_d)
        c.distances = self._readable(problem.distances)
        c.entry_node = self._readable(problem.entry_node)
        c.entry_multiplicity = self._readable(problem.entry_multiplicity)
        c.node = self._readable(problem.node)
        c.multiplicity = self._readable(problem.multiplicity)
        c.best = self._readable(problem.best)
        s.supply_budget = self._readable(problem.supply_budget)
        s.supply_period = self._readable(problem.supply_period)
        s.cost = self._readable(problem.cost)
        s.supply = self._readable(problem.supply)
        s.relation_start = self._readable(problem.relation_start)
        s.relation_kind = self._readable(problem.relation_kind)
        s.relation_first = self._readable(problem.relation_first)
        s.relation_last = self._readable(problem.relation_last)
        self.supply_first = self._readable(problem.supply_first)
        self.supply_last = self._readable(problem.supply_last)
        self.entry_owner = self._readable(problem.entry_owner)
        self.reach_first = self._readable(problem.reach_first)
        self.reach_last = self._readable(problem.reach_last)
        self.is_load = self._readable(problem.is_load)
        self.is_carried = self._readable(problem.is_carried)
        self.edge_start = self._readable(problem.edge_start)
        self.edge_unit = self._readable(problem.edge_unit)
        self.edge_entry = self._readable(problem.edge_entry)
        self.edge_worst = self._readable(problem.edge_worst)
        self.edge_best = self._readable(problem.edge_best)
        self.user_start = self._readable(problem.user_start)
        self.user_unit = self._readable(problem.user_unit)
        self.dependent_start = self._readable(problem.dependent_start)
        self.dependent_entry = self._readable(problem.dependent_entry)

    cdef void _rates(self, int64_t nodes) noexcept nogil:
        """Long-run rates of nodes, and work of all units before each."""
        cdef Curves* c = &self.system.curves
        cdef int64_t node, entry, unit
        cdef double part, total
        for node in range(nodes):
            if c.node_kind[node] == PERIODIC:
                self.rate[node] = 1.0 / <double>c.node_a[node]
            elif c.node_kind[node] == EXPLICIT:
                self.rate[node] = <double>c.node_b[node] / <double>c.node_a[node]
            else:
                total = 0.0
                for entry in range(c.node_c[node], c.node_c[node] + c.node_d[node]):
                    part = c.entry_multiplicity[entry] * self.rate[c.entry_node[entry]]
                    if c.node_kind[node] == SUM:
                        total = total + part
                    elif part > total:
                        total = part
                self.rate[node] = total
        for unit in range(self.units):
            part = c.multiplicity[unit] * self.rate[c.node[unit]]
            self.load[unit + 1] = self.load[unit] + part * self.system.cost[unit]

    cdef double _demand(self, int64_t unit) noexcept nogil:
        """Long-run work at the unit's level, as a fraction of its supply."""
        cdef System* s = &self.system
        cdef Curves* c = &s.curves
        cdef double own = c.multiplicity[unit] * self.rate[c.node[unit]], other, demand = 0.0
        cdef int64_t r, k, supply = s.supply[unit]
        cdef bint has_itself = False
        for r in range(s.relation_start[unit], s.relation_start[unit + 1]):
            if s.relation_kind[r] == ALTERNATES:
                for k in range(s.relation_first[r], s.relation_last[r]):
                    other = c.multiplicity[k] * self.rate[c.node[k]]
                    demand += (own if own < other else other) * s.cost[k]
            elif s.relation_kind[r] != BLOCKS:
                demand += self.load[s.relation_last[r]] - self.load[s.relation_first[r]]
                has_itself = has_itself or s.relation_kind[r] == AHEAD
        if not has_itself:
            demand += own * s.cost[unit]
        if s.supply_budget[supply]:
            demand *= <double>s.supply_period[supply] / <double>s.supply_budget[supply]
        return demand

    cdef void _refresh(self, int64_t unit) noexcept nogil:
        """The short form of a periodic unit's curve, for the inner loop."""
        cdef Curves* c = &self.system.curves
        cdef int64_t node = c.node[unit]
        if c.node_kind[node] == PERIODIC and c.node_c[node] == 0:
            c.period[unit] = c.node_a[node]
            c.offset[unit] = c.node_b[node] + c.before[unit] - c.best[unit]

    cdef void _touch(self, int64_t unit) noexcept nogil:
        """The curve of a unit changed: what it can delay must be examined again."""
        cdef int64_t other, supply = self.system.supply[unit], tail
        self._refresh(unit)
        for other in range(self.reach_first[unit], self.reach_last[unit]):
            self.dirty[other] = not self.is_load[other]
        if not self.queued[supply]:
            self.queued[supply] = 1
            tail = self.head + self.waiting
            self.queue[tail - self.supplies if tail >= self.supplies else tail] = supply
            self.waiting += 1

    cdef void _touch_node(self, int64_t node) noexcept nogil:
        cdef int64_t i
        for i in range(self.user_start[node], self.user_start[node + 1]):
            self._touch(self.user_unit[i])
        for i in range(self.dependent_start[node], self.dependent_start[node + 1]):
            self._touch_node(self.entry_owner[self.dependent_entry[i]])

    cdef void _propagate(self, int64_t unit) noexcept nogil:
        """A latency grew: what comes after arrives with more jitter."""
        cdef Curves* c = &self.system.curves
        cdef int64_t edge, before, target, entry, shift
        for edge in range(self.edge_start[unit], self.edge_start[unit + 1]):
            before = added(self.latencies[unit], self.edge_worst[edge])
            target = self.edge_unit[edge]
            if target >= 0:
                if before > c.before[target]:
                    c.before[target] = before
                    self._touch(target)
                continue
            entry = self.edge_entry[edge]
            shift = before if before >= UNBOUNDED else before - self.edge_best[edge]
            if shift > c.entry_shift[entry]:
                c.entry_shift[entry] = shift
                self._touch_node(self.entry_owner[entry])

    cdef void _improve(self, int64_t unit, int64_t most) noexcept nogil:
        cdef Window w
        cdef bint found
        cdef int64_t before = self.system.curves.before[unit]
        if self.latencies[unit] >= UNBOUNDED:
            return
        self.solved += 1
        self.times[unit] += 1
        found = (
            self.times[unit] <= most
            and before < UNBOUNDED
            and self._demand(unit) <= OVERLOAD
            and examine(&self.system, unit, -1, before, &w)
        )
        if not found:
            w.response = w.latency = w.length = UNBOUNDED
        self.windows[unit] = w.length
        if w.response > self.responses[unit]:
            self.responses[unit] = w.response
            if self.is_carried[unit]:
                self._touch(unit)
        if w.latency > self.latencies[unit]:
            self.latencies[unit] = w.latency
            self._propagate(unit)

    def solve(self):
        """Iterates until nothing changes; returns how many windows were examined."""
        cdef int64_t supply, unit, most = 500 + 2 * self.units
        with nogil:
            self.head = 0
            self.waiting = self.supplies
            for supply in range(self.supplies):
                self.queue[supply] = supply
                self.queued[supply] = 1
            while self.waiting > 0:
                supply = self.queue[self.head]
                self.head += 1
                if self.head == self.supplies:
                    self.head = 0
                self.waiting -= 1
                self.queued[supply] = 0
                for unit in range(self.supply_first[supply], self.supply_last[supply]):
                    if self.dirty[unit]:
                        self.dirty[unit] = 0
                        self._improve(unit, most)
        return self.solved

    def evaluate(self, int64_t unit, int64_t origin=-1, before=None):
        """The bounds of a unit as solved; with an origin, the latency from that unit's arrival."""
        cdef Window w
        cdef int64_t start = self.system.curves.before[unit] if before is None else before
        if self.responses[unit] >= UNBOUNDED or start >= UNBOUNDED:
            return NOTHING
        if not examine(&self.system, unit, origin, start, &w):
            return NOTHING
        return Outcome(w.response, w.latency, w.length, w.index, w.arrival, w.start, w.finish)

    def count(self, int64_t unit, int64_t window):
        """How many units may arrive in a half-open window of this length."""
        return unit_count(&self.system.curves, unit, window)

    def before(self, int64_t unit):
        """The latest arrival of the unit, counted from the event of its node."""
        return self.system.curves.before[unit]
