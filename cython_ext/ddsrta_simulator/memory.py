"""The memory of an engine where it is not compiled; where it is, `memory.pxi` takes its place."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from ddsrta_simulator.layout import Counts
from ddsrta_simulator.program import BUCKETS, Choices, Program
from ddsrta_simulator.structs import (
    Ints,
    Job,
    Placement,
    Progress,
    Reservation,
    Rows,
    Source,
    Struct,
    Unit,
)
from ddsrta_simulator.tables import Table, Tables


class Memory(Tables):
    """A table has its place in the state, in the order in which they are declared."""

    def lay_out(self, program: Program, choices: Choices, histograms: bool) -> None:
        """All that the program needs."""
        self.p, self.layout, self.s = program, Counts(program), Progress()
        for name, table in vars(Tables).items():
            if isinstance(table, Table):
                count = getattr(self.layout, table.of)
                setattr(self, name, array("q", [table.first]) * count)
        self.c = choices.copy()
        self.placements = self.layout.placements
        self.unit = []
        self.jobs: list[Job] = []
        self.carried: list[Ints] = []
        self.source = [Source() for _ in range(self.layout.sources)]
        self.reservation = [Reservation() for _ in range(self.layout.supplies)]
        self.intervals = [Rows() for _ in range(self.layout.supplies)]
        self.placement = [Placement() for _ in range(self.layout.cores)]
        self.taken, self.free_time, self.records, self.traced = Rows(), Rows(), Rows(), Rows()
        self.noted = Rows()
        self.buckets = array("q", bytes(8 * BUCKETS * self.layout.measures * histograms))
        self.dirty_count = self.settled_count = self.touched_count = self.asked = 0
        self.failed = False

    def chosen(self) -> bytes:
        """All numbers of the choices."""
        columns = [each for each in vars(self.c).values() if isinstance(each, array)]
        rest = [each for each in vars(self.c).values() if not isinstance(each, array)]
        return b"".join([each.tobytes() for each in [*columns, array("q", rest)]])

    def job(self, i: int) -> Job:
        """A job."""
        return self.jobs[i]

    def origins(self, i: int) -> Ints:
        """What it carries: two numbers each."""
        return self.carried[i]

    def more_units(self) -> bool:
        """Room for one more."""
        self.unit.append(Unit())
        return True

    def more_jobs(self) -> bool:
        """Room for one more."""
        self.jobs.append(Job())
        self.carried.append(array("q", bytes(16 * self.layout.origins)))
        return True

    def _tables(self) -> list[Ints]:
        return [getattr(self, name) for name, of in vars(Tables).items() if isinstance(of, Table)]

    def _records(self) -> Iterator[Struct]:
        yield from (*self.source, *self.reservation, *self.placement)

    def dump(self) -> bytes:
        """All numbers but for the buckets, by index."""
        body = array("q", self.s.numbers())
        for table in self._tables():
            body.extend(table)
        for unit in self.unit:
            body.extend(unit.numbers())
        for job, origins in zip(self.jobs, self.carried, strict=True):
            body.extend(job.numbers())
            body.extend(origins)
        for record in self._records():
            body.extend(record.numbers())
        for rows in self.intervals:
            body.append(rows.count)
            body.extend(rows.data[: rows.count])
        return body.tobytes()

    def fill(self, values: Ints, place: int) -> int:
        """Become what was dumped from this place on; where that ends."""
        reader = Reader(values, place)
        reader.into(self.s)
        for table in self._tables():
            table[:] = reader.some(len(table))
        self.unit, self.jobs, self.carried = [], [], []
        for _ in range(self.s.units):
            self.more_units()
            reader.into(self.unit[-1])
        for _ in range(self.s.jobs):
            self.more_jobs()
            reader.into(self.jobs[-1])
            self.carried[-1][:] = reader.some(2 * self.layout.origins)
        for record in self._records():
            reader.into(record)
        for rows in self.intervals:
            rows.count = reader.some(1)[0]
            rows.data = reader.some(rows.count)
        return reader.place


class Reader:
    """Numbers, one after the other."""

    def __init__(self, values: Ints, place: int) -> None:
        self.values, self.place = values, place

    def some(self, count: int) -> Ints:
        """So many."""
        if not 0 <= count <= len(self.values) - self.place:
            raise ValueError("the state is not complete")
        self.place += count
        return self.values[self.place - count : self.place]

    def into(self, record: Struct) -> None:
        """Those of a record."""
        record.read(self.some(len(record.numbers())))
