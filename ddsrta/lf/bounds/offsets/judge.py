"""Everything that `ddsrta lf stp` says about a federation (lemmas safe-to-process, given-waits)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ddsrta.base.diagnostics import Position, expect
from ddsrta.base.units import format_duration
from ddsrta.bounds.result import Finding, Verdict, unless_errors
from ddsrta.lf.bounds.assumptions import Assumption, assumption_findings, assumptions
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
from ddsrta.lf.bounds.logical_time.between import undisturbed
from ddsrta.lf.bounds.logical_time.certain import shares_tag
from ddsrta.lf.bounds.offsets.least import Offsets, offsets
from ddsrta.lf.bounds.offsets.links import Network, network, with_short
from ddsrta.lf.bounds.offsets.maxplus import around
from ddsrta.lf.bounds.offsets.short import least_network
from ddsrta.lf.bounds.offsets.verify import Check, checks
from ddsrta.lf.bounds.offsets.waits import Waits, required_offsets, settled, waits
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.shapes import FOREVER


@dataclass(frozen=True)
class Report:
    """Offsets (the least if all are, and those `required` with the waits that others are given),
    checks of those that are given, deadlines, chains, and what a person should know."""

    network: Network
    offsets: Offsets
    required: Mapping[str, int | None]
    waits: Waits
    checks: tuple[Check, ...]
    starts: tuple[Start, ...]
    chains: Mapping[str, Latency]
    unbounded: tuple[Unbounded, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    assumptions: tuple[Assumption, ...] = ()


def judge(federation: Federation) -> Report:
    """Work everything out.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> judge(two_federates()).verdict
    'met'
    """
    is_fine = isinstance(federation, Federation)
    expect("federation", federation, is_fine, "a Federation, as of ddsrta.lf.program.reader.load")
    links, found = _waiting(federation)
    least = offsets(least_network(federation))
    checked = tuple(checks(links, found))
    started = tuple(starts(links, found))
    chains = {name: chain_latency(links, found, chain) for name, chain in federation.chains.items()}
    assumed = assumptions(federation)
    findings = (
        *_circle_findings(least),
        *_check_findings(federation, checked),
        *tag_findings(links),
        *_wait_findings(federation, found),
        *_short_findings(links),
        *(
            Finding("deadline-below-wait", "error", *late)
            for late in below_wait(federation, started, "its federate waits for inputs")
        ),
        *host_findings(federation),
        *_coordination_findings(federation),
        *assumption_findings(assumed),
    )
    rows = tuple(_unbounded(links, least, found, checked, started, chains))
    tardy = any(check.outcome == "violated" for check in checked) or any(
        shares_tag(links.found, link.connection) for link in links.links
    )
    result = unless_errors(verdict(rows, started, chains.values(), tardy=tardy), findings)
    required = required_offsets(links, found)
    return Report(
        links, least, required, found, checked, started, chains, rows, findings, result, assumed
    )


def _waiting(federation: Federation) -> tuple[Network, Waits]:
    """How long all wait, some of them less than their messages are late (lemma ticks-between)."""
    links, found = settled(network(federation))
    while late := undisturbed(links, found):
        nearer, shorter = settled(with_short(network(federation, late), links.short))
        if nearer.short == links.short:
            return nearer, shorter
        # Shorter waits made others short: what is late has to be found with these.
        links = with_short(links, nearer.short)
        found = waits(links)
    return links, found


def _unbounded(
    links: Network,
    least: Offsets,
    found: Waits,
    checked: tuple[Check, ...],
    started: tuple[Start, ...],
    chains: Mapping[str, Latency],
) -> Iterator[Unbounded]:
    for name, offset in least.offsets.items():
        if offset.because is not None:
            yield Unbounded("federate", name, offset.because)
    yield from unbounded_lags(found.values, found.because)
    yield from unbounded_work(links.launches)
    yield from overloaded_hosts(links.federation, links.launches)
    for check in checked:
        if check.outcome == "unbounded":
            source = check.link.connection.source
            because = check.link.unknown or found.because[source]
            yield Unbounded("connection", check.link.connection.name, because)
    yield from unbounded_results(started, chains.values())


def _circle_findings(least: Offsets) -> Iterator[Finding]:
    for circle in least.circles:
        names = around(circle.members)
        message = (
            f"no offsets exist for the circle {names}: its messages come "
            f"{format_duration(circle.weight)} later each time round"
        )
        where = least.network.federation.where("connections", circle.links[0].index)
        yield Finding("positive-circle", "error", message, where)


def _check_findings(federation: Federation, checked: tuple[Check, ...]) -> Iterator[Finding]:
    for check in checked:
        if check.outcome not in ("violated", "unbounded"):
            continue
        name = check.link.connection.name
        where = federation.where("connections", check.link.index)
        if check.silent:
            reactions = ", ".join(check.silent)
            message = (
                f"messages over {name} can be tardy, and get a wrong tag unnoticed: "
                f"{reactions} of {check.link.connection.target} without a tardy handler"
            )
            yield Finding("tardy-unnoticed", "error", message, where)
        else:
            message = f"messages over {name} can be tardy: their handlers are needed"
            yield Finding("tardy", "warning", message, where)
    if any(check.outcome == "violated" for check in checked):
        message = "what follows a tardy message is bounded only once there are none"
        yield Finding("after-tardy", "note", message)


def tag_findings(links: Network) -> Iterator[Finding]:
    """Connections whose messages can get the same tag, whatever the coordination."""
    for link in links.links:
        if shares_tag(links.found, link.connection):
            message = (
                f"messages over {link.connection.name} of one time and several microsteps get the "
                "same tag, because of its 'after': all but one can be tardy"
            )
            where = links.federation.where("connections", link.index)
            yield Finding("same-tag", "error", message, where)


def _wait_findings(federation: Federation, found: Waits) -> Iterator[Finding]:
    for name, federate in federation.federates.items():
        if federate.maxwait == FOREVER and found.values[name] is None:
            where = federation.where("federates", name, "maxwait")
            yield Finding("endless-wait", "warning", found.because[name], where)
        elif name in found.network.endless:
            where = federation.where("federates", name)
            yield Finding("endless-wait", "warning", found.network.endless[name], where)


def _short_findings(links: Network) -> Iterator[Finding]:
    names = list(dict.fromkeys(links.federation.connections[i].target for i in sorted(links.short)))
    if names:
        more = format_duration(links.federation.short_wait)
        message = (
            f"the C runtime waits {more} longer for inputs of {', '.join(names)}, as maxwait and "
            "absent_after are less than that: all times are with it"
        )
        where = links.federation.where("federates", names[0])
        yield Finding("short-wait", "note", message, where)


def below_wait(
    federation: Federation, started: tuple[Start, ...], what: str
) -> Iterator[tuple[str, Position | None]]:
    """Of each reaction that has to start before its federate may: what is said, and where."""
    for start in started:
        if start.wait is not None and start.wait > start.deadline:
            name = f"{start.federate}.{start.reaction}"
            path = ("federates", start.federate, "reactions", start.reaction, "deadline")
            message = f"the deadline of {name} is shorter than the time that {what}"
            yield message, federation.where(*path)


def host_findings(federation: Federation) -> Iterator[Finding]:
    """What is assumed of hosts and enclaves, whatever the coordination."""
    workers = dict.fromkeys(federation.hosts, 0)
    for name, federate in federation.federates.items():
        workers[federate.host] += federate.workers
        workers[federate.host] += sum(enclave.workers for enclave in federate.enclaves.values())
        if federate.enclaves and federation.target != "C":  # there they have no bound
            message = f"the enclaves of {name} are taken for one with one worker"
            where = federation.where("federates", name, "enclaves")
            yield Finding("enclaves-as-one", "note", message, where)
    for name, count in workers.items():
        cores = federation.hosts[name].cores
        if cores is not None and count > cores:
            message = (
                f"host {name} has {cores} cores for {count} workers: "
                "execution times must include what others on them take"
            )
            yield Finding("more-workers-than-cores", "warning", message,
                          federation.where("hosts", name))  # fmt: skip


def _coordination_findings(federation: Federation) -> Iterator[Finding]:
    if federation.coordination == "centralized":
        message = "the coordination is centralized: this is what a decentralized one would need"
        yield Finding("centralized", "note", message, federation.where("coordination"))
