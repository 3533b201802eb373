"""How far bounds are above the worst run found, with each refinement: what `make soundness` writes.

`python -m tests.soundness.tightness --systems 1000 --write docs/soundness.md`
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from ddsrta.bounds.assemble import present
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import utilization
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.models.arrivals import Burst, Curve
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from ddsrta.simulation.attack.hint import Rivals
from tests.soundness.attack import Worst, attack, span_of
from tests.soundness.batch import MODEST, MOST_STEPS
from tests.soundness.bounds import bounds_of, kinds_of
from tests.soundness.draw import drawn
from tests.soundness.summary import table, written
from tests.soundness.tally import Tally, quantile, reached
from tests.soundness.why import Delivery, delivery, why

ALL_MESSAGES = "DDL, all"
KINDS = ("DDL FIFO", "DDL HIGH_PRIORITY", "DDL ROUND_ROBIN", "DDL sync", ALL_MESSAGES, "thread",
         "latency", "trigger latency", "data age", "reaction time")  # fmt: skip
COLUMNS = ("baseline", "in step", "tandem", "closed windows", "pending windows")  # before all
RUNS = 10_000  # of all bounds of a system together, and then for each message
MOST_JOBS = 3000  # in a run, about
EVENTS = 7500  # for each of these runs, at the mean
SECTION = "tightness"


def steps():
    """The analyses to compare: the plain busy windows, some refinements more, and all of them."""
    *steps, (_, everything) = Refinements.steps()
    return [*((name, chosen) for name, chosen in steps if name in COLUMNS), ("all", everything)]


@dataclass
class Figures:
    """What was compared: one tally for each step, and the messages with the last step's bounds."""

    tallies: list[Tally] = field(default_factory=lambda: [Tally() for _ in steps()])
    deliveries: list[Delivery] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Both together."""
        for mine, its in zip(self.tallies, other.tallies, strict=True):
            mine.add(its)
        self.deliveries += other.deliveries


def compared(runs: int, seed: int) -> Figures:
    """The figures of one system; none if it has more load than is told about.

    What every step bounds is compared, so that all columns are of the same bounds; what some do not
    is told of the last step alone.
    """
    system = drawn(seed)
    figures = Figures()
    if max(utilization(compile_system(system)).values()) > MODEST:
        return figures
    program = program_of(system)
    solutions = [solve(system, chosen, MOST_STEPS) for _, chosen in steps()]
    bounds = [bounds_of(program, present(solution)) for solution in solutions]
    kinds = kinds_of(program, system)
    wanted = [m for m, kind in enumerate(kinds) if kind in KINDS and bounds[-1][m] >= 0]
    everywhere = {measure for measure in wanted if all(bound[measure] >= 0 for bound in bounds)}
    messages = [measure for measure in wanted if kinds[measure].startswith("DDL")]
    hints = hints_of(solutions[-1], program, wanted)
    worst = worst_of(system, program, bounds[-1], seed, runs, wanted, messages, hints)
    marks = sorted(causes(system))
    for tally in figures.tallies:
        tally.systems, tally.runs, tally.messages = 1, worst.runs, worst.messages
        tally.capped = int(worst.capped)
    for measure in wanted:
        told = [kinds[measure], *([ALL_MESSAGES] if measure in messages else [])]
        for kind in told:
            figures.tallies[-1].ratio(f"any {kind}", bounds[-1][measure], worst.seen[measure])
        for tally, bound in zip(figures.tallies, bounds, strict=True):
            for kind in told if measure in everywhere else ():
                tally.ratio(kind, bound[measure], worst.seen[measure])
        for mark in (*marks, *_hops(program.measures[measure])):
            figures.tallies[-1].ratio(f"where {mark}", bounds[-1][measure], worst.seen[measure])
    rivals = Rivals(program, hints)
    figures.deliveries = [
        delivery(seed, solutions[-1], rivals, bounds[-1][measure], worst.found[measure])
        for measure in messages
        if worst.seen[measure] > 0
    ]
    return figures


def worst_of(system, program, bounds, seed, runs, wanted, messages, hints) -> Worst:
    """So many runs for all bounds together, and so many more for each message, in one search that
    goes on from there: what is bad for one message is often bad for its neighbours."""
    budget = Budget(runs=runs, events=EVENTS * runs)
    horizon = span_of(system, program, [bounds[measure] for measure in wanted], MOST_JOBS)
    worst = attack(program, bounds, seed, budget, horizon, measures=wanted, hints=hints)
    messages = [measure for measure in messages if worst.seen[measure] < bounds[measure]]
    if messages:
        more = Budget(runs=runs * len(messages), events=EVENTS * runs * len(messages))
        known, of = list(worst.found.values()), {"measures": messages, "hints": hints}
        worst.add(attack(program, bounds, seed, more, horizon, known=known, **of))
    return worst


def _hops(measure):
    if isinstance(measure.of, tuple) and measure.kind.endswith(("latency", "age", "time")):
        length = len(measure.of)
        yield "a path of one hop" if length <= 3 else "a path of several hops"


def causes(system):
    """What may keep a bound from being reached: the groups of the second table."""
    threads = system.threads.values()
    arrivals = [thread.arrival for thread in threads if thread.arrival]
    if any(isinstance(arrival, Burst | Curve) for arrival in arrivals):
        yield "bursts or curves"
    elif any(getattr(arrival, "jitter", 0) for arrival in arrivals):
        yield "jitter"
    else:
        yield "strictly periodic or sporadic"
    placed = [*threads, *system.flow_controllers.values(), *system.listeners.values()]
    shared = [core for core in system.cores.values() if core.reservation or core.partitions]
    if shared or any(thing.reservation for thing in placed):
        yield "reservations"
    else:
        yield "whole cores"
    if len([thread for thread in threads if thread.arrival is None]) >= 4:
        yield "four threads or more released by others"


def tightness(seeds, runs=RUNS, jobs=1) -> Figures:
    """The figures of many systems; the messages in the order of the seeds."""
    total = Figures()
    pool = Pool(jobs) if jobs > 1 else None
    work = partial(compared, runs)
    try:
        for figures in pool.imap(work, seeds, chunksize=4) if pool else map(work, seeds):
            total.add(figures)
    finally:
        if pool:
            pool.terminate()
    return total


def page(figures: Figures, runs: int) -> str:
    """All tables, in Markdown."""
    totals = figures.tallies
    names = [name for name, _ in steps()]
    head = ["median / p90", "bounds", *names, "reached", "bounded by all", "these"]
    rows = []
    for kind in KINDS:
        if counts := totals[0].ratios.get(kind):
            each, most = [total.ratios[kind] for total in totals], totals[-1].ratios[f"any {kind}"]
            rows.append([kind, f"{sum(counts.values()):,}", *map(_cell, each),
                         f"{reached(each[-1]):.0%}", f"{sum(most.values()):,}", _cell(most)])  # fmt: skip
    where = [
        [name.removeprefix("where "), f"{sum(counts.values()):,}", _cell(counts)]
        for name, counts in sorted(totals[-1].ratios.items())
        if name.startswith("where ")
    ]
    capped = ""
    if totals[0].capped:
        capped = f"In {totals[0].capped:,} of them runs took so much that fewer were made. "
    said = (
        f"{totals[0].systems:,} systems with a load of at most {MODEST:.0%}, {runs:,} runs of all "
        f"bounds together, then as many more for each message. {capped}Bound / worst run found, columns from left to right with more refinements."
    )
    return "\n\n".join(
        [said, table(head, rows), "What remains, by what the systems have, all bounds above:",
         table(["median / p90", "bounds", names[-1]], where), why(figures.deliveries)]
    )  # fmt: skip


def _cell(counts):
    return f"{quantile(counts, 0.5):.2f} / {quantile(counts, 0.9):.2f}"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="between its marks; else printed"
    )
    parser.add_argument("--loosest", type=int, default=0, metavar="N", help="also name these")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.systems)
    figures = tightness(seeds, options.runs, options.jobs)
    new = page(figures, options.runs)
    if options.write:
        text = options.write.read_text(encoding="utf-8")
        options.write.write_text(written(text, SECTION, new), encoding="utf-8")
    else:
        print(new)
    for each in sorted(figures.deliveries, key=lambda d: -d.ratio)[: options.loosest]:
        print(each)
    return 0


if __name__ == "__main__":
    sys.exit(main())
