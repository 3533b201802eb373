"""What a person reads of `ddsrta lf schedule`: latest starts, and why some are late."""

from __future__ import annotations

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.lf.bounds.schedulers.judge import Column as Scheduled
from ddsrta.lf.bounds.schedulers.judge import ScheduleReport
from ddsrta.lf.bounds.schedulers.members import Key
from ddsrta.lf.bounds.schedulers.own import Blocker, Latest
from ddsrta.report.findings import finding_lines
from ddsrta.report.lf_cells import UNKNOWN
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Column, table

_MOST_BLOCKERS = 6
_MOST_NAMES = 6


def report_text(report: ScheduleReport, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.schedulers.judge import schedule
    >>> print(report_text(schedule(two_federates(), ["np"])).splitlines()[0])
    MET  two federates: 1 deadline, met by np
    """
    sections = [
        [_verdict(report, style)],
        _starts(report, style),
        *(_late(report, column, style) for column in report.columns),
        finding_lines(report.findings, style),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _verdict(report: ScheduleReport, style: Style) -> str:
    good = [c.title for c in report.columns if all(report.met(c, k) for k in report.deadlines)]
    paint = {"met": style.good, "missed": style.bad}.get(report.verdict, style.unsure)
    by = f"met by {', '.join(good)}" if good else "met by none of these schedulers"
    verdict = style.strong(paint(report.verdict.upper()))
    name = shown(report.federation.name)
    if not report.deadlines:
        return f"{verdict}  {name}: no deadlines"
    return f"{verdict}  {name}: {plural(len(report.deadlines), 'deadline')}, {by}"


def _starts(report: ScheduleReport, style: Style) -> list[str]:
    rows: list[list[Cell | str]] = []
    for key, deadline in report.deadlines.items():
        row: list[Cell | str] = [_name(key), rounded_down(deadline)]
        for column in report.columns:
            row.append(_cell(column.latest[key], report.met(column, key), style))
        rows.append(row)
    columns = [Column("latest start of"), Column("deadline", right=True)]
    columns += [Column(column.title, right=True) for column in report.columns]
    return table(columns, rows, style) if rows else []


def _cell(latest: Latest, met: bool, style: Style) -> Cell:
    if latest.lag is None:
        return Cell(UNKNOWN, style.unsure)
    bound = "" if latest.exact else "≤ "
    return Cell(f"{bound}{rounded_up(latest.lag)}", style.good if met else style.bad)


def _name(key: Key) -> str:
    return f"{shown(key[0])}.{shown(key[1])}"


def _late(report: ScheduleReport, column: Scheduled, style: Style) -> list[str]:
    """Why, for each deadline that this scheduler does not keep."""
    lines = []
    reasons: dict[str, list[str]] = {}
    for key, deadline in report.deadlines.items():
        latest = column.latest[key]
        if report.met(column, key):
            continue
        if latest.lag is None and latest.seen is None:
            reasons.setdefault(latest.because or "", []).append(_name(key))
            continue
        lines.append(f"  {_name(key)} {_lateness(latest, deadline, style)}:")
        lines += [_blocker(blocker) for blocker in latest.blockers[:_MOST_BLOCKERS]]
        if len(latest.blockers) > _MOST_BLOCKERS:
            lines.append(f"    and {len(latest.blockers) - _MOST_BLOCKERS} more")
        if not latest.blockers:
            lines.append(
                f"    {shown(latest.because or 'its wait for inputs, and work before it')}"
            )
    for reason, names in reasons.items():
        some = f"{', '.join(names[:_MOST_NAMES])}{', …' if len(names) > _MOST_NAMES else ''}"
        lines.append(f"  {style.unsure('unbounded')}: {some}: {shown(reason)}")
    return [f"{column.title}:", *lines] if lines else []


def _lateness(latest: Latest, deadline: int, style: Style) -> str:
    late = latest.seen if latest.lag is None or latest.seen is not None else latest.lag
    assert late is not None
    word = "starts" if latest.exact or latest.seen is not None else "may start"
    tag = "" if latest.tag is None else f", at the tag {rounded_down(latest.tag)}"
    return f"{word} {style.bad(rounded_up(late - deadline))} too late{tag}"


def _blocker(blocker: Blocker) -> str:
    return f"    {rounded_up(blocker.time)}  {shown(blocker.name)}: {shown(blocker.why)}"
