"""The plain document of a system or a federation, out of the text of its file."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

from ddsrta.checker.reading import CertificateError
from ddsrta.checker.yaml import places, values
from ddsrta.checker.yaml.callbacks import (
    EACH,
    Executor,
    callback,
    of_node,
    service_topics,
    stand_alone,
)
from ddsrta.checker.yaml.compose import compose
from ddsrta.checker.yaml.nodes import Mapping, Node, Scalar, entries, fields, listed, wrong
from ddsrta.checker.yaml.threads import thread
from ddsrta.checker.yaml.traces import Traces

Document = dict[str, Any]
_NEEDED = ("ddsrta", "machines")
_SOMETIMES = ("name", "network", "delays", "middleware", "topics", "flow_controllers", "listeners",
              "processes", "threads", "executors", "services", "callbacks", "nodes",
              "chains", "orders", "links")  # fmt: skip
_CONSTRAINTS = ("latency", "trigger_latency", "data_age", "reaction_time")
_MOST_PATHS = 100_000


def read_document(text: str | bytes, path: str) -> Document:
    """The system or federation that a text says, as integers, strings, lists and mappings; `path`
    is where the text comes from, for messages and for the traces beside it.

    Raises NotReadError for what this reader does not cover, CertificateError for what is wrong.
    """
    collects = gc.isenabled()
    gc.disable()  # many nodes, none of them in a circle
    try:
        root = compose(_decoded(text))
        if isinstance(root, Mapping) and "federation" in root.items and "ddsrta" not in root.items:
            from ddsrta.checker.yaml.federation import federation

            return federation(root)
        return _system(root, Traces(path))
    except CertificateError as error:
        raise type(error)(f"{path}:{error}") from None
    finally:
        if collects:
            gc.enable()


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CertificateError("1:1: the text is not UTF-8") from None


def _system(root: Node, traces: Traces) -> Document:
    raw = fields(root, "a system", _NEEDED, _SOMETIMES)
    version = raw["ddsrta"]
    if not (isinstance(version, Scalar) and version.plain and version.value == "1"):
        raise wrong(version, "expected 1, the only version of the format")
    if not raw.keys() & {"threads", "callbacks", "nodes", "links"}:
        raise wrong(root, "neither threads or callbacks nor nodes or links are there")
    orders = _each(raw, "orders", _order)
    shared = _media(raw["links"]) if "links" in raw else {}
    processes = _each(raw, "processes", places.process, slash=True)
    topics, copies = _topics(raw)
    threads, executors = _threads(raw, processes, traces)
    _readers(topics, copies, threads)
    middleware = {"middleware": places.fastdds(raw["middleware"])} if "middleware" in raw else {}
    return {
        "name": values.name(raw["name"]) if "name" in raw else "system",
        "cores": places.cores(raw["machines"]),
        "links": places.links(raw["network"]) if "network" in raw else [],
        "delays": places.delays(raw.get("delays")),
        "topics": topics,
        "flow_controllers": _each(raw, "flow_controllers", places.flow_controller),
        "listeners": _each(raw, "listeners", places.listener),
        "executors": {name: executor.document() for name, executor in executors.items()},
        "processes": processes,
        "threads": threads,
        **middleware,
        "chains": _chains(raw, threads, topics),
        **({"orders": orders} if orders else {}),
        **({"media": shared} if shared else {}),
    }


def _named(raw: dict[str, Node], kind: str, slash: bool = True) -> Iterable[tuple[str, Node]]:
    """The things of a kind by name."""
    found = entries(raw[kind], kind) if kind in raw else {}
    for name, node in found.items():
        values.named(name, node, slash)
    return found.items()


def _each(raw: dict[str, Node], kind: str, read: Any, slash: bool = True) -> Document:
    return {name: read(node) for name, node in _named(raw, kind, slash)}


def _topics(raw: dict[str, Node]) -> tuple[Document, dict[str, str]]:
    """Topics, those of services, and how copies are ordered."""
    topics: Document = {}
    copies: dict[str, str] = {}
    for name, node in _named(raw, "topics"):
        topics[name], copies[name] = places.topic(node)
    for service, node in _named(raw, "services", slash=False):
        for name, topic in service_topics(service, node):
            _add(topics, name, topic, node)
    return topics, copies


def _add(things: Document, name: str, thing: Document, node: Node) -> None:
    """Names that are made up are still names of one thing."""
    if name in things:
        raise wrong(node, f"{name!r} is there twice")
    things[name] = thing


def _threads(
    raw: dict[str, Node], processes: Document, traces: Traces
) -> tuple[Document, dict[str, Executor]]:
    """Threads, then callbacks, then the background of executors, each in the order of the file."""
    threads = {name: thread(node, processes, traces) for name, node in _named(raw, "threads")}
    executors = {
        name: Executor(name, node, processes)
        for name, node in _named(raw, "executors", slash=False)
    }
    said = [(name, node, EACH) for name, node in _named(raw, "callbacks", slash=False)]
    nodes = dict(_named(raw, "nodes", slash=False))
    stand_alone(said, nodes)
    for name, node in nodes.items():
        said += of_node(name, node)
    for name, node, shared in said:
        for part, document in callback(name, node, executors, traces, shared):
            _add(threads, part, document, node)
    for executor in executors.values():
        for name, document in executor.background_callbacks():
            _add(threads, name, document, executor.background or raw["executors"])
    return threads, executors


def _readers(topics: Document, copies: dict[str, str], threads: Document) -> None:
    """Where the order of copies is declared, the readers are listed in the order of the file."""
    readers: dict[str, list[str]] = {name: [] for name, order in copies.items()}
    for name, document in threads.items():
        reads = document["subscribes"]
        for topic in reads["topics"] if reads else ():
            if topic in readers:
                readers[topic].append(name)
    for name, order in copies.items():
        if order != "unknown":
            topics[name] |= {"copies": order, "readers": readers[name]}


def _chains(raw: dict[str, Node], threads: Document, topics: Document) -> Document:
    """Chains, each with what its deadline is for."""
    found = _each(raw, "chains", _chain)
    for chain in found.values():
        if chain["constraint"] is None:
            chain["constraint"] = _CONSTRAINTS[0]
            if chain["deadline"] is not None:
                from ddsrta.checker.yaml.sampled import constraint_of

                chain["constraint"] = constraint_of(chain, threads, topics)
    return found


def _chain(node: Node) -> Document:
    """A path, or all paths between two ends."""
    keys = ("path", "from", "to", "limit", "deadline", "constraint")
    raw = fields(node, "a chain", (), keys)
    between = "from" in raw and "to" in raw
    if "path" in raw and ("from" in raw or "to" in raw or "limit" in raw):
        raise wrong(node, "a chain has either a path or two ends")
    if "path" not in raw and not between:
        raise wrong(node, "a chain has a path or two ends")
    path = [values.name(item) for item in listed(raw["path"], "a path", 1)] if "path" in raw else []
    return {
        "path": path,
        "ends": [values.name(raw["from"]), values.name(raw["to"])] if between else None,
        "deadline": values.duration(raw["deadline"]) if "deadline" in raw else None,
        "constraint": values.one_of(raw["constraint"], _CONSTRAINTS)
        if "constraint" in raw
        else None,
        "limit": values.count(raw["limit"], _MOST_PATHS) if "limit" in raw else 256,
    }


def _media(node: Node) -> Document:
    from ddsrta.checker.yaml.links import media

    return media(node)


def _order(node: Node) -> Document:
    """Which messages must be seen in this order."""
    raw = fields(node, "an order", ("subscriber", "topics"), ("from", "events"))
    events = ("each", "all")
    return {
        "subscriber": values.name(raw["subscriber"]),
        "topics": [values.name(topic) for topic in listed(raw["topics"], "topics", 1)],
        "from": values.name(raw["from"]) if "from" in raw else None,
        "events": values.one_of(raw["events"], events) if "events" in raw else events[0],
    }
