"""The figures of the counterexample: bounds, and what a simulation sees."""

from __future__ import annotations

from casestudies.analyses import message
from casestudies.counterexamples import Figure, figure_table
from casestudies.worst_cases import exact_table

STUDY = "published_lemma_10"
FIGURES = (
    Figure(
        "sample of A in the controller",
        ("response", ("sample", "A", "urgent")),
        lambda result: message(result, "urgent").flow_controller,
    ),
    Figure(
        "DDL of A to R",
        ("ddl", ("A", "urgent", "R")),
        lambda result: message(result, "urgent").ddl,
    ),
    Figure(
        "sample of B in the controller",
        ("response", ("sample", "B", "other")),
        lambda result: message(result, "other").flow_controller,
    ),
)


TABLES = {
    "figures": lambda: figure_table(STUDY, FIGURES),
    "exact": lambda: exact_table(STUDY, "system"),
}
