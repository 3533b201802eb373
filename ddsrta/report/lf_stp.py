"""What a person reads of `ddsrta lf stp`: the verdict, what is wrong, offsets, connections."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.text import plural, rounded_down, rounded_up, shown
from ddsrta.lf.bounds.offsets.judge import Report
from ddsrta.lf.bounds.offsets.links import Link
from ddsrta.lf.bounds.offsets.verify import Check
from ddsrta.lf.bounds.offsets.whatif import WhatIf
from ddsrta.lf.program.federation import FOREVER
from ddsrta.report.findings import finding_lines
from ddsrta.report.lf_cells import bound_cell, starts_table, state_cell, unbounded_lines
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Column, table

NOTHING = "–"
_OUTCOMES = {
    "met": "never tardy",
    "alone": "never tardy: its messages make all tags",
    "between": "never tardy: no tag comes before them",
    "spaced": "never tardy, with absent_after",
    "shared": "can be tardy: messages share a tag",
    "violated": "can be tardy",
    "unbounded": "unbounded",
}


def report_text(report: Report, what_ifs: Sequence[WhatIf] = (), style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.judge import judge
    >>> print(report_text(judge(two_federates())).splitlines()[0])
    MET  two federates: 2 federates, 1 connection, largest offset 1.65 ms
    """
    grave = [finding for finding in report.findings if finding.severity == "error"]
    others = [finding for finding in report.findings if finding.severity != "error"]
    sections = [
        [_verdict(report, style)],
        finding_lines(grave, style),
        _repairs(report),
        _federates(report, style),
        unbounded_lines(report.unbounded),
        _checks(report, style),
        _connections(report, style),
        starts_table(report.starts, style),
        _chains(report, style),
        *(_what_if(report, answer) for answer in what_ifs),
        finding_lines(others, style),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def _verdict(report: Report, style: Style) -> str:
    federation = report.network.federation
    paint = {"met": style.good, "unbounded": style.unsure}.get(report.verdict, style.bad)
    values = list(report.required.values())
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        largest = f"{plural(len(values) - len(known), 'federate')} without an offset"
    else:
        largest = f"largest offset {rounded_up(max(known, default=0))}"
    counts = (
        f"{plural(len(values), 'federate')}, {plural(len(federation.connections), 'connection')}"
    )
    verdict = style.strong(paint(report.verdict.upper()))
    return f"{verdict}  {shown(federation.name)}: {counts}, {largest}"


def _repairs(report: Report) -> list[str]:
    if not report.offsets.repairs:
        return []
    connections = report.network.federation.connections
    first = "offsets exist with more 'after':"
    if not report.offsets.repaired:
        first = "offsets need more 'after', and more than this:"
    return [first] + [
        f"  {shown(connections[index].name)}: {rounded_up(amount)} more"
        for index, amount in report.offsets.repairs.items()
    ]


def _federates(report: Report, style: Style) -> list[str]:
    rows = []
    for name, federate in report.network.federation.federates.items():
        offset = report.offsets.offsets[name]
        given = federate.maxwait
        maxwait = "" if given is None else given if given == FOREVER else rounded_down(int(given))
        required = report.required[name]
        other = offset.value is not None and required != offset.value
        path = _path_text(_path(report, name)) if _path(report, name) else ""
        rows.append(
            [
                shown(name),
                bound_cell(required, style),
                maxwait,
                rounded_up(offset.value) if other and offset.value is not None else "",
                "physical actions" if offset.physical else "",
                path,
            ]
        )
    columns = [
        Column("federate"),
        Column("offset", right=True),
        Column("maxwait", right=True),
        Column("if all are least", right=True, spare=True),
        Column("", spare=True),
        Column("because of", spare=True),
    ]
    return table(columns, rows, style)


def _path(report: Report, name: str) -> Sequence[Link]:
    """What makes the offset that a federate needs."""
    required = report.required[name]
    offset = report.offsets.offsets[name]
    if required is None or required == offset.value:
        return offset.path
    for link in report.network.inputs[name]:
        start = report.waits.values[link.connection.source]
        if start is not None and link.weight is not None and start + link.weight == required:
            return (*report.waits.path(link.connection.source), link)
    return ()


def _path_text(path: Sequence[Link]) -> str:
    names = [path[0].connection.source, *(link.connection.target for link in path)]
    if len(names) > 5:
        names = [*names[:2], "…", *names[-2:]]
    return " → ".join(shown(name) for name in names)


def _checks(report: Report, style: Style) -> list[str]:
    rows = [
        [
            shown(check.link.connection.name),
            bound_cell(check.need, style),
            FOREVER if check.maxwait is None else rounded_down(check.maxwait),
            _slack(check),
            Cell(
                _OUTCOMES[check.outcome],
                style.good if check.outcome in ("met", "alone", "between", "spaced") else style.bad,
            ),
            _path_text(check.path),
        ]
        for check in report.checks
    ]
    columns = [
        Column("given maxwait"),
        Column("needed", right=True),
        Column("given", right=True),
        Column("slack", right=True),
        Column(""),
        Column("path", spare=True),
    ]
    return table(columns, rows, style) if rows else []


def _slack(check: Check) -> str:
    return "" if check.slack is None else rounded_down(check.slack)


def _connections(report: Report, style: Style) -> list[str]:
    rows = []
    for link in report.network.links:
        weight, slack = link.weight, report.offsets.slack(link)
        rows.append(
            [
                shown(link.connection.name),
                bound_cell(weight, style),
                "" if not link.absent else rounded_up(link.absent),
                bound_cell(link.lag, style),
                bound_cell(link.latency, style),
                bound_cell(link.clock, style),
                "" if not link.delay else rounded_down(link.delay),
                "" if slack is None else rounded_down(slack),
            ]
        )
    names = ("connection", "X", "absent", "launch lag", "latency", "clock", "after", "slack")
    columns = [
        Column(name, right=index > 0, spare=2 <= index <= 6) for index, name in enumerate(names)
    ]
    return table(columns, rows, style) if rows else []


def _chains(report: Report, style: Style) -> list[str]:
    rows = []
    for name, latency in report.chains.items():
        wanted = latency.chain.latency
        state: Cell | str = ""
        if wanted is not None:
            state = state_cell(bool(latency.met), style)
        if latency.latency is None:
            state = shown(latency.because or "")
        rows.append(
            [
                shown(name),
                bound_cell(latency.latency, style),
                "" if wanted is None else rounded_down(wanted),
                "" if latency.delay is None else rounded_up(latency.delay),
                "" if latency.wait is None else rounded_up(latency.wait),
                "" if latency.lag is None else rounded_up(latency.lag),
                state,
            ]
        )
    names = ("chain", "latency", "wanted", "after", "wait", "lag", "")
    columns = [Column(name, right=0 < index < 6) for index, name in enumerate(names)]
    return table(columns, rows, style) if rows else []


def _what_if(report: Report, answer: WhatIf) -> list[str]:
    name, wanted = shown(answer.chain.name), rounded_down(answer.wanted)
    if answer.floor is None:
        return [f"{name} in {wanted}: no bound: {shown(answer.because or 'see above')}"]
    alone = rounded_up(answer.floor)
    if answer.floor > answer.wanted:
        return [f"{name} in {wanted}: impossible: the chain takes {alone} on its own"]
    if not answer.possible:
        return [f"{name} in {wanted}: no change of 'after' was found (alone it takes {alone})"]
    reached = rounded_up(answer.reached or 0)
    if not answer.more:
        return [f"{name} in {wanted}: nothing to change: it takes {reached}"]
    connections = report.network.federation.connections
    lines = [f"{name} in {wanted}: it takes {reached} with more 'after':"]
    lines += [
        f"  {shown(connections[index].name)}: {rounded_up(amount)} more"
        for index, amount in answer.more.items()
    ]
    waits = ", ".join(
        f"{shown(federate)} {rounded_down(wait)}" for federate, wait in answer.waits.items()
    )
    return [
        *lines,
        f"  or with maxwait at most {waits}: then their messages can be tardy by as much",
    ]
