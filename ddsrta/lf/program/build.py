"""Makes a Federation from what the shapes have read; contradictions are reported."""

from __future__ import annotations

from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.lf.program.build_federates import federate
from ddsrta.lf.program.federation import Chain, Connection, Federation, Host, Rti, Span
from ddsrta.lf.program.tags import Shift


def build_federation(raw: dict[str, Any], context: Context) -> Federation:
    """The federation; what the file leaves out of `raw` is taken to be empty."""
    _check_cores(raw, context)
    return Federation(
        name=raw.get("name", "federation"),
        coordination=raw.get("coordination", "decentralized"),
        hosts={name: Host(name, **value) for name, value in raw.get("hosts", {}).items()},
        federates={
            name: federate(name, value, context) for name, value in raw.get("federates", {}).items()
        },
        connections=_connections(raw.get("connections", []), context),
        network=_network(raw.get("network", []), context),
        clock_errors=_clock_errors(raw.get("clock_errors", []), context),
        rti=_rti(raw.get("rti", {}), context),
        chains=_chains(raw.get("chains", {})),
        target=raw.get("target", "C"),
        tree=context.tree,
    )


def _check_cores(raw: dict[str, Any], context: Context) -> None:
    """Cores are numbered from 0."""
    for name, value in raw.get("federates", {}).items():
        cores = raw.get("hosts", {}).get(value["host"], {}).get("cores")
        places: dict[tuple[str, ...], dict[str, Any]] = {("federates", name): value}
        for enclave, inner in value.get("enclaves", {}).items():
            places["federates", name, "enclaves", enclave] = inner
        for path, place in places.items():
            if cores is not None and place.get("core", 0) >= cores:
                message = f"host '{value['host']}' has no core {place['core']}: it has {cores}"
                context.report_at(message, *path, "core", advice="cores are numbered from 0")


def span(raw: int | dict[str, int], context: Context, *path: str | int) -> Span:
    """A span from one time, or from a worst and a best one."""
    if isinstance(raw, int):
        return Span(raw)
    if raw.get("best", 0) > raw["worst"]:
        context.report_at("the best case is above the worst", *path, "best")
    return Span(raw["worst"], raw.get("best", 0))


def _rti(raw: dict[str, Any], context: Context) -> Rti:
    hop = raw.get("hop")
    return Rti(**{**raw, "hop": None if hop is None else span(hop, context, "rti", "hop")})


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


def _connections(raw: list[dict[str, Any]], context: Context) -> tuple[Connection, ...]:
    found: list[Connection] = []
    written: dict[str, int] = {}
    for index, value in enumerate(raw):
        path = ("connections", index)
        source, _, output = value["from"].partition(".")
        target, _, port = value["to"].partition(".")
        physical = value.get("physical", False)
        if source == target:
            context.report_at("both ends are in one federate", *path,
                              advice=f"put it under 'connections' of '{source}'")  # fmt: skip
        if value["to"] in written:
            context.report_at(f"'{value['to']}' is already the end of a connection", *path, "to")
        if physical and "absent_after" in value:
            context.report_at("a physical connection never waits", *path, "absent_after")
        if not physical and "min_spacing" in value:
            advice = "tags tell when messages of a logical one come"
            context.report_at("only a physical connection has it", *path, "min_spacing",
                              advice=advice)  # fmt: skip
        written[value["to"]] = index
        latency = value.get("latency")
        found.append(
            Connection(
                source,
                output,
                target,
                port,
                Shift.of(value.get("after")),
                physical,
                None if latency is None else span(latency, context, *path, "latency"),
                value.get("send", 0),
                value.get("absent_after"),
                value.get("min_spacing"),
            )
        )
    return tuple(found)


def _chains(raw: dict[str, Any]) -> dict[str, Chain]:
    chains = {}
    for name, value in raw.items():
        source, _, first = value["from"].partition(".")
        target, _, last = value["to"].partition(".")
        chains[name] = Chain(name, (source, first), (target, last), value.get("latency"))
    return chains
