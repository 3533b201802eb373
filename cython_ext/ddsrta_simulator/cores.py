"""Threads on their cores, in the order of their priorities."""

from __future__ import annotations

from ddsrta_simulator.fair import Fair
from ddsrta_simulator.program import CLOSED, NEVER, OPENED, PREEMPTED, RANDOM, RUNS, WORST
from ddsrta_simulator.shadow import mix
from ddsrta_simulator.structs import Bool, Int


class Cores(Fair):
    """Of each supply, the threads that are awake are a list, the first to run first."""

    def touch(self, core: Int) -> None:
        """Something happened to it."""
        if not self.is_dirty[core]:
            self.is_dirty[core] = 1
            self.dirty[self.dirty_count] = core
            self.dirty_count += 1

    def core_of(self, server: Int) -> Int:
        """Where a thread runs."""
        return self.p.supply_core[self.supply_of[server]]

    def turn(self, supply: Int) -> None:
        """A reservation begins to serve, or stops, unless its next interval follows at once."""
        if self.p.supply_serves[supply]:
            self.account(self.p.supply_core[supply])
            if not self.budget_turns(supply):
                return
            self.at(supply, self.supply_end[supply])
        elif self.is_open[supply]:
            begin = self.next_interval(supply)
            if begin == self.s.now:
                self.at(supply, self.supply_end[supply])
                return
            self.at(supply, begin)
        else:
            self.at(supply, self.supply_end[supply])
        self.is_open[supply] = not self.is_open[supply]
        core = self.p.supply_core[supply]
        self.trace(OPENED if self.is_open[supply] else CLOSED, supply, -1, core)
        self.touch(core)

    def top(self, core: Int) -> Int:
        """The thread that should have the core: of servers the one that is due first."""
        first: Int = -1
        for supply in range(self.p.core_supply[core], self.p.core_supply[core + 1]):
            if first >= 0 and not self.p.supply_serves[supply]:
                break
            is_ready: Bool = self.is_open[supply] != 0 and self.supply_ready[supply] >= 0
            if is_ready and (first < 0 or self.due_of(supply) < self.due_of(first)):
                first = supply
                if not self.p.supply_serves[supply]:
                    break
        if first < 0:
            return -1
        if self.is_fair(self.supply_ready[first]):
            return self.pick(first)
        self.in_slice[first] = -1
        return self.supply_ready[first]

    def wake(self, server: Int) -> None:
        """A thread that moves does so where it may run, if that is anywhere."""
        other = self.place_of(server)
        if other >= 0:
            self.supply_of[server] = other
        self.line_up(server)

    def line_up(self, server: Int) -> None:
        """At the tail of its priority on the core where it is."""
        supply = self.supply_of[server]
        urgency = self.p.server_priority[server]
        before: Int = -1
        following = self.supply_ready[supply]
        while following >= 0 and self.p.server_priority[following] >= urgency:
            before = following
            following = self.next_ready[following]
        self.awake[server] = 1
        if self.is_fair(server):
            self.account(self.p.supply_core[supply])
            self.joins(server)
        self.next_ready[server] = following
        if before < 0:
            self.supply_ready[supply] = server
            self.asks(supply)
        else:
            self.next_ready[before] = server

    def sleep(self, server: Int) -> None:
        """Leave the processor for want of work."""
        supply = self.supply_of[server]
        self.awake[server] = 0
        if self.is_fair(server):
            self.goes_to_sleep(server)
        if self.supply_ready[supply] == server:
            self.supply_ready[supply] = self.next_ready[server]
            return
        before = self.supply_ready[supply]
        while self.next_ready[before] != server:
            before = self.next_ready[before]
        self.next_ready[before] = self.next_ready[server]

    def place_of(self, server: Int) -> Int:
        """Of the supplies between which a thread moves, one whose core has nothing as urgent; -1:
        there is none."""
        decision = self.p.server_place[server]
        habit = self.way_of(decision, self.picks[server], self.s.now)
        count: Int = 0
        found: Int = -1
        most: Int = 0
        for k in range(self.p.server_set[server], self.p.server_set[server + 1]):
            supply = self.p.set_supply[k]
            other = self.top(self.p.supply_core[supply])
            urgency: Int = -NEVER if other < 0 else self.p.server_priority[other]
            if urgency >= self.p.server_priority[server]:
                continue
            count += 1
            if habit == RANDOM:
                if self.drawn(decision, self.picks[server] + k, count) == 0:
                    found = supply
            elif found < 0 or (urgency > most if habit == WORST else urgency < most):
                found = supply
                most = urgency
        self.picks[server] += count > 1
        return found

    def balance(self) -> None:
        """Whoever waits goes where it may run: with push and pull no core is at less urgent work
        while a thread that may use it waits."""
        for server in range(self.layout.servers if self.layout.moving else 0):
            core = self.core_of(server)
            if self.awake[server] and self.top(core) != server:
                supply = self.place_of(server)
                if supply >= 0:
                    self.sleep(server)
                    self.touch(core)
                    self.supply_of[server] = supply
                    self.line_up(server)
                    self.touch(self.core_of(server))

    def yields(self, server: Int) -> Bool:
        """Whether a thread that has just run out of work sleeps before it sees what comes now."""
        drawn: Int = mix(mix(self.c.eager_seed, server), self.finished[server]) & 0xFFFF
        return drawn < self.c.eager

    def account(self, core: Int) -> None:
        """Charge the running thread for the time since."""
        running = self.running[core]
        if running >= 0:
            passed = self.s.now - self.core_since[core]
            self.spend(self.supply_of[running], passed)  # also where it tries for a lock
            if self.current[running] >= 0:
                self.unit[self.current[running]].left -= passed
                self.ages(running, passed)
        self.core_since[core] = self.s.now

    def show(self, core: Int, i: Int) -> None:
        """Which unit it runs."""
        shown = self.shown[core]
        if i == shown:
            return
        if shown >= 0:
            self.trace(PREEMPTED, self.unit[shown].stage, self.unit[shown].number, core)
        if i >= 0:
            self.trace(RUNS, self.unit[i].stage, self.unit[i].number, core)
        self.shown[core] = i
