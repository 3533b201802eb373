"""Threads on their cores, in the order of their priorities."""

from __future__ import annotations

from ddsrta_simulator.program import CLOSED, OPENED, PREEMPTED, RUNS
from ddsrta_simulator.servers import Servers
from ddsrta_simulator.shadow import mix
from ddsrta_simulator.structs import Bool, Int


class Cores(Servers):
    """Of each supply, the threads that are awake are a list, the first to run first."""

    def touch(self, core: Int) -> None:
        """Something happened to it."""
        if not self.is_dirty[core]:
            self.is_dirty[core] = 1
            self.dirty[self.dirty_count] = core
            self.dirty_count += 1

    def core_of(self, server: Int) -> Int:
        """Where a thread runs."""
        return self.p.supply_core[self.p.server_supply[server]]

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
        return self.supply_ready[first] if first >= 0 else -1

    def wake(self, server: Int) -> None:
        """At the tail of its priority."""
        supply = self.p.server_supply[server]
        urgency = self.p.server_priority[server]
        before: Int = -1
        following = self.supply_ready[supply]
        while following >= 0 and self.p.server_priority[following] >= urgency:
            before = following
            following = self.next_ready[following]
        self.awake[server] = 1
        self.next_ready[server] = following
        if before < 0:
            self.supply_ready[supply] = server
            self.asks(supply)
        else:
            self.next_ready[before] = server

    def sleep(self, server: Int) -> None:
        """Leave the processor for want of work."""
        supply = self.p.server_supply[server]
        self.awake[server] = 0
        if self.supply_ready[supply] == server:
            self.supply_ready[supply] = self.next_ready[server]
            return
        before = self.supply_ready[supply]
        while self.next_ready[before] != server:
            before = self.next_ready[before]
        self.next_ready[before] = self.next_ready[server]

    def yields(self, server: Int) -> Bool:
        """Whether a thread that has just run out of work sleeps before it sees what comes now."""
        drawn: Int = mix(mix(self.c.eager_seed, server), self.finished[server]) & 0xFFFF
        return drawn < self.c.eager

    def account(self, core: Int) -> None:
        """Charge the running thread for the time since."""
        if self.running[core] >= 0 and self.current[self.running[core]] >= 0:
            passed = self.s.now - self.core_since[core]
            self.unit[self.current[self.running[core]]].left -= passed
            self.spend(self.p.server_supply[self.running[core]], passed)
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
