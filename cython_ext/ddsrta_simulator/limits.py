"""Flow controllers that may send so many bytes each period, as in Fast DDS.

A period begins when the thread sees that the one before is over: when it has no work, or when the
next sample does not fit any more. Then it sleeps for the rest of the period, whatever comes.

With the locks of Fast DDS it wakes as soon as a period is over, and whenever something comes, and
takes the lock of its queue twice then, or three times, where what it sleeps on has another mutex.
That takes no time, but who is more urgent may come while it has the lock (lemma idle-looks).
"""

from __future__ import annotations

from ddsrta_simulator.pools import Pools
from ddsrta_simulator.program import BEST_THEN_WORST, FOR_TIME, WORST_THEN_BEST
from ddsrta_simulator.structs import Bool, Int


class Limits(Pools):
    """What flow controllers may send."""

    def bytes_of(self, i: Int) -> Int:
        """Of a sample."""
        return self.p.publication_bytes[self.unit[i].target]

    def goes_first(self, queue: Int) -> Bool:
        """Whether it has enough of its share left."""
        size = self.bytes_of(self.queue_head[queue])
        return self.p.queue_share[queue] > self.spent[queue] + size

    def reserved_queue(self, server: Int) -> Int:
        """The first queue that has enough of its share left, else the first."""
        waiting: Int = -1
        for queue in range(self.p.server_queue[server], self.p.server_queue[server + 1]):
            if self.queue_head[queue] >= 0:
                if self.goes_first(queue):
                    return queue
                if waiting < 0:
                    waiting = queue
        return waiting

    def charge(self, server: Int, queue: Int) -> None:
        """What is begun counts."""
        size = self.bytes_of(self.queue_head[queue])
        if self.goes_first(queue):
            self.spent[queue] += size
        self.used[server] += size

    def fits(self, server: Int, i: Int) -> Bool:
        """Whether a sample may still be sent."""
        limit = self.p.server_limit[server]
        return not limit or self.used[server] + self.bytes_of(i) <= limit

    def first_period(self, server: Int) -> Int:
        """When it began: with a habit that turns, so that one may end at the turn."""
        decision = self.p.server_phase[server]
        period: Int = self.p.server_period[server]
        if decision >= 0 and self.c.decision_habit[decision] in (WORST_THEN_BEST, BEST_THEN_WORST):
            return -((period - self.c.decision_turn[decision] % period) % period)
        return -self.amount(decision, 0, 0, 0, max(0, period - 1))

    def reset(self, server: Int, time: Int) -> None:
        """A period begins."""
        self.began[server] = time
        self.used[server] = 0
        for queue in range(self.p.server_queue[server], self.p.server_queue[server + 1]):
            self.spent[queue] = 0

    def rests(self, server: Int) -> None:
        """It has no more work."""
        self.is_idle[server] = 1
        self.is_over[server] = 0
        late = self.s.now - self.began[server]
        if self.p.server_limit[server] and late >= self.p.server_period[server]:
            self.reset(server, self.s.now)
        self.sets_timer(server)

    def sets_timer(self, server: Int) -> None:
        """It wakes at the end of the period, though it has no work."""
        if self.p.server_look[server] >= 0:
            end = self.began[server] + self.p.server_period[server]
            self.at(self.layout.first_timer + server, end)

    def may_send(self, server: Int, i: Int) -> Bool:
        """Whether the next sample may be sent; else when the period is over."""
        period = self.p.server_period[server]
        late = self.s.now - self.began[server]
        if self.is_over[server]:
            self.reset(server, self.s.now)
        elif self.is_idle[server] and late >= period:
            self.reset(server, self.s.now - late % period)
        elif late >= period and not self.fits(server, i):
            self.reset(server, self.s.now)
        self.is_idle[server] = self.is_over[server] = 0
        return self.fits(server, i)

    def held_back(self, server: Int, queue: Int) -> Bool:
        """Whether it has to sleep until its next period, with this queue next."""
        if self.may_send(server, self.queue_head[queue]):
            return False
        self.sleeps_on(server)
        self.at(self.layout.first_timer + server, self.began[server] + self.p.server_period[server])
        self.touch(self.core_of(server))
        return True

    def sleeps_on(self, server: Int) -> None:
        """Whatever it was woken for before its period is over."""
        self.waits[server] = FOR_TIME
        self.is_held[server] = 1
        self.sleep(server)

    def period_over(self, server: Int) -> None:
        """It wakes at the tail of its priority; the next period begins when it runs. One that has
        work, or waits for a lock, sees that by itself."""
        held: Bool = self.is_held[server] != 0
        sleeps: Bool = not self.awake[server] and self.waits[server] in (-1, FOR_TIME)
        self.is_held[server] = 0
        if sleeps or held:
            self.is_over[server] = 1
        if sleeps:
            self.wakes_up(server)

    def wakes_up(self, server: Int) -> None:
        """As a period is over, or something has come."""
        self.waits[server] = -1
        if self.p.server_look[server] >= 0:
            self.looks[server] = self.p.server_looks[server]
        self.wake(server)
        self.touch(self.core_of(server))

    def is_told(self, server: Int) -> Bool:
        """Whether it sleeps until its period is over, and wakes for what comes."""
        return self.p.server_look[server] >= 0 and self.waits[server] == FOR_TIME
