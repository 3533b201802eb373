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
    cdef double* load

    def __dealloc__(self):
        free(self.rate)
        free(self.load)
        free(self.dirty)
        free(self.queued)
        free(self.overloaded)
        free(self.unit)
        free(self.place)
        free(self.relation)
        free(self.node)
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
        s.supply_budget = self._readable(problem.supply_budget)
        s.supply_period = self._readable(problem.supply_period)
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
        self.state = <State*>calloc(self.units + 1, sizeof(State))
        if not (self.unit and self.place and self.relation and self.state):
            raise MemoryError
        self._pack_graph(problem)
        for i in range(self.units):
            self.unit[i] = Unit(cost[i], multiplicity[i], 0, 0)
            self.state[i].response = cost[i]
            self.state[i].steps = _ALL_STEPS * self.system.most_steps
            self.place[i] = Place(
                node[i], best[i], best[i], supply[i], start[i], start[i + 1],
                reach_first[i], reach_last[i],
            )
        for i in range(relations):
            self.relation[i] = Relation(kind[i], first[i], last[i])
        self.system.curves.unit = self.unit
        self.system.curves.place = self.place
        self.system.relation = self.relation
        self.system.state = self.state

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
        for i in range(edges):
            self.edge[i] = Edge(unit[i], entry[i], worst[i], best[i])
        self.system.curves.node = self.node
