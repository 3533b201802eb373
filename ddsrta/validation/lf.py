"""Traces of Lingua Franca beside the bounds of a federation.

Measured are, of each federate, how long after its time a tag starts; of each connection, how long a
message is on its way from the start of the reaction that sends it; and what must not happen at all:
messages that are tardy, deadlines that are missed. A tag that came so soon after the one before of
the same federate that it may have waited for that one is left out: the bounds leave it out, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ddsrta.base.diagnostics import did_you_mean
from ddsrta.base.units import Duration
from ddsrta.lf.bounds.offsets.judge import Report, judge
from ddsrta.lf.bounds.rti.judge import RtiReport, judge_rti
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.run.traces import RunSeen, observe
from ddsrta.validation.compare import Row, Unmatched, Validation
from ddsrta.validation.lf_model import hold_federation
from ddsrta.validation.measured import Series

START, ON_ITS_WAY = "after its time", "until receipt"
_NOTES = (
    "such a trace has no processor time: what the machine did looks like what the program did",
    "latencies of chains are not measured",
    "how long federates are told to wait, their workers, the order of reactions and the tags of "
    "messages do not show: they were not held against the model",
)
_APART = (
    "clocks of hosts that differ by less than a message takes do not show: latencies between hosts "
    "may be off by as much"
)


def validate_federation(federation: Federation, folder: str) -> Validation:
    """Hold the bounds of a federation against the traces in a folder."""
    return compare_run(federation, observe(folder), folder)


def compare_run(federation: Federation, run: RunSeen, source: str) -> Validation:
    """The same for a run that was read already."""
    if federation.coordination == "centralized":
        central = judge_rti(federation)
        rows = [*_starts(federation, central.lags.values, run)]
        broken = [*_missed(central, run)]
    else:
        report = judge(federation)
        rows = [*_starts(federation, report.waits.values, run), *_messages(report, run)]
        broken = [*_tardy(report, run), *_missed(report, run)]
    held = hold_federation(federation, run, _clocks(federation))
    rows.sort(key=lambda row: not row.violated)
    return Validation(
        federation.name, source, "lf", tuple(rows), tuple(_unknown(federation, run)),
        tuple(_unmeasured(federation, rows)),
        (*_aside(federation, run), *_NOTES, *_apart(federation)), tuple(broken),
        held.contradictions, held.words,
    )  # fmt: skip


def _apart(federation: Federation) -> Iterator[str]:
    if len({federate.host for federate in federation.federates.values()}) > 1:
        yield _APART


def _starts(federation: Federation, waits: Mapping[str, int | None], run: RunSeen) -> Iterator[Row]:
    for name, seen in run.federates.items():
        federate = federation.federates.get(name)
        series = _series(seen.alone())
        if federate is None or not series.count:
            continue
        wait = waits.get(name)
        bound = None if wait is None else Duration(wait + federate.overhead)
        yield Row("tag of", name, START, bound, series)


def _messages(report: Report, run: RunSeen) -> Iterator[Row]:
    """Of several connections between two federates the looser bound: the trace does not say which
    one a message took."""
    bounds: dict[tuple[str, str], int | None] = {}
    clocks = _clocks(report.network.federation)
    for link in report.network.links:
        ends = link.connection.source, link.connection.target
        before, way = bounds.get(ends, 0), None
        if link.latency is not None and link.clock is not None:
            way = link.latency + link.clock
        bounds[ends] = None if way is None or before is None else max(before, way)
    for (source, target), bound in bounds.items():
        hop = run.between(source, target, "P2P_TAGGED_MSG")
        least = hop.network.least if hop is not None else None
        apart = clocks.get(ends, 0)
        if hop is not None and least is not None and least >= -apart:
            name = f"{source} → {target}"
            limit = None if bound is None else Duration(bound)
            yield Row("message", name, ON_ITS_WAY, limit, _series(hop.network))


def _clocks(federation: Federation) -> dict[tuple[str, str], int]:
    """How far apart the clocks of two federates are at most, as far as that is modelled."""
    found = {}
    for one in federation.federates.values():
        for other in federation.federates.values():
            hosts = tuple(sorted((one.host, other.host)))
            error = federation.clock_errors.get((hosts[0], hosts[1]))
            if error is None and hosts[0] != hosts[1]:
                errors = [federation.hosts[host].clock_error for host in hosts]
                error = sum(each or 0 for each in errors)
            found[one.name, other.name] = error or 0
    return found


def _series(values: Iterable[int]) -> Series:
    series = Series()
    for value in values:
        series.add(max(0, value))  # by no more than the error of clocks
    return series


def _tardy(report: Report, run: RunSeen) -> Iterator[str]:
    """Federates that no message can be late for, and one was."""
    unsafe = {check.link.connection.target for check in report.checks if check.outcome != "met"}
    for name, seen in run.federates.items():
        if seen.tardy and name in report.network.federation.federates and name not in unsafe:
            yield f"{name}: {seen.tardy} tardy messages, where none can be"


def _missed(report: Report | RtiReport, run: RunSeen) -> Iterator[str]:
    """Federates all of whose deadlines are met, and one was missed."""
    unmet = {start.federate for start in report.starts if not start.met}
    sure = {start.federate for start in report.starts} - unmet
    for name, seen in run.federates.items():
        missed = sum(reaction.missed for reaction in seen.reactions.values())
        if missed and name in sure:
            yield f"{name}: {missed} deadlines missed, where none can be"


def _unknown(federation: Federation, run: RunSeen) -> Iterator[Unmatched]:
    for name in run.federates:
        if name not in federation.federates:
            yield Unmatched(name, did_you_mean(name, federation.federates))


def _unmeasured(federation: Federation, rows: list[Row]) -> Iterator[str]:
    measured = {row.name for row in rows}
    for name in federation.federates:
        if name not in measured:
            yield f"tag of {name}"


def _aside(federation: Federation, run: RunSeen) -> Iterator[str]:
    bare = [name for name, one in federation.federates.items() if not one.overhead]
    if bare:
        yield f"no 'overhead' is given for {', '.join(bare)}: their tags start without any, then"
    for name, seen in run.federates.items():
        left = len(seen.by_tag) - len(seen.alone())
        if left:
            yield f"{name}: {left} of {len(seen.by_tag)} tags came too soon after the one before"
        if seen.enclaves:
            yield f"{name}: its trace does not tell the tags of its enclaves apart"
    lost = sum(hop.unmatched for hop in run.hops)
    if lost:
        yield f"{lost} messages were sent or received in one trace only"
