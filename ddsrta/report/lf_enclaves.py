"""What a person reads of `ddsrta lf enclaves`: enclaves, chains, what a search found."""

from __future__ import annotations

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.lf.bounds.enclaves.judge import ChainRow, EnclaveReport, Row
from ddsrta.lf.bounds.enclaves.search import Found, Scored
from ddsrta.lf.bounds.enclaves.work import Parts
from ddsrta.report.findings import finding_lines
from ddsrta.report.lf_cells import UNKNOWN, bound_cell, starts_table, state_cell, unbounded_lines
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Column, table

_MOST_ROWS = 40
_SHARES = ("waits", "tag barrier", "work", "level barrier", "others")


def report_text(report: EnclaveReport, found: Found | None = None, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
    >>> from ddsrta.lf.program.examples import enclaves
    >>> print(report_text(judge_enclaves(enclaves())).splitlines()[0])
    MET  a radio: 2 enclaves, 3 workers, tags done at most 4.2 ms after their time
    """
    grave = [finding for finding in report.findings if finding.severity == "error"]
    others = [finding for finding in report.findings if finding.severity != "error"]
    sections = [
        [_verdict(report, style)],
        finding_lines(grave, style),
        _rows(report, style),
        unbounded_lines(report.unbounded),
        starts_table(report.starts, style),
        _chains(report, style),
        finding_lines(others, style),
        [] if found is None else _found(found, style),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _verdict(report: EnclaveReport, style: Style) -> str:
    paint = {"met": style.good, "unbounded": style.unsure}.get(report.verdict, style.bad)
    verdict = style.strong(paint(report.verdict.upper()))
    return f"{verdict}  {shown(report.split.original.name)}: {_summary(report)}"


def _summary(report: EnclaveReport) -> str:
    known = [row.done for row in report.rows if row.done is not None]
    if len(known) < len(report.rows):
        largest = f"{plural(len(report.rows) - len(known), 'enclave')} without a bound"
    else:
        largest = f"tags done at most {rounded_up(max(known, default=0))} after their time"
    workers = plural(sum(row.workers for row in report.rows), "worker")
    return f"{plural(len(report.rows), 'enclave')}, {workers}, {largest}"


def _rows(report: EnclaveReport, style: Style) -> list[str]:
    """The enclaves; of very many those whose tags are done last."""
    rows = list(report.rows)
    left_out = len(rows) - _MOST_ROWS
    if left_out > 0:
        late = sorted(rows, key=lambda row: row.done is not None and -row.done)[:_MOST_ROWS]
        rows = [row for row in rows if row in late]
    names = ("enclave", "reactions", "workers", *_SHARES, "done", "because of")
    last = len(names) - 1
    columns = [Column(name, right=0 < i < last, spare=i == last) for i, name in enumerate(names)]
    lines = table(columns, [_row(row, style) for row in rows], style)
    return [*lines, f"  … and {left_out} more, done earlier"] if left_out > 0 else lines


def _row(row: Row, style: Style) -> list[Cell | str]:
    parts = row.parts
    return [
        shown(row.name),
        str(row.reactions),
        str(row.workers),
        bound_cell(row.waits, style),
        *_barriers(parts),
        rounded_up(row.others) if row.others else "",
        bound_cell(row.done, style),
        " → ".join(shown(name) for name in _names(row)),
    ]


def _barriers(parts: Parts | None) -> list[str]:
    if parts is None:
        return ["", "", ""]
    tag, level = parts.tag_barrier, parts.level_barrier
    return [
        rounded_up(tag) if tag else "",
        rounded_up(parts.work),
        rounded_up(level) if level else "",
    ]


def _names(row: Row) -> list[str]:
    if not row.path:
        return []
    names = [row.path[0].source, *(wait.target for wait in row.path)]
    return names if len(names) <= 4 else [names[0], "…", *names[-2:]]


def _chains(report: EnclaveReport, style: Style) -> list[str]:
    rows = [_chain(name, row, style) for name, row in report.chains.items()]
    names = ("chain", "latency", "wanted", "after", *_SHARES, "")
    columns = [Column(name, right=0 < i < len(names) - 1) for i, name in enumerate(names)]
    return table(columns, rows, style) if rows else []


def _chain(name: str, row: ChainRow, style: Style) -> list[Cell | str]:
    latency, parts = row.latency, row.parts
    wanted = latency.chain.latency
    state: Cell | str = "" if wanted is None else state_cell(bool(latency.met), style)
    if latency.latency is None:
        state = shown(latency.because or "")
    return [
        shown(name),
        bound_cell(latency.latency, style),
        "" if wanted is None else rounded_down(wanted),
        rounded_up(latency.delay) if latency.delay else "",
        "" if row.waits is None else rounded_up(row.waits),
        *_barriers(parts),
        rounded_up(row.others) if row.others else "",
        state,
    ]


def _found(found: Found, style: Style) -> list[str]:
    """The best partition, what it gains, and how to write it down."""
    lines = [
        style.strong(f"search: {plural(found.tried, 'partition')} tried, seed {found.seed}"),
        f"  as it is: {summary(found.first)}",
        f"  best:     {summary(found.best)}",
    ]
    if found.best.cuts == found.first.cuts:
        return [*lines, "  nothing better was found"]
    return [*lines, "", *found.lines()]


def summary(found: Scored) -> str:
    """A partition in a line."""
    worst = found.worst
    chain = f", slowest chain {UNKNOWN if worst is None else rounded_up(worst)}"
    text = f"{found.report.verdict.upper()}, {_summary(found.report)}"
    return text if worst == 0 else text + chain
