"""Plain text tables: aligned, without rules or boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ddsrta.base.text import rounded_down, rounded_up, shown, width
from ddsrta.report.style import PLAIN, WIDEST, Style

_NARROW = 80  # what a table is folded to that is wider than the widest
_LEAST = 24  # of a name that stands beside its figures
NOTHING = "–"
UNBOUNDED = "unbounded"
_GAP = "  "


class Cell(NamedTuple):
    """What stands in one place of a table, and how a Style paints it."""

    text: str
    paint: str = ""


Row = list[Cell | str]


def bound(value: int | None) -> Cell | str:
    """A bound, rounded up, or that there is none."""
    return Cell(UNBOUNDED, "unsure") if value is None else rounded_up(value)


def up(value: int | None, unknown: str = "") -> str:
    """A time, rounded up, where it is known."""
    return unknown if value is None else rounded_up(value)


def down(value: int | None, unknown: str = "") -> str:
    """A time, rounded down, where it is known."""
    return unknown if value is None else rounded_down(value)


def some(value: int | None, written: Callable[[int | None], str] = up) -> str:
    """A time, where it is more than 0."""
    return written(value) if value else ""


class Column(NamedTuple):
    """A heading; numbers go to the right. `spare`: left out where the table gets too wide."""

    title: str
    right: bool
    spare: bool


def column(title: str) -> Column:
    """What a title says: '>' that numbers are below it, '?' that it is spare.

    >>> column(">?p99")
    Column(title='p99', right=True, spare=True)
    """
    return Column(title.lstrip(">?"), title[:1] == ">", "?" in title[:2])


def used(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> list[int]:
    """The columns in which there is any text."""
    return [i for i in range(len(columns)) if any(row[i].text for row in rows)]


def cells(rows: Iterable[Sequence[Cell | str]]) -> list[list[Cell]]:
    """Rows whose texts can be shown."""
    return [
        [Cell(shown(c.text), c.paint) if isinstance(c, Cell) else Cell(shown(c)) for c in row]
        for row in rows
    ]


def table(
    titles: Sequence[str], rows: Iterable[Sequence[Cell | str]], style: Style = PLAIN
) -> list[str]:
    """The lines of a table; none where it has no rows. A column without any text is left out.

    >>> print("\\n".join(table(["thread", ">wcrt"], [["P", "1 ms"]])))
      thread  wcrt
      P       1 ms
    """
    columns, texts = [column(title) for title in titles], cells(rows)
    left = used(columns, texts)
    widths = {i: max(width(columns[i].title), *(width(row[i].text) for row in texts)) for i in left}
    while sum(widths[i] + len(_GAP) for i in left) > WIDEST:
        spare = [i for i in left if columns[i].spare]
        if not spare:
            break
        left.remove(spare[-1])
    _fold(columns, texts, left, widths)
    head = [Cell(each.title, "faint") for each in columns]
    lines = [head, *texts] if left else []
    return [part for row in lines for part in _line(row, columns, left, widths, style)]


def _fold(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    left: Sequence[int],
    widths: dict[int, int],
) -> None:
    """Narrows the names in front where they make a table too wide: longer ones get a line of their
    own. What stands last goes on where it likes."""
    if not left or columns[left[0]].right:
        return
    behind = [i for i in left[1:] if columns[i].right or i != left[-1]]
    rest = sum(widths[i] + len(_GAP) for i in behind) + len(_GAP)
    if rest + widths[left[0]] <= WIDEST:
        return
    room = max(_LEAST, _NARROW - rest)
    names = [width(row[left[0]].text) for row in rows]
    widths[left[0]] = max(
        [width(columns[left[0]].title), *(long for long in names if long <= room)]
    )


def joined(sections: Iterable[list[str]]) -> str:
    """A text of sections, with a line between them."""
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _line(
    row: Sequence[Cell],
    columns: Sequence[Column],
    left: Sequence[int],
    widths: dict[int, int],
    style: Style,
) -> list[str]:
    """One, or two where its name is longer than that column."""
    parts, above = [], []
    for i in left:
        text, paint = row[i]
        if i == left[0] and width(text) > widths[i]:
            above, text = [_GAP + style.paint(paint, text)], ""
        blank = " " * (widths[i] - width(text))
        painted = style.paint(paint, text)
        last = i == left[-1] and not columns[i].right
        parts.append(blank + painted if columns[i].right else painted + ("" if last else blank))
    return [*above, (_GAP + _GAP.join(parts)).rstrip()]
