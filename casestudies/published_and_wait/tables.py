"""The figures of the counterexample: bounds, and what a simulation sees."""

from __future__ import annotations

from casestudies.analyses import PUBLISHED
from casestudies.counterexamples import Figure, figure_table
from ddsrta.analysis.result import Result


def latency(result: Result, chain: str) -> int | None:
    """Definition 2 of the paper asks for the longest time; ours is the data latency."""
    found = result.chains[chain]
    return found.latency if result.profile == PUBLISHED else found.data_latency


STUDY = "published_and_wait"
FIGURES = (
    Figure(
        "camera 1 to stereo",
        ("data_latency", ("camera 1", "left", "stereo")),
        lambda result: latency(result, "left"),
    ),
    Figure(
        "camera 2 to stereo",
        ("data_latency", ("camera 2", "right", "stereo")),
        lambda result: latency(result, "right"),
    ),
)


TABLES = {"figures": lambda: figure_table(STUDY, FIGURES)}
