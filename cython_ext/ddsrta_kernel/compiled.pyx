# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled kernel: the global fixed point over flat arrays, without Python objects in the loop."""

from array import array

from libc.stdlib cimport calloc, free

from ddsrta_kernel.problem import ALL_STEPS as _ALL_STEPS
from ddsrta_kernel.problem import MOST_STEPS as _MOST_STEPS
from ddsrta_kernel.problem import UNBOUNDED as _UNBOUNDED
from ddsrta_kernel.problem import Outcome, TandemOutcome

cdef extern from *:
    """
    #ifndef DDSRTA_LAYOUT
    #error "setup.py says for which layout this is built"
    #endif
    """
    const unsigned int DDSRTA_LAYOUT

LAYOUT = DDSRTA_LAYOUT

include "curves.pxi"
include "windows.pxi"
include "tandem.pxi"
include "groups.pxi"
include "memory.pxi"

assert UNBOUNDED == _UNBOUNDED

NOTHING = Outcome(_UNBOUNDED, _UNBOUNDED, _UNBOUNDED, 0, 0, 0, _UNBOUNDED)
cdef enum:
    SWEEPS = 4
    FEW = 8  # an eighth of the units: while a sweep examines more, another follows
    _MOST_KEPT = 4096  # nodes of which counts are kept
    IN_CACHE = 8000  # units that fit there: beyond, memory is asked for ahead of time

cdef double OVERLOAD = 1.0 + 1e-9


cdef class Solver(Memory):
    """Finds the global fixed point: all responses and latencies of a problem."""

    def __init__(self, problem, int64_t most_steps=_MOST_STEPS):
        cdef int64_t units = len(problem.cost), nodes = len(problem.node_kind), unit
        self.problem = problem
        self.units = units
        self.supplies = len(problem.supply_first)
        self._kept = []
        self.system.most_steps = most_steps
        self.levels = len(problem.level_end)
        self.response = array("q", problem.cost)
        self.latency = array("q", bytes(8 * units))
        self.window = array("q", bytes(8 * units))
        self._read(problem)
        self.system.curves.entry_shift = self._writable(array("q", bytes(8 * len(problem.entry_node))))
        self.queue = self._writable(array("q", bytes(8 * self.supplies)))
        self.order = self._writable(array("q", bytes(8 * units)))
        self.rate = <double*>calloc(nodes + 1, sizeof(double))
        self.load = <double*>calloc(units + 1, sizeof(double))
        self.dirty = <char*>calloc(units + 1, 1)
        self.queued = <char*>calloc(self.supplies + 1, 1)
        self.overloaded = <char*>calloc(units + 1, 1)
        if not (self.rate and self.load and self.dirty and self.queued and self.overloaded):
            raise MemoryError
        self._pack(problem)
        for unit in range(units):
            self.dirty[unit] = not self.is_load[unit]
            self._refresh(unit)
        self._rates(nodes)
        self._arrange(self._writable(array("q", bytes(8 * units))), self._writable(array("q", bytes(8 * units))))

    cdef void _rates(self, int64_t nodes) noexcept nogil:
        """Long-run rates of nodes, and work of all units before each."""
        cdef Curves* c = &self.system.curves
        cdef int64_t node, entry, unit
        cdef double part, total
        for node in range(nodes):
            if self.node[node].kind == PERIODIC:
                self.rate[node] = 1.0 / <double>self.node[node].a
            elif self.node[node].kind == EXPLICIT:
                self.rate[node] = <double>self.node[node].b / <double>self.node[node].a
            else:
                total = 0.0
                for entry in range(self.node[node].c, self.node[node].c + self.node[node].d):
                    part = c.entry_multiplicity[entry] * self.rate[c.entry_node[entry]]
                    if self.node[node].kind == SUM:
                        total = total + part
                    elif part > total:
                        total = part
                self.rate[node] = total
        for unit in range(self.units):
            part = self.unit[unit].multiplicity * self.rate[self.place[unit].node]
            self.load[unit + 1] = self.load[unit] + part * self.unit[unit].cost
        for unit in range(self.units):
            self.overloaded[unit] = self._demand(unit) > OVERLOAD
        self._overloaded_levels()

    cdef void _overloaded_levels(self) noexcept nogil:
        cdef int64_t i, supply
        cdef double demand
        for i in range(self.levels):
            supply = self.level[i].supply
            demand = self.load[self.level_end[i]] - self.load[self.supply_first[supply]]
            self.level[i].overloaded = self._slowed(supply, demand) > OVERLOAD

    cdef double _slowed(self, int64_t supply, double demand) noexcept nogil:
        """Demand as a fraction of what the supply gives."""
        cdef System* s = &self.system
        if s.supply_budget[supply]:
            return demand * <double>s.supply_period[supply] / <double>s.supply_budget[supply]
        return demand

    cdef double _demand(self, int64_t unit) noexcept nogil:
        """Long-run work at the unit's level, as a fraction of its supply."""
        cdef double own = self.unit[unit].multiplicity * self.rate[self.place[unit].node], other, turn, demand = 0.0
        cdef int64_t r, k, supply = self.place[unit].supply
        cdef bint has_itself = False
        for r in range(self.place[unit].first_relation, self.place[unit].last_relation):
            if self.relation[r].kind == ALTERNATES or self.relation[r].kind == PRECEDES:
                for k in range(self.relation[r].first, self.relation[r].last):
                    other = self.unit[k].multiplicity * self.rate[self.place[k].node]
                    turn = own * self.relation[r].weight / self.relation[r].own
                    demand += (turn if turn < other else other) * self.unit[k].cost
            elif self.relation[r].kind == SHARES:
                other = self.load[self.relation[r].last] - self.load[self.relation[r].first]
                demand += other / <double>self.system.supply_threads[supply]
            elif self.relation[r].kind != BLOCKS:
                demand += self.load[self.relation[r].last] - self.load[self.relation[r].first]
                has_itself = has_itself or self.relation[r].kind == AHEAD
        if not has_itself:
            demand += own * self.unit[unit].cost
        return self._slowed(supply, demand)

    cdef void _refresh(self, int64_t unit) noexcept nogil:
        """The short form of a periodic unit's curve, for the inner loop."""
        cdef Curves* c = &self.system.curves
        cdef int64_t node = self.place[unit].node
        if self.node[node].kind == PERIODIC and self.node[node].c == 0:
            self.unit[unit].period = self.node[node].a
            self.unit[unit].offset = self.node[node].b + self.place[unit].before - self.place[unit].best

    cdef void _arrange(self, int64_t* path, int64_t* step) noexcept nogil:
        """An order in which a unit comes after what feeds it and what is more urgent than it,
        wherever no circle forbids that: the reverse of the order in which a search leaves them.
        `times` marks what was entered.
        """
        cdef int64_t root, unit, other, edges, depth, place = self.units
        for root in range(self.units):
            if self.state[root].times:
                continue
            self.state[root].times = 1
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
                    other = self.edge[self.edge_start[unit] + step[depth - 1]].unit
                elif unit + 1 < self.units and self.place[unit + 1].supply == self.place[unit].supply:
                    other = unit + 1
                step[depth - 1] += 1
                if other >= 0 and not self.state[other].times:
                    self.state[other].times = 1
                    path[depth] = other
                    step[depth] = 0
                    depth += 1
        for unit in range(self.units):
            self.state[unit].times = 0

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
            before = self.state[unit].latency
            if before < UNBOUNDED:
                before = added(before, self.edge[edge].worst)
            target = self.edge[edge].unit
            if target >= 0:
                if before > self.place[target].before:
                    self.place[target].before = before
                    self._touch(target)
                continue
            entry = self.edge[edge].entry
            shift = before if before >= UNBOUNDED else before - self.edge[edge].best
            if shift > c.entry_shift[entry]:
                c.entry_shift[entry] = shift
                c.shifts += 1
                self._touch_node(self.entry_owner[entry])

    cdef void _improve(self, int64_t unit, int64_t most) noexcept nogil:
        cdef Window w
        cdef bint found
        cdef State* state = &self.state[unit]
        cdef int64_t before = self.place[unit].before
        if self.state[unit].latency >= UNBOUNDED:
            return
        self.solved += 1
        self.state[unit].times += 1
        found = (
            self.state[unit].times <= most
            and before < UNBOUNDED
            and not self.overloaded[unit]
            and examine(&self.system, unit, -1, before, min(self.system.most_steps, state.steps), &w)
        )
        if state.times <= most and before < UNBOUNDED and not self.overloaded[unit]:
            state.steps -= w.steps
        if not found:
            w.response = w.latency = w.length = UNBOUNDED
        if self.group_start and state.times <= most:
            self._examine_groups(unit, &w)
        self.state[unit].window = w.length
        if w.response > self.state[unit].response:
            self.state[unit].response = w.response
            if self.is_carried[unit]:
                self._touch(unit)
        if w.latency > self.state[unit].latency:
            self.state[unit].latency = w.latency
            self._propagate(unit)
            if self.is_carried[unit] == 2:
                self._touch(unit)

    cdef void _examine_groups(self, int64_t unit, Window* w) noexcept nogil:
        """The least of what the unit's window and its groups give."""
        cdef GroupWindow g
        cdef int64_t i
        cdef bint found
        for i in range(self.group_start[unit], self.group_start[unit + 1]):
            found = examine_group(
                &self.system,
                &self.group[i],
                -1,
                self.place[self.group[i].head].before,
                min(self.system.most_steps, self.state[unit].group_steps),
                &g,
            )
            self.state[unit].group_steps -= g.steps
            if found and g.response < w.response:
                w.response = g.response
            if found and g.latency < w.latency:
                w.latency = g.latency

    cdef void _fetch(self, int64_t place) noexcept nogil:
        """Asks for the memory of a unit some time before it is examined, in two steps: what the
        order leads to is anywhere in a large problem."""
        cdef int64_t unit, other
        cdef Place* p
        if place + 12 < self.units:
            unit = self.order[place + 12]
            __builtin_prefetch(&self.place[unit])
            __builtin_prefetch(&self.state[unit])
            __builtin_prefetch(&self.edge_start[unit])
            __builtin_prefetch(&self.overloaded[unit])
        if place + 6 < self.units:
            unit = self.order[place + 6]
            p = &self.place[unit]
            __builtin_prefetch(&self.node[p.node])
            __builtin_prefetch(&self.relation[p.first_relation])
            __builtin_prefetch(&self.edge[self.edge_start[unit]])
            for other in range(max(p.reach_first - 10, 0), p.reach_first + 2, 2):
                __builtin_prefetch(&self.unit[other])
        if place + 3 < self.units:
            unit = self.order[place + 3]
            for other in range(self.edge_start[unit], self.edge_start[unit + 1]):
                if self.edge[other].unit >= 0:
                    __builtin_prefetch(&self.place[self.edge[other].unit])
                    __builtin_prefetch(&self.unit[self.edge[other].unit])

    def solve(self):
        """Iterates until nothing changes; returns how many windows were examined."""
        cdef int64_t supply, unit, place, sweeps = 0, examined = 0, most = 200 + 2 * self.units
        with nogil:
            self.head = self.waiting = 0
            while sweeps < SWEEPS or FEW * examined > self.units:
                sweeps += 1
                examined = 0
                for place in range(self.units):
                    if self.units > IN_CACHE:
                        self._fetch(place)
                    unit = self.order[place]
                    if self.dirty[unit]:
                        self.dirty[unit] = 0
                        self._improve(unit, most)
                        examined += 1
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
        self._show()
        return self.solved

    cdef _show(self):
        """The solution as arrays."""
        cdef int64_t unit
        cdef int64_t[::1] response, latency, window
        if not self.units:
            return
        response, latency, window = self.response, self.latency, self.window
        for unit in range(self.units):
            response[unit] = self.state[unit].response
            latency[unit] = self.state[unit].latency
            window[unit] = self.state[unit].window

    def evaluate(self, int64_t unit, int64_t origin=-1, before=None):
        """The bounds of a unit as solved; with an origin, the latency from that unit's arrival."""
        cdef Window w
        cdef int64_t start = self.place[unit].before if before is None else before
        if self.state[unit].response >= UNBOUNDED or start >= UNBOUNDED:
            return NOTHING
        if not examine(&self.system, unit, origin, start, self.system.most_steps, &w):
            return NOTHING
        return Outcome(w.response, w.latency, w.length, w.index, w.arrival, w.start, w.finish)

    def evaluate_group(self, group, int64_t origin, int64_t before):
        """The bounds that a group gives, with the latency from the origin's arrival."""
        cdef GroupWindow w
        cdef Group packed = Group(
            group[0], group[1], group[2], group[3], group[4], group[5], group[6], group[7]
        )
        if not examine_group(&self.system, &packed, origin, before, self.system.most_steps, &w):
            return NOTHING
        return Outcome(w.response, w.latency, w.length, w.index, w.arrival, 0, w.finish)

    def evaluate_tandem(self, tandem, const int64_t[::1] feeds, int64_t origin, before):
        """The latency from the origin's arrival that two threads in tandem give (lemma tandem-window)."""
        cdef Window one, both
        cdef Tandem t
        cdef int64_t first = tandem[0], last = tandem[1], early = before[0], late = before[1]
        cdef bint hopeless = max(early, late) >= UNBOUNDED or self.overloaded[first] or self.overloaded[last]
        t.worst = tandem[2]
        t.link = tandem[3]
        t.feed = <const Feed*>&feeds[0]
        t.feeds = feeds.shape[0] // 4
        if hopeless or not examine_tandem(&self.system, &t, first, last, origin, early, late, &one, &both):
            return TandemOutcome(NOTHING, NOTHING, 0, 0)
        return TandemOutcome(
            Outcome(0, one.latency, one.length, one.index, one.arrival, one.start, one.finish),
            Outcome(0, both.latency, both.length, both.index, both.arrival, both.start, both.finish),
            t.first_finish,
            t.last_finish,
        )

    def count(self, int64_t unit, int64_t window):
        """How many units may arrive in a half-open window of this length."""
        return unit_count(&self.system.curves, unit, window)

    def node_count(self, int64_t node, int64_t window):
        """How many events of a node may come in a half-open window of this length."""
        return node_count(&self.system.curves, node, window)

    def before(self, int64_t unit):
        """The latest arrival of the unit, counted from the event of its node."""
        return self.place[unit].before
