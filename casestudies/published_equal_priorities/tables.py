"""The figures of the counterexample: bounds, and what a simulation sees."""

from __future__ import annotations

from casestudies.counterexamples import Figure, figure_table

STUDY = "published_equal_priorities"
FIGURES = (
    Figure("job of A", ("response", ("job", "A")), lambda result: result.threads["A"].wcrt),
    Figure("job of B", ("response", ("job", "B")), lambda result: result.threads["B"].wcrt),
)


TABLES = {"figures": lambda: figure_table(STUDY, FIGURES)}
