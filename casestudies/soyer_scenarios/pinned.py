"""Pins what is found: `python -m casestudies.soyer_scenarios.pinned` writes it anew."""

from __future__ import annotations

import json
import sys

from casestudies.soyer_scenarios.tables import FEDERATIONS, names, report
from ddsrta.report.lf.schedule import report_dict


def text_of(name: str) -> str:
    """What the file of a scenario should hold: the part that a user reads."""
    document = report_dict(report(name))
    keys = ("environment", "reaction", "deadline", "latest_start", "met")
    columns = {
        column["scheduler"]: {
            "verdict": column["verdict"],
            "reactions": [{key: reaction[key] for key in keys} for reaction in column["reactions"]],
        }
        for column in document["schedulers"]
    }
    return json.dumps({"federation": document["federation"], **columns}, indent=1) + "\n"


def main() -> int:
    """Write every file anew."""
    for name in names():
        file = FEDERATIONS / "expected" / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text_of(name), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
