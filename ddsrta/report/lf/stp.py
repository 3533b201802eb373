"""The document of `ddsrta lf stp`: offsets, connections, checks, chains; and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddsrta.base.text import rounded_down, rounded_up, shown
from ddsrta.lf.bounds.offsets.certificate import check_row, link_row
from ddsrta.lf.bounds.offsets.judge import Report
from ddsrta.lf.bounds.offsets.links import Link
from ddsrta.lf.bounds.offsets.tradeoff import Tradeoff
from ddsrta.lf.bounds.offsets.verify import Check
from ddsrta.lf.bounds.offsets.whatif import WhatIf
from ddsrta.lf.program.shapes import FOREVER
from ddsrta.report.lf.page import (
    Document,
    arrows,
    count,
    ending,
    heading,
    latency_cells,
    latency_dict,
    most,
    page,
    start_dict,
    starts_table,
    unbounded_lines,
)
from ddsrta.report.style import PLAIN, Style
from ddsrta.report.table import Cell, Row, bound, down, some, table, up

_OUTCOMES = {
    "met": "never tardy",
    "alone": "never tardy: its messages make all tags",
    "between": "never tardy: no tag comes before them",
    "spaced": "never tardy, with absent_after",
    "shared": "can be tardy: messages share a tag",
    "violated": "can be tardy",
    "unbounded": "unbounded",
}
_GOOD = ("met", "alone", "between", "spaced")


def report_dict(
    report: Report, what_ifs: Sequence[WhatIf] = (), trade: Tradeoff | None = None
) -> Document:
    """The document.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.judge import judge
    >>> report_dict(judge(two_federates()))["federates"]["sink"]["offset"]
    1650000
    """
    federation = report.network.federation
    document: Document = {
        **heading(federation, report.verdict),
        "federates": {name: _federate(report, name) for name in federation.federates},
        "connections": [_link(report, link) for link in report.network.links],
        "circles": [
            {
                "federates": list(circle.members),
                "connections": _names(circle.links),
                "weight": circle.weight,
            }
            for circle in report.offsets.circles
        ],
        "repairs": _more(report, report.offsets.repairs),
        "checks": [_check(check) for check in report.checks],
        "deadlines": [start_dict(start) for start in report.starts],
        "chains": {name: latency_dict(latency) for name, latency in report.chains.items()},
        "what_if": [_what_if(report, answer) for answer in what_ifs],
        **ending(report.unbounded, report.findings),
    }
    if trade is not None:
        document["tradeoff"] = {
            "least_after": trade.least,
            "curves": {curve.federate: [list(p) for p in curve.points] for curve in trade.curves},
        }
    return document


def _federate(report: Report, name: str) -> Document:
    offset, required = report.offsets.offsets[name], report.required[name]
    # The offset if all are least, where others that are given make it another one.
    other = {} if offset.value == required else {"offset_if_all_are_least": offset.value}
    return {
        "offset": required,
        **other,
        "path": _names(offset.path),
        "unbounded_because": offset.because,
        "maxwait": report.network.federation.federates[name].maxwait,
        "wait": report.waits.values[name],
        "physical_actions": offset.physical,
    }


def _names(path: Sequence[Link]) -> list[str]:
    return [link.connection.name for link in path]


def _more(report: Report, amounts: Mapping[int, int]) -> list[Document]:
    connections = report.network.federation.connections
    return [
        {"connection": connections[index].name, "more_after": amount}
        for index, amount in amounts.items()
    ]


def _link(report: Report, link: Link) -> Document:
    name = link.connection.name
    return {**link_row(report, link), "connection": name, "unknown": link.unknown}


def _check(check: Check) -> Document:
    return {
        **check_row(check),
        "connection": check.link.connection.name,
        "federate": check.link.connection.target,
        "maxwait": FOREVER if check.maxwait is None else check.maxwait,
        "absent_after": FOREVER if check.absent is None else check.absent,
        "path": _names(check.path),
        "without_tardy_handler": list(check.silent),
    }


def _what_if(report: Report, answer: WhatIf) -> Document:
    return {
        "chain": answer.chain.name,
        "wanted": answer.wanted,
        "possible": answer.possible,
        "floor": answer.floor,
        "reached": answer.reached,
        "more_after": _more(report, answer.more),
        "maxwait": dict(answer.waits),
        "unbounded_because": answer.because,
    }


def report_text(report: Report, what_ifs: Sequence[WhatIf] = (), style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.judge import judge
    >>> print(report_text(judge(two_federates())).splitlines()[0])
    MET  two federates: 2 federates, 1 connection, largest offset 1.65 ms
    """
    document = report_dict(report, what_ifs)
    offsets = [federate["offset"] for federate in document["federates"].values()]
    largest = most(offsets, "federate", "without an offset", "largest offset {}")
    connections = len(report.network.federation.connections)
    sections = [
        _repairs(report, document),
        _federates(report, document, style),
        unbounded_lines(document),
        _checks(report, document, style),
        _connections(document, style),
        starts_table(document, style),
        _chains(document, style),
        *(_answer(answer) for answer in document["what_if"]),
    ]
    return page(f"{count(document, connections)}, {largest}", document, sections, style)


def _repairs(report: Report, document: Document) -> list[str]:
    if not document["repairs"]:
        return []
    first = "offsets exist with more 'after':"
    if not report.offsets.repaired:
        first = "offsets need more 'after', and more than this:"
    return [first, *_amounts(document["repairs"])]


def _amounts(more: Sequence[Document]) -> list[str]:
    return [f"  {shown(one['connection'])}: {rounded_up(one['more_after'])} more" for one in more]


def _federates(report: Report, document: Document, style: Style) -> list[str]:
    rows: list[Row] = []
    for name, federate in document["federates"].items():
        maxwait = federate["maxwait"]
        rows.append(
            [
                name,
                bound(federate["offset"]),
                maxwait if maxwait == FOREVER else down(maxwait),
                up(federate.get("offset_if_all_are_least")),
                "physical actions" if federate["physical_actions"] else "",
                _path(_cause(report, name)),
            ]
        )
    names = ("federate", ">offset", ">maxwait", ">?if all are least", "?", "?because of")
    return table(names, rows, style)


def _cause(report: Report, name: str) -> Sequence[Link]:
    """What makes the offset that a federate needs; the document has that of the least one."""
    required = report.required[name]
    offset = report.offsets.offsets[name]
    if required is None or required == offset.value:
        return offset.path
    for link in report.network.inputs[name]:
        start = report.waits.values[link.connection.source]
        if start is not None and link.weight is not None and start + link.weight == required:
            return (*report.waits.path(link.connection.source), link)
    return ()


def _path(path: Sequence[Link]) -> str:
    """The federates on a path; the document has the connections between them."""
    if not path:
        return ""
    return arrows([path[0].connection.source, *(link.connection.target for link in path)])


def _checks(report: Report, document: Document, style: Style) -> list[str]:
    rows: list[Row] = []
    for check, found in zip(document["checks"], report.checks, strict=True):
        maxwait, outcome = check["maxwait"], check["outcome"]
        rows.append(
            [
                check["connection"],
                bound(check["needed"]),
                maxwait if maxwait == FOREVER else rounded_down(maxwait),
                down(check["slack"]),
                Cell(_OUTCOMES[outcome], "good" if outcome in _GOOD else "bad"),
                _path(found.path),
            ]
        )
    names = ("given maxwait", ">needed", ">given", ">slack", "", "?path")
    return table(names, rows, style)


def _connections(document: Document, style: Style) -> list[str]:
    rows: list[Row] = [
        [
            link["connection"],
            bound(link["x"]),
            some(link["absent"]),
            *(bound(link[key]) for key in ("launch_lag", "latency", "clock_error")),
            some(link["after"], down),
            down(link["slack"]),
        ]
        for link in document["connections"]
    ]
    names = (
        "connection",
        ">X",
        ">?absent",
        ">?launch lag",
        ">?latency",
        ">?clock",
        ">?after",
        ">slack",
    )
    return table(names, rows, style)


def _chains(document: Document, style: Style) -> list[str]:
    rows: list[Row] = []
    for name, chain in document["chains"].items():
        cells, state = latency_cells(name, chain)
        rows.append([*cells, up(chain["delay"]), up(chain["wait"]), up(chain["lag"]), state])
    names = ("chain", ">latency", ">wanted", ">after", ">wait", ">lag", "")
    return table(names, rows, style)


def _answer(answer: Document) -> list[str]:
    """What would bring a chain's latency down."""
    head = f"{shown(answer['chain'])} in {rounded_down(answer['wanted'])}"
    if answer["floor"] is None:
        return [f"{head}: no bound: {shown(answer['unbounded_because'] or 'see above')}"]
    alone = rounded_up(answer["floor"])
    if answer["floor"] > answer["wanted"]:
        return [f"{head}: impossible: the chain takes {alone} on its own"]
    if not answer["possible"]:
        return [f"{head}: no change of 'after' was found (alone it takes {alone})"]
    reached = rounded_up(answer["reached"] or 0)
    if not answer["more_after"]:
        return [f"{head}: nothing to change: it takes {reached}"]
    waits = ", ".join(f"{shown(f)} {rounded_down(wait)}" for f, wait in answer["maxwait"].items())
    return [
        f"{head}: it takes {reached} with more 'after':",
        *_amounts(answer["more_after"]),
        f"  or with maxwait at most {waits}: then messages to them can be tardy by as much, "
        "and no bound has what these add",
    ]
