"""The plain document of a federation, out of the nodes of its file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ddsrta.checker.yaml import values
from ddsrta.checker.yaml.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries,
    fields,
    is_nothing,
    listed,
    wrong,
)

Document = dict[str, Any]
_MOST = 10_000  # of cores and workers
_KEYS = ("name", "target", "clock_errors", "network", "rti", "connections", "chains")
_CONNECTION = ("after", "physical", "latency", "send", "absent_after", "min_spacing")
_FEDERATE = ("workers", "core", "scheduler", "maxwait", "overhead", "rti_hop", "timers", "actions",
             "inputs", "outputs", "reactions", "connections", "enclaves")  # fmt: skip
_REACTION = ("reactor", "sources", "effects", "wcet", "bcet", "deadline", "level", "after",
             "always", "tardy")  # fmt: skip


def federation(root: Node) -> Document:
    """The federation that a text says, as integers, strings, lists and mappings."""
    raw = fields(root, "a federation", ("federation", "coordination", "hosts", "federates"), _KEYS)
    version = raw["federation"]
    if not (isinstance(version, Scalar) and version.plain and version.value == "1"):
        raise wrong(version, "expected 1, the only version of the format")
    links = listed(raw["connections"], "connections") if "connections" in raw else []
    return {
        "federation": 1,
        "name": values.name(raw["name"]) if "name" in raw else "federation",
        "coordination": values.one_of(raw["coordination"], ("centralized", "decentralized")),
        "target": _word(raw, "target", ("C", "Cpp")),
        "hosts": _each(raw, "hosts", _host, dots=False),
        "clock_errors": _clock_errors(raw),
        "network": _network(raw),
        "rti": _rti(raw.get("rti")),
        "federates": _each(raw, "federates", _federate, dots=False),
        "connections": [_connection(node) for node in links],
        "chains": _each(raw, "chains", _chain),
    }


def _each(
    raw: dict[str, Node], kind: str, read: Callable[[Node], Document], *, dots: bool = True
) -> Document:
    found = entries(raw[kind], kind) if kind in raw else {}
    for name, node in found.items():
        values.named(name, node)
        if not dots and "." in name:
            raise wrong(node, "this name holds a dot")
    return {name: read(node) for name, node in found.items()}


def _perhaps(node: Node, what: str, keys: tuple[str, ...]) -> dict[str, Node]:
    """The parts of a mapping that may be left empty."""
    return {} if is_nothing(node) else fields(node, what, (), keys)


def _time(raw: dict[str, Node], key: str, otherwise: int | None = None) -> int | None:
    return values.time(raw[key]) if key in raw else otherwise


def _some(raw: dict[str, Node], key: str, otherwise: int | None = None) -> int | None:
    """A time that is more than 0."""
    return values.duration(raw[key]) if key in raw else otherwise


def _flag(raw: dict[str, Node], key: str, otherwise: bool = False) -> bool:
    return values.flag(raw[key]) if key in raw else otherwise


def _word(raw: dict[str, Node], key: str, words: tuple[str, ...]) -> str:
    """One of some words, or the first."""
    return values.one_of(raw[key], words) if key in raw else words[0]


def _whole(
    raw: dict[str, Node], key: str, least: int, most: int, otherwise: int | None = None
) -> int | None:
    return values.whole(raw[key], least, most) if key in raw else otherwise


def _wait(raw: dict[str, Node], key: str) -> int | str | None:
    """A time, 0 without a unit, or for ever."""
    if key not in raw:
        return None
    node = raw[key]
    if isinstance(node, Scalar) and node.plain and node.value in ("0", "forever"):
        return 0 if node.value == "0" else "forever"
    return values.time(node)


def _span(raw: dict[str, Node], key: str) -> Document | None:
    """The worst time, or that and the best."""
    if key not in raw:
        return None
    if not isinstance(raw[key], Mapping):
        return {"worst": values.time(raw[key]), "best": 0}
    ends = fields(raw[key], "a time", ("worst",), ("best",))
    return _ends(raw[key], values.time(ends["worst"]), _time(ends, "best", 0))


def _ends(node: Node, worst: int, best: int | None) -> Document:
    if best is None or best > worst:
        raise wrong(node, "the best case is above the worst")
    return {"worst": worst, "best": best}


def _names(raw: dict[str, Node], key: str, least: int = 0) -> list[str]:
    return [values.name(item) for item in listed(raw[key], key, least)] if key in raw else []


def _pair(node: Node) -> list[str]:
    """A federate, and something of it."""
    first, dot, rest = values.name(node).partition(".")
    if not (first and dot and rest):
        raise wrong(node, "expected a federate and a name: federate.name")
    return [first, rest]


def _host(node: Node) -> Document:
    raw = _perhaps(node, "a host", ("cores", "clock_error", "shared_clock"))
    return {
        "cores": _whole(raw, "cores", 1, _MOST),
        "clock_error": _time(raw, "clock_error"),
        "shared_clock": _flag(raw, "shared_clock"),
    }


def _clock_errors(raw: dict[str, Node]) -> list[Document]:
    found: dict[tuple[str, ...], Document] = {}
    for node in listed(raw["clock_errors"], "clock errors") if "clock_errors" in raw else []:
        one = fields(node, "a clock error", ("between", "error"))
        pair = sorted(_names(one, "between"))
        if len(set(pair)) != 2 or len(pair) != 2 or tuple(pair) in found:
            raise wrong(node, "expected two hosts, each pair once")
        found[tuple(pair)] = {"between": pair, "error": values.time(one["error"])}
    return list(found.values())


def _network(raw: dict[str, Node]) -> list[Document]:
    found: dict[tuple[str, str], Document] = {}
    for node in listed(raw["network"], "a network") if "network" in raw else []:
        one = fields(node, "a link", ("from", "to", "delay"), ("best",))
        ends = values.name(one["from"]), values.name(one["to"])
        if ends in found:
            raise wrong(node, "this direction is given twice")
        times = _ends(node, values.time(one["delay"]), _time(one, "best", 0))
        found[ends] = {"from": ends[0], "to": ends[1], **times}
    return list(found.values())


def _rti(node: Node | None) -> Document:
    keys = ("host", "hop", "service", "dnet", "advance_message_interval")
    raw = {} if node is None else fields(node, "the RTI", (), keys)
    return {
        "host": values.name(raw["host"]) if "host" in raw else None,
        "hop": _span(raw, "hop"),
        "service": _time(raw, "service"),
        "dnet": _flag(raw, "dnet", True),
        "advance_message_interval": _some(raw, "advance_message_interval", 10_000_000),
    }


def _federate(node: Node) -> Document:
    raw = fields(node, "a federate", ("host",), _FEDERATE)
    inner = listed(raw["connections"], "connections") if "connections" in raw else []
    return {
        "host": values.name(raw["host"]),
        "workers": _whole(raw, "workers", 1, _MOST, 1),
        "scheduler": _word(raw, "scheduler", ("NP", "GEDF_NP", "ADAPTIVE")),
        "maxwait": _wait(raw, "maxwait"),
        "overhead": _time(raw, "overhead", 0),
        "rti_hop": _span(raw, "rti_hop"),
        "core": _whole(raw, "core", 0, _MOST - 1),
        "timers": _each(raw, "timers", _timer),
        "actions": _each(raw, "actions", _action),
        "inputs": _ports(raw, "inputs"),
        "outputs": _ports(raw, "outputs"),
        "reactions": _each(raw, "reactions", _reaction),
        "connections": [_inner(item) for item in inner],
        "enclaves": _each(raw, "enclaves", _enclave),
    }


def _timer(node: Node) -> Document:
    raw = _perhaps(node, "a timer", ("offset", "period"))
    return {"offset": _time(raw, "offset", 0), "period": _some(raw, "period")}


def _action(node: Node) -> Document:
    keys = ("kind", "min_delay", "min_spacing", "policy", "extra_delay")
    raw = _perhaps(node, "an action", keys)
    return {
        "kind": _word(raw, "kind", ("logical", "physical")),
        "min_delay": _time(raw, "min_delay", 0),
        "min_spacing": _some(raw, "min_spacing"),
        "policy": _word(raw, "policy", ("defer", "drop", "replace", "update")),
        "extra_delay": _word(raw, "extra_delay", ("none", "any")),
    }


def _ports(raw: dict[str, Node], kind: str) -> Document:
    """By name, or a list of names."""
    if kind not in raw:
        return {}
    node = raw[kind]
    if isinstance(node, Sequence):
        names = _names(raw, kind)
        if len(set(names)) < len(names):
            raise wrong(node, "a port is listed twice")
        return {name: {"absent_after": None} for name in names}
    if not isinstance(node, Mapping):
        raise wrong(node, "expected the names of ports")
    return _each(raw, kind, _port)


def _port(node: Node) -> Document:
    return {"absent_after": _wait(_perhaps(node, "a port", ("absent_after",)), "absent_after")}


def _reaction(node: Node) -> Document:
    raw = fields(node, "a reaction", ("triggers",), _REACTION)
    return {
        "reactor": values.name(raw["reactor"]) if "reactor" in raw else "",
        "triggers": _names(raw, "triggers", 1),
        "sources": _names(raw, "sources"),
        "effects": _names(raw, "effects"),
        "wcet": _time(raw, "wcet"),
        "bcet": _time(raw, "bcet", 0),
        "deadline": _time(raw, "deadline"),
        "level": _whole(raw, "level", 0, 1_000_000),
        "after": _names(raw, "after"),
        "always": _flag(raw, "always"),
        "tardy": _flag(raw, "tardy"),
    }


def _inner(node: Node) -> Document:
    raw = fields(node, "a connection", ("from", "to"), ("after",))
    ends = values.name(raw["from"]), values.name(raw["to"])
    return {"source": ends[0], "target": ends[1], "after": _time(raw, "after")}


def _enclave(node: Node) -> Document:
    raw = fields(node, "an enclave", ("reactors",), ("workers", "core"))
    return {
        "reactors": _names(raw, "reactors", 1),
        "workers": _whole(raw, "workers", 1, _MOST, 1),
        "core": _whole(raw, "core", 0, _MOST - 1),
    }


def _connection(node: Node) -> Document:
    raw = fields(node, "a connection", ("from", "to"), _CONNECTION)
    source, target = _pair(raw["from"]), _pair(raw["to"])
    return {
        "source": source[0],
        "output": source[1],
        "target": target[0],
        "input": target[1],
        "after": _time(raw, "after"),
        "physical": _flag(raw, "physical"),
        "latency": _span(raw, "latency"),
        "send": _time(raw, "send", 0),
        "absent_after": _wait(raw, "absent_after"),
        "min_spacing": _some(raw, "min_spacing"),
    }


def _chain(node: Node) -> Document:
    raw = fields(node, "a chain", ("from", "to"), ("latency",))
    return {"from": _pair(raw["from"]), "to": _pair(raw["to"]), "latency": _some(raw, "latency")}
