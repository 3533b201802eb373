"""Threads of SCHED_OTHER: of those that have had no more than their share, the one whose virtual
deadline is first runs, up to the end of its slice (EEVDF).

Virtual times are in units of 1 / SCALE ns at weight 1. What sleeps ahead of its share stays in the
mean until that has caught up.
"""

from __future__ import annotations

from ddsrta_simulator.program import GONE, READY, SCALE, STAYS, TICK_OF_LAG
from ddsrta_simulator.servers import Servers
from ddsrta_simulator.structs import Bool, Int


class Fair(Servers):
    """Who of them runs, and what they have had."""

    def is_fair(self, server: Int) -> Bool:
        """Whether it is of SCHED_OTHER."""
        return self.p.server_weight[server] > 0

    def virtual(self, server: Int, time: Int) -> Int:
        """So much time of a thread."""
        return time * SCALE // self.p.server_weight[server]

    def is_queued(self, server: Int, supply: Int) -> Bool:
        """Whether it counts in the mean."""
        return self.p.server_supply[server] == supply and self.queued[server] != GONE

    def weight(self, supply: Int) -> Int:
        """Of all that count."""
        total: Int = 0
        for server in range(self.layout.servers):
            if self.is_queued(server, supply):
                total += self.p.server_weight[server]
        return total

    def ahead(self, supply: Int, time: Int) -> Int:
        """By how much, in sum, all that count are ahead of a virtual time."""
        total: Int = 0
        for server in range(self.layout.servers):
            if self.is_queued(server, supply):
                total += self.p.server_weight[server] * (self.had[server] - time)
        return total

    def rounded_down(self, number: Int, parts: Int) -> Int:
        """A quotient; in C those of negative numbers are rounded up."""
        return number // parts if number >= 0 else -((parts - 1 - number) // parts)

    def lag_of(self, server: Int) -> Int:
        """By how much it is behind the mean of those that count."""
        supply = self.p.server_supply[server]
        return self.rounded_down(self.ahead(supply, self.had[server]), self.weight(supply))

    def settle_at(self, server: Int, lag: Int) -> None:
        """Begin to count, so much behind the mean then."""
        supply = self.p.server_supply[server]
        total = self.weight(supply)
        if total > 0:
            own = self.p.server_weight[server]
            lag = self.rounded_down(lag * (total + own), total)
            mean = self.rounded_down(self.ahead(supply, self.had[server]), total)
            self.had[server] += mean - lag
        self.due[server] = self.had[server] + self.virtual(server, self.p.server_slice[server])

    def joins(self, server: Int) -> None:
        """It wakes."""
        if self.queued[server] == STAYS and self.lag_of(server) > 0:
            self.queued[server] = GONE
            self.lag[server] = 0
        if self.queued[server] == GONE:
            self.settle_at(server, self.lag[server])
        self.queued[server] = READY

    def goes_to_sleep(self, server: Int) -> None:
        """It sleeps."""
        lag = self.lag_of(server)
        self.queued[server] = STAYS if lag < 0 else GONE
        tick = self.p.server_tick[server]
        if tick == 0:
            tick = TICK_OF_LAG
        most = self.virtual(server, self.p.server_slice[server] + tick)
        self.lag[server] = min(lag, most)

    def ages(self, server: Int, passed: Int) -> None:
        """It has run so long."""
        if self.is_fair(server):
            self.had[server] += self.virtual(server, passed)
            if self.had[server] >= self.due[server]:
                self.due[server] = self.had[server] + self.virtual(
                    server, self.p.server_slice[server]
                )
                self.in_slice[self.p.server_supply[server]] = -1

    def rest_of_slice(self, server: Int) -> Int:
        """How long it may run before another is chosen: to the tick at or after its end."""
        rest = (self.due[server] - self.had[server]) * self.p.server_weight[server]
        rest = max(1, (rest + SCALE - 1) // SCALE)
        tick = self.p.server_tick[server]
        if tick > 0 and (self.s.now + rest) % tick > 0:
            rest += tick - (self.s.now + rest) % tick
        return rest

    def pick(self, supply: Int) -> Int:
        """Who runs; whoever was chosen goes on while it is ready and not ahead."""
        before = self.in_slice[supply]
        if before >= 0 and self.queued[before] == READY and self.lag_of(before) >= 0:
            return before
        while True:
            best: Int = -1
            for server in range(self.layout.servers):
                if (
                    self.is_queued(server, supply)
                    and (best < 0 or self.due[server] < self.due[best])
                    and self.ahead(supply, self.had[server]) >= 0
                ):
                    best = server
            self.in_slice[supply] = best
            if self.queued[best] == READY:
                return best
            self.queued[best] = GONE
            self.lag[best] = 0
