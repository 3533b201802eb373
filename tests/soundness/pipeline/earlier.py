"""Bounds of an earlier state of the product against runs of this one, which may know more.

In the other checkout, with this folder copied there: `python -m tests.soundness.pipeline.earlier
write FILE --arrays 5`; here: `python -m tests.soundness.pipeline.earlier compare FILE`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ddsrta.base.diagnostics import InputError
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.soundness.attack import MOST_EVENTS, attack, span_of, violations
from tests.soundness.bounds import NOTHING, UNBOUNDED
from tests.soundness.pipeline.drawn import drawn, loaded, rows
from tests.soundness.pipeline.product import claims_of, present
from tests.soundness.pipeline.stations import RUNS, solved


def write(options: argparse.Namespace) -> int:
    """A line for each system: its file, and all that is claimed."""
    with options.file.open("w", encoding="utf-8") as out:
        for array in range(options.seed, options.seed + options.arrays):
            for number in range(len(rows(array))):
                try:
                    one = drawn(array, number)
                except InputError:
                    continue
                claims = [[key, bound] for key, bound in claims_of(present(solved(one.system)))]
                told = {"seed": one.seed, "row": one.row, "data": one.data, "claims": claims}
                out.write(json.dumps(told) + "\n")
    return 0


def compare(options: argparse.Namespace) -> int:
    """What runs of today are above."""
    systems = fallen = 0
    for line in options.file.open(encoding="utf-8"):
        told = json.loads(line)
        try:
            found = list(above(told, options.runs))
        except (InputError, OSError):
            continue
        systems += 1
        fallen += bool(found)
        if found:
            row = ", ".join(
                f"{name} {told['row'][name]}"
                for name in ("executor", "activation", "arrival", "lock")
            )
            print(f"{told['seed']} ({row}): {found[0]}")
    print(f"{fallen} of {systems} systems have a bound that a run is above")
    return 1 if fallen else 0


def above(told: dict[str, Any], runs: int) -> Iterator[str]:
    """Runs that are worse than what was claimed."""
    claims = {_key(key): bound for key, bound in told["claims"]}
    if any("trace" in thread.get("arrival", {}) for thread in told["data"]["threads"].values()):
        return  # its file is gone
    system = loaded(told["data"], {})
    program = program_of(system)
    bounds = []
    for kind, of in program.measures:
        bound = claims.get(_key([kind, of]), NOTHING)
        bounds.append(UNBOUNDED if bound is None else bound)
    budget = Budget(runs=runs, events=MOST_EVENTS)
    worst = attack(program, bounds, 1, budget, span_of(system, program, bounds, most_jobs=600))
    yield from map(str, violations(worst, bounds))


def _key(key: Any) -> str:
    return json.dumps(key)


def main() -> int:
    """Exit status 1 if anything fell."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("what", choices=("write", "compare"))
    made.add_argument("file", type=Path)
    made.add_argument("--arrays", type=int, default=1)
    made.add_argument("--seed", type=int, default=1, help="of the first array")
    made.add_argument("--runs", type=int, default=RUNS)
    options = made.parse_args()
    return write(options) if options.what == "write" else compare(options)


if __name__ == "__main__":
    sys.exit(main())
