"""What there is to run on, and what messages cost: cores, links, delays, middleware."""

from __future__ import annotations

from typing import Any

from ddsrta.checker.policies import POLICIES, PRIORITY_KEYS, TOPIC_KEYS
from ddsrta.checker.things import DELIVERIES, FAIR, RELEASES
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
PLACE = ("core", "priority", "partition", "reservation")
FAIR_KEYS = ("policy", "nice", "slice")
_IN_ORDER = "FIFO"
_DELIVERY = "intraprocess_delivery"
_LEAST = 1  # the least time that something takes


def cores(node: Node) -> Document:
    """Cores by machine and name."""
    found: Document = {}
    for machine, value in entries(node, "machines").items():
        values.named(machine, value, slash=False)
        raw = fields(value, "a machine", ("cores",), ("tick",))
        tick = {"tick": values.duration(raw["tick"])} if "tick" in raw else {}
        for name, details in _core_names(raw["cores"]).items():
            found[f"{machine}/{name}"] = _core(details) | tick
    return found


def _core_names(node: Node) -> dict[str, Node | None]:
    found: dict[str, Node | None] = {}
    if isinstance(node, Sequence):
        for item in listed(node, "cores", 1):
            name = values.named(values.word(item, "a name"), item, slash=False)
            if name in found:
                raise wrong(item, "a core is listed twice")
            found[name] = None
    elif isinstance(node, Mapping):
        for name, value in node.items.items():
            found[values.named(name, value, slash=False)] = value
    else:
        raise wrong(node, "expected the names of cores")
    return found


def _core(node: Node | None) -> Document:
    if node is None or is_nothing(node):
        return {"reservation": None, "partitions": {}}
    raw = fields(node, "a core", (), ("reservation", "partitions"))
    parts = entries(raw["partitions"], "partitions") if "partitions" in raw else {}
    return {
        "reservation": reservation(raw),
        "partitions": {
            values.named(name, part): needed_reservation(part) for name, part in parts.items()
        },
    }


def reservation(raw: dict[str, Node]) -> Document | None:
    """The reservation of something, if it has one."""
    return needed_reservation(raw["reservation"]) if "reservation" in raw else None


def needed_reservation(node: Node) -> Document:
    """A budget and a period."""
    raw = fields(node, "a reservation", ("budget", "period"))
    return {
        "budget": values.duration(raw["budget"]),
        "period": values.duration(raw["period"]),
    }


def place(raw: dict[str, Node], node: Node) -> Document:
    """Where something runs."""
    return {"core": values.name(raw["core"]), **scheduling(raw, node)}


def where(raw: dict[str, Node], node: Node) -> list[str]:
    """One core, or several."""
    if ("core" in raw) == ("cores" in raw):
        raise wrong(node, "either a core or several are needed")
    if "core" in raw:
        return [values.name(raw["core"])]
    return [values.name(item) for item in listed(raw["cores"], "cores", 1)]


def scheduling(raw: dict[str, Node], node: Node) -> Document:
    """How something is scheduled; what has a reservation has no priority."""
    if ("priority" in raw) == ("reservation" in raw):
        raise wrong(node, "either a priority or a reservation is needed")
    return {
        "priority": values.priority(raw["priority"]) if "priority" in raw else 0,
        "partition": values.name(raw["partition"]) if "partition" in raw else None,
        "reservation": reservation(raw),
    }


def policy(raw: dict[str, Node], node: Node) -> Document:
    """The same of what may be of SCHED_OTHER: it has a nice value, and no priority."""
    if "policy" not in raw:
        if raw.keys() & set(FAIR_KEYS):
            raise wrong(node, "nice values and slices are of SCHED_OTHER")
        return scheduling(raw, node)
    values.one_of(raw["policy"], ("other",))
    if raw.keys() & {"priority", "partition", "reservation"}:
        raise wrong(node, "a thread of SCHED_OTHER has a nice value alone")
    nice = values.whole(raw["nice"], -20, 19) if "nice" in raw else 0
    alone = {"priority": FAIR, "partition": None, "reservation": None}
    own = {"slice": values.duration(raw["slice"])} if "slice" in raw else {}
    return {**alone, "nice": nice, **own}


def links(node: Node) -> list[Document]:
    """Propagation by direction, in the order of the names."""
    found: dict[tuple[str, str], Document] = {}
    for item in listed(node, "links"):
        raw = fields(item, "a link", ("from", "to"), ("delay", "link", "best", "ordered"))
        if "delay" not in raw and "link" not in raw:
            raise wrong(item, "either a delay or a link is needed")
        ends = values.name(raw["from"]), values.name(raw["to"])
        if ends in found:
            raise wrong(item, "this direction is given twice")
        found[ends] = {"from": ends[0], "to": ends[1], **way(raw)}
        if "link" in raw:
            found[ends]["link"] = values.name(raw["link"])
    return [found[ends] for ends in sorted(found)]


def way(raw: dict[str, Node]) -> Document:
    """How long something is on its way, and whether it keeps its order."""
    delay = values.time(raw["delay"]) if "delay" in raw else 0
    best = values.time(raw["best"]) if "best" in raw else 0
    ordered = values.flag(raw["ordered"]) if "ordered" in raw else True
    return {"delay": delay, "best": best, **({} if ordered else {"ordered": False})}


def delays(node: Node | None) -> Document:
    """The tables of costs, by rising size."""
    tables = ("flow_controller", "listener", "publisher", "take")
    empty = node is None or is_nothing(node)
    raw = {} if node is None or empty else fields(node, "delays", (), (*tables, "placeholder"))
    found: Document = {name: _table(raw[name]) if name in raw else [] for name in tables}
    stands_in = "placeholder" in raw and values.flag(raw["placeholder"])
    return {**found, "placeholder": True} if stands_in else found


def _table(node: Node) -> list[list[int]]:
    rows: dict[int, list[int]] = {}
    for key, value in entries(node, "delays by size").items():
        size = values.size_of(key, value)
        if size in rows:
            raise wrong(value, "this size is given twice")
        rows[size] = [size, *_worst_and_best(value)]
    return [rows[size] for size in sorted(rows)]


def cost(raw: dict[str, Node], key: str) -> list[int] | None:
    """A worst and a best case, if they are given."""
    return _worst_and_best(raw[key]) if key in raw else None


def _worst_and_best(node: Node) -> list[int]:
    """One time is the worst case; the best is not above it."""
    if isinstance(node, Scalar):
        worst = values.time(node)
        return [worst, min(worst, _LEAST)]
    raw = fields(node, "a cost", ("worst",), ("best",))
    worst = values.time(raw["worst"])
    best = values.time(raw["best"]) if "best" in raw else min(worst, _LEAST)
    if best > worst:
        raise wrong(node, "the best case is above the worst")
    return [worst, best]


def fastdds(node: Node) -> Document:
    """Which middleware it is."""
    raw = fields(node, "middleware", ("fastdds",), ("write", "send_buffers"))
    write = values.duration(raw["write"]) if "write" in raw else None
    document = {"fastdds": values.one_of(raw["fastdds"], RELEASES), "write": write}
    if "send_buffers" in raw:
        kept = values.one_of(raw["send_buffers"], ("fixed", "dynamic"))
        document |= {"send_buffers": kept} if kept == "dynamic" else {}
    return document


def topic(node: Node) -> tuple[Document, str]:
    """A topic, and how its copies are ordered."""
    raw = fields(node, "a topic", ("size",),
                 ("priority", "history", "copies", *TOPIC_KEYS, *PRIORITY_KEYS))  # fmt: skip
    orders = ("unknown", "connection", "priority")
    copies = values.one_of(raw["copies"], orders) if "copies" in raw else orders[0]
    own = {key: values.time(raw[key], least) for key, least in TOPIC_KEYS.items() if key in raw}
    return {**sizes(raw, "size"), **own, **values.urgency(raw)}, copies


def sizes(raw: dict[str, Node], key: str) -> Document:
    """The size, priority and history of a topic or service."""
    return {
        "size": values.size(raw[key]),
        "priority": values.priority(raw["priority"]) if "priority" in raw else 10,
        "history": values.count(raw["history"]) if "history" in raw else None,
    }


def flow_controller(node: Node) -> Document:
    """A thread that sends."""
    raw = fields(node, "a flow controller", ("core",), (*PLACE, "policy", "queue", "limit"))
    policy = values.one_of(raw["policy"], POLICIES) if "policy" in raw else _IN_ORDER
    found = {**_middleware(raw, node), "policy": policy}
    if "limit" in raw:
        limit = fields(raw["limit"], "a limit", ("bytes", "period"))
        period = values.duration(limit["period"])
        found["limit"] = {"bytes": values.size(limit["bytes"]), "period": period}
    return found


def listener(node: Node) -> Document:
    """A thread that receives."""
    raw = fields(node, "a listener", ("core",), (*PLACE, "queue"))
    return {**_middleware(raw, node), "policy": _IN_ORDER}


def _middleware(raw: dict[str, Node], node: Node) -> Document:
    queue = values.count(raw["queue"]) if "queue" in raw else None
    return {**place(raw, node), "queue": queue}


def process(node: Node) -> Document:
    """Threads that share a listener."""
    raw = fields(node, "a process", ("listener",), ("intra_process", _DELIVERY))
    direct = values.flag(raw["intra_process"]) if "intra_process" in raw else False
    said = {_DELIVERY: values.one_of(raw[_DELIVERY], DELIVERIES)} if _DELIVERY in raw else {}
    return {"listener": values.name(raw["listener"]), "intra_process": direct, **said}
