"""What changed against a baseline: the words of the file, and the bounds that moved."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.text import plural
from ddsrta.exploration.comparison import Comparison, Move
from ddsrta.exploration.difference.difference import Difference
from ddsrta.report.difference import beside, effect
from ddsrta.report.elements import table, text
from ddsrta.report.style import PLAIN
from ddsrta.report.table import UNBOUNDED, Cell, Row
from ddsrta.report.tables import Table


def changes_html(found: Difference | Comparison) -> str:
    """Tables, what got worse first.

    >>> from ddsrta.base.units import Duration
    >>> moved = Move("chain a", Duration(2_000_000), Duration(3_000_000))
    >>> "+1 ms, +50.0 %" in changes_html(Comparison(worse=(moved,)))
    True
    """
    parts = []
    if isinstance(found, Difference):
        parts.append(_changes(found))
        comparison = found.comparison
    else:
        comparison = found
    for what, paint in (("worse", "bad"), ("better", "good")):
        moves = getattr(comparison, what)
        if moves:
            parts.append(_moves(f"{plural(len(moves), 'bound')} {what}", moves, paint))
    if not (comparison.worse or comparison.better or comparison.is_blind):
        parts.append("<p>no bound moved</p>")
    parts += [f"<p class='f'>{text(line)}</p>" for line in beside(comparison, PLAIN)]
    return "".join(parts)


def _changes(found: Difference) -> str:
    if not found.changes:
        return "<p>the models say the same</p>"
    rows: list[Row] = [
        [
            str(number),
            change.text,
            Cell(str(change.positions[0]), "faint"),
            effect(found, number - 1),
        ]
        for number, change in enumerate(found.changes, 1)
    ]
    return table(Table((">", "change", "where", "what it does"), rows))


def _moves(caption: str, moves: Sequence[Move], paint: str) -> str:
    rows: list[Row] = []
    for move in moves:
        ends = [UNBOUNDED if time is None else str(time) for time in (move.old, move.new)]
        rows.append([move.name, *ends, Cell(move.amount, paint)])
    return table(Table(("bound", ">before", ">now", ">by"), rows), caption=caption)
