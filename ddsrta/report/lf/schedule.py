"""The document of `ddsrta lf schedule`: latest starts, and why some are late; and its tables."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.lf.bounds.schedulers.certificate import start_row
from ddsrta.lf.bounds.schedulers.judge import Column, ScheduleReport
from ddsrta.report.findings import finding_lines
from ddsrta.report.json import FORMAT, plain
from ddsrta.report.lf.page import Document
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import UNBOUNDED, Cell, Row, joined, table

_MOST = 6  # blockers of a start, and names with a reason


def report_dict(report: ScheduleReport) -> Document:
    """The document.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.schedulers.judge import schedule
    >>> report_dict(schedule(two_federates(), ["np"]))["schedulers"][0]["verdict"]
    'met'
    """
    return {
        "ddsrta": FORMAT,
        "federation": report.federation.name,
        "verdict": report.verdict,
        "schedulers": [_column(report, column) for column in report.columns],
        "findings": plain(report.findings),
    }


def _column(report: ScheduleReport, column: Column) -> Document:
    return {
        "scheduler": column.scheduler,
        "workers": column.workers,
        "verdict": report.verdict_of(column),
        "reactions": [
            {
                **start_row(report, column, key),
                "seen_start": latest.seen,
                "blockers": plain(latest.blockers),
                "unbounded_because": latest.because,
            }
            for key, latest in ((key, column.latest[key]) for key in report.deadlines)
        ],
    }


def report_text(report: ScheduleReport, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.schedulers.judge import schedule
    >>> print(report_text(schedule(two_federates(), ["np"])).splitlines()[0])
    MET  two federates: 1 deadline, met by np
    """
    document = report_dict(report)
    schedulers = document["schedulers"]
    sections = [
        [_verdict(document, style)],
        _starts(schedulers, style),
        *(_late(column, style) for column in schedulers),
        finding_lines(report.findings, style),
    ]
    return joined(sections)


def _title(column: Document) -> str:
    workers = column["workers"]
    return str(column["scheduler"]) if workers is None else f"{column['scheduler']} ×{workers}"


def _verdict(document: Document, style: Style) -> str:
    schedulers, verdict = document["schedulers"], document["verdict"]
    good = [_title(one) for one in schedulers if all(row["met"] for row in one["reactions"])]
    paint = {"met": style.good, "missed": style.bad}.get(verdict, style.unsure)
    head = f"{style.strong(paint(verdict.upper()))}  {shown(document['federation'])}"
    deadlines = len(schedulers[0]["reactions"]) if schedulers else 0
    if not deadlines:
        return f"{head}: no deadlines"
    by = f"met by {', '.join(good)}" if good else "met by none of these schedulers"
    return f"{head}: {plural(deadlines, 'deadline')}, {by}"


def _starts(schedulers: list[Document], style: Style) -> list[str]:
    rows: list[Row] = [
        [
            _name(row[0]),
            rounded_down(row[0]["deadline"]),
            *(_cell(reaction) for reaction in row),
        ]
        for row in zip(*(column["reactions"] for column in schedulers), strict=True)
    ]
    titles = ["latest start of", ">deadline", *(f">{_title(one)}" for one in schedulers)]
    return table(titles, rows, style)


def _cell(reaction: Document) -> Cell:
    if reaction["latest_start"] is None:
        return Cell(UNBOUNDED, "unsure")
    bound = "" if reaction["exact"] else "≤ "
    paint = "good" if reaction["met"] else "bad"
    return Cell(f"{bound}{rounded_up(reaction['latest_start'])}", paint)


def _name(reaction: Document) -> str:
    return f"{shown(reaction['environment'])}.{shown(reaction['reaction'])}"


def _late(column: Document, style: Style) -> list[str]:
    """Why, for each deadline that this scheduler does not keep."""
    lines: list[str] = []
    reasons: dict[str, list[str]] = {}
    for reaction in column["reactions"]:
        if reaction["met"]:
            continue
        if reaction["latest_start"] is None and reaction["seen_start"] is None:
            reasons.setdefault(reaction["unbounded_because"] or "", []).append(_name(reaction))
        else:
            lines += _why_late(reaction, style)
    for reason, names in reasons.items():
        some = f"{', '.join(names[:_MOST])}{', …' if len(names) > _MOST else ''}"
        lines.append(f"  {style.unsure(UNBOUNDED)}: {some}: {shown(reason)}")
    return [f"{_title(column)}:", *lines] if lines else []


def _why_late(reaction: Document, style: Style) -> Iterator[str]:
    """By how much a start is too late, and what comes before it."""
    seen, blockers = reaction["seen_start"], reaction["blockers"]
    late = reaction["latest_start"] if seen is None else seen
    word = "may start" if seen is None and not reaction["exact"] else "starts"
    tag = "" if reaction["tag"] is None else f", at the tag {rounded_down(reaction['tag'])}"
    by = style.bad(rounded_up(late - reaction["deadline"]))
    yield f"  {_name(reaction)} {word} {by} too late{tag}:"
    for blocker in blockers[:_MOST]:
        why = f"{shown(blocker['name'])}: {shown(blocker['why'])}"
        yield f"    {rounded_up(blocker['time'])}  {why}"
    if len(blockers) > _MOST:
        yield f"    and {len(blockers) - _MOST} more"
    if not blockers:
        because = reaction["unbounded_because"] or "its wait for inputs, and work before it"
        yield f"    {shown(because)}"
