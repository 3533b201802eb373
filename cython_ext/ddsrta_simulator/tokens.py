"""Threads that are released by sets of messages, which a synchronizer makes."""

from __future__ import annotations

from ddsrta_simulator.paths import Paths
from ddsrta_simulator.program import NEVER, TAKEN
from ddsrta_simulator.structs import Bool, Int, Ints


class Tokens(Paths):
    """A list for each hop, the first that came first. What a search has passed by is before
    `token_ahead`; the candidate is the first of each list."""

    def arrive(self, thread: Int, j: Int, hop: Int) -> None:
        """A job of a thread arrives; the hop is what released it."""
        raise NotImplementedError

    def add_token(self, hop: Int, source: Int) -> None:
        """A message that is kept, by the job behind it."""
        i = self.new_unit()
        self.unit[i].job = source
        self.unit[i].time = self.s.now
        self.unit[i].next = -1
        if self.token_head[hop] < 0:
            self.token_head[hop] = i
        else:
            self.unit[self.token_tail[hop]].next = i
        self.token_tail[hop] = i

    def stamp(self, i: Int) -> Int:
        """Of a token."""
        return self.job(self.unit[i].job).stamp

    def lose_first(self, hop: Int) -> None:
        """The first of a list is kept no more."""
        i = self.token_head[hop]
        self.token_head[hop] = self.unit[i].next
        if self.token_ahead[hop] == i:
            self.token_ahead[hop] = self.unit[i].next
        self.held[hop] -= 1
        self.free_unit(i)

    def lose_stamp(self, hop: Int, least: Int, most_stamp: Int) -> None:
        """Keep no more what has a stamp in between."""
        i = self.token_head[hop]
        before: Int = -1
        while i >= 0:
            following = self.unit[i].next
            if least <= self.stamp(i) <= most_stamp:
                if before < 0:
                    self.token_head[hop] = following
                else:
                    self.unit[before].next = following
                if following < 0:
                    self.token_tail[hop] = before
                self.held[hop] -= 1
                self.free_unit(i)
            else:
                before = i
            i = following

    def make_set(self, thread: Int) -> None:
        """The members release a job."""
        first = self.p.thread_hop[thread]
        last = self.p.thread_hop[thread + 1]
        low: Int = NEVER
        high: Int = -NEVER
        came: Int = 0
        for hop in range(first, last):
            i = self.member[hop]
            low = min(low, self.stamp(i))
            high = max(high, self.stamp(i))
            came = max(came, self.unit[i].time)
        self.see(self.p.thread_disparity[thread], high - low)
        if self.last_set[thread] >= 0:
            self.see(self.p.thread_gap[thread], self.s.now - self.last_set[thread])
        self.last_set[thread] = self.s.now
        j = self.make_job(thread, -1)
        self.job(j).stamp = high
        if self.p.thread_inline[thread]:
            self.job(j).asked = self.asked
        for hop in range(first, last):
            i = self.member[hop]
            self.see(self.p.hop_wait[hop], self.s.now - self.unit[i].time)
            self.trace(TAKEN, hop, self.unit[i].number, self.job(j).index)
            self.carry(hop, self.unit[i].job, j, self.unit[i].time == came)
        self.arrive(thread, j, last - 1)

    def all_have(self, which: Ints, thread: Int) -> Bool:
        """Whether there is something for each hop."""
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            if which[hop] < 0:
                return False
        return True
