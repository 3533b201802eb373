"""The search of approximate_time of message_filters for the best set with the pivot."""

from __future__ import annotations

from ddsrta_simulator.program import NEVER
from ddsrta_simulator.shadow import penalised
from ddsrta_simulator.structs import Extent, Int, Ints
from ddsrta_simulator.tokens import Tokens


class Approximate(Tokens):
    """The policy of ROS 2, to the letter of its rules."""

    def match_approximate(self, thread: Int, hop: Int) -> None:
        """A message has come."""
        if self.token_ahead[hop] < 0:
            self.token_ahead[hop] = self.token_tail[hop]
            self.process(thread)
        if self.p.thread_room[thread] and self.held[hop] > self.p.thread_room[thread]:
            self.recover(thread)
            self.lose_first(hop)
            self.lost[hop] = 1
            if self.pivot[thread] >= 0:
                self.pivot[thread] = -1
                self.process(thread)

    def recover(self, thread: Int) -> None:
        """What the search has passed by is ahead again."""
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            self.token_ahead[hop] = self.token_head[hop]

    def publish(self, thread: Int) -> None:
        """The candidate is the set."""
        first = self.p.thread_hop[thread]
        last = self.p.thread_hop[thread + 1]
        for hop in range(first, last):
            self.member[hop] = self.token_head[hop]
        self.make_set(thread)
        self.pivot[thread] = -1
        self.recover(thread)
        for hop in range(first, last):
            self.lose_first(hop)

    def extent(self, which: Ints, thread: Int, otherwise: Int) -> Extent:
        """Of these tokens, one for each hop; where there is none, another stamp counts."""
        low: Int = NEVER
        high: Int = -NEVER
        first: Int = -1
        last: Int = -1
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            stamp = self.stamp(which[hop]) if which[hop] >= 0 else otherwise
            if stamp < low:
                low = stamp
                first = hop
            if stamp >= high:
                high = stamp
                last = hop
        return Extent(low, high, first, last)

    def take_candidate(self, thread: Int) -> None:
        """What is ahead is a better candidate."""
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            while self.token_head[hop] != self.token_ahead[hop]:
                self.lose_first(hop)

    def pass_by(self, hop: Int) -> None:
        """The first that is ahead."""
        self.token_ahead[hop] = self.unit[self.token_ahead[hop]].next

    def process(self, thread: Int) -> None:
        """As far as messages allow."""
        while self.all_have(self.token_ahead, thread):
            ahead = self.extent(self.token_ahead, thread, 0)
            for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
                if hop != ahead.last:
                    self.lost[hop] = 0
            if self.pivot[thread] < 0:
                if self.lost[ahead.last]:
                    self.lose_first(ahead.first)
                    continue
                self.take_candidate(thread)
                self.pivot[thread] = ahead.last
                self.pivot_time[thread] = ahead.high
            else:
                candidate = self.extent(self.token_head, thread, 0)
                if penalised(ahead.high - candidate.high) < ahead.low - candidate.low:
                    self.take_candidate(thread)
            self.pass_by(ahead.first)
            self.decide_set(thread, ahead.first, ahead.high)

    def decide_set(self, thread: Int, earliest: Int, end: Int) -> None:
        """Publishes the candidate if nothing can be better."""
        candidate = self.extent(self.token_head, thread, 0)
        best = self.pivot_time[thread] - candidate.low
        if earliest == self.pivot[thread] or penalised(end - candidate.high) >= best:
            self.publish(thread)
        elif not self.all_have(self.token_ahead, thread):
            self.look_ahead(thread, best, candidate.low, candidate.high)

    def look_ahead(self, thread: Int, best: Int, low: Int, high: Int) -> None:
        """What is still to come can have no stamp before the pivot's: can it be better?"""
        for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
            self.ahead_before[hop] = self.token_ahead[hop]
        while True:
            ahead = self.extent(self.token_ahead, thread, self.pivot_time[thread])
            later = penalised(ahead.high - high)
            if later >= best:
                self.publish(thread)
                return
            if later < ahead.low - low:
                for hop in range(self.p.thread_hop[thread], self.p.thread_hop[thread + 1]):
                    self.token_ahead[hop] = self.ahead_before[hop]
                return
            self.pass_by(ahead.first)  # there is one: where it is the pivot's time, we are done
