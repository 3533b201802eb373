"""The JSON form of `ddsrta lf stp`: stable keys, times in integer nanoseconds, null for unknown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ddsrta.lf.bounds.offsets.judge import Report
from ddsrta.lf.bounds.offsets.links import Link
from ddsrta.lf.bounds.offsets.tradeoff import Tradeoff
from ddsrta.lf.bounds.offsets.whatif import WhatIf
from ddsrta.report.json import plain
from ddsrta.report.lf_cells import unbounded_list

FORMAT = 1


def report_json(
    report: Report, what_ifs: Sequence[WhatIf] = (), trade: Tradeoff | None = None
) -> str:
    """The text of the document: escaped to ASCII, so that no terminal or pipe can spoil it."""
    return json.dumps(report_dict(report, what_ifs, trade), indent=2, allow_nan=False) + "\n"


def report_dict(
    report: Report, what_ifs: Sequence[WhatIf] = (), trade: Tradeoff | None = None
) -> dict[str, Any]:
    """The document.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.judge import judge
    >>> report_dict(judge(two_federates()))["federates"]["sink"]["offset"]
    1650000
    """
    federation = report.network.federation
    document: dict[str, Any] = {
        "ddsrta": FORMAT,
        "federation": federation.name,
        "coordination": federation.coordination,
        "verdict": report.verdict,
        "federates": {name: _federate(report, name) for name in federation.federates},
        "connections": [_link(report, link) for link in report.network.links],
        "circles": [
            {
                "federates": list(circle.members),
                "connections": [link.connection.name for link in circle.links],
                "weight": circle.weight,
            }
            for circle in report.offsets.circles
        ],
        "repairs": [
            {"connection": federation.connections[index].name, "more_after": amount}
            for index, amount in report.offsets.repairs.items()
        ],
        "checks": [
            {
                "connection": check.link.connection.name,
                "federate": check.link.connection.target,
                "needed": check.need,
                "maxwait": "forever" if check.maxwait is None else check.maxwait,
                "absent_after": "forever" if check.absent is None else check.absent,
                "outcome": check.outcome,
                "slack": check.slack,
                "path": _path(check.path),
                "without_tardy_handler": list(check.silent),
            }
            for check in report.checks
        ],
        "deadlines": [
            {
                "federate": start.federate,
                "reaction": start.reaction,
                "deadline": start.deadline,
                "latest_start": start.latest,
                "wait": start.wait,
                "met": start.met,
                "unbounded_because": start.because,
            }
            for start in report.starts
        ],
        "chains": {
            name: {
                "latency": latency.latency,
                "wanted": latency.chain.latency,
                "met": latency.met,
                "delay": latency.delay,
                "wait": latency.wait,
                "lag": latency.lag,
                "unbounded_because": latency.because,
            }
            for name, latency in report.chains.items()
        },
        "what_if": [_what_if(report, answer) for answer in what_ifs],
        "unbounded": unbounded_list(report.unbounded),
        "findings": [plain(finding) for finding in report.findings],
    }
    if trade is not None:
        document["tradeoff"] = {
            "least_after": trade.least,
            "curves": {curve.federate: [list(p) for p in curve.points] for curve in trade.curves},
        }
    return document


def _federate(report: Report, name: str) -> dict[str, Any]:
    offset = report.offsets.offsets[name]
    return {
        "offset": report.required[name],
        **_other_offset(report, name),
        "path": _path(offset.path),
        "unbounded_because": offset.because,
        "maxwait": report.network.federation.federates[name].maxwait,
        "wait": report.waits.values[name],
        "physical_actions": offset.physical,
    }


def _other_offset(report: Report, name: str) -> dict[str, int | None]:
    """The offset if all are least, where others that are given make it another one."""
    least = report.offsets.offsets[name].value
    return {} if least == report.required[name] else {"offset_if_all_are_least": least}


def _path(path: Sequence[Link]) -> list[str]:
    return [link.connection.name for link in path]


def _link(report: Report, link: Link) -> dict[str, Any]:
    return {
        "connection": link.connection.name,
        "x": link.weight,
        "absent": link.absent,
        "launch_lag": link.lag,
        "latency": link.latency,
        "clock_error": link.clock,
        "after": link.delay,
        "slack": report.offsets.slack(link),
        "unknown": link.unknown,
    }


def _what_if(report: Report, answer: WhatIf) -> dict[str, Any]:
    connections = report.network.federation.connections
    return {
        "chain": answer.chain.name,
        "wanted": answer.wanted,
        "possible": answer.possible,
        "floor": answer.floor,
        "reached": answer.reached,
        "more_after": [
            {"connection": connections[index].name, "more_after": amount}
            for index, amount in answer.more.items()
        ],
        "maxwait": dict(answer.waits),
        "unbounded_because": answer.because,
    }
