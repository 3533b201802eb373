"""The document of `ddsrta lf rti`: lags, grants, chains with their price, messages; its tables."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.text import rounded_up
from ddsrta.lf.bounds.rti.certificate import grant_row
from ddsrta.lf.bounds.rti.grants import Grant
from ddsrta.lf.bounds.rti.judge import Price, RtiReport
from ddsrta.report.json import plain
from ddsrta.report.lf.page import (
    Document,
    arrows,
    assumed_dict,
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
from ddsrta.report.table import Row, bound, down, some, table


def report_dict(report: RtiReport) -> Document:
    """The document.

    >>> from ddsrta.lf.program.examples import centralized
    >>> from ddsrta.lf.bounds.rti.judge import judge_rti
    >>> report_dict(judge_rti(centralized()))["federates"]["sink"]["grant_lag"]
    870000
    """
    found = report.lags
    return {
        **heading(found.network.federation, report.verdict),
        "federates": {
            name: {
                "grant_lag": value,
                "tag_takes": found.busy[name],
                "path": [_grant(report, grant)["name"] for grant in found.paths[name]],
                "unbounded_because": found.because.get(name),
                **assumed_dict(found.assumed.get(name)),
                "decentralized_wait": report.decentralized.waits.values[name],
            }
            for name, value in found.values.items()
        },
        "grants": [_grant(report, grant) for grant in found.grants],
        "zero_delay_cycles": [list(members) for members in found.zero_delay],
        "circles": [
            {"federates": list(circle.members), "weight": circle.weight} for circle in found.circles
        ],
        "deadlines": [
            start_dict(start, found.assumed.get(start.federate)) for start in report.starts
        ],
        "chains": {name: _chain(report, price) for name, price in report.chains.items()},
        "messages_per_tag": plain(report.counts),
        **ending(report.unbounded, report.findings),
    }


def _grant(report: RtiReport, grant: Grant) -> Document:
    connections = report.lags.network.federation.connections
    index = grant.connection
    return {
        "name": f"clock of {grant.target}" if index is None else connections[index].name,
        **grant_row(grant),
        "unknown": grant.unknown,
    }


def _chain(report: RtiReport, price: Price) -> Document:
    latency = price.centralized
    return {
        **latency_dict(latency, report.lags.assumed.get(latency.chain.target[0])),
        "decentralized": price.decentralized.latency,
        "decentralized_unbounded_because": price.decentralized.because,
        "price": price.difference,
    }


def report_text(report: RtiReport, style: Style = PLAIN) -> str:
    """The whole report as text.

    >>> from ddsrta.lf.program.examples import centralized
    >>> from ddsrta.lf.bounds.rti.judge import judge_rti
    >>> print(report_text(judge_rti(centralized())).splitlines()[0])
    MET  two federates: 2 federates, 1 connection, largest grant lag 870 us
    """
    document = report_dict(report)
    lags = [federate["grant_lag"] for federate in document["federates"].values()]
    largest = most(lags, "federate", "without a bound", "largest grant lag {}")
    connections = len(report.lags.network.federation.connections)
    sections = [
        _federates(report, document, style),
        unbounded_lines(document),
        _grants(document, style),
        starts_table(document, style),
        _chains(document, style),
        _counts(document, style),
    ]
    return page(f"{count(document, connections)}, {largest}", document, sections, style)


def _federates(report: RtiReport, document: Document, style: Style) -> list[str]:
    rows: list[Row] = [
        [
            name,
            bound(federate["grant_lag"]),
            bound(federate["tag_takes"]),
            bound(federate["decentralized_wait"]),
            _path(report.lags.paths[name]),
        ]
        for name, federate in document["federates"].items()
    ]
    names = ("federate", ">grant lag", ">tag takes", ">decentralized wait", "?because of")
    return table(names, rows, style)


def _path(path: Sequence[Grant]) -> str:
    """The federates that a grant waits for; the document has the connections between them."""
    if not path:
        return ""
    begin = {"advance": f"clock of {path[0].source}", "event": "own clock"}
    first = begin.get(path[0].kind, path[0].source)
    return arrows([first, *(grant.target for grant in path)])


def _grants(document: Document, style: Style) -> list[str]:
    rows: list[Row] = []
    for grant in document["grants"]:
        name = f"clock over {grant['name']}" if grant["kind"] == "advance" else grant["name"]
        rows.append(
            [
                name,
                bound(grant["x"]),
                bound(grant["busy"]),
                bound(grant["control"]),
                bound(grant["clock_error"]),
                some(grant["after"], down),
            ]
        )
    names = ("grant waits for", ">X", ">?tag or clock", ">?RTI", ">?clock error", ">?after")
    return table(names, rows, style)


def _chains(document: Document, style: Style) -> list[str]:
    rows: list[Row] = []
    for name, chain in document["chains"].items():
        cells, state = latency_cells(name, chain)
        price = chain["price"]
        sign = "+" if price is not None and price > 0 else ""
        difference = "" if price is None else f"{sign}{rounded_up(price)}"
        rows.append([*cells, bound(chain["decentralized"]), difference, state])
    names = ("chain", ">centralized", ">wanted", ">decentralized", ">price", "")
    return table(names, rows, style)


def _counts(document: Document, style: Style) -> list[str]:
    rows: list[Row] = [
        [each["kind"], each["direction"], str(each["count"]), each["claim"]]
        for each in document["messages_per_tag"]
    ]
    return table(("messages at a tag", "", ">count", ""), rows, style)
