"""The events to come, and what was measured."""

from __future__ import annotations

from ddsrta_simulator.decisions import Decisions
from ddsrta_simulator.program import BUCKETS, NEVER, RECORD, SHUFFLED, TRACE, bucket
from ddsrta_simulator.shadow import grow, mix
from ddsrta_simulator.structs import Int


class Seen(Decisions):
    """What is pending counts as it is when time goes on."""

    def at(self, event: Int, time: Int) -> None:
        """The event will be at this time, and no longer when it was to be."""
        node = event + self.layout.leaves
        best = event
        self.version[event] += 1
        self.time[event] = time
        if self.c.tie_mode == SHUFFLED and time < NEVER:
            self.tie[event] = mix(mix(self.c.tie_seed, event), self.version[event]) >> 1
        while node > 1:
            other = self.winner[node ^ 1]
            if self.time[other] < self.time[best] or (
                self.time[other] == self.time[best]
                and (
                    self.tie[other] < self.tie[best]
                    or (self.tie[other] == self.tie[best] and other < best)
                )
            ):
                best = other
            node >>= 1
            self.winner[node] = best

    def happened(self, event: Int) -> None:
        """It has happened and none takes its place: as `at`, but no new version."""
        self.version[event] -= 1
        self.at(event, NEVER)

    def note(self, measure: Int, value: Int) -> None:
        """A value, but for the records."""
        if value > self.worst_seen[measure]:
            self.worst_seen[measure] = value
            self.seen_at[measure] = self.s.now
        self.number_seen[measure] += 1
        if self.buckets:
            self.buckets[measure * BUCKETS + bucket(value)] += 1

    def see(self, measure: Int, value: Int) -> None:
        """A value of a measure."""
        if measure < 0:
            return
        self.note(measure, value)
        if self.records_size:
            if not grow(self.records, RECORD):
                self.failed = True
                return
            end = self.records.count
            self.records.data[end] = measure
            self.records.data[end + 1] = self.s.now
            self.records.data[end + 2] = value
            self.records.count += RECORD

    def count(self, measure: Int, change: Int) -> None:
        """More or less is pending."""
        if measure < 0:
            return
        self.pending[measure] += change
        if change > 0 and not self.is_touched[measure]:
            self.is_touched[measure] = 1
            self.touched[self.touched_count] = measure
            self.touched_count += 1

    def trace(self, kind: Int, what: Int, number: Int, other: Int) -> None:
        """A row of the trace."""
        if not self.traced_size:
            return
        if not grow(self.traced, TRACE):
            self.failed = True
            return
        end = self.traced.count
        self.traced.data[end] = self.s.now
        self.traced.data[end + 1] = kind
        self.traced.data[end + 2] = what
        self.traced.data[end + 3] = number
        self.traced.data[end + 4] = other
        self.traced.count += TRACE
