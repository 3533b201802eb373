"""Mutation scores: `python -m tests.mutation analysis --sample 500`."""

from __future__ import annotations

import argparse
import gc
import sys
from collections import Counter
from pathlib import Path

from tests.mutation import bounds
from tests.mutation.corpus import corpus
from tests.mutation.record import record, sampled
from tests.mutation.swap import prepare
from tests.mutation.trial import tried

MOST_SECONDS = {"analysis": 0.012, "kernel": 0.04}  # of the analysis of a system


def main() -> int:
    """Tries the mutants of one part."""
    options = parser().parse_args()
    wanted = sampled(bounds.files(options.part == "kernel"), options.sample, options.seed)
    if options.only:
        wanted = [mutant for mutant in wanted if options.only in mutant.name]
    known = bounds.cases(
        list(corpus(options.corpus)),
        bounds.files(options.part == "kernel"),
        MOST_SECONDS[options.part],
    )
    prepare()
    gc.collect()
    gc.freeze()

    def attempt(mutant):
        among = bounds.chosen(mutant, known)
        if not among:
            return {"result": "not reached"}
        return tried(lambda: bounds.trial(mutant, among))

    found = record(options.results / f"{options.part}.jsonl", wanted, attempt)
    counts = Counter(result.get("result", result.get("ended")) for result in found.values())
    print(len(known), "systems", len(wanted), "mutants", dict(counts), file=sys.stderr)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("part", choices=["analysis", "kernel"])
    made.add_argument("--sample", type=int, help="so many mutants; all, unless given")
    made.add_argument("--seed", type=int, default=1, help="of the sample")
    made.add_argument("--only", help="those whose name has this in it")
    made.add_argument("--corpus", type=float, default=1.0, help="the part of it that is used")
    made.add_argument("--results", type=Path, default=Path("build/mutation"))
    return made


if __name__ == "__main__":
    sys.exit(main())
