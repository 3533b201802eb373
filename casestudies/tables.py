"""Writes the tables of the READMEs from the analysis: `python -m casestudies.tables [--check]`.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; everything else is left alone, and
so is a table whose data are not at hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from casestudies.analyses import FOLDER
from casestudies.shared_data import MissingDataError

STUDIES = (
    "three_topics",
    "waters2019",
    "ros2_testbed",
    "ars",
    "move_base",
    "late_robot",
    "irobot",
    "livelock",
    "xronos_order",
    "xronos_federations",
    "lf_traces",
    "car_detection",
    "ros1_sends",
    "soyer_scenarios",
    "baseband",
    "explored",
    "published_lemma_10",
    "published_eq_25",
    "published_and_wait",
    "published_equal_priorities",
)
_TABLE = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def tables(study: str) -> Mapping[str, Callable[[], str]]:
    """The tables of a study, by the name in its README's markers."""
    found: Mapping[str, Callable[[], str]] = import_module(f"casestudies.{study}.tables").TABLES
    return found


def regenerated(study: str, text: str) -> str:
    """The text of a README with every table as the analysis has it now."""
    known = tables(study)
    unused = known.keys() - {match[2] for match in _TABLE.finditer(text)}
    if unused:
        raise ValueError(f"{study}/README.md has no markers for: {', '.join(sorted(unused))}")
    return _TABLE.sub(lambda match: f"{match[1]}{known[match[2]]()}\n{match[3]}", text)


def main(arguments: list[str]) -> int:
    """Rewrite the READMEs, or with --check only say which of them are out of date."""
    stale = []
    for study in STUDIES:
        readme = FOLDER / study / "README.md"
        old = readme.read_text(encoding="utf-8")
        try:
            new = regenerated(study, old)
        except MissingDataError as missing:
            print(f"casestudies/{study}/README.md: left as it is: {missing}")
            continue
        if new != old:
            stale.append(f"casestudies/{study}/README.md")
            if "--check" not in arguments:
                readme.write_text(new, encoding="utf-8")
    for name in stale:
        print(f"{name}: tables " + ("are out of date" if "--check" in arguments else "rewritten"))
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
