"""What pages and notebooks are made of: text, tables, lists of findings. Every name is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ddsrta.base.text import shown
from ddsrta.bounds.deadlines import verdict_word
from ddsrta.bounds.result import Finding, Result
from ddsrta.report.checked import check_line
from ddsrta.report.orders import order_text, violated
from ddsrta.report.table import Cell, Row, cells, column, used
from ddsrta.report.tables import Table, grouped, several

LARGEST = 500  # rows of a table; a page is not the place for more
_PAINTS = {"bad": "bad", "good": "good", "unsure": "unsure", "faint": "f"}
_OF_VERDICT = {"met": "good", "unbounded": "unsure"}
_OF_SEVERITY = {"error": " class='bad'", "warning": " class='unsure'"}


class Mark(NamedTuple):
    """What a row has beside its texts: attributes, where its name leads, a drawing at its end."""

    attributes: str = ""
    link: str = ""
    drawing: str = ""


def text(words: str) -> str:
    """Words that can be shown, and mean nothing to a browser.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return escape(shown(words), quote=True)


def badge(result: Result) -> str:
    """A verdict, in its colour."""
    colour = _OF_VERDICT.get(result.verdict, "bad")
    return f"<b class='badge {colour}'>{text(verdict_word(result))}</b>"


def table(made: Table, marks: Sequence[Mark] = (), caption: str = "") -> str:
    """A table, each row with its mark, and below it why things are unbounded."""
    columns, rows = [column(title) for title in made.titles], cells(made.rows)
    left = used(columns, rows)
    if not left:
        return ""
    classes = [" class='n'" if each.right else "" for each in columns]
    head = "".join(f"<th{classes[i]}>{text(columns[i].title)}</th>" for i in left)
    drawn = any(mark.drawing for mark in marks)
    head += "<th></th>" * drawn
    lines = []
    for number, row in enumerate(rows[:LARGEST]):
        mark = marks[number] if marks else Mark()
        line = "".join(_cell(row[i], columns[i].right, mark.link * (i == left[0])) for i in left)
        line += f"<td>{mark.drawing}</td>" * drawn
        lines.append(f"<tr{mark.attributes}>{line}</tr>")
    cut = f"<p class='f'>and {len(rows) - LARGEST} more</p>" if len(rows) > LARGEST else ""
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    body = f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    reasons = [
        f"<li><b>{text(several(names))}</b> unbounded: {text(reason)}</li>"
        for names, reason in grouped(made.reasons)
    ]
    return body + cut + (f"<ul>{''.join(reasons[:LARGEST])}</ul>" if reasons else "")


def _cell(cell: Cell, right: bool, link: str) -> str:
    kinds = ["n"] * right
    kinds += [_PAINTS[cell.paint]] if cell.text and cell.paint in _PAINTS else []
    how = f" class='{' '.join(kinds)}'" if kinds else ""
    words = escape(cell.text)
    return f"<td{how}><a href='#{link}'>{words}</a></td>" if link else f"<td{how}>{words}</td>"


def details(title: str, body: str, state: str = "") -> str:
    """What is folded, if there is anything."""
    return f"<details{state}><summary>{title}</summary>{body}</details>" if body else ""


def scroll(made: str, kind: str = "") -> str:
    """What may be wider or higher than its place."""
    return f"<div class='scroll{kind}' tabindex='0'>{made}</div>" if made else ""


def findings(found: Sequence[Finding]) -> str:
    """A list of findings, each with its place."""
    items = []
    for finding in found:
        place = f" <span class='f'>{text(str(finding.position))}</span>"
        items.append(
            f"<li><b{_OF_SEVERITY.get(finding.severity, '')}>{text(finding.severity)}</b>"
            f" {text(finding.message)}{place if finding.position else ''}</li>"
        )
    return f"<ul>{''.join(items)}</ul>" if items else ""


def checked(result: Result) -> str:
    """What the checker said: as loud as it is bad."""
    bad = result.check is not None and result.check.status != "confirmed"
    return f"<p class='{'bad' if bad else 'f'}'>{text(check_line(result))}</p>"


def orders(result: Result) -> Table:
    """Wanted orders, and what became of each."""
    rows: list[Row] = [
        [name, order_text(o.topics), o.subscriber, "always" if o.met else violated(o)]
        for name, o in result.orders.items()
    ]
    return Table(("order", "topics", "subscriber", "holds"), rows)
