"""How far bounds are above the worst run found, with each refinement: what `make soundness` writes.

`python -m tests.soundness.tightness --systems 1000 --write docs/soundness.md`
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from ddsrta.analysis.analyze import present
from ddsrta.analysis.compile import compile_system
from ddsrta.analysis.load import utilization
from ddsrta.analysis.refinements import Refinements
from ddsrta.analysis.solve import solve
from ddsrta.models.arrivals import Burst, Curve
from ddsrta.simulation import program_of
from tests.soundness.attack import attack
from tests.soundness.batch import MODEST, MOST_STEPS
from tests.soundness.bounds import bounds_of, kinds_of
from tests.soundness.draw import drawn
from tests.soundness.summary import table, written
from tests.soundness.tally import Tally, quantile, reached

ALL_MESSAGES = "DDL, all"
KINDS = ("DDL FIFO", "DDL HIGH_PRIORITY", "DDL ROUND_ROBIN", "DDL sync", ALL_MESSAGES, "thread",
         "latency", "data latency", "data age", "reaction time")  # fmt: skip
RUNS = 2000  # of each system
SECTION = "tightness"


def steps():
    """The analyses to compare: the plain busy windows, then more and more."""
    return Refinements.steps()


def compared(runs: int, seed: int) -> list[Tally]:
    """For each step the ratios of one system; none if it has more load than is told about.

    Only what the first step bounds is compared, so that all columns are of the same bounds.
    """
    system = drawn(seed)
    found = [Tally() for _ in steps()]
    if max(utilization(compile_system(system)).values()) > MODEST:
        return found
    program = program_of(system)
    results = (present(solve(system, chosen, MOST_STEPS)) for _, chosen in steps())
    bounds = [bounds_of(program, result) for result in results]
    worst = attack(system, runs, seed, bounds[-1])
    marks = sorted(causes(system))
    for measure, kind in enumerate(kinds_of(program, system)):
        if kind not in KINDS or bounds[0][measure] < 0:
            continue
        for tally, bound in zip(found, bounds, strict=True):
            tally.systems = 1
            tally.messages = worst.messages
            tally.ratio(kind, bound[measure], worst.seen[measure])
            if kind.startswith("DDL"):
                tally.ratio(ALL_MESSAGES, bound[measure], worst.seen[measure])
        hops = _hops(program.measures[measure])
        for mark in (*marks, *hops):
            found[-1].ratio(f"where {mark}", bounds[-1][measure], worst.seen[measure])
    return found


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


def tightness(seeds, runs=RUNS, jobs=1) -> list[Tally]:
    """The ratios of many systems, one tally a step."""
    totals = [Tally() for _ in steps()]
    pool = Pool(jobs) if jobs > 1 else None
    work = partial(compared, runs)
    try:
        for found in pool.imap_unordered(work, seeds, chunksize=8) if pool else map(work, seeds):
            for total, tally in zip(totals, found, strict=True):
                total.add(tally)
    finally:
        if pool:
            pool.terminate()
    return totals


def page(totals: list[Tally], runs: int) -> str:
    """Both tables, in Markdown."""
    names = [name for name, _ in steps()]
    head = ["median / p90", "bounds", *names, "reached"]
    rows = []
    for kind in KINDS:
        if counts := totals[0].ratios.get(kind):
            each = [total.ratios[kind] for total in totals]
            rows.append([kind, f"{sum(counts.values()):,}", *map(_cell, each),
                         f"{reached(each[-1]):.0%}"])  # fmt: skip
    where = [
        [name.removeprefix("where "), f"{sum(counts.values()):,}", _cell(counts)]
        for name, counts in sorted(totals[-1].ratios.items())
        if name.startswith("where ")
    ]
    said = (
        f"{totals[0].systems:,} systems with a load of at most {MODEST:.0%}, {runs} runs of each. "
        "Bound / worst run found, columns from left to right with one refinement more."
    )
    return "\n\n".join(
        [said, table(head, rows), "What remains, by what the systems have, all bounds above:",
         table(["median / p90", "bounds", names[-1]], where)]
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
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.systems)
    new = page(tightness(seeds, options.runs, options.jobs), options.runs)
    if options.write:
        text = options.write.read_text(encoding="utf-8")
        options.write.write_text(written(text, SECTION, new), encoding="utf-8")
    else:
        print(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
