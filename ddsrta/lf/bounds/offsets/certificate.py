"""What an independent checker needs to confirm what `ddsrta lf` prints: the federation, and every
figure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ddsrta.lf.bounds.assumptions import Assumption
from ddsrta.lf.bounds.latencies.chains import Latency
from ddsrta.lf.bounds.latencies.deadlines import Start
from ddsrta.lf.bounds.offsets.judge import Report
from ddsrta.lf.bounds.offsets.links import Link
from ddsrta.lf.bounds.offsets.verify import Check
from ddsrta.lf.program.document import to_document
from ddsrta.lf.program.federation import Federation
from ddsrta.models.document import digest

VERSION = 1


def stp_certificate(report: Report) -> dict[str, Any]:
    """The certificate of `ddsrta lf stp`.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.judge import judge
    >>> stp_certificate(judge(two_federates()))["federates"]["sink"]["offset"]
    1650000
    """
    federation = report.network.federation
    return {**head("lf-stp", federation, report.assumptions), **stp_claims(report)}


def stp_claims(report: Report) -> dict[str, Any]:
    """All figures, without whose they are."""
    least = {link.index: link.weight for link in report.offsets.network.links}
    return {
        "federates": {
            name: {
                "offset": report.required[name],
                "wait": report.waits.values[name],
                "absent": report.network.absent[name],
                "least": report.offsets.offsets[name].value,
            }
            for name in report.network.federation.federates
        },
        "connections": [
            {**link_row(report, link), "least_x": least[link.index]}
            for link in report.network.links
        ],
        "checks": [check_row(check) for check in report.checks],
        "deadlines": [start_row(start) for start in report.starts],
        "chains": {name: chain(latency) for name, latency in report.chains.items()},
        "verdict": report.verdict,
    }


def head(profile: str, federation: Federation, assumptions: Iterable[Assumption]) -> dict[str, Any]:
    """What all of them begin with."""
    document = to_document(federation)
    return {
        "ddsrta_certificate": VERSION,
        "profile": profile,
        "federation": document,
        "digest": digest(document),
        "assumptions": sorted({assumption.rule for assumption in assumptions}),
    }


def link_row(report: Report, link: Link) -> dict[str, Any]:
    """What a connection does to offsets."""
    return {
        "connection": link.index,
        "x": link.weight,
        "absent": link.absent,
        "launch_lag": link.lag,
        "latency": link.latency,
        "clock_error": link.clock,
        "after": link.delay,
        "slack": report.offsets.slack(link),
    }


def check_row(check: Check) -> dict[str, Any]:
    """A maxwait that the file gives."""
    return {
        "connection": check.link.index,
        "needed": check.need,
        "outcome": check.outcome,
        "slack": check.slack,
    }


def start_row(start: Start) -> dict[str, Any]:
    """The latest start of a reaction."""
    return {
        "federate": start.federate,
        "reaction": start.reaction,
        "latest_start": start.latest,
        "wait": start.wait,
        "met": start.met,
    }


def met_unless(met: bool | None, assumed: str | None) -> bool | None:
    """Nothing is met by what is only assumed."""
    return None if met and assumed else met


def chain(latency: Latency) -> dict[str, Any]:
    """The latency of a chain, and what it is made of."""
    return {
        "latency": latency.latency,
        "delay": latency.delay,
        "wait": latency.wait,
        "lag": latency.lag,
        "met": latency.met,
    }
