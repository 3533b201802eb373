"""How time goes on."""

from __future__ import annotations

from ddsrta_simulator.orders import POOL, ROUNDS, TIMERS
from ddsrta_simulator.program import COMPLETED, NEVER, RECORD, TRACE
from ddsrta_simulator.steps import Steps
from ddsrta_simulator.structs import Bool, Int


class Moves(Steps):
    """Everything that happens at one instant happens before any thread begins another unit of
    work: of simultaneous arrivals all are seen."""

    def finish(self, server: Int) -> None:
        """The step is done, and what follows it without taking time."""
        i = self.current[server]
        stage = self.unit[i].stage
        done: Bool = True
        while self.unit[i].left == 0:
            if stage < self.layout.threads:
                done = self.job_step_done(i)
            elif stage < self.layout.first_transfer:
                done = self.sample_step_done(i)
            elif stage < self.layout.first_message:
                done = self.transfer_step_done(server, i)
            else:
                self.deliver(i)
                done = True
            if self.waits[server] >= 0:
                return
            if done:
                core = self.core_of(server)
                self.current[server] = -1
                self.finished[server] += 1
                self.count(self.p.stage_pending[stage], -1)
                self.count(self.p.server_pending[self.p.stage_server[stage]], -1)
                if self.shown[core] == i:
                    self.shown[core] = -1
                self.trace(COMPLETED, stage, self.unit[i].number, core)
                self.completed(i)
                self.free_unit(i)
                if self.p.server_order[server] == ROUNDS:
                    self.poll_at_once(server)
                elif self.p.server_order[server] == POOL:
                    self.give_back(server, stage)
                    self.stir(self.p.server_pool[server])
                if self.c.eager and self.next_queue(server) < 0 and self.yields(server):
                    self.sleep(server)
                    self.rests(server)
                return

    def settle(self, core: Int) -> None:
        """Let the core do all that takes no time."""
        self.account(core)
        while True:
            server = self.top(core)
            if server < 0:
                return
            if self.p.server_order[server] == TIMERS:
                self.call(server)
                continue
            if self.looks[server]:
                self.look(server)
                continue
            if self.is_held[server]:
                self.sleeps_on(server)
                continue
            if self.current[server] < 0:
                queue = self.next_queue(server)
                if queue < 0:
                    self.sleep(server)
                    self.rests(server)
                    continue
                if self.unit[self.queue_head[queue]].left > 0:
                    return
                if self.p.server_limit[server] and self.held_back(server, queue):
                    continue
                if self.spins(server):
                    return
                self.start(server)
            if self.unit[self.current[server]].left > 0:
                return
            self.finish(server)

    def commit(self, core: Int) -> None:
        """Time goes on: the thread that has the core works."""
        server = self.top(core)
        end: Int = NEVER
        i: Int = -1
        if server >= 0:
            if self.p.server_order[server] == TIMERS:
                self.touch(core)
                return
            if self.current[server] < 0:
                queue = self.next_queue(server)
                if self.p.server_limit[server] and queue >= 0 and self.held_back(server, queue):
                    return  # its core goes on with another
                if not self.spins(server):
                    self.start(server)
            i = self.current[server]
            if i >= 0:
                if self.unit[i].lock >= 0 and not self.acquire(server, self.unit[i].lock):
                    return  # its core goes on with another
                end = self.s.now + self.unit[i].left
                if self.is_fair(server):
                    end = min(end, self.s.now + self.rest_of_slice(server))
        if server != self.running[core] or end != self.core_end[core]:
            self.serve(self.running[core], server)
            self.running[core] = server
            self.core_end[core] = end
            self.core_since[core] = self.s.now
            self.at(self.layout.first_core + core, end)
        self.show(core, i)

    def happens(self, event: Int) -> None:
        """What an event stands for."""
        if event >= self.layout.first_core:
            core = event - self.layout.first_core
            server = self.running[core]
            self.account(core)
            self.running[core] = -1
            self.core_end[core] = NEVER
            self.happened(event)
            self.finish(server)
            self.touch(core)
            self.look_early(core)
        elif event >= self.layout.first_way:
            i = self.first_of(event - self.layout.first_way)
            self.arrived(event - self.layout.first_way, i)
        elif event >= self.layout.first_source:
            i = event - self.layout.first_source
            due = self.source[i].due
            self.at(event, self.next_release(i))
            if not self.skips(self.p.source_thread[i], due):
                self.arrive(self.p.source_thread[i], self.make_job(self.p.source_thread[i], -1), -1)
        elif event >= self.layout.first_timer:
            server = event - self.layout.first_timer
            self.happened(event)
            self.period_over(server)
            self.look_early(self.core_of(server))
        else:
            self.turn(event)
            self.look_early(self.p.supply_core[event])

    def instant(self, now: Int) -> None:
        """All that happens at one time; what a thread of a pool takes may wake another one."""
        self.s.now = now
        while self.dirty_count or self.time[self.winner[1]] == now:
            self.settle_all(now)
        for k in range(self.touched_count):
            measure = self.touched[k]
            self.is_touched[measure] = 0
            self.note(measure, self.pending[measure])
        self.touched_count = 0

    def settle_all(self, now: Int) -> None:
        """What happens, up to where time may go on."""
        while self.dirty_count or self.time[self.winner[1]] == now:
            while self.time[self.winner[1]] == now:
                self.s.events += 1
                self.happens(self.winner[1])
            while self.dirty_count:
                self.dirty_count -= 1
                core = self.dirty[self.dirty_count]
                self.is_dirty[core] = 0
                self.settle(core)
                if not self.is_settled[core]:
                    self.is_settled[core] = 1
                    self.settled[self.settled_count] = core
                    self.settled_count += 1
            self.balance()
        for k in range(self.settled_count):
            core = self.settled[k]
            self.is_settled[core] = 0
            self.commit(core)
        self.settled_count = 0

    def go(self, until: Int) -> Int:
        """Everything that happens before this time, or until a buffer is full."""
        while not self.failed:
            now = self.time[self.winner[1]]
            if now >= until:
                break
            if (self.records_size and self.records.count >= RECORD * self.records_size) or (
                self.traced_size and self.traced.count >= TRACE * self.traced_size
            ):
                self.s.reached = max(self.s.reached, now)
                return self.s.reached
            self.instant(now)
        self.s.reached = max(self.s.reached, until)
        return self.s.reached
