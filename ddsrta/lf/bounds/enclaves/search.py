"""A search for a good partition: no misses first, then the least slowest chain, then few enclaves.

It begins with partitions that people would draw (one enclave, one for each pipeline, stages of
pipelines, one for each reactor), and changes the best of them step by step. The same seed and
budget give the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ddsrta.lf.bounds.assumptions import assumption_findings
from ddsrta.lf.bounds.enclaves.judge import EnclaveReport, judge_enclaves
from ddsrta.lf.bounds.enclaves.moves import Builder, changed
from ddsrta.lf.bounds.enclaves.partition import Cut, applied, atoms, cut_of, reactors
from ddsrta.lf.program.federation import Federation

Score = tuple[int, int, int, int, int, int, int]


@dataclass(frozen=True)
class Scored:
    """Partitions by federate, what they lead to, and how good that is: the less the better.

    `worst`: the slowest chain; None if one has no bound, 0 if there are none.
    """

    cuts: Mapping[str, Cut]
    report: EnclaveReport
    score: Score = field(compare=False)

    @property
    def worst(self) -> int | None:
        """The slowest chain."""
        latencies = [row.latency.latency for row in self.report.chains.values()]
        known = [latency for latency in latencies if latency is not None]
        return None if len(known) < len(latencies) else max(known, default=0)


@dataclass(frozen=True)
class Found:
    """What the file has, the best that was found, and how many were tried."""

    first: Scored
    best: Scored
    tried: int
    seed: int

    @property
    def report(self) -> EnclaveReport:
        """That of the file, with what the best rests on, too."""
        report = self.first.report
        known = {assumption.rule for assumption in report.assumptions}
        more = tuple(a for a in self.best.report.assumptions if a.rule not in known)
        return replace(
            report,
            findings=(*report.findings, *assumption_findings(more)),
            assumptions=(*report.assumptions, *more),
        )


def search(
    federation: Federation,
    budget: int = 200,
    seed: int = 0,
    tell: Callable[[int, Scored], None] | None = None,
) -> Found:
    """Try up to `budget` partitions; `tell` hears of each that is better than all before.

    >>> from ddsrta.lf.program.examples import enclaves
    >>> found = search(enclaves(), budget=20)
    >>> found.first.worst, found.best.worst, len(found.best.report.rows)
    (4200000, 4200000, 1)
    """
    return _Search(federation, budget, random.Random(seed), tell).run(seed)


def score(report: EnclaveReport) -> Score:
    """Without a bound, missed, by how much in all, the slowest chain, the latest end of a tag, then
    enclaves and workers."""
    done = [row.done for row in report.rows]
    chains = [row.latency for row in report.chains.values()]
    unbounded = sum(value is None for value in done) + sum(c.latency is None for c in chains)
    late = [s.latest - s.deadline for s in report.starts if s.latest is not None and not s.met]
    for chain in chains:
        wanted = chain.chain.latency
        if chain.latency is not None and wanted is not None and chain.latency > wanted:
            late.append(chain.latency - wanted)
    return (
        unbounded,
        len(late),
        sum(late),
        max((chain.latency or 0 for chain in chains), default=0),
        max((value or 0 for value in done), default=0),
        len(report.rows),
        sum(row.workers for row in report.rows),
    )


class _Search:
    def __init__(
        self,
        federation: Federation,
        budget: int,
        chance: random.Random,
        tell: Callable[[int, Scored], None] | None,
    ) -> None:
        self.federation, self.budget, self.chance, self.tell = federation, budget, chance, tell
        self.names = [name for name, f in federation.federates.items() if reactors(f)]
        self.tried = 0
        report = judge_enclaves(federation)
        cuts = {name: cut_of(federation.federates[name]) for name in self.names}
        self.first = self.best = Scored(cuts, report, score(report))
        self.seen: set[tuple[Cut, ...]] = {tuple(cuts.values())}

    def run(self, seed: int) -> Found:
        for name in self.names:
            builder = Builder(atoms(self.federation, name), self._workers(name))
            for cut in builder.beginnings():
                self._try(name, cut)
        builders = {
            name: Builder(atoms(self.federation, name), self._workers(name)) for name in self.names
        }
        idle = 0
        while self.names and self.tried < self.budget and idle < 50 * len(self.names):
            name = self.chance.choice(self.names)
            move = changed(builders[name], self.best.cuts[name], self.chance)
            idle = 0 if move is not None and self._try(name, move) else idle + 1
        return Found(self.first, self.best, self.tried, seed)

    def _workers(self, name: str) -> int:
        """How many workers a federate may have: the cores that others leave, else what it has."""
        federate = self.federation.federates[name]
        cores = self.federation.hosts[federate.host].cores
        if cores is None:
            return sum(cut_of(federate).workers)
        others = sum(
            sum(cut_of(other).workers)
            for other in self.federation.federates.values()
            if other.host == federate.host and other.name != name
        )
        return max(1, cores - others)

    def _try(self, name: str, cut: Cut) -> bool:
        """Look at a partition, if it is new; whether it was."""
        cuts = {**self.best.cuts, name: cut}
        key = tuple(cuts.values())
        if self.tried >= self.budget or key in self.seen:
            return False
        self.seen.add(key)
        self.tried += 1
        report = judge_enclaves(applied(self.federation, cuts))
        found = Scored(cuts, report, score(report))
        if found.score < self.best.score:
            self.best = found
            if self.tell is not None:
                self.tell(self.tried, found)
        return True
