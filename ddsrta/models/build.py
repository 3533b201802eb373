"""Makes a System from what the shapes have read: values become objects, contradictions reports."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.base.units import format_size, parse_size
from ddsrta.models.build_callbacks import callbacks, executors, service_topics
from ddsrta.models.build_processes import listening, processes
from ddsrta.models.build_threads import middleware, threads
from ddsrta.models.build_values import cost, optional_reservation, reservation
from ddsrta.models.middleware import FastDds
from ddsrta.models.system import Chain, Core, Cost, Delays, Link, Order, System, Topic
from ddsrta.policies import TOPIC_KEYS


def build_system(raw: dict[str, Any], context: Context, folder: str) -> System:
    """The system; what the file leaves out of `raw` is taken to be empty."""
    found_executors = executors(raw.get("executors", {}), context)
    found_processes = processes(raw.get("processes", {}), context)
    found_threads = threads(raw.get("threads", {}), context, folder)
    found_callbacks = callbacks(raw, found_executors, context, folder)
    found_threads |= _unlike(found_threads, found_callbacks, "callbacks", context)
    top = context.tree.root.value
    if isinstance(top, dict) and not top.keys() & {"threads", "callbacks"}:
        context.report_at("'threads' is missing", advice="application threads, or 'callbacks'")
    return System(
        name=raw.get("name", "system"),
        cores=_cores(raw.get("machines", {}), context),
        links=_links(raw.get("network", []), context),
        delays=_delays(raw.get("delays", {}), context),
        topics=_topics(raw, context),
        flow_controllers=middleware(raw, "flow_controllers", context),
        listeners=middleware(raw, "listeners", context),
        threads=listening(found_threads, found_processes, context),
        executors=found_executors,
        processes=found_processes,
        chains=_chains(raw.get("chains", {}), context),
        orders={
            name: Order(
                name,
                value["subscriber"],
                tuple(value["topics"]),
                value.get("from"),
                value.get("events", "each"),
            )
            for name, value in raw.get("orders", {}).items()
        },
        fastdds=_fastdds(raw.get("middleware", {})),
        tree=context.tree,
    )


def _fastdds(raw: dict[str, Any]) -> FastDds | None:
    return FastDds(raw["fastdds"], raw.get("write")) if "fastdds" in raw else None


def _topics(raw: dict[str, Any], context: Context) -> dict[str, Topic]:
    topics = {
        name: Topic(
            name,
            value["size"],
            value.get("priority", 10),
            value.get("history"),
            value.get("copies", "unknown"),
            {key: value[key] for key in TOPIC_KEYS if key in value},
        )
        for name, value in raw.get("topics", {}).items()
    }
    return topics | _unlike(topics, service_topics(raw.get("services", {})), "topics", context)


def _unlike(
    known: Mapping[str, Any], new: dict[str, Any], kind: str, context: Context
) -> dict[str, Any]:
    """New things, none of which may have the name of a known one."""
    for name in known.keys() & new.keys():
        context.report_at(f"'{name}' is defined twice", kind, name)
    return new


def _cores(machines: dict[str, Any], context: Context) -> dict[str, Core]:
    cores: dict[str, Core] = {}
    for machine, value in machines.items():
        listed = value["cores"]
        for index, name in enumerate(listed):
            detail = listed[name] if isinstance(listed, dict) else {}
            if f"{machine}/{name}" in cores:
                path = ("machines", machine, "cores", index)
                context.report_at(f"core '{name}' is listed twice", *path)
            core = _core(machine, name, detail, context)
            cores[core.path] = core
    return cores


def _core(machine: str, name: str, detail: dict[str, Any], context: Context) -> Core:
    path = ("machines", machine, "cores", name)
    partitions = {
        partition: reservation(budget, context, *path, "partitions", partition)
        for partition, budget in detail.get("partitions", {}).items()
    }
    found = optional_reservation(detail, context, *path)
    if found and partitions:
        context.report_at("a core has either a reservation or partitions", *path)
    return Core(machine, name, found, partitions)


def _links(network: list[dict[str, Any]], context: Context) -> dict[tuple[str, str], Link]:
    links: dict[tuple[str, str], Link] = {}
    for index, raw in enumerate(network):
        link = Link(
            raw["from"], raw["to"], raw["delay"], raw.get("best", 0), raw.get("ordered", True)
        )
        if link.best > link.delay:
            context.report_at("the best case is above the worst", "network", index, "best")
        if (link.source, link.target) in links:
            context.report_at("this direction is already given", "network", index)
        if link.source == link.target:
            context.report_at(
                "messages within a machine do not cross the network", "network", index,
                advice="put the delay into δl of the listener",
            )  # fmt: skip
        links[link.source, link.target] = link
    return links


def _delays(raw: dict[str, Any], context: Context) -> Delays:
    tables = {
        name: _table(raw.get(name, {}), name, context)
        for name in ("flow_controller", "listener", "publisher", "take")
    }
    return Delays(**tables)


def _table(
    rows: dict[int, int | dict[str, int]], name: str, context: Context
) -> tuple[tuple[int, Cost], ...]:
    """The rows by size; a size in between takes the larger row, so they must not decrease."""
    if not rows:
        return ()
    written = {parse_size(text): text for text in context.tree.names("delays", name)}
    path = ("delays", name)
    table = [
        (size, cost(value, context, *path, written[size])) for size, value in sorted(rows.items())
    ]
    for (size, smaller), (larger, cost_there) in pairwise(table):
        if smaller.worst > cost_there.worst or smaller.best > cost_there.best:
            context.report_at(
                f"the delay of {format_size(larger)} is below that of {format_size(size)}",
                *path,
                written[larger],
                advice="a size in between takes the larger row, so rows must not decrease",
            )
    return tuple(table)


def _chains(raw: dict[str, Any], context: Context) -> dict[str, Chain]:
    chains = {}
    for name, value in raw.items():
        ends = None
        if "path" in value:
            for key in value.keys() & {"from", "to", "limit"}:
                context.report_at(f"'{key}' does not go with 'path'", "chains", name, key)
        elif "from" in value and "to" in value:
            ends = (value["from"], value["to"])
        else:
            context.report_at("a chain needs a 'path', or 'from' and 'to'", "chains", name)
            continue
        chains[name] = Chain(
            name,
            tuple(value.get("path", ())),
            ends,
            value.get("deadline"),
            value.get("constraint", "latency"),
            value.get("limit", 256),
        )
    return chains
