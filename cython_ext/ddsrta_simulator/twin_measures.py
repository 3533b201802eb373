"""Maxima, counts, histograms and records of all measures."""

from __future__ import annotations

from array import array

from ddsrta_simulator.program import BUCKETS, RECORD, TRACE, Program, bucket


class Measured:
    """What was seen; what is pending counts as it is when time goes on."""

    def __init__(self, program: Program, records: int, histograms: bool) -> None:
        number = len(program.measures)
        self.worst = array("q", [-1]) * number
        self.worst_at = array("q", [-1]) * number
        self.counts = array("q", [0]) * number
        self.buckets: list[dict[int, int]] = [{} for _ in range(number)] if histograms else []
        self.records: array[int] = array("q")
        self.records_size = records
        self.pending = [0] * number
        self.touched: list[int] = []
        self.now = 0

    def is_full(self) -> bool:
        """Whether the records are to be taken."""
        return 0 < self.records_size <= len(self.records) // RECORD

    def see(self, measure: int, value: int) -> None:
        """A value of a measure."""
        if measure >= 0:
            self._note(measure, value)
            if self.records_size:
                self.records.extend((measure, self.now, value))

    def _note(self, measure: int, value: int) -> None:
        if value > self.worst[measure]:
            self.worst[measure] = value
            self.worst_at[measure] = self.now
        self.counts[measure] += 1
        if self.buckets:
            place = bucket(value)
            self.buckets[measure][place] = self.buckets[measure].get(place, 0) + 1

    def count(self, measure: int, change: int) -> None:
        """More or less is pending."""
        if measure >= 0:
            self.pending[measure] += change
            if change > 0 and measure not in self.touched:
                self.touched.append(measure)

    def settle(self) -> None:
        """Time goes on."""
        for measure in self.touched:
            self._note(measure, self.pending[measure])
        self.touched.clear()

    def histogram(self, measure: int) -> array[int]:
        """The buckets of a measure."""
        buckets = array("q", bytes(8 * BUCKETS))
        for place, count in (self.buckets[measure] if self.buckets else {}).items():
            buckets[place] = count
        return buckets

    def take_records(self) -> array[int]:
        """The rows since the last time."""
        rows, self.records = self.records, array("q")
        return rows


class Seen:
    """The time, the trace, and what was measured."""

    def __init__(self, program: Program, records: int, trace: int, histograms: bool) -> None:
        self.measured = Measured(program, records, histograms)
        self.traced: array[int] = array("q")
        self.traced_size = trace
        self.now = 0

    def is_full(self) -> bool:
        """Whether the records or the trace are to be taken."""
        return self.measured.is_full() or 0 < self.traced_size <= len(self.traced) // TRACE

    def trace(self, kind: int, what: int, number: int, other: int) -> None:
        """A row of the trace."""
        if self.traced_size:
            self.traced.extend((self.now, kind, what, number, other))

    def take_trace(self) -> array[int]:
        """The rows since the last time."""
        rows, self.traced = self.traced, array("q")
        return rows

    def take_records(self) -> array[int]:
        """The rows since the last time."""
        return self.measured.take_records()

    def worst(self) -> array[int]:
        """The largest value of each measure."""
        return self.measured.worst[:]

    def worst_at(self) -> array[int]:
        """When the largest value of each measure was first seen."""
        return self.measured.worst_at[:]

    def counts(self) -> array[int]:
        """How many values each measure had."""
        return self.measured.counts[:]

    def histogram(self, measure: int) -> array[int]:
        """The buckets of a measure."""
        return self.measured.histogram(measure)
