"""Candidates that the kernel makes itself, of a layout: rows of costs and ranks, some for each of
several threads at a time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

from ddsrta.bounds.flow import Flow
from ddsrta.bounds.layout import Layout
from ddsrta_kernel import Solver

AT_ONCE = 16  # rows that a thread does not let go of, if it is interrupted
Attribute = tuple[str, str, str]  # the kind and name of a thing, and an attribute of it
Change = tuple[str, str, str, int]  # and a value
T = TypeVar("T")
U = TypeVar("U")


class Column(NamedTuple):
    """Where the numbers of a place stand in a row, with so much more."""

    place: int
    at: int
    more: int


class Candidates:
    """Rows in, latencies of the ways of a book and responses of stages out."""

    def __init__(
        self,
        layout: Layout,
        flow: Flow,
        asked: tuple[array[int], array[int]],
        uses: int,
        threads: int,
    ) -> None:
        compiled = layout.compiled
        self.asked, self.stages = asked, len(compiled.stages)
        self.base = array("q", [stage.cost for stage in compiled.stages])
        self.base.extend(layout.ranks(compiled.system))
        self.size = 1 + len(asked[1]) // 2 + self.stages
        self.wcets = {name: each.wcet for name, each in compiled.system.threads.items()}
        self.numbers = {key[1]: n for key, n in compiled.stage_number.items() if key[0] == "job"}
        self.ranks = {server: self.stages + n for n, server in enumerate(layout.servers)}
        flow.fill(compiled)
        self.solvers = [Solver(layout.problem()) for _ in range(threads)]
        leading = compiled.structure.leading(self.solvers[0])
        self.layout = layout.plan, len(layout.servers), leading, flow.slow, uses
        self.free: SimpleQueue[Solver] = SimpleQueue()
        for solver in self.solvers:
            self.free.put(solver)

    def columns(self, places: Sequence[Iterable[Attribute]]) -> list[Column]:
        """Where the costs and priorities that are the number at each place stand in a row."""
        found: list[Column] = []
        for place, attributes in enumerate(places):
            for kind, name, attribute in attributes:
                if attribute == "wcet":
                    at = self.numbers[name]
                    found.append(Column(place, at, self.base[at] - self.wcets[name]))
                elif (kind, name) in self.ranks:
                    found.append(Column(place, self.ranks[kind, name], 0))
        return found

    def rows(self, rows: Sequence[Sequence[int]], columns: Sequence[Column]) -> array[int]:
        """The costs of all stages and the ranks of all blocks, row by row, with other numbers."""
        given, begin = self.base * len(rows), 0
        for row in rows:
            for place, at, more in columns:
                given[begin + at] = row[place] + more
            begin += len(self.base)
        return given

    def found(self, given: array[int]) -> array[int]:
        """What is found of rows: of each whether that is all, and what there is."""
        found = array("q", bytes(8 * self.size * (len(given) // len(self.base))))
        solver = self.free.get()
        try:
            solver.candidates(self.layout, self.asked, given, found)
        finally:
            self.free.put(solver)
        return found

    def in_parts(self, work: Callable[[Sequence[T]], list[U]], rows: Sequence[T]) -> list[U]:
        """Some work on rows, a few of them at a time, in as many threads as there are solvers: what
        the kernel does needs no lock of Python, and meanwhile others read rows."""
        some = [rows[first : first + AT_ONCE] for first in range(0, len(rows), AT_ONCE)]
        threads = min(len(self.solvers), len(some))
        if threads < 2:
            return [one for part in some for one in work(part)]
        pool = ThreadPoolExecutor(threads)
        try:
            return [one for part in pool.map(work, some) for one in part]
        finally:  # also where somebody does not want the rest
            pool.shutdown(cancel_futures=True)
