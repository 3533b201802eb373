"""Which messages a synchronizer puts together.

As message_filters of ROS 2 (exact_time, approximate_time, latest) and the synchronisation node of
Saito et al. (mtd) do, to the letter of their rules.
"""

from __future__ import annotations

from ddsrta_simulator.approximate import Approximate
from ddsrta_simulator.program import APPROXIMATE, EXACT, LATEST, NEVER
from ddsrta_simulator.structs import Int


class Matching(Approximate):
    """The policies."""

    def match(self, thread: Int, hop: Int) -> None:
        """A message has come to a synchronizer: the last of its list."""
        policy = self.p.thread_activation[thread]
        self.unit[self.token_tail[hop]].number = self.heard[hop]
        self.heard[hop] += 1
        self.held[hop] += 1
        if policy == EXACT:
            self.match_exact(thread, hop)
        elif policy == APPROXIMATE:
            self.match_approximate(thread, hop)
        elif policy == LATEST:
            self.match_latest(thread, hop)
        else:
            self.match_nearest(thread, hop)

    def match_exact(self, thread: Int, hop: Int) -> None:
        """The sets of one stamp; older ones go when one is complete, or too many."""
        first = self.p.thread_hop[thread]
        last = self.p.thread_hop[thread + 1]
        stamp = self.stamp(self.token_tail[hop])
        self.replace(hop, stamp)
        for each in range(first, last):
            self.member[each] = self.with_stamp(each, stamp)
        if self.all_have(self.member, thread):
            self.make_set(thread)
            for each in range(first, last):
                self.lose_stamp(each, -NEVER, stamp)
        while self.p.thread_room[thread] and self.stamps(thread) > self.p.thread_room[thread]:
            oldest: Int = NEVER
            for each in range(first, last):
                i = self.token_head[each]
                while i >= 0:
                    oldest = min(oldest, self.stamp(i))
                    i = self.unit[i].next
            for each in range(first, last):
                self.lose_stamp(each, oldest, oldest)

    def replace(self, hop: Int, stamp: Int) -> None:
        """The last of a list takes the place of another with its stamp."""
        i = self.with_stamp(hop, stamp)
        if i == self.token_tail[hop]:
            return
        if i == self.token_head[hop]:
            self.token_head[hop] = self.unit[i].next
        else:
            before = self.token_head[hop]
            while self.unit[before].next != i:
                before = self.unit[before].next
            self.unit[before].next = self.unit[i].next
        self.held[hop] -= 1
        self.free_unit(i)

    def with_stamp(self, hop: Int, stamp: Int) -> Int:
        """The first of a list with this stamp, if any."""
        i = self.token_head[hop]
        while i >= 0 and self.stamp(i) != stamp:
            i = self.unit[i].next
        return i

    def stamps(self, thread: Int) -> Int:
        """How many different stamps are kept."""
        first = self.p.thread_hop[thread]
        count: Int = 0
        for hop in range(first, self.p.thread_hop[thread + 1]):
            i = self.token_head[hop]
            while i >= 0:
                count += 1
                for other in range(first, hop):
                    if self.with_stamp(other, self.stamp(i)) >= 0:
                        count -= 1
                        break
                i = self.unit[i].next
        return count

    def match_latest(self, thread: Int, hop: Int) -> None:
        """The last of each, whenever one comes, if its turn makes a set."""
        first = self.p.thread_hop[thread]
        last = self.p.thread_hop[thread + 1]
        turn = self.unit[self.token_tail[hop]].number
        if self.held[hop] > 1:
            self.lose_first(hop)
        turn = turn * (last - first) + hop - first
        if self.all_have(self.token_head, thread) and self.amount(
            self.p.thread_fires[thread], turn, self.s.now, 0, 1
        ):
            for each in range(first, last):
                self.member[each] = self.token_head[each]
            self.make_set(thread)

    def match_nearest(self, thread: Int, hop: Int) -> None:
        """Of two: the older of the newest, and what is nearest to it."""
        first = self.p.thread_hop[thread]
        nearest: Int = -1
        if self.p.thread_room[thread] and self.held[hop] > self.p.thread_room[thread]:
            self.lose_first(hop)
        self.is_new[hop] = 1
        if not self.all_have(self.token_head, thread):
            return
        old = first
        if self.stamp(self.token_tail[first]) > self.stamp(self.token_tail[first + 1]):
            old = first + 1
        other = 2 * first + 1 - old
        stamp = self.stamp(self.token_tail[old])
        if self.is_new[first] and self.is_new[first + 1]:
            self.is_new[first] = self.is_new[first + 1] = 0
            best: Int = NEVER
            i = self.token_head[other]
            while i >= 0:
                off = self.stamp(i) - stamp
                off = max(off, -off)
                if off < best:
                    best = off
                    nearest = i
                i = self.unit[i].next
            self.member[old] = self.token_tail[old]
            self.member[other] = nearest
            self.make_set(thread)
        for other in range(first, first + 2):
            while self.held[other] > 1 and (
                self.stamp(self.unit[self.token_head[other]].next) <= stamp
            ):
                self.lose_first(other)
