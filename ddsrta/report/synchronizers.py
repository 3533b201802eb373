"""The table of synchronizers: how far apart the messages of a set are, and how long they wait."""

from __future__ import annotations

from ddsrta.base.text import rounded_down, rounded_up, shown
from ddsrta.base.units import Duration
from ddsrta.bounds.result import Result
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Column, table

_UNBOUNDED = "unbounded"


def synchronizer_lines(result: Result, style: Style = PLAIN) -> list[str]:
    """The table, without what is unbounded and why."""
    columns = [
        Column("synchronizer"),
        Column(""),
        Column("disparity", right=True),
        Column("a set each", right=True),
        Column("at the latest", right=True),
        Column("messages wait"),
    ]
    rows: list[list[Cell | str]] = []
    for name, sets in result.synchronizers.items():
        waits = ", ".join(f"{shown(t)} {_text(wait)}" for t, wait in sets.waits.items())
        rows.append(
            [
                shown(name),
                Cell(sets.policy, style.faint),
                _bound(sets.disparity, style),
                "" if sets.period is None else rounded_down(sets.period),
                _bound(sets.gap, style),
                waits,
            ]
        )
    return table(columns, rows, style)


def _text(time: Duration | None) -> str:
    return _UNBOUNDED if time is None else rounded_up(time)


def _bound(time: Duration | None, style: Style) -> Cell:
    return Cell(_text(time), style.unsure if time is None else None)
