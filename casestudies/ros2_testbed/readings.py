"""Readings of section 6.4: could the printed margins come from any of them?

What is measured is at most what can happen, and that is at most our default bound. So a published
bound B and a default bound D leave a margin of at least (B - D) / B, whatever was measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import product

import ddsrta
from casestudies.analyses import DEFAULT, PUBLISHED
from casestudies.ros2_testbed.variants import text
from casestudies.statements import ordered, table

ACTIVATIONS = {"all three topics": None, "the last topic": ("theta3", "theta6")}
PLACES = {
    "as printed": {},
    "controllers above the callbacks": {"F2": "c0, priority: 99", "F5": "c1, priority: 97"},
    "listeners below the callbacks": {"L3": "c1, priority: 93", "L6": "c2, priority: 91"},
    "both": {
        "F2": "c0, priority: 99",
        "F5": "c1, priority: 97",
        "L3": "c1, priority: 93",
        "L6": "c2, priority: 91",
    },
    "all on cores of their own": {
        "F2": "c3, priority: 97",
        "F5": "c4, priority: 94",
        "L3": "c5, priority: 96",
        "L6": "c6, priority: 93",
    },
}
LAST_CALLBACK = ("0.1ms", "0.2ms", "0.5ms")  # its execution time is not printed
PRINTED = {"S-S": 0.061, "HP-HP": 0.160}


@dataclass(frozen=True)
class Reading:
    """How 6.4 may be meant: what starts a job, where the middleware runs, how long τ7 takes."""

    activation: str
    place: str
    last: str

    def system(self, configuration: str) -> ddsrta.System:
        """A configuration under this reading."""
        found = text(configuration).replace("cores: [c0, c1, c2]", f"cores: {_CORES}")
        for name, place in PLACES[self.place].items():
            found = re.sub(rf"({name}: {{core: node/)c\d, priority: \d+", rf"\g<1>{place}", found)
        for topic in ACTIVATIONS[self.activation] or ():
            read = rf"topics: \[[^]]*{topic}\](.*), activation: and"
            found = re.sub(read, rf"topics: [{topic}]\1", found)
        head, last = found.split("  tau7:\n")
        return ddsrta.loads(head + "  tau7:\n" + last.replace("wcet: 0.1ms", f"wcet: {self.last}"))

    @cache  # noqa: B019
    def bound(self, configuration: str, profile: str) -> int:
        """The largest end-to-end bound over all pairs of topics."""
        chains = ddsrta.analyze(self.system(configuration), profile=profile, check=False).chains
        return max(ordered(chain.trigger_latency) for chain in chains.values())

    def margin(self, configuration: str) -> float:
        """How far anything that can be measured is below the published bound, at least."""
        published = self.bound(configuration, PUBLISHED)
        return 1 - self.bound(configuration, DEFAULT) / published

    def favours_sync(self) -> bool:
        """Whether S-S is not above HP-HP, as the paper has it."""
        return self.bound("S-S", PUBLISHED) <= self.bound("HP-HP", PUBLISHED)

    def fits(self) -> bool:
        """Whether what the paper prints can come from it."""
        near = all(self.margin(name) <= most for name, most in PRINTED.items())
        return near and self.favours_sync()


_CORES = "[c0, c1, c2, c3, c4, c5, c6]"
READINGS = tuple(Reading(*each) for each in product(ACTIVATIONS, PLACES, LAST_CALLBACK))


def readings_table() -> str:
    """The least margins that a reading leaves, over the execution times of τ7."""
    rows = []
    for activation, place in product(ACTIVATIONS, PLACES):
        here = [Reading(activation, place, last) for last in LAST_CALLBACK]
        margins = [min(each.margin(name) for each in here) for name in PRINTED]
        lowest = "yes" if any(each.favours_sync() for each in here) else "**no**"
        rows.append([activation, place, *(f"{100 * margin:.1f} %" for margin in margins), lowest])
    margins = [f"{name}: least margin" for name in PRINTED]
    return table(["a job starts with", "middleware", *margins, "S-S not above HP-HP"], rows)
