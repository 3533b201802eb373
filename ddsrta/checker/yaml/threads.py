"""Threads, what they send and what they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ddsrta.checker.policies import PRIORITY_KEYS, PUBLICATION_KEYS
from ddsrta.checker.yaml import values
from ddsrta.checker.yaml.arrivals import arrival
from ddsrta.checker.yaml.nodes import Node, fields, listed, wrong
from ddsrta.checker.yaml.places import FAIR_KEYS, PLACE, cost, policy, way, where
from ddsrta.checker.yaml.traces import Traces

Document = dict[str, Any]
ACTIVATIONS = ("or", "and")
_SYNCHRONIZERS = ("exact_time", "approximate_time", "latest", "mtd")
_JOB = ("bcet", "arrival", "publishes", "subscribes", "follows", "process")
_FOLLOWS = ("activation", "delay", "best", "ordered", "order")
_ORDERS = ("arrival", "any")
_READS = ("listener", "activation", "synchronize", "queue", "delay", "take", "order")
SENDING = ("mode", "flow_controller", "delay", "earliest")
_NEVER_LESS = 1
_PARTLY: dict[str, Callable[[Node], object]] = {
    "jobs": values.jobs,
    "one_of": values.name,
    "min_separation": values.duration,
    "rounds": values.count,
}


def thread(node: Node, processes: Document, traces: Traces) -> Document:
    """An application thread."""
    optional = (*PLACE, *_JOB, "period", "cores", "datagrams", *FAIR_KEYS)
    raw = fields(node, "a thread", ("wcet",), optional)
    process = values.name(raw["process"]) if "process" in raw else None
    listener = processes[process]["listener"] if process in processes else None
    released = arrival(raw.get("period"), raw.get("arrival"), traces)
    return {
        **_placed(raw, node),
        **job(raw),
        "arrival": released,
        **inputs(raw, listener, released is not None),
        "process": process,
        "executor": None,
        "entity": None,
        "urgency": 0,
        **({"datagrams": values.count(raw["datagrams"])} if "datagrams" in raw else {}),
    }


def _placed(raw: dict[str, Node], node: Node) -> Document:
    """Where a thread runs: on one core, or it moves between several."""
    found = where(raw, node)
    placed = {"core": found[0], **policy(raw, node)}
    if "policy" in raw and "cores" in raw:
        raise wrong(node, "a thread of SCHED_OTHER is pinned")
    return {**placed, "cores": found} if len(found) > 1 else placed


def job(raw: dict[str, Node]) -> Document:
    """What a job runs for, and what it publishes."""
    sent = listed(raw["publishes"], "publications") if "publishes" in raw else []
    return {
        "wcet": values.duration(raw["wcet"]),
        "bcet": values.time(raw["bcet"]) if "bcet" in raw else None,
        "publishes": [_publication(item) for item in sent],
    }


def _publication(node: Node) -> Document:
    optional = (*SENDING, *PUBLICATION_KEYS, *PRIORITY_KEYS, *_PARTLY, "count", "reservation")
    raw = fields(node, "a publication", ("topic",), optional)
    count = values.count(raw["count"]) if "count" in raw else 1
    reserved = values.percent(raw["reservation"]) if "reservation" in raw else 0
    return {
        **sending(raw, values.name(raw["topic"]), node),
        "count": count,
        **({"reserved": reserved} if reserved else {}),
        **{key: read(raw[key]) for key, read in _PARTLY.items() if key in raw},
        **{key: values.count(raw[key]) for key in PUBLICATION_KEYS if key in raw},
        **values.urgency(raw),
    }


def sending(raw: dict[str, Node], topic: str, node: Node) -> Document:
    """Who sends one message, and what that takes: the flow controller, where there is one, unless
    the file says otherwise."""
    controller = values.name(raw["flow_controller"]) if "flow_controller" in raw else None
    mode = "async" if controller is not None else "sync"
    if "mode" in raw:
        mode = values.one_of(raw["mode"], ("async", "sync"))
    if mode == "async" and controller is None:
        raise wrong(node, "asynchronous publishing needs a flow controller")
    return {
        "topic": topic,
        "mode": mode,
        "flow_controller": controller,
        "count": 1,
        "cost": cost(raw, "delay"),
        "earliest": values.time(raw["earliest"]) if "earliest" in raw else _NEVER_LESS,
    }


def inputs(raw: dict[str, Node], listener: str | None, timed: bool) -> Document:
    """What is read and followed; an activation that one of them says is that of both."""
    reads = raw.get("subscribes")
    follows = raw.get("follows")
    said: list[str] = []
    found: Document = {"subscribes": None, "follows": None}
    if reads is not None:
        inner = fields(reads, "a subscription", ("topics",), _READS)
        topics = [values.name(item) for item in listed(inner["topics"], "topics", 1)]
        found["subscribes"] = reading(inner, topics, listener, reads)
        if "activation" in inner:
            said.append(values.one_of(inner["activation"], ACTIVATIONS))
        found |= _synchronizer(inner)
    if follows is not None:
        inner = fields(follows, "what is followed", ("threads",), _FOLLOWS)
        threads = [values.name(item) for item in listed(inner["threads"], "threads", 1)]
        found["follows"] = {"threads": threads, **way(inner), **_order(inner)}
        if "order" in inner and reads is not None:
            raise wrong(inner["order"], "'subscribes' says how jobs are taken beside messages")
        if "activation" in inner:
            said.append(values.one_of(inner["activation"], ACTIVATIONS))
    if len(set(said)) > 1 or (said and timed):
        raise wrong(reads or follows or next(iter(raw.values())), "the activation contradicts")
    if said == ["and"] and any("order" in each for each in found.values() if each):
        raise wrong(reads or follows or raw["core"], "'order' does not go with 'activation: and'")
    return {**found, "activation": said[0] if said else ACTIVATIONS[0]}


def reading(
    inner: dict[str, Node], topics: list[str], listener: str | None, node: Node
) -> Document:
    """The topics that are read, by a listener of their own or that of the process."""
    if "listener" in inner:
        listener = values.name(inner["listener"])
    if listener is None:
        raise wrong(node, "'listener' is missing, and there is no process")
    found: Document = {
        "topics": topics,
        "listener": listener,
        "cost": cost(inner, "delay"),
        "take": cost(inner, "take"),
    }
    return {**found, **_order(inner)}


def _order(raw: dict[str, Node]) -> Document:
    return {"order": values.one_of(raw["order"], _ORDERS)} if "order" in raw else {}


def _synchronizer(inner: dict[str, Node]) -> Document:
    """Which messages make a set, where not the n-th of each."""
    queue = values.count(inner["queue"]) if "queue" in inner else None
    if "synchronize" not in inner:
        if queue is not None:
            raise wrong(inner["queue"], "'queue' does not go without 'synchronize'")
        return {}
    policy = values.one_of(inner["synchronize"], _SYNCHRONIZERS)
    return {"synchronize": {"policy": policy, "queue": queue}}
