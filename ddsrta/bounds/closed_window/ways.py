"""Windows of closed stages that count what comes over a long way when it arrives, and not the time
on the way (lemma ways-apart)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from ddsrta.bounds.closed_window.released import Released
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.load import FULL
from ddsrta.bounds.slowest_input.due import released
from ddsrta_kernel import UNBOUNDED, Solver

MOST_TRIED = 4  # lengths of ways, the longest first
MOST_COUNTS = 20  # of each stage, for one length
N = TypeVar("N", int, float)


class Apart(NamedTuple):
    """Ways are apart that take so long or longer; what is on one of them when a window opens counts
    by its spacing, if it has one and that is to be used."""

    least: int
    spaced: bool

    def holds(self, edge: Edge) -> bool:
        """Whether the way of an edge is apart."""
        return edge.link >= self.least

    def on_the_way(self, edge: Edge) -> int | None:
        """How much is on it at once, by its spacing."""
        if not self.spaced or edge.spacing is None:
            return None
        distance, slack, bunch = edge.spacing
        return bunch * -(-(edge.link + 1 + slack) // distance)


class Reach(NamedTuple):
    """A window that begins so many closed windows, and so much more, before one."""

    windows: int
    longer: int


WHOLE = Reach(0, 0)


class WaysApart(Released):
    """A window with ways apart: its length, the units of each stage in it, and the way that counts
    behind each."""

    def __init__(self, length: int, counting: _Counting, ways: dict[int, int]) -> None:
        super().__init__()
        self.length, self.counting, self.ways = length, counting, ways
        self.counts = counting.units(length, length)
        self.counted = sum(map(len, counting.reaches.values()))

    def events(self, length: int) -> list[int]:
        """The units of each stage in a shorter window."""
        return [*self.counting.units(length, self.length).values()]

    def weights(self, each: Mapping[int, int]) -> list[int]:
        """What a unit of each stage adds."""
        return [each.get(number, 0) for number in self.counts]


class WaysSearch:
    """The least window of some closed stages, each after those that feed it, with ways apart."""

    def __init__(
        self,
        compiled: Compiled,
        solver: Solver,
        rates: Sequence[float],
        starts: Sequence[int],
        held: Sequence[int],
        most_rounds: int,
    ) -> None:
        self.compiled, self.solver, self.rates, self.starts = compiled, solver, rates, starts
        self.stages, self.held, self.most_rounds = compiled.stages, held, most_rounds
        self.edges = [edge for number in held for edge in self.stages[number].inputs]
        self.longest: dict[int, int] = {}  # the longest way that leads to each stage
        for number in held:
            ways = [max(e.link, self.longest[e.source]) for e in self.stages[number].inputs]
            self.longest[number] = max(ways, default=0)

    def best(self) -> WaysApart | None:
        """The shortest of those that are tried; None where there is none."""
        found: WaysApart | None = None
        for apart in self._tried():
            window = self._window(apart, found.length if found else None)
            found = window or found
        return found

    def _tried(self) -> Iterator[Apart]:
        lengths = sorted({edge.link for edge in self.edges if edge.link > 0}, reverse=True)
        for least in lengths[:MOST_TRIED]:
            for spaced in (True, False):
                if not spaced or any(e.link >= least and e.spacing for e in self.edges):
                    yield Apart(least, spaced)

    def _window(self, apart: Apart, below: int | None) -> WaysApart | None:
        """The least window, if it is shorter than one."""
        ways = dict.fromkeys(self.held, 0)
        for edge in self.edges:
            if not apart.holds(edge):
                ways[edge.source] = max(ways[edge.source], edge.link)
        each = {number: self.stages[number].cost + way for number, way in ways.items()}
        counting = _Counting(self, apart)
        if not counting.fits:
            return None
        rates = counting.rates()
        if sum(rates[number] * time for number, time in each.items()) >= FULL:
            return None
        length, most = 1, min(counting.longest, UNBOUNDED if below is None else below)
        for _ in range(self.most_rounds):
            units = counting.units(length, length)
            needed = sum(units[number] * time for number, time in each.items())
            if needed <= length:
                return WaysApart(length, counting, ways)
            if needed >= most:
                break
            length = needed
        return None


class _Row(NamedTuple):
    """A stage in one window: it, which window, and what brings its units there, each by another
    row, so many for one of that one's, and so many more that were on a long way."""

    number: int
    reach: Reach
    joins: bool
    inputs: tuple[tuple[int, int, int], ...]


class _Counting:
    """How many units come in windows that open when nothing is pending: over a way that is apart
    also those that were on it, or left since nothing was pending before that."""

    def __init__(self, search: WaysSearch, apart: Apart) -> None:
        self.search, self.apart = search, apart
        self.reaches = {number: {WHOLE} for number in search.held}
        left = MOST_COUNTS * len(search.held)
        for number in reversed(search.held):
            left -= len(self.reaches[number])
            for edge in search.stages[number].inputs if left > 0 else ():
                before = (self._before(edge, reach) for reach in self.reaches[number])
                self.reaches[edge.source].update(before)
        self.fits = left > 0
        limits = {number: self._limit(number) for number in search.held if self.fits}
        self.limits = {number: limit for number, limit in limits.items() if limit is not None}

    @property
    def longest(self) -> int:
        """Windows have to be shorter than that: what is counted before them may not be too long
        for the kernel."""
        reaches = {reach for each in self.reaches.values() for reach in each}
        return min((UNBOUNDED - reach.longer) // (2 + reach.windows) for reach in reaches)

    @cached_property
    def rows(self) -> list[_Row]:
        """Each stage in each of its windows, behind those that feed it."""
        at: dict[tuple[int, Reach], int] = {}
        for number in self.search.held:
            for reach in self.reaches[number]:
                at[number, reach] = len(at)
        rows: list[_Row] = []
        for number, reach in at:
            stage = self.search.stages[number]
            inputs = tuple(
                (at[edge.source, self._before(edge, reach)], edge.multiplicity, self._waits(edge))
                for edge in stage.inputs
            )
            rows.append(_Row(number, reach, stage.activation == "and", inputs))
        return rows

    def _waits(self, edge: Edge) -> int:
        """How much is on the way of an edge when a window opens, by its spacing."""
        return (self.apart.on_the_way(edge) or 0) if self.apart.holds(edge) else 0

    def rates(self) -> dict[int, float]:
        """The units of each stage in a nanosecond of the window."""
        found: list[float] = []
        for number, reach, joins, inputs in self.rows:
            if self.search.longest[number] < self.apart.least:
                found.append(self.search.rates[number] * (1 + reach.windows))
            else:
                brought = [times * found[source] for source, times, _ in inputs] or [0.0]
                found.append(max(brought) if joins else sum(brought))
        return self._whole(found)

    def units(self, length: int, between: int) -> dict[int, int]:
        """The units of each stage in a window; nothing is pending at least once in so long."""
        solver, unit_of = self.search.solver, self.search.compiled.unit_of
        found: list[int] = []
        for number, reach, joins, inputs in self.rows:
            if not inputs:
                within = length + reach.windows * between + reach.longer
                found.append(solver.count(unit_of[number], within))
                continue
            brought = [times * found[source] + waits for source, times, waits in inputs]
            units = max(brought) if joins else sum(brought)
            if number in self.limits:
                source, times, earlier = self.limits[number]
                within = length + reach.windows * between + reach.longer + earlier
                units = min(units, times * solver.node_count(source, within))
            found.append(units)
        return self._whole(found)

    def _whole(self, found: Sequence[N]) -> dict[int, N]:
        """Those of the window itself."""
        rows = zip(self.rows, found, strict=True)
        return {row.number: value for row, value in rows if row.reach == WHOLE}

    def _before(self, edge: Edge, reach: Reach) -> Reach:
        """The window in which what comes by an edge came to the stage before it: since nothing was
        pending there, unless what was on the way counts by its spacing."""
        if not self.apart.holds(edge) or self.apart.on_the_way(edge) is not None:
            return reach
        return Reach(reach.windows + 1, reach.longer + edge.link)

    def _limit(self, number: int) -> tuple[int, int, int] | None:
        """The slowest source of a join (lemma slowest-release), where no way before it is apart."""
        compiled, starts = self.search.compiled, self.search.starts
        stream = compiled.streams.of[number]
        slowest = compiled.slowest.get(stream.node) if compiled.slowest_releases else None
        behind = self.search.longest[number] >= self.apart.least
        if slowest is None or stream.entries[0] is None or behind:
            return None
        return slowest.source, slowest.times, max(0, released(slowest.due, starts))
