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
cdef enum:
    SWEEPS = 4

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
    cdef int64_t* order
    cdef int64_t head
    cdef int64_t waiting
    cdef Unit* unit
    cdef Place* place
    cdef Relation* relation
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
        self.system.curves.entry_shift = self._writable(array("q", bytes(8 * len(problem.entry_node))))
        self.times = self._writable(array("q", bytes(8 * units)))
        self.queue = self._writable(array("q", bytes(8 * self.supplies)))
        self.order = self._writable(array("q", bytes(8 * units)))
        self.rate = <double*>calloc(nodes + 1, sizeof(double))
        self.load = <double*>calloc(units + 1, sizeof(double))
        self.dirty = <char*>calloc(units + 1, 1)
        self.queued = <char*>calloc(self.supplies + 1, 1)
        if not (self.rate and self.load and self.dirty and self.queued):
            raise MemoryError
        self._pack(problem)
        for unit in range(units):
            self.dirty[unit] = not self.is_load[unit]
            self._refresh(unit)
        self._rates(nodes)
        self._arrange(self._writable(array("q", bytes(8 * units))), self._writable(array("q", bytes(8 * units))))

    def __dealloc__(self):
        free(self.rate)
        free(self.load)
        free(self.dirty)
        free(self.queued)
        free(self.unit)
        free(self.place)
        free(self.relation)

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
        s.supply_budget = self._readable(problem.supply_budget)
        s.supply_period = self._readable(problem.supply_period)
        self.supply_first = self._readable(problem.supply_first)
        self.supply_last = self._readable(problem.supply_last)
        self.entry_owner = self._readable(problem.entry_owner)
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

    cdef _pack(self, problem):
        """What belongs together side by side, for the memory's sake."""
        cdef int64_t i, relations = len(problem.relation_kind)
        cdef const int64_t* cost = self._readable(problem.cost)
        cdef const int64_t* multiplicity = self._readable(problem.multiplicity)
        cdef const int64_t* node = self._readable(problem.node)
        cdef const int64_t* best = self._readable(problem.best)
        cdef const int64_t* supply = self._readable(problem.supply)
        cdef const int64_t* start = self._readable(problem.relation_start)
        cdef const int64_t* reach_first = self._readable(problem.reach_first)
        cdef const int64_t* reach_last = self._readable(problem.reach_last)
        cdef const int64_t* kind = self._readable(problem.relation_kind)
        cdef const int64_t* first = self._readable(problem.relation_first)
        cdef const int64_t* last = self._readable(problem.relation_last)
        self.unit = <Unit*>calloc(self.units + 1, sizeof(Unit))
        self.place = <Place*>calloc(self.units + 1, sizeof(Place))
        self.relation = <Relation*>calloc(relations + 1, sizeof(Relation))
        if not (self.unit and self.place and self.relation):
            raise MemoryError
        for i in range(self.units):
            self.unit[i] = Unit(cost[i], multiplicity[i], 0, 0)
            self.place[i] = Place(
                node[i], best[i], best[i], supply[i], start[i], start[i + 1],
                reach_first[i], reach_last[i],
            )
        for i in range(relations):
            self.relation[i] = Relation(kind[i], first[i], last[i])
        self.system.curves.unit = self.unit
        self.system.curves.place = self.place
        self.system.relation = self.relation

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
            part = self.unit[unit].multiplicity * self.rate[self.place[unit].node]
            self.load[unit + 1] = self.load[unit] + part * self.unit[unit].cost

    cdef double _demand(self, int64_t unit) noexcept nogil:
        """Long-run work at the unit's level, as a fraction of its supply."""
        cdef System* s = &self.system
        cdef Curves* c = &s.curves
        cdef double own = self.unit[unit].multiplicity * self.rate[self.place[unit].node], other, demand = 0.0
        cdef int64_t r, k, supply = self.place[unit].supply
        cdef bint has_itself = False
        for r in range(self.place[unit].first_relation, self.place[unit].last_relation):
            if self.relation[r].kind == ALTERNATES:
                for k in range(self.relation[r].first, self.relation[r].last):
                    other = self.unit[k].multiplicity * self.rate[self.place[k].node]
                    demand += (own if own < other else other) * self.unit[k].cost
            elif self.relation[r].kind != BLOCKS:
                demand += self.load[self.relation[r].last] - self.load[self.relation[r].first]
                has_itself = has_itself or self.relation[r].kind == AHEAD
        if not has_itself:
            demand += own * self.unit[unit].cost
        if s.supply_budget[supply]:
            demand *= <double>s.supply_period[supply] / <double>s.supply_budget[supply]
        return demand

    cdef void _refresh(self, int64_t unit) noexcept nogil:
        """The short form of a periodic unit's curve, for the inner loop."""
        cdef Curves* c = &self.system.curves
        cdef int64_t node = self.place[unit].node
        if c.node_kind[node] == PERIODIC and c.node_c[node] == 0:
            self.unit[unit].period = c.node_a[node]
            self.unit[unit].offset = c.node_b[node] + self.place[unit].before - self.place[unit].best

    cdef void _arrange(self, int64_t* path, int64_t* step) noexcept nogil:
        """An order in which a unit comes after what feeds it and what is more urgent than it,
        wherever no circle forbids that: the reverse of the order in which a search leaves them.
        `times` marks what was entered.
        """
        cdef int64_t root, unit, other, edges, depth, place = self.units
        for root in range(self.units):
            if self.times[root]:
                continue
            self.times[root] = 1
            path[0] = root
            step[0] = 0
            depth = 1
            while depth:
                unit = path[depth - 1]
                edges = self.edge_start[unit + 1] - self.edge_start[unit]
                if step[depth - 1] > edges:
                    depth -= 1
                    place -= 1
                    self.order[place] = unit
                    continue
                other = -1
                if step[depth - 1] < edges:
                    other = self.edge_unit[self.edge_start[unit] + step[depth - 1]]
                elif unit + 1 < self.units and self.place[unit + 1].supply == self.place[unit].supply:
                    other = unit + 1
                step[depth - 1] += 1
                if other >= 0 and not self.times[other]:
                    self.times[other] = 1
                    path[depth] = other
                    step[depth] = 0
                    depth += 1
        for unit in range(self.units):
            self.times[unit] = 0

    cdef void _touch(self, int64_t unit) noexcept nogil:
        """The curve of a unit changed: what it can delay must be examined again."""
        cdef int64_t other, supply = self.place[unit].supply, tail
        self._refresh(unit)
        for other in range(self.place[unit].reach_first, self.place[unit].reach_last):
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
                if before > self.place[target].before:
                    self.place[target].before = before
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
        cdef int64_t before = self.place[unit].before
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
        cdef int64_t supply, unit, sweep, place, most = 200 + 2 * self.units
        with nogil:
            self.head = self.waiting = 0
            for sweep in range(SWEEPS):
                for place in range(self.units):
                    unit = self.order[place]
                    if self.dirty[unit]:
                        self.dirty[unit] = 0
                        self._improve(unit, most)
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
        cdef int64_t start = self.place[unit].before if before is None else before
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
        return self.place[unit].before
