"""Mutation scores: `python -m tests.mutation analysis --sample 500`."""

from __future__ import annotations

import argparse
import gc
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.mutation import bounds, leniency
from tests.mutation.corpus import corpus
from tests.mutation.mutants import Mutant
from tests.mutation.record import record, sampled
from tests.mutation.swap import prepare
from tests.mutation.trial import interpreted, tried

MOST_SECONDS = {"bounds": 0.012, "kernel": 0.015, "checker": 0.012}  # of a system
Attempt = Callable[[Mutant], dict[str, Any]]


def main() -> int:
    """Tries the mutants of one part."""
    options = parser().parse_args()
    if options.part == "kernel":
        interpreted("tests.mutation")
    files = leniency.files() if options.part == "checker" else bounds.files(options.part)
    wanted = sampled(files, options.sample, options.seed)
    if options.only:
        wanted = [mutant for mutant in wanted if options.only in mutant.name]
    attempt = attempts(options.part, files, options.corpus)
    found = record(options.results / f"{options.part}.jsonl", wanted, attempt)
    counts = Counter(result.get("result", result.get("ended")) for result in found.values())
    print(len(wanted), "mutants", dict(counts), file=sys.stderr)
    return 0


def attempts(part: str, files: list[str], share: float) -> Attempt:
    """How a mutant of a part is tried, on this share of the corpus."""
    most = MOST_SECONDS[part]
    if part == "checker":
        known = leniency.cases(files, most, share)
        return _forked(
            lambda mutant: leniency.chosen(mutant, known), partial(leniency.trial, every=known)
        )
    bounded = bounds.cases(list(corpus(share)), files, most)
    return _forked(lambda mutant: bounds.chosen(mutant, bounded), bounds.trial)


def _forked(choose: Callable[[Mutant], list[Any]], trial: Callable[..., dict[str, Any]]) -> Attempt:
    prepare()
    gc.collect()
    gc.freeze()

    def attempt(mutant: Mutant) -> dict[str, Any]:
        among = choose(mutant)
        if not among:
            return {"result": "not reached"}
        return tried(lambda: trial(mutant, among))

    return attempt


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("part", choices=list(MOST_SECONDS))
    made.add_argument("--sample", type=int, help="so many mutants; all, unless given")
    made.add_argument("--seed", type=int, default=1, help="of the sample")
    made.add_argument("--only", help="those whose name has this in it")
    made.add_argument("--corpus", type=float, default=1.0, help="the part of it that is used")
    made.add_argument("--results", type=Path, default=Path("build/mutation"))
    return made


if __name__ == "__main__":
    sys.exit(main())
