"""Release times of sources, generated as they are needed.

ANCHORED: nominal times a period and a pause apart, each up to a jitter late, in order. Others: each
release as early as its distances to all earlier ones allow, plus a pause; a ring has the earlier
ones, as they were (`times`) and as the recurring part of a curve needs them (`tails`).
"""

from __future__ import annotations

from ddsrta_simulator.program import ALIGNED, ANCHORED, BURST, EXTREME_JITTER, NEVER, WILD
from ddsrta_simulator.seen import Seen
from ddsrta_simulator.shadow import address, below, mix, modulo
from ddsrta_simulator.structs import Int, Source


class Releases(Seen):
    """Sources."""

    def pause(self, i: Int, made: Int) -> Int:
        """A pause before the next release."""
        longest = self.c.source_pause[i] if self.p.source_pause[i] else 0
        if longest <= 0:
            return 0
        drawn = mix(self.c.source_seed[i], 2 * made + 1)
        if drawn % 3 == 1:
            return self.p.source_most[i]
        return (drawn >> 8) % longest if drawn % 3 == 0 else 0

    def own_pause(self, i: Int, s: Source, often: Int, time: Int) -> Int:
        """The same, of a wild source or where there are some, or for this release alone."""
        if not self.p.source_pause[i]:
            return 0
        pause: Int = 0
        if often or self.c.source_kind[i] == WILD:
            pause = self.pause(i, s.made)
        return self.apart(-2 - 2 * i, s.made, time, 0, self.p.source_pause[i], pause)

    def longest_gap(self, i: Int) -> Int:
        """From one release to the next."""
        return self.p.source_most[i] if self.p.source_most[i] else NEVER

    def source_begins(self, i: Int) -> None:
        """Where its first release is, more or less."""
        s = address(self.source[i])
        leader = self.p.source_leader[i]
        moment = self.c.source_moment[i]
        s.last = -NEVER
        s.nominal = moment
        if self.p.source_model[i] != ANCHORED:
            s.before = self.c.source_kind[i] == ALIGNED and moment > 0
        elif self.c.source_kind[i] != WILD:
            s.nominal -= self.p.source_b[i]
            if self.c.source_kind[i] == ALIGNED and s.nominal > 0:
                s.nominal = s.nominal % self.p.source_period[i]
        if leader >= 0:  # on a shared clock; the leader's first release ends at its moment
            begin = self.c.source_moment[leader] - self.p.source_b[leader]
            begin -= self.p.source_offset[leader]
            if begin >= 0 or begin < -self.p.source_early[leader]:
                begin = modulo(begin, self.p.source_span[leader])
            s.nominal = begin + self.p.source_offset[i]
        s.nominal = min(s.nominal, self.longest_gap(i))

    def next_release(self, i: Int) -> Int:
        """When it releases next."""
        if self.p.source_model[i] == ANCHORED:
            return self.anchored(i, address(self.source[i]))
        return self.greedy(i, address(self.source[i]))

    def jitter_of(self, i: Int, s: Source) -> Int:
        """How late its next release is."""
        most = self.p.source_b[i]
        if self.c.source_kind[i] != WILD:
            return max(0, min(most, self.c.source_moment[i] - s.nominal))
        if self.c.source_jitter[i] == EXTREME_JITTER:
            return most if mix(self.c.source_seed[i], 2 * s.made) & 1 else 0
        return below(self.c.source_seed[i], 2 * s.made, most + 1)

    def own_jitter(self, i: Int, s: Source) -> Int:
        """The same, or for this release alone; the first by a clock is not before the start."""
        late = self.jitter_of(i, s)
        if not self.p.source_b[i]:
            return late
        least: Int = 0
        if s.made == 0 and self.p.source_leader[i] >= 0:
            least = max(0, -s.nominal)
            late = max(least, late)
        return self.apart(-1 - 2 * i, s.made, s.nominal, least, self.p.source_b[i], late)

    def anchored(self, i: Int, s: Source) -> Int:
        """The next release that is not before the start."""
        longest = self.longest_gap(i)
        while True:
            latest = longest + (s.last if s.made else 0)
            late = min(s.nominal + self.own_jitter(i, s), latest)
            s.last = max(late, s.last + self.p.source_c[i])
            s.due = s.nominal
            s.nominal += self.p.source_period[i]
            if self.p.source_pause[i]:
                pause = self.own_pause(i, s, 0, s.last)
                s.nominal += min(pause, longest - self.p.source_period[i])
            s.made += 1
            if s.last >= 0:
                return s.last

    def back(self, s: Source, distance: Int) -> Int:
        """The place of the release so many before the next one."""
        place = s.place - distance
        return s.ring + (place if place >= 0 else place + s.reach)

    def earliest(self, i: Int, s: Source) -> Int:
        """The earliest time of the next release."""
        period = self.p.source_period[i]
        if self.p.source_model[i] == BURST:
            return max(
                self.times[self.back(s, 1)] + self.p.source_c[i],
                self.times[self.back(s, s.reach)] + period,
            )
        recurs = s.reach - self.p.source_b[i]
        time = -NEVER
        if recurs == 0:
            time = self.tails[self.back(s, s.reach)] + period
        for k in range(1, s.reach):
            place = self.back(s, k)
            then = self.times[place] if k < recurs else self.tails[place]
            time = max(time, then + self.p.distances[self.p.source_distance[i] + k])
        return time

    def push_release(self, i: Int, s: Source, time: Int) -> None:
        """One more."""
        tail = self.tails[self.back(s, self.p.source_b[i])] + self.p.source_period[i]
        self.tails[s.ring + s.place] = max(time, tail)
        self.times[s.ring + s.place] = time
        s.place = s.place + 1 if s.place + 1 < s.reach else 0

    def greedy(self, i: Int, s: Source) -> Int:
        """The next release that is not before the start."""
        moment = self.c.source_moment[i]
        while True:
            latest = self.longest_gap(i)
            if s.made == 0:
                time = 0 if s.before else min(moment, latest)
            else:
                latest += self.times[self.back(s, 1)]
                time = self.earliest(i, s)
                time = min(time + self.own_pause(i, s, s.before, time), latest)
            place = s.place
            old_time = self.times[s.ring + place]
            old_tail = self.tails[s.ring + place]
            self.push_release(i, s, time)
            if s.before:
                s.before = time < moment and self.earliest(i, s) <= moment
                if not s.before and moment <= latest:
                    s.place = place
                    self.times[s.ring + place] = old_time
                    self.tails[s.ring + place] = old_tail
                    time = moment
                    self.push_release(i, s, time)
            s.made += 1
            if time >= 0:
                s.due = time
                return time
