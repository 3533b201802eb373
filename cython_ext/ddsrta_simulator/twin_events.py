"""Time, the events to come, and the cores that something happened to."""

from __future__ import annotations

import heapq
from abc import abstractmethod

from ddsrta_simulator.orders import POOL, TIMERS
from ddsrta_simulator.program import (
    CLOSED,
    FOR_TIME,
    NEVER,
    OPENED,
    PREEMPTED,
    RUNS,
    SHUFFLED,
    Choices,
    Program,
)
from ddsrta_simulator.twin_decisions import Decider, mix
from ddsrta_simulator.twin_executors import server_of
from ddsrta_simulator.twin_limits import Limited
from ddsrta_simulator.twin_locks import Locks
from ddsrta_simulator.twin_measures import Seen
from ddsrta_simulator.twin_pools import Member, Pool
from ddsrta_simulator.twin_releases import source_of
from ddsrta_simulator.twin_supplies import Placement
from ddsrta_simulator.twin_threads import Core, Server, Supply, Unit, Way
from ddsrta_simulator.twin_timers import Timers


class Clock(Seen, Locks):
    """Supplies, sources, streams, links, cores and limited servers have one event each, numbered in
    this order."""

    def __init__(
        self, program: Program, choices: Choices, records: int, trace: int, histograms: bool
    ) -> None:
        choices.check(program)
        self.program = program
        self.choices = choices = choices.copy()
        super().__init__(program, records, trace, histograms)
        self.decide = Decider(choices)
        self.reached = 0
        self.events = 0
        self.woken = 0
        self.first_source = len(program.supply_core)
        self.first_stream = self.first_source + len(program.source_thread)
        self.first_link = self.first_stream + len(program.stream_hop)
        self.first_core = self.first_link + len(program.link_hop)
        self.heap: list[tuple[int, int, int, int]] = []
        self.first_timer = self.first_core + len(program.cores)
        timers = len(program.server_limit) if any(program.server_limit) else 0
        self.version = [0] * (self.first_timer + timers)
        loose = program.net_loose, program.link_loose
        self.on_streams = [Way(self.first_stream + i, bool(x)) for i, x in enumerate(loose[0])]
        self.on_links = [Way(self.first_link + i, bool(x)) for i, x in enumerate(loose[1])]
        self.sources = [source_of(program, choices, i) for i in range(len(program.source_thread))]
        self.dirty: list[Core] = []
        self.owner = list(program.lock_none)
        self._places()
        self.timers = Timers(program)
        for number, source in enumerate(self.sources):
            self.at(self.first_source + number, source.next())

    def _places(self) -> None:
        p = self.program
        self.cores = [Core(i) for i in range(len(p.cores))]
        self.supplies = [
            Supply(i, self.cores[core], not p.supply_budget[i])
            for i, core in enumerate(p.supply_core)
        ]
        pools: dict[int, Pool] = {}
        self.servers = [
            Member(p, self.decide, i, self.supplies[supply], pools)
            if p.server_order[i] == POOL
            else server_of(p, self.decide, i, self.supplies[supply])
            for i, supply in enumerate(p.server_supply)
        ]
        self.finishing = self.cores[0] if self.cores else Core(0)  # of the last unit that ended
        self.placements = [Placement(p, self.choices, i) for i in range(len(p.cores))]
        for supply in self.supplies:
            if p.supply_budget[supply.number]:
                self._reserve(supply)

    # What the model of the system adds

    @abstractmethod
    def released_by_time(self, source: int) -> None:
        """A source releases a job."""

    @abstractmethod
    def received(self, stream: int, unit: Unit) -> None:
        """A message has arrived."""

    @abstractmethod
    def news(self, link: int, unit: Unit) -> None:
        """The news of a completed job has arrived."""

    @abstractmethod
    def begun(self, unit: Unit) -> None:
        """A unit of work begins."""

    @abstractmethod
    def step_done(self, unit: Unit) -> bool:
        """A step of a unit is done; whether that was the last one."""

    @abstractmethod
    def completed(self, unit: Unit) -> None:
        """A unit is complete."""

    # Events

    def at(self, event: int, time: int) -> None:
        """The event will be at this time, and no longer when it was to be."""
        self.version[event] += 1
        if time < NEVER:
            tie = 0
            if self.choices.tie_mode == SHUFFLED:
                tie = mix(mix(self.choices.tie_seed, event), self.version[event]) >> 1
            heapq.heappush(self.heap, (time, tie, event, self.version[event]))

    def next_time(self) -> int:
        """The time of the next event."""
        while self.heap and self.version[self.heap[0][2]] != self.heap[0][3]:
            heapq.heappop(self.heap)
        return self.heap[0][0] if self.heap else NEVER

    def advance(self, until: int) -> int:
        """Everything that happens before this time, or until a buffer is full."""
        while (time := self.next_time()) < until:
            if self.is_full():
                self.reached = max(self.reached, time)
                return self.reached
            self._instant(time)
        self.reached = max(self.reached, until)
        return self.reached

    def _instant(self, time: int) -> None:
        """All that happens at one time; what a thread of a pool takes may wake another one."""
        self.now = self.measured.now = time
        for core in self.cores:
            core.now = time
        while self.dirty or self.next_time() == time:
            self._settle_all(time)
        self.measured.settle()

    def _settle_all(self, time: int) -> None:
        """What happens, up to where time may go on."""
        settled: dict[Core, None] = {}
        while self.dirty or self.next_time() == time:
            while self.next_time() == time:
                event = heapq.heappop(self.heap)[2]
                self.events += 1
                self._happens(event)
            while self.dirty:
                core = self.dirty.pop()
                core.is_dirty = False
                self._settle(core)
                settled[core] = None
        for core in settled:
            self._commit(core)

    def _happens(self, event: int) -> None:
        if event >= self.first_timer:
            self._period_over(self.servers[event - self.first_timer])
        elif event >= self.first_core:
            self._step_end(self.cores[event - self.first_core])
        elif event >= self.first_link:
            self.news(event - self.first_link, self._arrive(self.on_links[event - self.first_link]))
        elif event >= self.first_stream:
            number = event - self.first_stream
            self.received(number, self._arrive(self.on_streams[number]))
        elif event >= self.first_source:
            number = event - self.first_source
            due = self.sources[number].due
            self.at(event, self.sources[number].next())
            if not self.timers.skips(self.program.source_thread[number], due):
                self.released_by_time(number)
        else:
            self._turn(self.supplies[event])

    def travel(self, way: Way, unit: Unit, delay: int) -> None:
        """Something sets out; it arrives after all that went before it."""
        if way.loose:
            self.wander(way, unit, delay)
            return
        way.last = max(way.last, self.now + delay)
        if way.last == self.now:  # as all that it may have to wait for
            if way.travelling:
                way.travelling.append((way.last, unit))
                unit = self._arrive(way)
            self._arrived(way, unit)
            return
        way.travelling.append((way.last, unit))
        if len(way.travelling) == 1:
            self.at(way.event, way.last)

    def wander(self, way: Way, unit: Unit, delay: int) -> None:
        """Something sets out where what takes less time comes first."""
        if delay == 0:
            self._arrived(way, unit)
            return
        time = self.now + delay
        place = sum(other <= time for other, _ in way.travelling)
        way.travelling.insert(place, (time, unit))
        if place == 0:
            self.at(way.event, time)

    def _arrived(self, way: Way, unit: Unit) -> None:
        if way.event >= self.first_link:
            self.news(way.event - self.first_link, unit)
        else:
            self.received(way.event - self.first_stream, unit)

    def _arrive(self, way: Way) -> Unit:
        _, unit = way.travelling.popleft()
        self.at(way.event, way.travelling[0][0] if way.travelling else NEVER)
        return unit

    # Supplies

    def _reserve(self, supply: Supply) -> None:
        """The next time a reservation serves."""
        begin, supply.end = self.placements[supply.core.number].next(supply.number)
        self.at(supply.number, begin)

    def _turn(self, supply: Supply) -> None:
        """A reservation begins to serve, or stops, unless its next interval follows at once."""
        if supply.is_open:
            begin, supply.end = self.placements[supply.core.number].next(supply.number)
            if begin == self.now:
                self.at(supply.number, supply.end)
                return
            self.at(supply.number, begin)
        else:
            self.at(supply.number, supply.end)
        supply.is_open = not supply.is_open
        self.trace(OPENED if supply.is_open else CLOSED, supply.number, -1, supply.core.number)
        self.touch(supply.core)

    # Threads on cores

    def core_of(self, unit: Unit) -> Core:
        """Where a unit is served."""
        return self.servers[self.program.stage_server[unit.stage]].supply.core

    def touch(self, core: Core) -> None:
        if not core.is_dirty:
            core.is_dirty = True
            self.dirty.append(core)

    def push(self, unit: Unit, queue: int) -> None:
        """A unit arrives at a thread, which wakes at the tail of its priority if it slept."""
        p = self.program
        server = self.servers[p.stage_server[unit.stage]]
        self.measured.count(p.stage_pending[unit.stage], 1)
        self.measured.count(p.server_pending[server.number], 1)
        if self.timers.watches(unit):
            caller = p.thread_caller[unit.stage]
            server, queue = self.servers[caller], p.server_queue[caller]
        self._bring(unit, server, queue)

    def _bring(self, unit: Unit, server: Server, queue: int) -> None:
        server.queues[queue - self.program.server_queue[server.number]].append(unit)
        if isinstance(server, Member):
            self._stir(server.pool)
            return
        if server.ready is None and server.waits < 0:
            self.woken += 1
            server.supply.wake(server, self.woken)
            server.look(server.supply.core.top() is server)
        self.touch(server.supply.core)

    def _account(self, core: Core) -> None:
        """Charge the running thread for the time since."""
        if core.running is not None and core.running.current is not None:
            core.running.current.left -= self.now - core.since
        core.since = self.now

    def _step_end(self, core: Core) -> None:
        server = core.running
        assert server is not None
        self._account(core)
        core.running, core.end = None, NEVER
        self._finish(server)
        self.touch(core)

    def _sleeps(self, server: Server) -> bool:
        """Whether it has to sleep until its next period."""
        unit = server.peek()
        if unit is None or server.may_send(unit, self.now):
            return False
        assert isinstance(server, Limited)
        server.waits = FOR_TIME
        server.supply.sleep(server)
        self.at(self.first_timer + server.number, server.began + server.period)
        self.touch(server.supply.core)
        return True

    def _period_over(self, server: Server) -> None:
        """It wakes at the tail of its priority; the next period begins when it runs."""
        assert isinstance(server, Limited)
        server.waits = -1
        server.is_over = True
        self.woken += 1
        server.supply.wake(server, self.woken)
        self.touch(server.supply.core)

    def _begin(self, server: Server) -> None:
        unit = server.take()
        if isinstance(server, Member):
            self._stir(server.pool)
        self.timers.begun(unit, self.now)
        self.begun(unit)

    def _call(self, server: Server) -> None:
        """The thread that watches timers calls all that are due, and sleeps."""
        p, due = self.program, server.queues[0]
        server.supply.sleep(server)
        while due:
            unit = due.popleft()
            self.timers.called(unit, self.now)
            self._bring(unit, self.servers[p.stage_server[unit.stage]], p.stage_queue[unit.stage])

    def _stir(self, pool: Pool) -> None:
        """There may be something to take: who may look for work is woken for it."""
        holder = pool.holder
        if holder is not None and holder.current is None and pool.places():
            if holder.ready is None:
                self.woken += 1
                holder.supply.wake(holder, self.woken)
            self.touch(holder.supply.core)

    def _finish(self, server: Server) -> None:
        """The step is done, and what follows it without taking time."""
        p, unit = self.program, server.current
        assert unit is not None
        while unit.left == 0:
            if server.waits >= 0:
                return
            if self.step_done(unit):
                server.current = None
                server.finished += 1
                self.measured.count(p.stage_pending[unit.stage], -1)
                self.measured.count(p.server_pending[p.stage_server[unit.stage]], -1)
                if server.supply.core.shown is unit:
                    server.supply.core.shown = None
                self.finishing = server.supply.core
                if isinstance(server, Member):
                    server.give_back(unit)
                self.completed(unit)
                server.look(True)
                if isinstance(server, Member):
                    self._stir(server.pool)
                if server.peek() is None and self._yields(server):
                    server.supply.sleep(server)
                    server.rests(self.now)
                return

    def _yields(self, server: Server) -> bool:
        """Whether a thread that has just run out of work sleeps before it sees what comes now."""
        if not self.choices.eager:
            return False
        drawn = mix(mix(self.choices.eager_seed, server.number), server.finished)
        return drawn & 0xFFFF < self.choices.eager

    def _settle(self, core: Core) -> None:
        """Let the core do all that takes no time."""
        self._account(core)
        while (server := core.top()) is not None:
            if server.order == TIMERS:
                self._call(server)
                continue
            if server.current is None:
                unit = server.peek()
                if unit is None:
                    server.supply.sleep(server)
                    server.rests(self.now)
                    continue
                if unit.left > 0:
                    return
                if self._sleeps(server):
                    continue
                if self.spins(unit):
                    return
                self._begin(server)
            assert server.current is not None
            if server.current.left > 0:
                return
            self._finish(server)

    def _commit(self, core: Core) -> None:
        """Time goes on: the thread that has the core works."""
        server = core.top()
        if server is not None and server.order == TIMERS:
            self.touch(core)
            return
        if server is not None and server.current is None:
            if self._sleeps(server):
                return  # its core goes on with another
            if not self.spins(server.peek()):
                self._begin(server)
        unit = server.current if server is not None else None
        if server and unit and unit.lock >= 0 and not self.acquire(server, unit.lock):
            return  # its core goes on with another
        end = self.now + unit.left if unit is not None else NEVER
        if server is not core.running or end != core.end:
            core.running, core.end = server, end
            core.since = self.now
            self.at(self.first_core + core.number, end)
        self._show(core, unit)

    # The trace

    def _show(self, core: Core, unit: Unit | None) -> None:
        if unit is core.shown:
            return
        if core.shown is not None:
            self.trace(PREEMPTED, core.shown.stage, core.shown.number, core.number)
        if unit is not None:
            self.trace(RUNS, unit.stage, unit.number, core.number)
        core.shown = unit
