"""A run of a small system from the definitions: lists and generators, no tables of numbers.

A second opinion on the engine, which shares nothing with it but the program, when sources release
and when supplies serve. The order of what happens at the same time is the engine's: supplies,
sources, ways, cores, each by number; then each core that anything happened to, the last one first.
"""

from __future__ import annotations

from ddsrta_simulator import Choices, Program
from ddsrta_simulator.orders import TIMERS
from ddsrta_simulator.program import CLOSED, COMPLETED, NEVER, OPENED, PREEMPTED, RUNS, TIMED
from tests.simulation.oracle.jobs import Paths
from tests.simulation.oracle.queues import Queues, Server
from tests.simulation.oracle.things import Unit


class Oracle(Queues):
    """A program in motion."""

    def __init__(
        self,
        program: Program,
        choices: Choices,
        paths: Paths,
        releases: list[list[tuple[int, int]]],
        serving: dict[int, list[int]],
    ) -> None:
        super().__init__(program, choices, paths)
        self.releases = [list(own) for own in releases]
        self.serving = {supply: list(serving[supply]) for supply in sorted(serving)}
        self.running: list[Server | None] = [None] * len(program.cores)
        self.shown: list[Unit | None] = [None] * len(program.cores)

    def run(self, until: int) -> None:
        """Everything that happens before this time."""
        while (now := self.next_time()) < until:
            for server in self.running:
                if server is not None and server.current is not None:
                    server.current.left -= now - self.now
                    if budget := self.budgets.get(self.p.server_supply[server.number]):
                        budget.left -= now - self.now
            self.now = now
            self.instant()
            for measure in self.more:
                self.see(measure, self.pending[measure])
            self.more.clear()

    def next_time(self) -> int:
        """When something happens next."""
        times = [own[0][0] for own in self.releases if own]
        times += [own[0] for own in self.serving.values() if own]
        times += [ahead[0][0] for ahead in self.ways if ahead]
        units = [server.current for server in self.running if server is not None]
        times += [self.now + unit.left for unit in units if unit is not None]
        runs = {self.p.server_supply[one.number] for one in self.running if one is not None}
        for supply, budget in self.budgets.items():
            times += budget.next_time(self.now, supply in runs)
        return min(times, default=NEVER)

    def instant(self) -> None:
        """What happens at this time, before time goes on."""
        while self.touched or self.happens():
            settled: list[int] = []
            while self.touched or self.happens():
                while self.happens():
                    pass
                while self.touched:
                    core = self.touched.pop()
                    self.settle(core)
                    if core not in settled:
                        settled.append(core)
                self.balance()
            for core in settled:
                self.commit(core)

    def happens(self) -> bool:
        """One event of this time, if there is any."""
        p = self.p
        for supply in range(len(p.supply_core)):
            if self.begins_or_ends(supply):
                self.opened ^= {supply}
                kind = OPENED if supply in self.opened else CLOSED
                self.trace(kind, supply, -1, p.supply_core[supply])
                self.touch(p.supply_core[supply])
                return True
        for source, times in enumerate(self.releases):
            if times and times[0][0] == self.now:
                thread = p.source_thread[source]
                if not self.skips(thread, times.pop(0)[1]):
                    self.arrive(self.make_job(thread), -1)
                return True
        for way, ahead in enumerate(self.ways):
            if ahead and ahead[0][0] == self.now:
                self.arrived(way, ahead.pop(0)[1])
                return True
        for core, server in enumerate(self.running):
            if server is not None and server.current is not None and server.current.left == 0:
                self.running[core] = None
                self.finish(server)
                self.touch(core)
                return True
        return False

    def begins_or_ends(self, supply: int) -> bool:
        """Whether it begins or stops to serve at this time."""
        if budget := self.budgets.get(supply):
            server = self.running[self.p.supply_core[supply]]
            works = server is not None and self.p.server_supply[server.number] == supply
            unit = server.current if server is not None and works else None
            return budget.turns(self.now, unit is not None and unit.left > 0)
        times = self.serving.get(supply, [])
        if not times or times[0] != self.now:
            return False
        times.pop(0)
        return True

    def settle(self, core: int) -> None:
        """What takes no time is done at once."""
        while (server := self.top(core)) is not None:
            if self.p.server_order[server.number] == TIMERS:
                self.call(server)
                continue
            if server.current is None:
                queue = self.next_queue(server)
                if queue is None:
                    self.sleep(server)
                    continue
                if server.queues[queue][0].left > 0:
                    return
                self.start(server)
            assert server.current is not None
            if server.current.left > 0:
                return
            self.finish(server)

    def commit(self, core: int) -> None:
        """The thread that has the core begins the unit that is next, unless it is at one."""
        server = self.top(core)
        if server is not None and self.p.server_order[server.number] == TIMERS:
            self.touch(core)
            return
        if server is not None and server.current is None:
            self.start(server)
        self.running[core] = server
        unit = None if server is None else server.current
        if unit is not self.shown[core]:
            for kind, shown in ((PREEMPTED, self.shown[core]), (RUNS, unit)):
                if shown is not None:
                    self.trace(kind, shown.stage, shown.number, core)
            self.shown[core] = unit

    def start(self, server: Server) -> None:
        """A unit begins; a job that is released by time reads the newest of everything."""
        queue = self.next_queue(server)
        assert queue is not None
        self.take_turn(server, queue)
        unit = server.current = server.queues[queue].pop(0)
        if unit.stage < self.threads:
            if not self.is_watched(unit.stage):
                self.call_timer(unit.stage)
            if self.p.thread_activation[unit.stage] == TIMED:
                for hop in self.inputs(unit.stage):
                    if hop in self.newest:
                        unit.job.behind[hop] = self.newest[hop], False

    def finish(self, server: Server) -> None:
        """A step is done, and what follows it without taking time."""
        p, unit, core = self.p, server.current, server.core
        assert unit is not None
        while unit.left == 0:
            if not unit.step():
                if unit.between and unit.left > 0:  # what is more urgent may go first
                    server.queues[p.stage_queue[unit.stage]].insert(0, unit)
                    server.current = None
                continue
            server.current = None
            server.finished += 1
            self.count(p.stage_pending[unit.stage], -1)
            self.count(p.server_pending[p.stage_server[unit.stage]], -1)
            if self.shown[core] is unit:
                self.shown[core] = None
            self.trace(COMPLETED, unit.stage, unit.number, core)
            self.completed(unit)
            self.poll_at_once(server)
            if self.next_queue(server) is None and self.yields(server.number, server.finished):
                self.sleep(server)
            return
