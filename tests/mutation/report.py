"""Scores as a page of Markdown: `python -m tests.mutation.report --write docs/soundness.md`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.mutation.record import read
from tests.soundness.summary import table, written

PARTS = {"bounds": "analysis", "kernel": "kernel (interpreted)", "checker": "checker"}
SURVIVORS = Path(__file__).with_name("survivors.md")
HARMLESS = {"same": "nothing changes", "raises": "bounds rise", "stricter": "refuses more"}
FAILING = ("fails", "ended")


def outcomes(folder: Path, part: str) -> tuple[Counter[str], list[str]]:
    """How many mutants of a part came to what, and the names of those that nobody noticed."""
    tests = read(folder / f"{part}-tests.jsonl")
    counts: Counter[str] = Counter()
    alive = []
    for name, result in read(folder / f"{part}.jsonl").items():
        kind = _kind(result, tests.get(name, {}))
        counts[kind] += 1
        if kind == "alive":
            alive.append(name)
    return counts, sorted(alive)


def _kind(result: dict[str, Any], tests: dict[str, Any]) -> str:
    kind = str(result.get("result", "ended"))
    if kind == "killed":
        return f"killed by {result['by']}"
    if kind != "survives":
        return kind
    return "killed by test" if tests.get("by") else "alive"


def page(folder: Path) -> str:
    """All parts beside each other."""
    found = {part: outcomes(folder, part) for part in PARTS}
    rows = []
    for part, (counts, alive) in found.items():
        killed = sum(count for kind, count in counts.items() if kind.startswith("killed"))
        wrong = killed + len(alive)
        rows.append([
            PARTS[part], f"{sum(counts.values()):,}",
            counts["not reached"] + counts["not tried"],
            sum(counts[kind] for kind in FAILING), sum(counts[kind] for kind in HARMLESS),
            wrong, counts["killed by checker"], counts["killed by run"],
            counts["killed by test"] + counts["killed by test_least"], len(alive),
            f"**{killed / wrong:.1%}**" if wrong else "",
        ])  # fmt: skip
    head = ["faults in", "tried", "not reached", "end in an error", "harmless", "lower or lenient",
            "refuted", "a run falls", "a test fails", "nobody notices", "score"]  # fmt: skip
    return table(head, rows) + "\n"


def unexplained(folder: Path) -> list[str]:
    """Survivors of which the list does not say why."""
    listed = SURVIVORS.read_text(encoding="utf-8")
    return [n for part in PARTS for n in outcomes(folder, part)[1] if f"`{n}`" not in listed]


def main() -> int:
    """Exit status 1 where a survivor is not explained."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--results", type=Path, default=Path("build/mutation"))
    made.add_argument("--write", type=Path, help="Markdown; between its marks")
    options = made.parse_args()
    text = page(options.results)
    if options.write:
        before = options.write.read_text(encoding="utf-8")
        options.write.write_text(written(before, "mutants", text), encoding="utf-8")
    else:
        print(text)
    left = unexplained(options.results)
    print(*left, sep="\n", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
