"""Makes a Federation from what the shapes have read; contradictions are reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.lf.program.check_federates import check_federate
from ddsrta.lf.program.federates import Enclave, Federate, Span
from ddsrta.lf.program.federation import Connection, Federation, Host, Rti


def build_federation(raw: dict[str, Any], context: Context) -> Federation:
    """The federation; what the file leaves out of `raw` is taken to be empty."""
    hosts, federates = raw.get("hosts", {}), raw.get("federates", {})
    for federate in federates.values():
        _check_cores(federate, hosts, context)
        check_federate(federate, context)
    connections = tuple(raw.get("connections", ()))
    _check_ends(connections, context)
    return Federation(
        name=raw.get("name", "federation"),
        coordination=raw.get("coordination", "decentralized"),
        hosts=hosts,
        federates=federates,
        connections=connections,
        network=_network(raw.get("network", []), context),
        clock_errors=_clock_errors(raw.get("clock_errors", []), context),
        rti=raw.get("rti", Rti()),
        chains=raw.get("chains", {}),
        target=raw.get("target", "C"),
        tree=context.tree,
    )


def _check_cores(federate: Federate, hosts: Mapping[str, Host], context: Context) -> None:
    """Cores are numbered from 0."""
    host = hosts.get(federate.host)
    path = ("federates", federate.name)
    places: dict[tuple[str, ...], Federate | Enclave] = {path: federate}
    places |= {(*path, "enclaves", name): each for name, each in federate.enclaves.items()}
    for where, place in places.items():
        if host is not None and host.cores is not None and (place.core or 0) >= host.cores:
            message = f"host '{host.name}' has no core {place.core}: it has {host.cores}"
            context.report_at(message, *where, "core", advice="cores are numbered from 0")


def _check_ends(connections: tuple[Connection, ...], context: Context) -> None:
    """Each input is the end of one connection."""
    known: set[str] = set()
    for index, each in enumerate(connections):
        if (end := f"{each.target}.{each.input}") in known:
            context.report_at(
                f"'{end}' is already the end of a connection", "connections", index, "to"
            )
        known.add(end)


def _network(raw: list[dict[str, Any]], context: Context) -> dict[tuple[str, str], Span]:
    network: dict[tuple[str, str], Span] = {}
    for index, value in enumerate(raw):
        pair = (value["from"], value["to"])
        if pair in network:
            context.report_at("this direction is already given", "network", index)
        if value.get("best", 0) > value["delay"]:
            context.report_at("the best case is above the worst", "network", index, "best")
        network[pair] = Span(value["delay"], value.get("best", 0))
    return network


def _clock_errors(raw: list[dict[str, Any]], context: Context) -> dict[tuple[str, str], int]:
    errors: dict[tuple[str, str], int] = {}
    for index, value in enumerate(raw):
        pair = sorted(value["between"])
        if len(pair) != 2 or pair[0] == pair[1]:
            context.report_at("expected two different hosts", "clock_errors", index, "between")
            continue
        if (pair[0], pair[1]) in errors:
            context.report_at("this pair is already given", "clock_errors", index)
        errors[pair[0], pair[1]] = value["error"]
    return errors
