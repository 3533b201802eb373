"""Worst cases of a small system, as text."""

from __future__ import annotations

from dataclasses import replace

from ddsrta.base.units import format_duration
from ddsrta.exploration.exact.exact import Exact, WorstCase
from ddsrta.report.attack import KINDS
from ddsrta.report.checked import check_line
from ddsrta.report.findings import beside
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import NOTHING, Cell, Row, bound, table
from ddsrta.report.tables import Table

TURN_ORDER = "turn-order"
COMMON_START = "common-start"
UNEXPLORED = (
    "not explored: registers of several writers, reactions to what time does not release, "
    "and what inline callbacks send by themselves"
)
BY_BOUND = "by the bound"
NONE = "there is nothing to explore: the system has no chains and no messages"
REFUSED = "refused by the checker, so that no figure is sure"
TITLES = ("explored", "figure", ">bound", ">at most", ">found", "", ">situations", ">runs")


def exact_text(found: Exact, style: Style = PLAIN) -> str:
    """A line for each figure, and what it rests on."""
    made = figures(found)
    if not made.rows:
        return f"{NONE}\n"
    lines = table(*made[:2], style)
    if found.check.status == "refuted":
        lines = [style.bad("ERROR") + f"  {REFUSED}"]
    return "\n".join([*lines, "", *below(found, style)]) + "\n"


def figures(found: Exact) -> Table:
    """A row for each."""
    return Table(TITLES, [_row(figure) for figure in found.cases])


def below(found: Exact, style: Style = PLAIN) -> list[str]:
    """What the rows mean, and what they rest on."""
    lines = [
        "exact: a run takes as long as any can. Elsewhere the worst case is from found to at most."
    ]
    if any(figure.by_bound for figure in found.cases):
        lines.append(f"{BY_BOUND}: what was explored allows for more than the analysis.")
    if any(figure.explored is None for figure in found.cases):
        lines.append(UNEXPLORED)
    if TURN_ORDER in found.assumptions:
        lines.append(f"assumed: flow controllers go round in the order of the file [{TURN_ORDER}]")
    known = {assumption.rule for assumption in found.result.assumptions}
    if COMMON_START in found.assumptions and COMMON_START not in known:
        lines.append(
            "assumed: sources that meet at a join, or on the path of a reaction, begin less than a "
            f"period after a common start [{COMMON_START}]"
        )
    bounds = found.result.check
    if bounds is not None and bounds.status != "confirmed":
        lines.append(f"of the bounds: {check_line(found.result, style)}")
    result = replace(found.result, check=found.check)
    return lines + beside("no figure is sure", result, result.assumptions, style)


def _row(figure: WorstCase) -> Row:
    kind = figure.target.kind
    explored = figure.explored
    return [
        figure.name,
        KINDS.get(kind, kind.replace("_", " ")),
        bound(figure.bound),
        _time(figure.at_most, "not explored" if explored is None else "never"),
        _time(figure.found, "never seen"),
        Cell("exact", "strong") if figure.exact else BY_BOUND if figure.by_bound else "",
        NOTHING if explored is None else str(explored.states),
        str(figure.run.runs),
    ]


def _time(value: int | None, none: str) -> Cell | str:
    return Cell(none, "unsure") if value is None else format_duration(value)
