"""The table of the late robot: bounds before and after its repair."""

from __future__ import annotations

from casestudies.analyses import analysed, in_ms
from casestudies.statements import table

STUDY = "late_robot"


def _chains() -> str:
    before, after = (analysed(STUDY, name).chains for name in ("robot", "repaired"))
    rows = [
        [name, in_ms(chain.deadline), in_ms(chain.latency), in_ms(after[name].latency)]
        for name, chain in before.items()
    ]
    return table(["chain", "deadline", "`robot.yaml`", "`repaired.yaml`"], rows)


TABLES = {"chains": _chains}
