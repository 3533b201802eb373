"""What an independent checker needs to confirm what `ddsrta lf rti` prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ddsrta.lf.bounds.offsets.certificate import chain, head, met_unless, start_row, stp_claims
from ddsrta.lf.bounds.rti.grants import Grant
from ddsrta.lf.bounds.rti.judge import RtiReport


def rti_certificate(report: RtiReport) -> dict[str, Any]:
    """The certificate of `ddsrta lf rti`.

    >>> from ddsrta.lf.program.examples import centralized
    >>> from ddsrta.lf.bounds.rti.judge import judge_rti
    >>> rti_certificate(judge_rti(centralized()))["federates"]["sink"]["grant_lag"]
    870000
    """
    found = report.lags
    federation = found.network.federation
    return {
        **head("lf-rti", federation, report.assumptions),
        "federates": {
            name: {
                "grant_lag": value,
                "tag_takes": found.busy[name],
                "assumed": name in found.assumed,
            }
            for name, value in found.values.items()
        },
        "grants": [{**grant_row(g), "connection": g.connection} for g in found.grants],
        "deadlines": [_sure(start_row(each), each.federate, report) for each in report.starts],
        "chains": {
            name: _sure(chain(price.centralized), federation.chains[name].target[0], report)
            for name, price in report.chains.items()
        },
        "messages": [asdict(count) for count in report.counts],
        "decentralized": stp_claims(report.decentralized),
        "prices": {name: {"difference": price.difference} for name, price in report.chains.items()},
        "verdict": report.verdict,
    }


def grant_row(grant: Grant) -> dict[str, Any]:
    """What a grant waits for."""
    return {
        "kind": grant.kind,
        "source": grant.source,
        "target": grant.target,
        "x": grant.weight,
        "busy": grant.busy,
        "control": grant.control,
        "clock_error": grant.clock,
        "after": grant.delay,
    }


def _sure(row: dict[str, Any], federate: str, report: RtiReport) -> dict[str, Any]:
    return {**row, "met": met_unless(row["met"], report.lags.assumed.get(federate))}
