"""Repairs of a system as a notebook shows them."""

from __future__ import annotations

from ddsrta.exploration.improve.repairs import Improvement
from ddsrta.report.elements import scroll, table, text
from ddsrta.report.html import fragment
from ddsrta.report.improve import ALL_HOLD, repair_rows, tried_lines, waiting, what_else
from ddsrta.report.table import Row
from ddsrta.report.tables import Table


def improvement_html(found: Improvement) -> str:
    """What is late, what repairs it, and what was tried.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.improve.repairs import improve
    >>> ALL_HOLD in improvement_html(improve(two_threads()))
    True
    """
    if found.before.verdict == "met":
        return fragment(f"<p>{ALL_HOLD}</p>")
    late: list[str] = []
    for each in found.late:
        late += filter(None, (f"{each.called}: {each.sentence}", waiting(found, each)))
    rows: list[Row] = [[*cells] for cells in repair_rows(found)]
    titles = ("", "change", "where", "better", "worse")
    return fragment(
        *(f"<p>{text(line)}</p>" for line in (*late, *what_else(found.before))),
        scroll(table(Table(titles, rows))) if rows else "<p>no repair was found</p>",
        *(f"<p class='f'>{text(line)}</p>" for line in tried_lines(found)),
    )
