"""A program in motion, as Python sees it."""

from __future__ import annotations

from array import array
from zlib import crc32

from ddsrta_simulator.moves import Moves
from ddsrta_simulator.program import BUCKETS, BURST, NOTED, Choices, Program
from ddsrta_simulator.shadow import copied, nogil
from ddsrta_simulator.structs import Bool, Int

MAGIC = 0x6464733A  # the format of states: to be changed with what is in them


class Engine(Moves):
    """Runs up to a time, and says what it has seen so far."""

    def __init__(
        self,
        program: Program,
        choices: Choices,
        records: Int = 0,
        trace: Int = 0,
        histograms: Bool = True,
        noting: Bool = False,
    ) -> None:
        choices.check(program)
        self.lay_out(program, choices, histograms)
        self.records_size = records
        self.traced_size = trace
        self.noting = noting
        self.begin_all()
        self.check()

    def begin_all(self) -> None:
        """The first event of each source and reservation."""
        i: Int
        count: Int = 0
        first: Int
        ring: Int = 0
        self.s.free_unit = self.s.free_job = -1
        for i in range(self.layout.leaves):
            self.winner[self.layout.leaves + i] = i
        for i in range(self.layout.leaves - 1, 0, -1):
            self.winner[i] = self.winner[2 * i]
        for i in range(self.layout.supplies):
            self.is_open[i] = self.p.supply_budget[i] == 0 or self.p.supply_serves[i]
        for i in range(self.layout.servers):
            self.supply_of[i] = self.p.server_supply[i]
            self.holder[i] = i
            self.began[i] = self.first_period(i)
            self.sets_timer(i)
        self.arrange()
        for i, supplies in enumerate(self.placements):
            first = count
            for supply in supplies:
                self.reservation[count].supply = supply
                count += 1
            self.placement_begins(i, first, count)
        for i in range(self.layout.supplies):
            if self.p.supply_budget[i] and not self.p.supply_serves[i]:
                self.at(i, self.next_interval(i))
        for i in range(self.layout.sources):
            self.source[i].ring = ring
            self.source[i].reach = self.p.source_distance[i + 1] - self.p.source_distance[i]
            if self.p.source_model[i] == BURST:
                self.source[i].reach = self.p.source_b[i]
            ring += self.source[i].reach
            self.source_begins(i)
            self.at(self.layout.first_source + i, self.next_release(i))

    def check(self) -> None:
        """Whether there was memory enough."""
        if self.failed:
            raise MemoryError("the simulation needs more memory than there is")

    def advance(self, until: Int) -> int:
        """Run up to this time, or until a buffer is full; how far that was."""
        reached: Int = until
        with nogil:
            reached = self.go(until)
        self.check()
        return reached

    @property
    def events(self) -> int:
        """How many there were."""
        return self.s.events

    @property
    def messages(self) -> int:
        """How many were delivered."""
        return self.s.messages

    def worst(self) -> array[int]:
        """The largest value of each measure."""
        return copied(self.worst_seen, 0, self.layout.measures)

    def worst_at(self) -> array[int]:
        """When the largest value of each measure was first seen."""
        return copied(self.seen_at, 0, self.layout.measures)

    def counts(self) -> array[int]:
        """How many values each measure had."""
        return copied(self.number_seen, 0, self.layout.measures)

    def histogram(self, measure: Int) -> array[int]:
        """The buckets of a measure."""
        if not 0 <= measure < self.layout.measures:
            raise IndexError(measure)
        if not self.buckets:
            return array("q", bytes(8 * BUCKETS))
        return copied(self.buckets, measure * BUCKETS, BUCKETS)

    def take_records(self) -> array[int]:
        """The rows since the last time."""
        rows = copied(self.records.data, 0, self.records.count)
        self.records.count = 0
        return rows

    def take_trace(self) -> array[int]:
        """The rows since the last time."""
        rows = copied(self.traced.data, 0, self.traced.count)
        self.traced.count = 0
        return rows

    def decided(self, first: Int, last: Int) -> array[int]:
        """The rows from the first to the last of what was decided between these times."""
        begin: Int = 0
        end: Int = self.noted.count
        while begin < end and self.noted.data[begin + 2] < first:
            begin += NOTED
        while begin < end and self.noted.data[end - NOTED + 2] > last:
            end -= NOTED
        return copied(self.noted.data, begin, end - begin)

    def header(self) -> array[int]:
        """What a state has to agree with."""
        chosen = crc32(self.chosen())
        return array("q", [MAGIC, self.layout.crc, chosen, 1 if self.buckets else 0])

    def state(self) -> bytes:
        """All numbers of the run, by index, and of the buckets those that are not empty."""
        i: Int
        sparse = array("q")
        for i in range(self.layout.measures * BUCKETS if self.buckets else 0):
            if self.buckets[i]:
                sparse.extend((i, self.buckets[i]))
        body = self.header().tobytes() + self.dump() + sparse.tobytes()
        return body + array("q", [crc32(body)]).tobytes()

    def restore(self, state: bytes) -> None:
        """Become the run that was in this state."""
        i: Int
        values = array("q")
        values.frombytes(state[: len(state) // 8 * 8])
        header = self.header()
        if (
            len(values) <= len(header)
            or values[: len(header)] != header
            or values[len(values) - 1] != crc32(state[: len(state) - 8])
        ):
            raise ValueError("the state is none of this program with these choices")
        for i in range(self.fill(values, len(header)), len(values) - 1, 2):
            self.buckets[values[i]] = values[i + 1]
