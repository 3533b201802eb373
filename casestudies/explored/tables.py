"""The tables of what was explored: the Autoware reference system, and what is tried whole."""

from __future__ import annotations

import ddsrta
from casestudies.analyses import FOLDER, analysed, in_ms
from casestudies.ars.graph import CHAINS
from casestudies.ars.variants import SCENARIOS
from casestudies.statements import ordered, table
from casestudies.waters2019.tables import END_TO_END

STUDY = "explored"
FOUND = ("ars", "ars_two")
WHOLE = ("ars_two", "three_topics", "alignment")  # studies that are tried whole in a second
GAIN = 5  # the part of the best scenario that is to be saved: one in five


def best(chain: str) -> int:
    """The lowest bound of a chain in the four scenarios of the paper."""
    return min(ordered(analysed("ars", s).chains[chain].trigger_latency) for s in SCENARIOS)


def found(chain: str, name: str = "ars") -> int:
    """The bound of a chain in what was found."""
    return ordered(analysed(STUDY, name).chains[chain].trigger_latency)


def _ars() -> str:
    rows = []
    for chain in CHAINS:
        old = best(chain)
        row = [chain, in_ms(old), in_ms(old * (GAIN - 1) // GAIN)]
        for name in FOUND:
            new = found(chain, name)
            saved = 1000 * (old - new) // old
            row += [in_ms(new), f"{saved // 10}.{saved % 10} %"]
        rows.append(row)
    heads = [word for name in FOUND for word in (f"`{name}.yaml`", "below by")]
    return table(["chain", "best of F, HP, RR, S", "20 % below", *heads], rows)


def _waters() -> str:
    before, after = (
        analysed(study, name).chains
        for study, name in (("waters2019", "high_priority"), (STUDY, "waters2019"))
    )
    rows = [
        [name, in_ms(before[name].data_age), in_ms(after[name].data_age)] for name in END_TO_END
    ]
    return table(["chain", "`high_priority.yaml`", "`waters2019.yaml`"], rows)


def _whole() -> str:
    rows = []
    for name in WHOLE:
        study = ddsrta.explore(FOLDER / STUDY / "studies" / f"{name}.yaml")
        assert study.is_whole
        for number, goal in enumerate(study.goals):
            if goal.unit == "time":
                values = [in_ms(m.goals[number]) for m in study.front]
                row = [in_ms(study.present.goals[number]), ", ".join(values)]
                rows.append([f"`{name}`", str(study.count), goal.name, *row])
    return table(["study", "points, all tried", "figure", "base", "front"], rows)


TABLES = {"ars": _ars, "waters": _waters, "whole": _whole}
