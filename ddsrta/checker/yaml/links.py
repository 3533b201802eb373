"""Links that several messages share, and what else they send."""

from __future__ import annotations

from typing import Any

from ddsrta.checker.links import KINDS, PRIORITIES
from ddsrta.checker.policies import PRIORITY_KEYS
from ddsrta.checker.yaml import values
from ddsrta.checker.yaml.nodes import Node, entries, fields, wrong

Document = dict[str, Any]
_BUS = ("identifiers",)
_PORT = ("mtu", "tagged", "overhead", "datagram", "best_effort")
_OF_KIND = {"can": _BUS, "can_fd": (*_BUS, "data_rate"), "ethernet": _PORT}


def media(node: Node) -> Document:
    """All of them by name."""
    found = {}
    for name, value in entries(node, "links").items():
        found[values.named(name, value, slash=False)] = _link(value)
    return found


def _link(node: Node) -> Document:
    every = tuple({key: None for keys in _OF_KIND.values() for key in keys})
    raw = fields(node, "a link", ("kind", "rate"), (*every, "frames"))
    kind = values.one_of(raw["kind"], KINDS)
    for key in every:
        if key in raw and key not in _OF_KIND[kind]:
            raise wrong(raw[key], f"{key!r} is not for links of kind {kind}")
    own = _port(raw) if kind == "ethernet" else _bus(raw, kind)
    frames = entries(raw["frames"], "frames") if "frames" in raw else {}
    return {
        "kind": kind,
        "rate": values.rate(raw["rate"]),
        **own,
        "frames": {
            values.named(name, value, slash=False): _frame(value, kind)
            for name, value in frames.items()
        },
    }


def _bus(raw: dict[str, Node], kind: str) -> Document:
    formats = ("standard", "extended")
    said = values.one_of(raw["identifiers"], formats) if "identifiers" in raw else formats[0]
    if kind == "can":
        return {"identifiers": said}
    fast = raw["data_rate"] if "data_rate" in raw else raw["rate"]
    return {"identifiers": said, "data_rate": values.rate(fast)}


def _port(raw: dict[str, Node]) -> Document:
    mtu = values.size(raw["mtu"]) if "mtu" in raw else 1500
    return {
        "mtu": mtu,
        "tagged": values.flag(raw["tagged"]) if "tagged" in raw else True,
        "overhead": values.size(raw["overhead"]) if "overhead" in raw else 256,
        "datagram": values.size(raw["datagram"]) if "datagram" in raw else 65_500,
        "best_effort": values.size(raw["best_effort"]) if "best_effort" in raw else mtu,
    }


def _frame(node: Node, kind: str) -> Document:
    key = PRIORITIES[kind]
    raw = fields(node, "a frame", ("size", "period"), ("jitter", "min_distance", *PRIORITY_KEYS))
    if any(other in raw for other in PRIORITY_KEYS if other != key):
        raise wrong(node, f"a frame on a link of kind {kind} has no such priority")
    if key not in raw and key == "can_id":
        raise wrong(node, "the identifier is missing")
    times = {k: values.time(raw[k]) if k in raw else 0 for k in ("jitter", "min_distance")}
    return {
        "size": values.size(raw["size"]),
        **(values.urgency(raw) or {key: 0}),
        "arrival": {"kind": "periodic", "period": values.duration(raw["period"]), **times},
    }
