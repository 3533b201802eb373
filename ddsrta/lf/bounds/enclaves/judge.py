"""Everything that `ddsrta lf enclaves` says about a federation as it is cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ddsrta.base.units import format_duration
from ddsrta.bounds.result import Finding, Verdict, unless_errors
from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.assumptions import Assumption, assumption_findings
from ddsrta.lf.bounds.enclaves.assumed import enclave_assumptions
from ddsrta.lf.bounds.enclaves.contention import Shared, shared
from ddsrta.lf.bounds.enclaves.lags import Program, Wait
from ddsrta.lf.bounds.enclaves.pins import pinned_hosts
from ddsrta.lf.bounds.enclaves.split import Split, crowded_hosts, split
from ddsrta.lf.bounds.enclaves.work import Parts
from ddsrta.lf.bounds.latencies.chains import Latency, chain_latency
from ddsrta.lf.bounds.latencies.deadlines import Start, starts
from ddsrta.lf.bounds.latencies.rows import (
    Unbounded,
    overloaded_hosts,
    unbounded_lags,
    unbounded_results,
)
from ddsrta.lf.bounds.latencies.verdict import verdict
from ddsrta.lf.bounds.launch.lags import UnknownLagError
from ddsrta.lf.bounds.offsets.maxplus import around
from ddsrta.lf.program.federation import Federation


@dataclass(frozen=True, slots=True)
class Row:
    """An enclave: its tags start at most `waits` after their time, for what they wait upstream, and
    are done after `parts` more, and `others` where cores are shared. None: not bounded."""

    name: str
    federate: str
    enclave: str
    reactions: int
    workers: int
    waits: int | None
    parts: Parts | None
    others: int | None
    done: int | None
    because: Because | None
    path: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A chain, and where the time of its last enclave goes."""

    latency: Latency
    waits: int | None
    parts: Parts | None
    others: int | None


@dataclass(frozen=True)
class EnclaveReport:
    """Enclaves, deadlines, chains, and what a person should know."""

    split: Split
    shared: Shared
    rows: tuple[Row, ...]
    starts: tuple[Start, ...]
    chains: Mapping[str, ChainRow]
    unbounded: tuple[Unbounded, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    assumptions: tuple[Assumption, ...]


def judge_enclaves(federation: Federation) -> EnclaveReport:
    """Work everything out.

    >>> from ddsrta.lf.program.examples import enclaves
    >>> report = judge_enclaves(enclaves())
    >>> report.verdict, [(row.name, row.done) for row in report.rows]
    ('met', [('radio', 200000), ('radio.decoding', 4200000)])
    """
    cut = split(federation)
    found = shared(Program(cut))
    lags = found.lags
    started = tuple(starts(lags.network, _Known(found)))
    chains = {
        name: _chain(found, chain_latency(lags.network, _Known(found), chain))
        for name, chain in cut.federation.chains.items()
    }
    assumed = tuple(enclave_assumptions(cut))
    findings = (
        *_late(federation, cut, found, started, chains),
        *_circles(federation, found),
        *_notes(federation, cut),
        *assumption_findings(assumed),
    )
    rows = tuple(_row(cut, found, name) for name in cut.members)
    latencies = [row.latency for row in chains.values()]
    unbounded = (
        *unbounded_lags(found.done, found.because),
        *overloaded_hosts(cut.federation, lags.works),
        *(Unbounded("host", *row) for row in pinned_hosts(cut.federation).items()),
        *unbounded_results(started, latencies),
    )
    result = unless_errors(verdict(unbounded, started, latencies), findings)
    return EnclaveReport(cut, found, rows, started, chains, unbounded, findings, result, assumed)


@dataclass(frozen=True)
class _Known:
    """Shared lags as what deadlines and chains are worked out from."""

    found: Shared

    @property
    def values(self) -> Mapping[str, int | None]:
        return self.found.values

    @property
    def because(self) -> Mapping[str, Because]:
        return self.found.because


def _parts(found: Shared, name: str, reaction: str | None = None) -> Parts | None:
    try:
        return found.lags.works[name].parts(reaction)
    except UnknownLagError:
        return None


def _row(cut: Split, found: Shared, name: str) -> Row:
    federate, enclave = cut.members[name]
    part = cut.federation.federates[name]
    return Row(
        name,
        federate,
        enclave,
        len(part.reactions),
        part.workers,
        found.lags.values[name],
        _parts(found, name),
        found.extra[name],
        found.done[name],
        found.because.get(name),
        found.lags.paths[name],
    )


def _chain(found: Shared, latency: Latency) -> ChainRow:
    name, reaction = latency.chain.target
    return ChainRow(
        latency, found.lags.values[name], _parts(found, name, reaction), found.extra[name]
    )


def _late(
    federation: Federation,
    cut: Split,
    found: Shared,
    started: tuple[Start, ...],
    chains: Mapping[str, ChainRow],
) -> Iterator[Finding]:
    for start in started:
        if start.latest is None or start.met:
            continue
        late = format_duration(start.latest - start.deadline)
        message = f"{start.federate}.{start.reaction} can start {late} after its deadline: "
        message += _shares(found, start.federate, _parts(found, start.federate, start.reaction))
        path = (
            "federates",
            cut.members[start.federate][0],
            "reactions",
            start.reaction,
            "deadline",
        )
        yield Finding("late-start", "error", message, federation.where(*path))
    for name, row in chains.items():
        latency, wanted = row.latency.latency, row.latency.chain.latency
        if latency is None or wanted is None or latency <= wanted:
            continue
        message = f"chain {name} can take {format_duration(latency - wanted)} too long: "
        message += _shares(found, row.latency.chain.target[0], row.parts)
        yield Finding("late-chain", "error", message, federation.where("chains", name, "latency"))


def _shares(found: Shared, name: str, parts: Parts | None) -> str:
    """What the time goes into, the largest first."""
    shares = {"waiting for enclaves upstream": found.lags.values[name] or 0}
    if parts is not None:
        shares["the tag barrier (work of earlier tags)"] = parts.tag_barrier
        shares["work at the tag"] = parts.work
        shares["the level barrier"] = parts.level_barrier
    shares["others on its cores"] = found.extra[name] or 0
    largest = sorted((time, text) for text, time in shares.items() if time)[::-1]
    return ", ".join(f"{format_duration(time)} {text}" for time, text in largest)


def _circles(federation: Federation, found: Shared) -> Iterator[Finding]:
    for members in found.lags.zero_delay:
        names = ", ".join(members)
        message = f"{names} wait for each other at the same tag, without end: give one an 'after'"
        yield Finding("deadlock", "error", message, federation.where("federates"))
    for members in found.lags.circles:
        message = f"lags grow without end in the circle {around(members)}"
        yield Finding("positive-circle", "error", message, federation.where("federates"))


def _notes(federation: Federation, cut: Split) -> Iterator[Finding]:
    for federate, first, then in cut.lost:
        message = f"{first} and {then} are in two enclaves: nothing makes the second wait"
        where = federation.where("federates", federate, "reactions", then, "after")
        yield Finding("order-lost", "warning", message, where)
    crowded = crowded_hosts(cut.federation)
    several: dict[str, int] = {}
    for part in cut.federation.federates.values():
        several[part.host] = several.get(part.host, 0) + part.workers
    for name, count in several.items():
        where = federation.where("hosts", name)
        if name in crowded:
            message = (
                f"host {name} has {crowded[name]} cores for {count} workers: whoever gets one is "
                "taken to be open, and that none idles while a worker is ready"
            )
            yield Finding("shared-cores", "note", message, where)
        elif federation.hosts[name].cores is None and count > 1:
            message = f"the cores of host {name} are not given: each worker is taken to have one"
            yield Finding("cores-unknown", "note", message, where)
    targets = {c.target for c in cut.federation.connections if not c.physical}
    for name, part in cut.federation.federates.items():
        given = all(reaction.level is not None for reaction in part.reactions.values())
        if federation.target == "C" and part.workers > 1 and name in targets and not given:
            message = f"levels of {name} are not known with target C: it counts as one worker"
            yield Finding("levels-unknown", "note", message,
                          federation.where("federates", cut.members[name][0]))  # fmt: skip
