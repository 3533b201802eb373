"""What a person reads of `ddsrta lf rti`: the verdict, lags, chains with their price, messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.lf.bounds.rti.grants import Grant
from ddsrta.lf.bounds.rti.judge import Price, RtiReport
from ddsrta.report.findings import finding_lines
from ddsrta.report.lf_cells import bound_cell, starts_table, state_cell, unbounded_lines
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Column, table


def report_text(report: RtiReport, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import centralized
    >>> from ddsrta.lf.bounds.rti.judge import judge_rti
    >>> print(report_text(judge_rti(centralized())).splitlines()[0])
    MET  two federates: 2 federates, 1 connection, largest grant lag 760 us
    """
    grave = [finding for finding in report.findings if finding.severity == "error"]
    others = [finding for finding in report.findings if finding.severity != "error"]
    sections = [
        [_verdict(report, style)],
        finding_lines(grave, style),
        _federates(report, style),
        unbounded_lines(report.unbounded),
        _connections(report, style),
        starts_table(report.starts, style, report.lags.assumed),
        _chains(report, style),
        _counts(report, style),
        finding_lines(others, style),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _verdict(report: RtiReport, style: Style) -> str:
    federation = report.lags.network.federation
    paint = {"met": style.good, "unbounded": style.unsure}.get(report.verdict, style.bad)
    values = list(report.lags.values.values())
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        largest = f"{plural(len(values) - len(known), 'federate')} without a bound"
    else:
        largest = f"largest grant lag {rounded_up(max(known, default=0))}"
    counts = (
        f"{plural(len(values), 'federate')}, {plural(len(federation.connections), 'connection')}"
    )
    verdict = style.strong(paint(report.verdict.upper()))
    return f"{verdict}  {shown(federation.name)}: {counts}, {largest}"


def _difference(value: int | None) -> str:
    """With its sign."""
    if value is None:
        return ""
    return f"+{rounded_up(value)}" if value > 0 else rounded_up(value)


def _federates(report: RtiReport, style: Style) -> list[str]:
    rows = []
    for name, value in report.lags.values.items():
        path = report.lags.paths[name]
        rows.append(
            [
                shown(name),
                bound_cell(value, style),
                bound_cell(report.lags.busy[name], style),
                bound_cell(report.decentralized.waits.values[name], style),
                _path(path) if path else "",
            ]
        )
    columns = [
        Column("federate"),
        Column("grant lag", right=True),
        Column("tag takes", right=True),
        Column("decentralized wait", right=True),
        Column("because of", spare=True),
    ]
    return table(columns, rows, style)


def _path(path: Sequence[Grant]) -> str:
    first = path[0]
    begin = {
        "completed": first.source,
        "advance": f"clock of {first.source}",
        "event": "own clock",
    }[first.kind]
    names = [begin, *(grant.target for grant in path)]
    if len(names) > 5:
        names = [*names[:2], "…", *names[-2:]]
    return " → ".join(shown(name) for name in names)


def _connections(report: RtiReport, style: Style) -> list[str]:
    connections = report.lags.network.federation.connections
    rows = []
    for grant in report.lags.grants:
        if grant.connection is None:
            name = f"clock of {grant.target}"
        else:
            name = connections[grant.connection].name
            name = f"clock over {name}" if grant.kind == "advance" else name
        rows.append(
            [
                shown(name),
                bound_cell(grant.weight, style),
                bound_cell(grant.busy, style),
                bound_cell(grant.control, style),
                bound_cell(grant.clock, style),
                "" if not grant.delay else rounded_down(grant.delay),
            ]
        )
    names = ("grant waits for", "X", "tag or clock", "RTI", "clock error", "after")
    columns = [Column(name, right=index > 0, spare=index > 1) for index, name in enumerate(names)]
    return table(columns, rows, style) if rows else []


def _chains(report: RtiReport, style: Style) -> list[str]:
    assumed = report.lags.assumed
    rows = [_chain(name, price, style, assumed) for name, price in report.chains.items()]
    names = ("chain", "centralized", "wanted", "decentralized", "price", "")
    columns = [Column(name, right=0 < index < 5) for index, name in enumerate(names)]
    return table(columns, rows, style) if rows else []


def _chain(name: str, price: Price, style: Style, assumed: Mapping[str, str]) -> list[Cell | str]:
    latency = price.centralized
    wanted = latency.chain.latency
    unsure = latency.chain.target[0] in assumed
    state: Cell | str = "assumed" if unsure else ""
    if wanted is not None:
        state = state_cell(bool(latency.met), style, unsure)
    if latency.latency is None:
        state = shown(latency.because or "")
    return [
        shown(name),
        bound_cell(latency.latency, style),
        "" if wanted is None else rounded_down(wanted),
        bound_cell(price.decentralized.latency, style),
        _difference(price.difference),
        state,
    ]


def _counts(report: RtiReport, style: Style) -> list[str]:
    rows: list[list[Cell | str]] = [
        [count.kind, count.direction, str(count.count), count.claim] for count in report.counts
    ]
    columns = [
        Column("messages at a tag"),
        Column(""),
        Column("count", right=True),
        Column(""),
    ]
    return table(columns, rows, style)
