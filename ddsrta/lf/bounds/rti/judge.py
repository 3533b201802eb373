"""Everything that `ddsrta lf rti` says about a federation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ddsrta.base.units import format_duration
from ddsrta.bounds.result import Finding, Verdict, unless_errors
from ddsrta.bounds.unbounded import leads
from ddsrta.lf.bounds.assumptions import Assumption, assumption_findings, with_an_rti
from ddsrta.lf.bounds.latencies.chains import Latency, chain_latency
from ddsrta.lf.bounds.latencies.deadlines import Start, starts
from ddsrta.lf.bounds.latencies.rows import (
    Unbounded,
    overloaded_hosts,
    unbounded_lags,
    unbounded_results,
    unbounded_work,
)
from ddsrta.lf.bounds.latencies.verdict import verdict
from ddsrta.lf.bounds.offsets.judge import (
    Report,
    below_wait,
    host_findings,
    judge,
    tag_findings,
)
from ddsrta.lf.bounds.offsets.maxplus import around
from ddsrta.lf.bounds.rti.counts import Count, counts
from ddsrta.lf.bounds.rti.first import first_grants
from ddsrta.lf.bounds.rti.lags import Lags, lags
from ddsrta.lf.program.federation import Federation


@dataclass(frozen=True, slots=True)
class Price:
    """A chain with an RTI beside the same without."""

    centralized: Latency
    decentralized: Latency

    @property
    def difference(self) -> int | None:
        """How much more the RTI takes; negative where it is faster."""
        one, other = self.centralized.latency, self.decentralized.latency
        return None if one is None or other is None else one - other


@dataclass(frozen=True)
class RtiReport:
    """Lags, deadlines, chains with their price, messages, and what a person should know."""

    lags: Lags
    starts: tuple[Start, ...]
    chains: Mapping[str, Price]
    counts: tuple[Count, ...]
    decentralized: Report
    unbounded: tuple[Unbounded, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    assumptions: tuple[Assumption, ...]


def judge_rti(federation: Federation) -> RtiReport:
    """Work everything out.

    >>> from ddsrta.lf.program.examples import centralized
    >>> report = judge_rti(centralized())
    >>> report.verdict, report.chains["control"].difference
    ('met', -780000)
    """
    found, other = lags(federation), judge(federation)
    started = tuple(starts(found.network, found))
    chains = {
        name: Price(chain_latency(found.network, found, chain), other.chains[name])
        for name, chain in federation.chains.items()
    }
    shared = tuple(tag_findings(other.network))
    together = [members for members in found.zero_delay if members not in found.obstacles]
    first = first_grants(found.control, found.zero_delay)
    assumed = (*with_an_rti(federation, together), *first)
    findings = (
        *_circle_findings(federation, found),
        *(
            Finding("deadline-below-grant", "error", *late)
            for late in below_wait(federation, started, "the RTI may take to grant a tag")
        ),
        *shared,
        *host_findings(federation),
        *_notes(federation, found),
        *assumption_findings(assumed),
    )
    latencies = [price.centralized for price in chains.values()]
    rows = (
        *unbounded_lags(found.values, found.because),
        *(
            Unbounded("federate", name, leads("assumed", because))
            for name, because in found.assumed.items()
        ),
        *unbounded_work(found.network.launches),
        *overloaded_hosts(federation, other.network.launches),
        *unbounded_results(started, latencies),
    )
    result = unless_errors(verdict(rows, started, latencies, tardy=bool(shared)), findings)
    return RtiReport(found, started, chains, counts(found), other, rows, findings, result, assumed)


def _circle_findings(federation: Federation, found: Lags) -> Iterator[Finding]:
    where = federation.where("connections")
    for members in found.zero_delay:
        names = ", ".join(members)
        why = found.obstacles.get(members)
        if why is not None:
            yield Finding("zero-delay-cycle", "warning", why, where)
        else:
            message = (
                f"{names} are in a zero-delay cycle: the RTI lets them start a tag only together, "
                "and each waits within it for the others; an 'after' would part them"
            )
            yield Finding("zero-delay-cycle", "note", message, where)
    for circle in found.circles:
        names = around(circle.members)
        message = (
            f"lags grow without end in the circle {names}: "
            f"each round takes {format_duration(circle.weight)} more than 'after' gives"
        )
        index = circle.grants[0].connection
        where = None if index is None else federation.where("connections", index)
        yield Finding("positive-circle", "error", message, where)


def _notes(federation: Federation, found: Lags) -> Iterator[Finding]:
    advancing = list(
        dict.fromkeys(grant.source for grant in found.grants if grant.kind == "advance")
    )
    if advancing:
        interval = format_duration(federation.rti.advance_message_interval)
        names = ", ".join(advancing)
        message = (
            f"others wait {interval}, and its least delay, for {names}, "
            "which can have physical events"
        )
        yield Finding("physical-upstream", "note", message, federation.where("rti"))
    if federation.coordination == "decentralized":
        message = "the coordination is decentralized: this is what an RTI would take"
        yield Finding("decentralized", "note", message, federation.where("coordination"))
    circles = found.obstacles or found.circles
    if not circles and any(value is None for value in found.values.values()):
        because = next(iter(found.because.values()))
        yield Finding("unknown", "warning", f"some lags are not known: {because}")
