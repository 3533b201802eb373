"""What has no bound, and why: one row for each federate, host, deadline, chain or connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.latencies.chains import Latency
from ddsrta.lf.bounds.latencies.deadlines import Start
from ddsrta.lf.bounds.launch.lags import Launch, UnknownLagError, known, percent
from ddsrta.lf.bounds.unbounded import HOST_OVERLOAD
from ddsrta.lf.program.federation import Federation

Kind = Literal["federate", "host", "deadline", "chain", "connection"]


class Unbounded(NamedTuple):
    """A row without a bound."""

    kind: Kind
    name: str
    because: Because


def unbounded_lags(
    lags: Mapping[str, int | None], because: Mapping[str, Because]
) -> Iterator[Unbounded]:
    """Federates whose tags may start any time later."""
    for name, lag in lags.items():
        if lag is None:
            yield Unbounded("federate", name, because[name])


def unbounded_work(launches: Mapping[str, Launch]) -> Iterator[Unbounded]:
    """Federates whose tags may be done any time later: overloaded ones, and unknown costs.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> list(unbounded_work(network(two_federates()).launches))
    []
    """
    for name, launch in launches.items():
        _, because = known(launch.to_done)
        if because is not None:
            yield Unbounded("federate", name, because)


def overloaded_hosts(federation: Federation, launches: Mapping[str, Launch]) -> Iterator[Unbounded]:
    """Hosts, and cores on which federates are pinned, that have more work than time."""
    hosts: dict[str, list[str]] = {name: [] for name in federation.hosts}
    pins: dict[tuple[str, int], list[str]] = {}
    for name, federate in federation.federates.items():
        hosts[federate.host].append(name)
        if federate.core is not None:
            pins.setdefault((federate.host, federate.core), []).append(name)
    for host, names in hosts.items():
        cores = federation.hosts[host].cores
        if cores is not None and (load := _load(launches, names)) > 100 * cores:
            of = f" for {100 * cores} % of cores"
            text = HOST_OVERLOAD.of(where=f"host {host}", load=load, of=of)
            yield Unbounded("host", host, text)
    for (host, core), names in pins.items():
        if (load := _load(launches, names)) > 100:
            text = HOST_OVERLOAD.of(where=f"core {core} of host {host}", load=load, of="")
            yield Unbounded("host", host, text)


def _load(launches: Mapping[str, Launch], names: Iterable[str]) -> int:
    shares = []
    for name in names:
        try:
            shares.append(launches[name].share)
        except UnknownLagError:
            continue  # it has a row of its own
    return percent(sum(shares, Fraction(0)))


def unbounded_results(started: Iterable[Start], chains: Iterable[Latency]) -> Iterator[Unbounded]:
    """Deadlines and chains, wanted or not, that have no bound."""
    for start in started:
        if start.latest is None:
            assert start.because is not None
            yield Unbounded("deadline", f"{start.federate}.{start.reaction}", start.because)
    for latency in chains:
        if latency.latency is None:
            assert latency.because is not None
            yield Unbounded("chain", latency.chain.name, latency.because)


def reasons(rows: Iterable[Unbounded]) -> dict[str, list[str]]:
    """The names of all rows of a reason.

    >>> from ddsrta.lf.bounds.unbounded import CYCLE_OVERLOAD
    >>> load = CYCLE_OVERLOAD.of(names="e, f", load=120)
    >>> reasons([Unbounded("federate", "e", load), Unbounded("chain", "c", load)])[load]
    ['e', 'chain c']
    """
    found: dict[str, list[str]] = {}
    for row in rows:
        name = row.name if row.kind in ("federate", "deadline") else f"{row.kind} {row.name}"
        names = found.setdefault(row.because, [])
        if name not in names:
            names.append(name)
    return found
