

cdef class Block:
    """Memory of C, freed with it."""

    cdef void* start

    def __dealloc__(self):
        free(self.start)


cdef class Held:
    """The numbers of an array, which keeps its length as long as they are held. There are many, and
    the collector of circles looks at none."""

    cdef Py_buffer view

    def __cinit__(self, values):
        PyObject_GetBuffer(values, &self.view, PyBUF_FORMAT)
        if self.view.format[0] != c"q":
            raise TypeError("these are no integers of 64 bits")

    def __dealloc__(self):
        PyBuffer_Release(&self.view)


cdef class Memory:
    """The records of a system."""

    cdef readonly object problem
    cdef readonly object response
    cdef readonly object latency
    cdef readonly object window
    cdef System system
    cdef SystemRecord record
    cdef ColumnsRecord columns
    cdef list kept
    cdef Held now_lent
    cdef object is_over
    cdef readonly object error

    cdef void* zeros(self, int64_t count, size_t size) except NULL:
        """So many records, all nil."""
        block = Block()
        block.start = calloc(count + 1, size)
        if block.start == NULL:
            raise MemoryError
        self.kept.append(block)
        return block.start

    cdef void* room(self, int64_t count, size_t size) except NULL:
        """Room for so many records, each of which is filled before it is read."""
        block = Block()
        block.start = malloc(count * size + 1)
        if block.start == NULL:
            raise MemoryError
        self.kept.append(block)
        return block.start

    cdef Ints ints(self, values):
        """The numbers of an array that is kept as long as the solver lives; NULL: none."""
        cdef Held held
        if not len(values):
            return NULL
        held = Held(values)
        self.kept.append(held)
        return <Ints>held.view.buf

    cdef Ints lent(self, values):
        """Numbers that are read until others are lent."""
        self.now_lent = Held(values)
        return <Ints>self.now_lent.view.buf

    cdef take(self, problem, is_over):
        """All that the problem needs; who says whether it is to end is asked now and then."""
        cdef Columns p = &self.columns
        cdef System s = &self.record
        self.kept = []
        self.problem = problem
        read_columns(self, problem, p)
        self.system = s
        s.problem = p
        s.owner = <void*>self
        self.is_over = is_over
        self.response = array("q", problem.cost)
        self.latency = array("q", bytes(8 * p.units))
        self.window = array("q", bytes(8 * p.units))
        s.response, s.latency, s.length = self.ints(self.response), self.ints(self.latency), self.ints(self.window)
        s.slots = SLOTS if p.nodes <= MOST_KEPT else 1
        s.kept = <Kept>self.zeros(p.nodes * s.slots, sizeof(KeptRecord))
        s.met = <Kept>self.zeros(p.units, sizeof(KeptRecord))
        s.node = <Node>self.zeros(p.nodes, sizeof(NodeRecord))
        s.edge = <Edge>self.zeros(p.edges, sizeof(EdgeRecord))
        s.unit = <Unit>self.zeros(p.units, sizeof(UnitRecord))
        s.place = <Place>self.zeros(p.units, sizeof(PlaceRecord))
        s.state = <State>self.zeros(p.units, sizeof(StateRecord))
        s.relation = <Relation>self.zeros(p.relations, sizeof(RelationRecord))
        s.share = <Share>self.zeros(p.units, sizeof(ShareRecord))
        s.gain = <Ints>self.zeros(max(problem.supply_threads, default=1), sizeof(int64_t))
        s.level = <Level>self.zeros(p.levels, sizeof(LevelRecord))
        s.summed = <Kept>self.zeros(p.levels, sizeof(KeptRecord))
        s.part = <Kept>self.zeros(2 * p.units, sizeof(KeptRecord))
        s.once = self.numbers(p.units + 1)
        s.entered, s.kin = self.numbers(p.units), self.numbers(p.roots)
        s.met_root, s.akin = self.numbers(p.nodes), self.numbers(p.units)
        s.lined = <Kin>self.zeros(1, sizeof(KinRecord))
        self.lay_kin(s, s.lined, p.units)
        s.root = <Root>self.zeros(p.roots, sizeof(RootRecord))
        s.group = <Group>self.zeros(p.groups + 1, sizeof(GroupRecord))
        s.window = <Window>self.zeros(3, sizeof(WindowRecord))
        s.group_window = <GroupWindow>self.zeros(1, sizeof(GroupWindowRecord))
        s.tandem = <Tandem>self.zeros(1, sizeof(TandemRecord))
        s.pending = <Pending>self.zeros(1, sizeof(PendingRecord))
        s.walk = <Walk>self.zeros(1, sizeof(WalkRecord))
        s.known = <Known>self.zeros(KNOWN, sizeof(KnownRecord))
        s.visits, s.passed = <Visits>self.zeros(1, sizeof(VisitsRecord)), self.numbers(p.units)
        self.lay_visits(s.visits, p)
        s.counted = <Ints>self.zeros(p.units, sizeof(int64_t))
        s.flight = self.numbers(4 * MOST_FLIGHT)
        s.rate = <Floats>self.zeros(p.nodes, sizeof(double))
        s.load = <Floats>self.zeros(p.units + 1, sizeof(double))
        s.dirty = <Flags>self.zeros(p.units, 1)
        s.overloaded = <Flags>self.zeros(p.units, 1)
        s.queued = <Flags>self.zeros(p.supplies, 1)
        s.queue = <Ints>self.zeros(p.supplies, sizeof(int64_t))
        s.order = <Ints>self.zeros(p.units, sizeof(int64_t))
        s.path = <Ints>self.zeros(p.units, sizeof(int64_t))
        s.step = <Ints>self.zeros(p.units, sizeof(int64_t))
        s.entry_shift = <Ints>self.zeros(p.entries, sizeof(int64_t))
        s.entry_paced = <Ints>self.zeros(p.entries, sizeof(int64_t))
        s.flow = <Flow>self.zeros(1, sizeof(FlowRecord))
        s.flow.alone = <Alone>self.zeros(1, sizeof(AloneRecord))
        self.lay_alone(s.flow.alone)
        if p.stages:
            self.lay_flow(s.flow, p)

    cdef Ints numbers(self, int64_t count) except NULL:
        """So many, all nil."""
        return <Ints>self.zeros(count, sizeof(int64_t))

    cdef lay_kin(self, System s, Kin k, int64_t units):
        """What is known of the roots that share a node."""
        s.latest, s.marked = self.numbers(units), self.numbers(units)
        s.latest_first, s.latest_last = self.numbers(units), self.numbers(units)
        k.root, k.late, k.best = self.numbers(units), self.numbers(units), self.numbers(units)
        k.sums = self.numbers(units + 1)

    cdef lay_visits(self, Visits v, Columns p):
        """What is known of a path."""
        v.rows, v.in_row, v.stairs = self.numbers(2 * p.units + 2), self.numbers(p.units), self.numbers(p.units)
        v.supplies, v.stays = self.numbers(p.supplies), self.numbers(STAY * p.supplies)

    cdef lay_alone(self, Alone a):
        """What is known of an event."""
        a.kept = <Ints>self.room(2 * MOST_ALONE * MOST_ROWS, sizeof(int64_t))
        a.key = <Ints>self.room(2 * MOST_ROWS, sizeof(int64_t))
        a.cost = <Ints>self.room((MOST_IN_ROW + 2) * MOST_ALONE, sizeof(int64_t))
        a.run = <Ints>self.room((MOST_IN_ROW + 2) * MOST_ALONE, sizeof(int64_t))
        a.late = <Ints>self.room(MOST_ALONE, sizeof(int64_t))
        a.brought = <Ints>self.room(MOST_ALONE, sizeof(int64_t))
        a.reads = <Ints>self.room(2 * MOST_ALONE, sizeof(int64_t))
        a.since = <Ints>self.room(MOST_ALONE, sizeof(int64_t))

    cdef lay_flow(self, Flow f, Columns p):
        """What is known of stages."""
        cdef int64_t stages = p.stages, units = p.units, nodes = p.nodes
        f.words = stages // SET_BITS + 1
        f.bits = self.numbers(stages * f.words)
        f.set_of, f.closed, f.held = self.numbers(stages), self.numbers(stages), self.numbers(stages)
        f.sums, f.ends = self.numbers(units + 1), self.numbers(p.supplies)
        f.ahead = self.numbers(p.relations + p.inputs + 2 * units + 16)
        f.origin, f.times, f.begins = self.numbers(stages), self.numbers(stages), self.numbers(stages)
        f.weight, f.events, f.ways = self.numbers(stages), self.numbers(stages), self.numbers(stages)
        f.starts, f.ceiling, f.pending = self.numbers(stages), self.numbers(stages), self.numbers(stages)
        f.joint, f.instead, f.whole = self.numbers(stages), self.numbers(stages), self.numbers(stages)
        f.rate = <Floats>self.zeros(nodes, sizeof(double))
        f.cost, f.base = self.numbers(stages), self.numbers(stages)
        f.rank, f.order = self.numbers(stages), self.numbers(stages)
        f.behind = self.numbers(ROW * units + 1)
        f.here, f.barred = self.numbers(HERE * units + 2 * p.inputs), self.numbers(units)
        f.most = self.numbers(units)
        f.kept_pace, f.period, f.offset = self.numbers(2 * nodes), self.numbers(2 * nodes), self.numbers(2 * nodes)
        f.due_kept, f.due = self.numbers(nodes), self.numbers(nodes)
        f.leg = <Leg>self.room(MOST_LEGS, sizeof(LegRecord))
        f.row = <Ints>self.room(4 * STEP * MOST_LEGS, sizeof(int64_t))
        f.token = <Ints>self.room(2 * MOST_TOKENS, sizeof(int64_t))
        f.asked, f.path = self.numbers(ASKED * stages + GROUPED * p.groups), self.numbers(STEP * stages)

    cdef bint hear(self):
        """Whether it is to end: somebody says so, or sent a signal whose handler raises."""
        try:
            PyErr_CheckSignals()
            return self.is_over is not None and self.is_over()
        except BaseException as error:
            self.error = error
            return True


cdef void ask(System s) noexcept nogil:
    with gil:
        if (<Memory>s.owner).hear():
            s.stopped = True
