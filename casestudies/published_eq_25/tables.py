"""The figures of the counterexample: bounds, and what a simulation sees."""

from __future__ import annotations

from casestudies.analyses import message
from casestudies.counterexamples import Figure, figure_table
from casestudies.worst_cases import exact_table

STUDY = "published_eq_25"
FIGURES = (
    Figure(
        "message in the listener",
        ("response", ("message", "P", "points", "R")),
        lambda result: message(result, "points").listener,
    ),
    Figure(
        "job of R",
        ("response", ("job", "R")),
        lambda result: result.threads["R"].wcrt,
    ),
    Figure(
        "DDL of P to R",
        ("ddl", ("P", "points", "R")),
        lambda result: message(result, "points").ddl,
    ),
)


TABLES = {
    "figures": lambda: figure_table(STUDY, FIGURES),
    "exact": lambda: exact_table(STUDY, "system"),
}
