"""What the tables of `ddsrta lf stp` and `ddsrta lf rti` have in common."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from ddsrta.base.text import rounded_down, rounded_up, shown
from ddsrta.lf.bounds.latencies.deadlines import Start
from ddsrta.lf.bounds.latencies.rows import Unbounded, reasons
from ddsrta.report.style import Style
from ddsrta.report.table import Cell, Column, table

UNKNOWN = "unbounded"


def bound_cell(value: int | None, style: Style) -> Cell | str:
    """A bound, rounded up, or that there is none."""
    return Cell(UNKNOWN, style.unsure) if value is None else rounded_up(value)


def state_cell(met: bool, style: Style, assumed: bool = False) -> Cell:
    """Whether a deadline is met."""
    if met and assumed:
        return Cell("assumed", style.unsure)
    return Cell("met", style.good) if met else Cell("missed", style.bad)


def starts_table(starts: Sequence[Start], style: Style, assumed: Container[str] = ()) -> list[str]:
    """Latest starts of reactions beside their deadlines; those in some federates are assumed."""
    rows = [
        [
            f"{shown(start.federate)}.{shown(start.reaction)}",
            bound_cell(start.latest, style),
            rounded_down(start.deadline),
            "" if start.latest is None else state_cell(start.met, style, start.federate in assumed),
        ]
        for start in starts
    ]
    columns = [
        Column("reaction"),
        Column("latest start", right=True),
        Column("deadline", right=True),
        Column(""),
    ]
    return table(columns, rows, style) if rows else []


def unbounded_lines(rows: Sequence[Unbounded]) -> list[str]:
    """Why there is no bound: each reason once, with the rows that it leaves without one.

    The table of chains has the reasons of chains, and deadlines are named where no federate is.
    """
    found = reasons(row for row in rows if row.kind not in ("chain", "deadline"))
    late = reasons(row for row in rows if row.kind == "deadline" and row.because not in found)
    return [
        f"  unbounded: {', '.join(map(shown, names[:6]))}{', …' if len(names) > 6 else ''}: "
        f"{shown(because)}"
        for because, names in {**found, **late}.items()
    ]


def unbounded_list(rows: Iterable[Unbounded]) -> list[dict[str, Any]]:
    """The same for JSON: each row with its reason."""
    return [{"kind": row.kind, "name": row.name, "because": row.because} for row in rows]
