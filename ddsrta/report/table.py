"""Plain text tables: aligned, without rules or boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ddsrta.base.text import width
from ddsrta.report.style import PLAIN, Style

Paint = Callable[[str], str]
WIDEST = 100
_GAP = "  "


class Cell(NamedTuple):
    """What stands in one place of a table, and how it is painted."""

    text: str
    paint: Paint | None = None


class Column(NamedTuple):
    """A heading; numbers go to the right. `spare`: left out where the table gets too wide."""

    title: str
    right: bool = False
    spare: bool = False


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell | str]], style: Style = PLAIN
) -> list[str]:
    """The lines of a table. A column without any text is left out.

    >>> print("\\n".join(table([Column("thread"), Column("wcrt", right=True)], [["P", "1 ms"]])))
      thread  wcrt
      P       1 ms
    """
    cells = [[c if isinstance(c, Cell) else Cell(c) for c in row] for row in rows]
    used = [i for i in range(len(columns)) if any(row[i].text for row in cells)]
    widths = {i: max(width(columns[i].title), *(width(row[i].text) for row in cells)) for i in used}
    while sum(widths[i] + len(_GAP) for i in used) > WIDEST:
        spare = [i for i in used if columns[i].spare]
        if not spare:
            break
        used.remove(spare[-1])
    titles = [Cell(column.title, style.faint) for column in columns]
    return [_line(row, columns, used, widths) for row in [titles, *cells]] if used else []


def _line(
    row: Sequence[Cell], columns: Sequence[Column], used: Sequence[int], widths: dict[int, int]
) -> str:
    parts = []
    for i in used:
        text, paint = row[i]
        blank = " " * (widths[i] - width(text))
        painted = paint(text) if paint else text
        last = i == used[-1] and not columns[i].right
        parts.append(blank + painted if columns[i].right else painted + ("" if last else blank))
    return (_GAP + _GAP.join(parts)).rstrip()
