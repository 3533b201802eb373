"""What a job hands to two cores, these work on at the same time (lemma fork-overlap)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.base.priorities import FAIR
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.placement import core_of
from ddsrta.bounds.stages import Server, Stage


class _Row(NamedTuple):
    """A job that comes of another one alone, and the cores on the way to it."""

    job: int
    cores: frozenset[str]


@frozen
class Fork:
    """A job, what it hands to one thread, each with what that hands on to another core, and what it
    hands to that core itself (definition fork)."""

    origin: int
    first: int
    branches: tuple[tuple[int, int | None], ...]

    def jobs(self) -> Iterator[int]:
        """All that it is made of, but the origin."""
        yield self.first
        for pair in self.branches:
            yield from (job for job in pair if job is not None)


class Forks:
    """The forks of a system, as they are asked for."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.stages = compiled.stages
        self.rows: dict[int, list[_Row]] = {}
        self.plain: dict[Server, bool] = {}

    def best(self, held: Iterable[int]) -> tuple[int, Fork | None]:
        """By how much the work of some stages takes less than one by one, and by which fork."""
        within = set(held)
        found = [fork for fork in self.all if within.issuperset(fork.jobs())]
        best = max(found, key=self.overlap, default=None)
        return (0, None) if best is None else (self.overlap(best), best)

    def overlap(self, fork: Fork) -> int:
        """How long two cores work at the same time, where nothing takes less than its worst."""
        cost = [stage.cost for stage in self.stages]
        ours = sum(cost[job] for job, _ in fork.branches)
        both = [0 if on is None else min(cost[job], cost[on]) for job, on in fork.branches]
        return min(ours, cost[fork.first] + sum(both) - max(both))

    def __iter__(self) -> Iterator[Fork]:
        """Each pair of a thread and another core behind each job."""
        for origin, stage in enumerate(self.stages):
            if stage.key[0] == "job" and len(self._rows(origin)) > 1 and self._is_plain(stage):
                yield from self._behind(origin)

    @cached_property
    def all(self) -> list[Fork]:
        """All that there are."""
        return [*self]

    def _behind(self, origin: int) -> Iterator[Fork]:
        rows = self._rows(origin)
        for server in dict.fromkeys(self.stages[row.job].server for row in rows):
            ours = [row for row in rows if self.stages[row.job].server == server]
            core = self._core(ours[0].job)
            if core == self._core(origin) and server != self.stages[origin].server:
                continue
            for other in dict.fromkeys(self._core(row.job) for row in rows):
                theirs = self._dearest(origin, rows, core, other)
                ways = [row.job for row in ours if other not in row.cores]
                if other != core and theirs is not None and ways:
                    on = [self._dearest(origin, self._rows(job), core, other) for job in ways]
                    yield Fork(origin, theirs, tuple(zip(ways, on, strict=True)))

    def _dearest(self, origin: int, rows: Iterable[_Row], avoided: str, core: str) -> int | None:
        """Of some jobs the longest on a core that is reached without another one, and does not run
        before the origin is done."""
        source = self.stages[origin].server
        found = [
            row.job
            for row in rows
            if self._core(row.job) == core
            and avoided not in row.cores
            and (core != self._core(origin) or self.stages[row.job].server == source)
        ]
        return max(found, key=lambda job: self.stages[job].cost, default=None)

    def _rows(self, job: int) -> list[_Row]:
        """All jobs that a job leads to, each by messages that come of nothing else."""
        if job not in self.rows:
            self.rows[job] = []
            ahead: list[_Row] = [_Row(job, frozenset())]
            while ahead:
                at = ahead.pop()
                for after in self._after.get(at.job, ()):
                    if self.stages[after].key[0] == "job":
                        self.rows[job].append(_Row(after, at.cores))
                    else:
                        ahead.append(_Row(after, at.cores | {self._core(after)}))
        return self.rows[job]

    @cached_property
    def _after(self) -> dict[int, list[int]]:
        """What comes of one stage alone, by that: one unit for each, without a way."""
        after: dict[int, list[int]] = {}
        for number, stage in enumerate(self.stages):
            if len(stage.inputs) != 1 or not self._is_plain(stage) or stage.anew:
                continue
            edge = stage.inputs[0]
            alone = stage.arrival is None and stage.synchronizer is None and stage.again is None
            if alone and edge.multiplicity == 1 and edge.link == 0 and not edge.again:
                after.setdefault(edge.source, []).append(number)
        return after

    def _core(self, number: int) -> str:
        return core_of(self.compiled.system, self.stages[number])

    def _is_plain(self, stage: Stage) -> bool:
        """Whether its thread is on one whole core, by priority, and does one thing after the other
        to its end."""
        if stage.reorders or stage.load is not None:
            return False
        if stage.server not in self.plain:
            self.plain[stage.server] = self._is_plain_server(stage)
        return self.plain[stage.server]

    def _is_plain_server(self, stage: Stage) -> bool:
        compiled, (kind, name) = self.compiled, stage.server
        unit = compiled.unit(stage.key)
        supply = compiled.placement.supplies[compiled.placement.supply_of[unit]]
        whole = supply.reservation is None and supply.threads == 1
        thread = getattr(compiled.system, kind)[name]
        return whole and not supply.moves and not supply.is_link and thread.priority != FAIR
