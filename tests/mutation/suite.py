"""The tests of the rooms that a mutant reaches, run against it in a forked child.

`python -m tests.mutation.suite analysis`: what the first trial left, and which test fails on it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation import bounds, leniency
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.record import read
from tests.mutation.swap import UnswappableError, load, prepare, swap
from tests.mutation.trial import interpreted, tried

ANALYSIS = "tests/bounds"
SYNCHRONIZERS = (f"{ANALYSIS}/test_synchronizers.py", f"{ANALYSIS}/test_several_topics.py")
ROOMS: dict[str, tuple[str, ...]] = {
    "order/": (f"{ANALYSIS}/test_order.py", f"{ANALYSIS}/test_order_on_the_way.py",
               "tests/casestudies/test_casestudies.py", "tests/soundness/test_orders.py"),
    "synchronizers/": SYNCHRONIZERS,
    "streams.py": SYNCHRONIZERS,
    "join_wait.py": (*SYNCHRONIZERS, f"{ANALYSIS}/test_trigger_latency.py"),
    "assumptions.py": (f"{ANALYSIS}/test_assumptions.py",),
    "timer_skips.py": (f"{ANALYSIS}/test_timers.py",),
    "locks/": (f"{ANALYSIS}/test_locks.py", f"{ANALYSIS}/test_fastdds.py"),
    "known_offsets.py": (f"{ANALYSIS}/test_offsets.py",),
    "pool": (f"{ANALYSIS}/test_pools.py",),
    "closed": (f"{ANALYSIS}/test_closed_window.py",),
    "pending": (f"{ANALYSIS}/test_pending_window.py",),
    "joint_outputs": (f"{ANALYSIS}/test_joint_outputs.py",),
    "fair_share": (f"{ANALYSIS}/test_fair_shares.py",),
    "sending.py": (f"{ANALYSIS}/test_leaving_early.py",),
    "program.py": (f"{ANALYSIS}/test_leaving_early.py",),
    "slowest_input": (f"{ANALYSIS}/test_slowest_input.py",),
    "event_alone": (f"{ANALYSIS}/test_event_alone.py",),
    "checker/": tuple(f"tests/checker/test_{room}.py" for room in (
        "least", "lemmas", "added", "rest", "skips", "synchronizers", "pools", "tandem", "coupled",
        "executors", "copies", "common", "waits", "path_windows", "hints")),
    "": (f"{ANALYSIS}/test_analyze.py", f"{ANALYSIS}/test_findings.py", f"{ANALYSIS}/test_result_findings.py",
         f"{ANALYSIS}/test_known_answers_textbooks.py", "tests/casestudies/test_casestudies.py",
         "tests/cli/test_check.py"),
}  # fmt: skip
SECONDS = 60  # of CPU, for one mutant


def rooms_of(file: str) -> list[str]:
    """The tests that a file's mutants have to pass."""
    named = [tests for room, tests in ROOMS.items() if room and room in file]
    general = () if "checker/" in file else ROOMS[""]
    return list(dict.fromkeys(test for tests in (*named, general) for test in tests))


class Loop:
    """Instead of one run of all tests: one of some of them for each mutant."""

    def __init__(self, wanted: list[Mutant], told: Path) -> None:
        self.wanted = wanted
        self.told = told

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Writes down the first test that fails, if one does."""
        load({mutant.file for mutant in self.wanted})
        prepare()
        with self.told.open("a", encoding="utf-8") as file:
            for mutant in self.wanted:
                rooms = rooms_of(mutant.file)
                items = [i for room in rooms for i in session.items if i.nodeid.startswith(room)]
                result = tried(lambda mutant=mutant, items=items: failing(mutant, items), SECONDS)
                file.write(json.dumps([mutant.name, result]) + "\n")
                file.flush()
        return True


def failing(mutant: Mutant, items: list[pytest.Item]) -> dict[str, Any]:
    """The first test that fails on a mutant."""
    try:
        swap(mutant)
    except UnswappableError:
        return {"by": None}
    for item, after in zip(items, [*items[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, nextitem=after, log=False)):
            return {"by": item.nodeid}
    return {"by": None, "tests": len(items)}


def main() -> int:
    """What the first trial left over, of one part."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("part", choices=["bounds", "kernel", "checker"])
    made.add_argument("--results", type=Path, default=Path("build/mutation"))
    options = made.parse_args()
    if options.part == "kernel":
        interpreted("tests.mutation.suite")
    told = options.results / f"{options.part}-tests.jsonl"
    known = read(told)
    left = {
        name
        for name, result in read(options.results / f"{options.part}.jsonl").items()
        if result.get("result") == "survives" and name not in known
    }
    files = leniency.files() if options.part == "checker" else bounds.files(options.part)
    wanted = [mutant for file in files for mutant in mutants(file) if mutant.name in left]
    rooms = sorted({room for mutant in wanted for room in rooms_of(mutant.file)})
    arguments = ["-q", "-p", "no:xdist", "-p", "no:faulthandler", *rooms]
    return int(pytest.main(arguments, plugins=[Loop(wanted, told)])) if wanted else 0


if __name__ == "__main__":
    sys.exit(main())
