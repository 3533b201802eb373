"""The figures of the counterexample: bounds, and what a simulation sees."""

from __future__ import annotations

from casestudies.analyses import PUBLISHED
from casestudies.counterexamples import Figure, figure_table
from casestudies.worst_cases import exact_table
from ddsrta.bounds.result import Result


def latency(result: Result, chain: str) -> int | None:
    """The paper's Definition 2 asks for the longest time; its Eq. 23 counts from the last token."""
    found = result.chains[chain]
    return found.trigger_latency if result.profile == PUBLISHED else found.latency


STUDY = "published_and_wait"
FIGURES = (
    Figure(
        "camera 1 to stereo",
        ("latency", ("camera 1", "left", "stereo")),
        lambda result: latency(result, "left"),
    ),
    Figure(
        "camera 2 to stereo",
        ("latency", ("camera 2", "right", "stereo")),
        lambda result: latency(result, "right"),
    ),
)


TABLES = {
    "figures": lambda: figure_table(STUDY, FIGURES),
    "exact": lambda: exact_table(STUDY, "system"),
}
