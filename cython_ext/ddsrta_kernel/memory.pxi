# What a solver keeps in memory: the arrays of a problem, packed for the inner loop.

cdef struct Edge:
    int64_t unit
    int64_t entry
    int64_t worst
    int64_t best


cdef class Memory:
    """The memory of a solver, freed with it."""

    cdef readonly object problem
    cdef readonly object response
    cdef readonly object latency
    cdef readonly object window
    cdef readonly int64_t solved
    cdef list _kept
    cdef System system
    cdef int64_t units
    cdef int64_t supplies
    cdef int64_t levels
    cdef const int64_t* level_end
    cdef const int64_t* supply_first
    cdef const int64_t* supply_last
    cdef const int64_t* entry_owner
    cdef const int64_t* is_load
    cdef const int64_t* is_carried
    cdef const int64_t* edge_start
    cdef const int64_t* user_start
    cdef const int64_t* user_unit
    cdef const int64_t* dependent_start
    cdef const int64_t* dependent_entry
    cdef Node* node
    cdef Edge* edge
    cdef State* state
    cdef char* dirty
    cdef char* queued
    cdef char* overloaded
    cdef int64_t* queue
    cdef int64_t* order
    cdef int64_t head
    cdef int64_t waiting
    cdef Unit* unit
    cdef Place* place
    cdef Relation* relation
    cdef double* rate
    cdef Level* level
    cdef Root* root
    cdef Group* group
    cdef const int64_t* group_start  # NULL where nothing is coupled
    cdef double* load

    def __dealloc__(self):
        free(self.rate)
        free(self.level)
        free(self.root)
        free(self.group)
        free(self.load)
        free(self.dirty)
        free(self.queued)
        free(self.overloaded)
        free(self.unit)
        free(self.place)
        free(self.relation)
        free(self.node)
        free(self.system.curves.kept)
        free(self.edge)
        free(self.state)

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
        c.distances = self._readable(problem.distances)
        c.entry_node = self._readable(problem.entry_node)
        c.entry_multiplicity = self._readable(problem.entry_multiplicity)
        c.entry_spacing = self._readable(problem.entry_spacing)
        c.entry_slack = self._readable(problem.entry_slack)
        c.entry_bunch = self._readable(problem.entry_bunch)
        s.extra = self._readable(problem.extra) if len(problem.extra) else NULL
        s.later_start = self._readable(problem.later_start)
        s.later_unit = self._readable(problem.later_unit)
        s.later_jobs = self._readable(problem.later_jobs)
        s.later_bunch = self._readable(problem.later_bunch)
        s.effect_start = self._readable(problem.effect_start)
        s.effect_unit = self._readable(problem.effect_unit)
        s.effect_more = self._readable(problem.effect_more)
        s.supply_budget = self._readable(problem.supply_budget)
        s.supply_period = self._readable(problem.supply_period)
        s.supply_threads = self._readable(problem.supply_threads)
        self.supply_first = self._readable(problem.supply_first)
        self.supply_last = self._readable(problem.supply_last)
        self.entry_owner = self._readable(problem.entry_owner)
        self.is_load = self._readable(problem.is_load)
        self.is_carried = self._readable(problem.is_carried)
        self.edge_start = self._readable(problem.edge_start)
        self.user_start = self._readable(problem.user_start)
        self.user_unit = self._readable(problem.user_unit)
        self.dependent_start = self._readable(problem.dependent_start)
        self.dependent_entry = self._readable(problem.dependent_entry)

    cdef _pack(self, problem):
        """What belongs together side by side, for the memory's sake."""
        if len(problem.late) != self.units:
            raise ValueError("the problem does not say how late its units come")
        if len(problem.supply_threads) != self.supplies:
            raise ValueError("the problem does not say how many threads its supplies have")
        if len(problem.extra) not in (0, self.units):
            raise ValueError("the problem does not say what comes before its units")
        ordered = len(problem.later_start) == len(problem.effect_start) == self.units + 1
        if len(problem.spacing) != self.units or not ordered:
            raise ValueError("the problem does not say how its units are spaced and ordered")
        cdef int64_t i, relations = len(problem.relation_kind)
        cdef const int64_t* cost = self._readable(problem.cost)
        cdef const int64_t* multiplicity = self._readable(problem.multiplicity)
        cdef const int64_t* node = self._readable(problem.node)
        cdef const int64_t* best = self._readable(problem.best)
        cdef const int64_t* late = self._readable(problem.late)
        cdef const int64_t* supply = self._readable(problem.supply)
        cdef const int64_t* start = self._readable(problem.relation_start)
        cdef const int64_t* reach_first = self._readable(problem.reach_first)
        cdef const int64_t* reach_last = self._readable(problem.reach_last)
        cdef const int64_t* kind = self._readable(problem.relation_kind)
        cdef const int64_t* first = self._readable(problem.relation_first)
        cdef const int64_t* last = self._readable(problem.relation_last)
        cdef const int64_t* shift = self._readable(problem.relation_shift)
        cdef const int64_t* weight = self._readable(problem.relation_weight)
        cdef const int64_t* own = self._readable(problem.relation_own)
        cdef const int64_t* spacing = self._readable(problem.spacing)
        cdef const int64_t* slack = self._readable(problem.slack)
        cdef const int64_t* bunch = self._readable(problem.bunch)
        cdef const int64_t* loaded = cost
        if len(problem.loaded):
            loaded = self._readable(problem.loaded)
        self.unit = <Unit*>calloc(self.units + 1, sizeof(Unit))
        self.place = <Place*>calloc(self.units + 1, sizeof(Place))
        self.relation = <Relation*>calloc(relations + 1, sizeof(Relation))
        self.state = <State*>calloc(self.units + 1, sizeof(State))
        if not (self.unit and self.place and self.relation and self.state):
            raise MemoryError
        self._pack_graph(problem)
        for i in range(self.units):
            self.unit[i] = Unit(
                cost[i], multiplicity[i], 0, 0, loaded[i], spacing[i], slack[i], bunch[i]
            )
            self.state[i].response = cost[i]
            self.state[i].steps = _ALL_STEPS * self.system.most_steps
            self.state[i].group_steps = _ALL_STEPS * self.system.most_steps
            self.place[i] = Place(
                node[i], best[i], best[i] + late[i], supply[i], start[i], start[i + 1],
                reach_first[i], reach_last[i],
            )
        for i in range(relations):
            self.relation[i] = Relation(kind[i], first[i], last[i], shift[i], weight[i], own[i])
        self.system.curves.unit = self.unit
        self.system.curves.place = self.place
        self.system.relation = self.relation
        self.system.state = self.state
        self._pack_levels(problem)

    cdef _pack_levels(self, problem):
        """Coupled work, where there is any."""
        cdef int64_t i, place, levels = len(problem.level_end), roots = len(problem.root_unit)
        cdef int64_t groups = len(problem.group_kind)
        if not levels:
            return
        cdef const int64_t* supply = self._readable(problem.level_supply)
        self.level_end = self._readable(problem.level_end)
        cdef const int64_t* piece = self._readable(problem.level_piece)
        cdef const int64_t* start = self._readable(problem.root_start)
        cdef const int64_t* unit = self._readable(problem.root_unit)
        cdef const int64_t* work = self._readable(problem.root_work)
        cdef const int64_t* kind = self._readable(problem.group_kind)
        cdef const int64_t* head = self._readable(problem.group_head)
        cdef const int64_t* level = self._readable(problem.group_level)
        cdef const int64_t* first = self._readable(problem.group_first)
        cdef const int64_t* each = self._readable(problem.group_each)
        cdef const int64_t* later = self._readable(problem.group_later)
        cdef const int64_t* least = self._readable(problem.group_least)
        self.level = <Level*>calloc(levels + 1, sizeof(Level))
        self.root = <Root*>calloc(roots + 1, sizeof(Root))
        self.group = <Group*>calloc(groups + 1, sizeof(Group))
        if not (self.level and self.root and self.group):
            raise MemoryError
        for i in range(levels):
            self.level[i] = Level(supply[i], piece[i], start[i], start[i + 1], 1, 0)
        for i in range(roots):
            self.root[i] = Root(unit[i], work[i])
        for i in range(groups):
            self.group[i] = Group(kind[i], head[i], level[i], first[i], each[i], later[i], least[i], 0)
        self.group_start = self._readable(problem.group_start)
        for i in range(self.units):
            for place in range(self.group_start[i], self.group_start[i + 1]):
                self.group[place].last = i
        self.system.in_step = problem.in_step
        self.system.cause_place = self._readable(problem.cause_place)
        self.system.cause_start = self._readable(problem.cause_start)
        self.system.cause_first = self._readable(problem.cause_first)
        self.system.cause_end = self._readable(problem.cause_end)
        self.system.level = self.level
        self.system.root = self.root
        self.system.above = self._readable(problem.above)
        self.system.burden = self._readable(problem.burden)

    cdef _pack_graph(self, problem):
        cdef int64_t i, nodes = len(problem.node_kind), edges = len(problem.edge_unit)
        cdef const int64_t* kind = self._readable(problem.node_kind)
        cdef const int64_t* a = self._readable(problem.node_a)
        cdef const int64_t* b = self._readable(problem.node_b)
        cdef const int64_t* c = self._readable(problem.node_c)
        cdef const int64_t* d = self._readable(problem.node_d)
        cdef const int64_t* unit = self._readable(problem.edge_unit)
        cdef const int64_t* entry = self._readable(problem.edge_entry)
        cdef const int64_t* worst = self._readable(problem.edge_worst)
        cdef const int64_t* best = self._readable(problem.edge_best)
        self.node = <Node*>calloc(nodes + 1, sizeof(Node))
        self.edge = <Edge*>calloc(edges + 1, sizeof(Edge))
        if not (self.node and self.edge):
            raise MemoryError
        for i in range(nodes):
            self.node[i] = Node(kind[i], a[i], b[i], c[i], d[i])
        if len(problem.entry_node) and nodes <= _MOST_KEPT:
            self.system.curves.kept = <Kept*>calloc(nodes * SLOTS, sizeof(Kept))
        self.system.curves.shifts = 1
        for i in range(edges):
            self.edge[i] = Edge(unit[i], entry[i], worst[i], best[i])
        self.system.curves.node = self.node
