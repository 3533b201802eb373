"""Candidates that the kernel makes itself, of a layout: rows of costs and ranks, some for each of
several threads at a time."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from ddsrta.bounds.flow import Flow
from ddsrta.bounds.layout import Layout
from ddsrta_kernel import Solver

AT_ONCE = 32  # rows that a thread does not let go of, if it is interrupted
Change = tuple[str, str, str, int]  # the kind and name of a thing, an attribute of it, and a value


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
        self.layout = layout.plan, len(layout.servers), flow.leading, flow.slow, uses
        self.asked, self.stages = asked, len(compiled.stages)
        self.base = array("q", [stage.cost for stage in compiled.stages])
        self.base.extend(layout.ranks(compiled.system))
        self.size = 1 + len(asked[1]) // 2 + self.stages
        self.wcets = {name: each.wcet for name, each in compiled.system.threads.items()}
        self.numbers = {key[1]: n for key, n in compiled.stage_number.items() if key[0] == "job"}
        self.ranks = {server: self.stages + n for n, server in enumerate(layout.servers)}
        flow.fill(compiled)
        self.solvers = [Solver(layout.problem()) for _ in range(threads)]
        self.free: SimpleQueue[Solver] = SimpleQueue()
        for solver in self.solvers:
            self.free.put(solver)

    def row(self, changes: Iterable[Change]) -> array[int]:
        """The costs of all stages and the ranks of all blocks, with changes."""
        row = self.base[:]
        for kind, name, attribute, value in changes:
            if attribute == "wcet":
                row[self.numbers[name]] += value - self.wcets[name]
            elif (kind, name) in self.ranks:
                row[self.ranks[kind, name]] = value
        return row

    def found(self, rows: Sequence[array[int]]) -> list[Sequence[int] | None]:
        """What is found of each; None where that is not all."""
        some = [rows[first : first + AT_ONCE] for first in range(0, len(rows), AT_ONCE)]
        threads = min(len(self.solvers), len(some))
        if threads < 2:
            return [one for part in some for one in self._found(part)]
        pool = ThreadPoolExecutor(threads)
        try:
            return [one for part in pool.map(self._found, some) for one in part]
        finally:  # also where somebody does not want the rest
            pool.shutdown(cancel_futures=True)

    def _found(self, rows: Sequence[array[int]]) -> list[Sequence[int] | None]:
        given, found = array("q"), array("q", bytes(8 * self.size * len(rows)))
        for row in rows:
            given.extend(row)
        solver = self.free.get()
        try:
            solver.candidates(self.layout, self.asked, given, found)
        finally:
            self.free.put(solver)
        firsts = range(0, len(found), self.size)
        return [found[at + 1 : at + self.size] if found[at] else None for at in firsts]
