"""What an attack found, as text."""

from __future__ import annotations

from ddsrta.base.units import format_duration
from ddsrta.exploration.attacks import Attack, Attacked
from ddsrta.report.findings import beside
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Row, bound, table

TITLES = ("attacked", "figure", ">bound", ">found", ">tightness", ">runs")
KINDS = {"ddl": "ddl", "latency": "latency", "data_age": "data age"}


def attack_text(attack: Attack, style: Style = PLAIN) -> str:
    """A line for each target, and how to see the same again."""
    lines = table(TITLES, [_row(one) for one in attack.attacked], style)
    if not lines:
        return "there is nothing to attack: the system has no chains and no messages\n"
    lines.append("")
    if attack.interrupted:
        lines.append("interrupted: the last line had fewer runs, and what comes behind it has none")
    if any(one.broken for one in attack.attacked):
        lines.append(style.bad("A run took longer than a bound allows."))
    lines.append("tightness = bound / found: 1 is exact; the rest is either pessimism of the bound")
    lines.append("or a worse run that was not found.")
    seed = attack.attacked[0].seed
    runs = sorted({one.found.runs for one in attack.attacked})
    which = str(runs[0]) if len(runs) == 1 else "as in its line"
    lines.append(f"To see a line again: --seed {seed} --runs {which}.")
    lines += beside("no bound is sure", attack.result, (), style)
    return "\n".join(lines) + "\n"


def _row(one: Attacked) -> Row:
    worst = one.worst
    return [
        one.target.name,
        KINDS.get(one.target.kind, one.target.kind.replace("_", " ")),
        bound(one.target.bound),
        Cell("never seen", "unsure")
        if worst is None
        else Cell(format_duration(worst), "bad" if one.broken else "strong"),
        tightness(one),
        str(one.found.runs),
    ]


def tightness(one: Attacked) -> str:
    """bound / found with two decimals, never flattering: 1.00 is exact."""
    if one.target.bound is None or not one.worst:
        return ""
    hundredths = -(-100 * one.target.bound // one.worst)
    return f"{hundredths // 100}.{hundredths % 100:02}"
