"""Threads of SCHED_DEADLINE, of which the one that is due first runs (definition
constant-bandwidth-server).

`left` is what a server has of its budget up to `start`, where its next period begins.
"""

from __future__ import annotations

from ddsrta_simulator.program import NEVER
from ddsrta_simulator.shadow import address
from ddsrta_simulator.structs import Bool, Int
from ddsrta_simulator.supplies import Supplies


class Servers(Supplies):
    """What they have, and when they have it again."""

    def is_more(self, one: Int, of_one: Int, other: Int, of_other: Int) -> Bool:
        """Whether one / of_one > other / of_other; products would be too large."""
        while True:
            whole = one // of_one
            if whole != other // of_other:
                return whole > other // of_other
            mine = one - whole * of_one
            theirs = other - whole * of_other
            if mine == 0 or theirs == 0:
                return mine > theirs
            one = of_other
            other = of_one
            of_one = theirs
            of_other = mine

    def due_of(self, supply: Int) -> Int:
        """By when it has its budget; NEVER where it is no server."""
        if not self.p.supply_serves[supply]:
            return NEVER
        return self.reservation[self.reservation_of[supply]].start

    def asks(self, supply: Int) -> None:
        """Its thread wakes: it keeps what it has up to then, unless that is more than its share."""
        if not self.p.supply_serves[supply] or not self.is_open[supply]:
            return
        own = address(self.reservation[self.reservation_of[supply]])
        rest = own.start - self.s.now
        if rest <= 0 or self.is_more(own.left, rest, own.budget, own.period):
            own.left = own.budget
            own.start = self.s.now + own.period

    def spend(self, supply: Int, passed: Int) -> None:
        """Its thread has run so long."""
        if self.p.supply_serves[supply]:
            own = address(self.reservation[self.reservation_of[supply]])
            own.left -= passed

    def serve(self, before: Int, server: Int) -> None:
        """Another thread has the core from now on; -1: none."""
        if before >= 0:
            supply = self.p.server_supply[before]
            if self.p.supply_serves[supply] and self.is_open[supply]:
                self.at(supply, NEVER)
        if server >= 0:
            supply = self.p.server_supply[server]
            if self.p.supply_serves[supply]:
                own = address(self.reservation[self.reservation_of[supply]])
                self.at(supply, self.s.now + own.left)

    def budget_turns(self, supply: Int) -> Bool:
        """Its budget is used up, up to its next period, or given again; False: neither."""
        own = address(self.reservation[self.reservation_of[supply]])
        core = self.p.supply_core[supply]
        running = self.running[core]
        runs: Bool = running >= 0 and self.p.server_supply[running] == supply
        if not self.is_open[supply]:
            own.left = own.budget
            own.start = max(own.start, self.s.now) + own.period
            self.supply_end[supply] = self.s.now + own.left if runs else NEVER  # it goes on
            return True
        ends: Bool = self.core_end[core] == self.s.now
        if own.left > 0 or (ends and runs):
            self.at(supply, NEVER)
            return False
        self.supply_end[supply] = max(own.start, self.s.now)
        return True
