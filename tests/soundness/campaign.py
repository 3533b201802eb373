"""Bounds against runs: `python -m tests.soundness.campaign --systems 100000 --jobs 2`.

Draws systems, analyses them, searches for their worst runs and compares. One seed is one system,
so whatever was found is found again by `--only SEED`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from tests.soundness.attack import violations
from tests.soundness.batch import RUNS, Plan, examined, run_batch
from tests.soundness.checkpoint import Checkpoint
from tests.soundness.draw import KINDS, drawn, kind_of_seed
from tests.soundness.shrink import Shrinker, kind_of
from tests.soundness.summary import Campaign, summary, written
from tests.soundness.version import analysis_version
from tests.soundness.yaml_text import to_yaml


def campaign(plan: Plan, first: int, systems: int, jobs: int, path: Path | None = None) -> Campaign:
    """Attack the systems of the seeds from `first` on; go on with what the checkpoint has."""
    start = time.monotonic()
    facts = {
        "analysis": analysis_version(), "profile": plan.profile, "runs": plan.runs,
        "kind": plan.kind, "size": plan.size, "first": first, "systems": systems,
    }  # fmt: skip
    kept = Checkpoint(path, facts)
    batches = range(-(-systems // plan.size))
    todo = [number for number in batches if number not in kept.done]
    work = partial(_numbered, plan, first, systems)
    before = kept.wall
    pool = Pool(jobs) if jobs > 1 else None
    try:
        for number, tally in pool.imap_unordered(work, todo) if pool else map(work, todo):
            kept.add(number, tally, before + time.monotonic() - start)
            _progress(kept, systems, before + time.monotonic() - start)
    finally:
        if pool:
            pool.terminate()
    _progress(kept, systems, None)
    return Campaign(facts, kept.tally, before + time.monotonic() - start, jobs)


def _numbered(plan, first, systems, number):
    return number, run_batch(plan, plan.seeds(first, systems, number))


def _progress(kept, systems, wall):
    if not sys.stderr.isatty():
        return
    if wall is None:
        print(file=sys.stderr)
        return
    tally = kept.tally
    left = wall / max(1, tally.systems) * (systems - tally.systems)
    print(
        f"\r{tally.systems:,} of {systems:,} systems, {tally.messages:,} messages, "
        f"{len(tally.violations)} violations, {left / 60:.0f} min left ",
        end="", file=sys.stderr, flush=True,
    )  # fmt: skip


def again(plan: Plan, seed: int) -> int:
    """One system once more: what it is, what falls, and the simplest system where it does."""
    system = drawn(seed, plan.kind)
    _, bounds, worst = examined(plan, seed, system)
    found = violations(worst, bounds)
    print(f"# seed {seed}: {plan.kind or kind_of_seed(seed)}\n{to_yaml(system)}")
    for violation in found:
        print(violation)
    for kind in dict.fromkeys(map(kind_of, found)) if plan.shrink_seconds else ():
        search = Shrinker(
            kind, profile=plan.profile, runs=plan.runs, seed=seed, seconds=plan.shrink_seconds
        )
        print(f"\n# {' '.join(kind)}, shrunk\n{to_yaml(search.shrink(system))}")
    print(f"{len(found)} violations in {worst.messages} messages")
    return 1 if found else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--systems", type=int, default=1000)
    made.add_argument("--seed", type=int, default=0, help="of the first system")
    made.add_argument("--only", type=int, metavar="SEED", help="one system, told in full")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    made.add_argument("--runs", type=int, default=RUNS, help="of each system")
    made.add_argument("--kind", choices=list(KINDS), help="of systems; all, if missing")
    made.add_argument("--profile", default="busy-window")
    made.add_argument("--checkpoint", type=Path, help="a file to go on from after a kill")
    made.add_argument("--violations", type=Path, default=Path("violations"), metavar="FOLDER")
    made.add_argument("--shrink", type=float, default=60, metavar="SECONDS")
    made.add_argument(
        "--summary", type=Path, metavar="FILE", help="Markdown; between its marks if it exists"
    )
    return made


def main() -> int:
    """Exit status 1 if any bound was violated."""
    options = parser().parse_args()
    plan = Plan(
        options.profile, options.runs, options.kind,
        folder=options.violations, shrink_seconds=options.shrink,
    )  # fmt: skip
    if options.only is not None:
        return again(plan, options.only)
    done = campaign(plan, options.seed, options.systems, options.jobs, options.checkpoint)
    text = summary(done)
    if options.summary:
        page = options.summary
        if page.exists():
            text = written(page.read_text(encoding="utf-8"), "campaign", text)
        page.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 1 if done.tally.violations else 0


if __name__ == "__main__":
    sys.exit(main())
