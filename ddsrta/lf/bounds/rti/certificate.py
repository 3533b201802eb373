"""What an independent checker needs to confirm what `ddsrta lf rti` prints."""

from __future__ import annotations

from typing import Any

from ddsrta.lf.bounds.offsets.certificate import chain, deadlines, head, stp_claims
from ddsrta.lf.bounds.rti.grants import Grant
from ddsrta.lf.bounds.rti.judge import RtiReport


def rti_certificate(report: RtiReport) -> dict[str, Any]:
    """The certificate of `ddsrta lf rti`.

    >>> from ddsrta.lf.program.examples import centralized
    >>> from ddsrta.lf.bounds.rti.judge import judge_rti
    >>> rti_certificate(judge_rti(centralized()))["federates"]["sink"]["grant_lag"]
    760000
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
        "grants": [_grant(grant) for grant in found.grants],
        "deadlines": [_sure(row, row["federate"], report) for row in deadlines(report.starts)],
        "chains": {
            name: _sure(chain(price.centralized), federation.chains[name].target[0], report)
            for name, price in report.chains.items()
        },
        "messages": [
            {
                "kind": count.kind,
                "direction": count.direction,
                "count": count.count,
                "claim": count.claim,
            }
            for count in report.counts
        ],
        "decentralized": stp_claims(report.decentralized),
        "prices": {name: {"difference": price.difference} for name, price in report.chains.items()},
        "verdict": report.verdict,
    }


def _grant(grant: Grant) -> dict[str, Any]:
    return {
        "kind": grant.kind,
        "source": grant.source,
        "target": grant.target,
        "connection": grant.connection,
        "x": grant.weight,
        "busy": grant.busy,
        "control": grant.control,
        "clock_error": grant.clock,
        "after": grant.delay,
    }


def _sure(row: dict[str, Any], federate: str, report: RtiReport) -> dict[str, Any]:
    """Nothing is met by what is only assumed."""
    unsure = row["met"] and federate in report.lags.assumed
    return {**row, "met": None} if unsure else row
