"""A simulation as notebooks show it: what was seen, beside each bound."""

from __future__ import annotations

from ddsrta.report.elements import details, table, text
from ddsrta.report.html import fragment
from ddsrta.report.simulation import NOTE, TITLES, kinds, row, verdict_lines
from ddsrta.report.tables import Table
from ddsrta.simulation.simulation import Simulation


def simulation_html(simulation: Simulation) -> str:
    """A fragment: the verdict, chains, and folded what else was seen."""
    verdict = "".join(f"<p>{text(line)}</p>" for line in verdict_lines(simulation))
    tables = {
        title: table(Table((title, "", *TITLES), [row(*each) for each in rows]))
        for title, rows in kinds(simulation)
    }
    first = tables.pop("chain")
    folded = [details(title, body) for title, body in tables.items()]
    return fragment(verdict, first, *folded, f"<p class='f'>{text(NOTE)}</p>")
