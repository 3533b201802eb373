"""Reads the federation of a certificate, and believes nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ddsrta.checker.lf import things
from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    mapping,
    names,
    one_of,
    optional_integer,
    optional_word,
    record,
    shown,
    text,
    truth,
)

_T = TypeVar("_T")
_MOST = 200_000


def read_federation(value: object) -> things.Federation:
    """The federation; raises CertificateError."""
    keys = ("federation", "name", "coordination", "target", "hosts", "clock_errors", "network",
            "rti", "federates", "connections", "chains")  # fmt: skip
    raw = record(value, "federation", keys)
    integer(raw["federation"], "federation", 1)
    text(raw["name"], "name")
    found = things.Federation(
        one_of(raw["coordination"], "coordination", ("centralized", "decentralized")),
        one_of(raw["target"], "target", ("C", "Cpp")),
        _all(raw["hosts"], "hosts", _host),
        _clock_errors(raw["clock_errors"]),
        _network(raw["network"]),
        _rti(raw["rti"]),
        _all(raw["federates"], "federates", _federate),
        tuple(
            _connection(item, f"connections.{index}")
            for index, item in enumerate(array(raw["connections"], "connections"))
        ),
        _all(raw["chains"], "chains", _chain),
        {},
        {},
    )
    _references(found)
    incoming: dict[str, list[things.Connection]] = {name: [] for name in found.federates}
    outgoing: dict[str, list[things.Connection]] = {name: [] for name in found.federates}
    for connection in found.connections:
        incoming[connection.target].append(connection)
        outgoing[connection.source].append(connection)
    return found._replace(incoming=_fixed(incoming), outgoing=_fixed(outgoing))


def _fixed(lists: Mapping[str, list[_T]]) -> dict[str, tuple[_T, ...]]:
    return {name: tuple(items) for name, items in lists.items()}


def _all(value: object, where: str, read: Callable[[object, str], _T]) -> dict[str, _T]:
    items = mapping(value, where)
    if len(items) > _MOST:
        raise CertificateError(f"{where}: too many")
    return {name: read(item, f"{where}.{name}") for name, item in items.items()}


def _host(value: object, where: str) -> things.Host:
    raw = record(value, where, ("cores", "clock_error", "shared_clock"))
    return things.Host(
        optional_integer(raw["cores"], f"{where}.cores", 1),
        optional_integer(raw["clock_error"], f"{where}.clock_error"),
        truth(raw["shared_clock"], f"{where}.shared_clock"),
    )


def _clock_errors(value: object) -> dict[frozenset[str], int]:
    found: dict[frozenset[str], int] = {}
    for item in array(value, "clock_errors"):
        raw = record(item, "clock_errors", ("between", "error"))
        pair = frozenset(names(raw["between"], "clock_errors"))
        if len(pair) != 2 or pair in found:
            raise CertificateError("clock_errors: expected pairs of hosts, each once")
        found[pair] = integer(raw["error"], "clock_errors")
    return found


def _network(value: object) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for item in array(value, "network"):
        raw = record(item, "network", ("from", "to", "worst", "best"))
        pair = (text(raw["from"], "network"), text(raw["to"], "network"))
        if pair in found:
            raise CertificateError("network: a direction is given twice")
        found[pair] = _worst(raw, "network")
    return found


def _worst(raw: Mapping[str, Any], where: str) -> int:
    worst = integer(raw["worst"], where)
    if integer(raw["best"], where) > worst:
        raise CertificateError(f"{where}: the best case is above the worst")
    return worst


def _span(value: object, where: str) -> int | None:
    return None if value is None else _worst(record(value, where, ("worst", "best")), where)


def _rti(value: object) -> things.Rti:
    raw = record(value, "rti", ("host", "hop", "service", "dnet", "advance_message_interval"))
    return things.Rti(
        optional_word(raw["host"], "rti.host"),
        _span(raw["hop"], "rti.hop"),
        optional_integer(raw["service"], "rti.service"),
        truth(raw["dnet"], "rti.dnet"),
        integer(raw["advance_message_interval"], "rti.advance_message_interval"),
    )


def _wait(value: object, where: str) -> things.Wait:
    return things.FOREVER if value == things.FOREVER else optional_integer(value, where)


def _federate(value: object, where: str) -> things.Federate:
    keys = ("host", "workers", "scheduler", "maxwait", "overhead", "rti_hop", "core", "timers",
            "actions", "inputs", "outputs", "reactions", "connections", "enclaves")  # fmt: skip
    raw = record(value, where, keys)
    return things.Federate(
        text(raw["host"], f"{where}.host"),
        integer(raw["workers"], f"{where}.workers", 1),
        one_of(raw["scheduler"], f"{where}.scheduler", ("NP", "GEDF_NP", "ADAPTIVE")),
        _wait(raw["maxwait"], f"{where}.maxwait"),
        integer(raw["overhead"], f"{where}.overhead"),
        _span(raw["rti_hop"], f"{where}.rti_hop"),
        optional_integer(raw["core"], f"{where}.core"),
        _all(raw["timers"], f"{where}.timers", _timer),
        _all(raw["actions"], f"{where}.actions", _action),
        _all(raw["inputs"], f"{where}.inputs", _port),
        frozenset(_all(raw["outputs"], f"{where}.outputs", _port)),
        _all(raw["reactions"], f"{where}.reactions", _reaction),
        tuple(_inner(item, f"{where}.connections")
              for item in array(raw["connections"], f"{where}.connections")),
        _all(raw["enclaves"], f"{where}.enclaves", _enclave),
    )  # fmt: skip


def _timer(value: object, where: str) -> things.Timer:
    raw = record(value, where, ("offset", "period"))
    return things.Timer(integer(raw["offset"], where), optional_integer(raw["period"], where, 1))


def _action(value: object, where: str) -> things.Action:
    raw = record(value, where, ("kind", "min_delay", "min_spacing", "policy", "extra_delay"))
    physical = one_of(raw["kind"], where, ("logical", "physical")) == "physical"
    policy = one_of(raw["policy"], where, ("defer", "drop", "replace", "update"))
    extra = one_of(raw["extra_delay"], where, ("none", "any")) == "any"
    spacing = optional_integer(raw["min_spacing"], where)
    free = physical or extra or spacing is not None
    kept = None if policy == "update" else spacing or None
    return things.Action(physical, integer(raw["min_delay"], where), kept, free)


def _port(value: object, where: str) -> things.Wait:
    return _wait(record(value, where, ("absent_after",))["absent_after"], where)


def _reaction(value: object, where: str) -> things.Reaction:
    keys = ("reactor", "triggers", "sources", "effects", "wcet", "bcet", "deadline", "level",
            "after", "always", "tardy")  # fmt: skip
    raw = record(value, where, keys)
    wcet = optional_integer(raw["wcet"], where)
    if wcet is not None and integer(raw["bcet"], where) > wcet:
        raise CertificateError(f"{where}: the best case is above the worst")
    return things.Reaction(
        text(raw["reactor"], where),
        names(raw["triggers"], where),
        names(raw["sources"], where),
        names(raw["effects"], where),
        wcet,
        optional_integer(raw["deadline"], where),
        optional_integer(raw["level"], where),
        names(raw["after"], where),
        truth(raw["always"], where),
        truth(raw["tardy"], where),
    )


def _inner(value: object, where: str) -> things.Inner:
    raw = record(value, where, ("source", "target", "after"))
    ends = text(raw["source"], where), text(raw["target"], where)
    return things.Inner(*ends, optional_integer(raw["after"], where))


def _enclave(value: object, where: str) -> things.Enclave:
    raw = record(value, where, ("reactors", "workers", "core"))
    return things.Enclave(
        names(raw["reactors"], where),
        integer(raw["workers"], where, 1),
        optional_integer(raw["core"], where),
    )


def _connection(value: object, where: str) -> things.Connection:
    keys = ("source", "output", "target", "input", "after", "physical", "latency", "send",
            "absent_after", "min_spacing")  # fmt: skip
    raw = record(value, where, keys)
    source, output, target, port = (text(raw[key], where) for key in keys[:4])
    return things.Connection(
        source,
        output,
        target,
        port,
        after=optional_integer(raw["after"], where),
        physical=truth(raw["physical"], where),
        latency=_span(raw["latency"], where),
        send=integer(raw["send"], where),
        absent=_wait(raw["absent_after"], where),
        spacing=optional_integer(raw["min_spacing"], where) or None,
    )


def _chain(value: object, where: str) -> things.Chain:
    raw = record(value, where, ("from", "to", "latency"))
    ends = [names(raw[key], where) for key in ("from", "to")]
    if [len(end) for end in ends] != [2, 2]:
        raise CertificateError(f"{where}: expected a federate and a reaction")
    source, target = ((end[0], end[1]) for end in ends)
    return things.Chain(source, target, optional_integer(raw["latency"], where))


def _references(found: things.Federation) -> None:
    """Every name that is used must be there, and tell one thing from another."""
    for name, federate in found.federates.items():
        where = f"federates.{name}"
        _known(federate.host, found.hosts, where)
        kinds = (federate.timers, federate.actions, federate.inputs, federate.outputs)
        places = [*things.BUILT_IN, *(place for kind in kinds for place in kind)]
        if len(set(places)) < len(places):
            raise CertificateError(f"{where}: a name has two meanings")
        ports = {*federate.inputs, *federate.outputs}
        for reaction in federate.reactions.values():
            for place in (*reaction.triggers, *reaction.sources, *reaction.effects):
                _known(place, places, where)
            for effect in reaction.effects:
                _known(effect, ports | set(federate.actions), where)
            for other in reaction.after:
                _known(other, federate.reactions, where)
        for inner in federate.inner:
            _known(inner.source, ports, where)
            _known(inner.target, ports, where)
    ends: set[tuple[str, str]] = set()
    for connection in found.connections:
        for name in (connection.source, connection.target):
            _known(name, found.federates, "connections")
        _known(connection.output, found.federates[connection.source].outputs, "connections")
        _known(connection.input, found.federates[connection.target].inputs, "connections")
        end = (connection.target, connection.input)
        if end in ends or connection.source == connection.target:
            raise CertificateError("connections: an input has two, or a federate one to itself")
        ends.add(end)
    for name, chain in found.chains.items():
        for federate_name, reaction_name in (chain.source, chain.target):
            _known(federate_name, found.federates, f"chains.{name}")
            reactions = found.federates[federate_name].reactions
            _known(reaction_name, reactions, f"chains.{name}")


def _known(name: str, among: Any, where: str) -> None:
    if name not in among:
        raise CertificateError(f"{where}: there is no {shown(name)}")
