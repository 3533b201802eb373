"""The JSON form of `ddsrta lf rti`: stable keys, times in integer nanoseconds, null for unknown."""

from __future__ import annotations

import json
from typing import Any

from ddsrta.lf.bounds.rti.grants import Grant
from ddsrta.lf.bounds.rti.judge import Price, RtiReport
from ddsrta.report.json import plain
from ddsrta.report.lf_cells import unbounded_list

FORMAT = 1


def report_json(report: RtiReport) -> str:
    """The text of the document: escaped to ASCII, so that no terminal or pipe can spoil it."""
    return json.dumps(report_dict(report), indent=2, allow_nan=False) + "\n"


def report_dict(report: RtiReport) -> dict[str, Any]:
    """The document.

    >>> from ddsrta.lf.program.examples import centralized
    >>> from ddsrta.lf.bounds.rti.judge import judge_rti
    >>> report_dict(judge_rti(centralized()))["federates"]["sink"]["grant_lag"]
    760000
    """
    found = report.lags
    federation = found.network.federation
    return {
        "ddsrta": FORMAT,
        "federation": federation.name,
        "coordination": federation.coordination,
        "verdict": report.verdict,
        "federates": {
            name: {
                "grant_lag": value,
                "tag_takes": found.busy[name],
                "path": [_grant(report, grant)["name"] for grant in found.paths[name]],
                "unbounded_because": found.because.get(name),
                **_assumed(found.assumed.get(name)),
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
            {
                "federate": start.federate,
                "reaction": start.reaction,
                "deadline": start.deadline,
                "latest_start": start.latest,
                "wait": start.wait,
                "met": _met(start.met, found.assumed.get(start.federate)),
                "unbounded_because": start.because,
                **_assumed(found.assumed.get(start.federate)),
            }
            for start in report.starts
        ],
        "chains": {name: _chain(report, price) for name, price in report.chains.items()},
        "messages_per_tag": [
            {
                "kind": count.kind,
                "direction": count.direction,
                "count": count.count,
                "claim": count.claim,
            }
            for count in report.counts
        ],
        "unbounded": unbounded_list(report.unbounded),
        "findings": [plain(finding) for finding in report.findings],
    }


def _grant(report: RtiReport, grant: Grant) -> dict[str, Any]:
    connections = report.lags.network.federation.connections
    index = grant.connection
    return {
        "kind": grant.kind,
        "name": f"clock of {grant.target}" if index is None else connections[index].name,
        "source": grant.source,
        "target": grant.target,
        "x": grant.weight,
        "busy": grant.busy,
        "control": grant.control,
        "clock_error": grant.clock,
        "after": grant.delay,
        "unknown": grant.unknown,
    }


def _met(met: bool | None, assumed: str | None) -> bool | None:
    """Nothing is met by what is only assumed."""
    return None if met and assumed else met


def _assumed(because: str | None) -> dict[str, str]:
    """Why a lag is assumed, where it is."""
    return {} if because is None else {"assumed_because": because}


def _chain(report: RtiReport, price: Price) -> dict[str, Any]:
    latency = price.centralized
    assumed = report.lags.assumed.get(latency.chain.target[0])
    return {
        "latency": latency.latency,
        "wanted": latency.chain.latency,
        "met": _met(latency.met, assumed),
        "delay": latency.delay,
        "wait": latency.wait,
        "lag": latency.lag,
        "unbounded_because": latency.because,
        **_assumed(assumed),
        "decentralized": price.decentralized.latency,
        "decentralized_unbounded_because": price.decentralized.because,
        "price": price.difference,
    }
