"""Pairs of features for hours: `python -m tests.soundness.pipeline.run --arrays 730 --jobs 2`.

Each array has every allowed pair in one of its systems. A killed run goes on with --checkpoint, and
so does one with more arrays; what fell is found again by `--only ARRAY.NUMBER`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from ddsrta.base.diagnostics import InputError
from tests.soundness.checkpoint import Checkpoint
from tests.soundness.pipeline.campaigns import Campaign, show
from tests.soundness.pipeline.counts import Counts
from tests.soundness.pipeline.covering import pairs_of
from tests.soundness.pipeline.drawn import Drawn, drawn, rows
from tests.soundness.pipeline.falling import keep
from tests.soundness.pipeline.relations import relations
from tests.soundness.pipeline.stations import RUNS, Failure, Seen, through
from tests.soundness.version import analysis_version
from tests.soundness.yaml_text import to_yaml

EACH = 16  # as a system is not at the same place of each array


def run_array(options: argparse.Namespace, array: int) -> Counts:
    """All systems of a covering array."""
    total = Counts(arrays=1)
    start = time.process_time()
    pairs = set()
    for number in range(min(len(rows(array)), options.most or 1 << 30)):
        try:
            system = drawn(array, number)
        except InputError:  # an earlier state of the product refuses it
            total.refused += 1
            continue
        total.add(examined(system, options))
        pairs |= set(pairs_of(system.row))
    total.pairs = len(pairs)
    total.seconds = time.process_time() - start
    return total


def examined(one: Drawn, options: argparse.Namespace) -> Counts:
    """One system at all stations, and beside its relatives."""
    counts = Counts(systems=1)
    try:
        failures = [*stations(one, options, counts)]
    except Exception:  # a crash of any station is a failure like others
        failures = [Failure("crash", traceback.format_exc()[-400:])]
    for failure in {failure.kind: failure for failure in reversed(failures)}.values():
        file = keep(options.failures, one, failure, options.shrink) if options.failures else None
        counts.failures.append({"seed": one.seed, **failure._asdict(), "file": file})
    return counts


def stations(one: Drawn, options: argparse.Namespace, counts: Counts) -> Iterator[Failure]:
    """Where it fails; what was done is counted."""
    without = one.row["refinement"]
    number = int(one.seed.split(".")[1])
    turn = (number + int(one.seed.split(".")[0])) % options.each
    both = turn == options.each // 2
    seen = through(
        one.system, number, None if without == "all" else without, options.runs,
        solution=one.solution, both=both,
    )  # fmt: skip
    counted(counts, seen)
    counts.twice = int(both)
    yield from seen.failures
    if not options.no_relations and turn == 0:
        counts.related = 1
        yield from relations(one, seen)
    counts.differing, counts.looser = seen.differing, seen.looser


def counted(counts: Counts, seen: Seen) -> None:
    counts.confirmed = seen.status.count("confirmed")
    counts.undecided = seen.status.count("undecided")
    counts.refuted = seen.status.count("refuted")
    counts.runs, counts.events = seen.worst.runs, seen.worst.events
    counts.messages = seen.worst.messages
    counts.compared = dict(seen.compared)
    counts.unbounded, counts.whole = seen.unbounded, int(seen.whole)
    if seen.whole:
        counts.loads = {f"{seen.load:.2f}": 1}


def campaign(options: argparse.Namespace) -> Campaign:
    """All arrays that a checkpoint has not; what is done is kept, and may be more than is asked for."""
    start = time.monotonic()
    plan = {
        "analysis": analysis_version(), "runs": options.runs,
        "relations": not options.no_relations, "each": options.each, "most": options.most,
    }  # fmt: skip
    kept = Checkpoint(options.checkpoint, plan, Counts)
    todo = [a for a in range(options.seed, options.seed + options.arrays) if a not in kept.done]
    before = kept.wall
    work = partial(_numbered, options)
    pool = Pool(options.jobs) if options.jobs > 1 else None
    try:
        for array, counts in pool.imap_unordered(work, todo) if pool else map(work, todo):
            kept.add(array, counts, before + time.monotonic() - start)
            done = kept.tally
            print(f"{done.systems:,} systems, {len(done.failures)} failures, {done.undecided} "
                  "undecided", file=sys.stderr, flush=True)  # fmt: skip
    finally:
        if pool:
            pool.terminate()
    return Campaign(plan, sorted(kept.done), kept.tally, before + time.monotonic() - start)


def _numbered(options: argparse.Namespace, array: int) -> tuple[int, Counts]:
    return array, run_array(options, array)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--arrays", type=int, default=1, help="with about 400 systems each")
    made.add_argument("--seed", type=int, default=1, help="of the first array")
    made.add_argument("--only", metavar="ARRAY.NUMBER", help="one system, told in full")
    made.add_argument("--most", type=int, help="systems of an array")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    made.add_argument("--runs", type=int, default=RUNS, help="of each attack")
    made.add_argument(
        "--each", type=int, default=EACH, metavar="N",
        help="one system of N is run by both engines, and another compared with its relatives",
    )  # fmt: skip
    made.add_argument("--no-relations", action="store_true", help="leave out its relatives")
    made.add_argument("--checkpoint", type=Path, help="a file to go on from after a kill")
    made.add_argument("--failures", type=Path, metavar="FOLDER")
    made.add_argument("--shrink", type=float, default=60, metavar="SECONDS")
    made.add_argument("--summary", type=Path, metavar="FILE", help="Markdown, between its marks")
    return made


def again(options: argparse.Namespace) -> int:
    """One system once more."""
    array, number = map(int, options.only.split("."))
    one = drawn(array, number)
    told = ", ".join(f"{name}: {value}" for name, value in one.row.items())
    print(f"# {told}\n{to_yaml(one.system)}")
    failures = [*stations(one, argparse.Namespace(**{**vars(options), "each": 1}), Counts())]
    print("\n".join(map(str, failures)) or "nothing fell")
    return 1 if failures else 0


def main() -> int:
    """Exit status 1 if anything fell."""
    options = parser().parse_args()
    if options.only:
        return again(options)
    return show(campaign(options), options.summary)


if __name__ == "__main__":
    sys.exit(main())
