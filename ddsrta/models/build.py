"""Makes a System from what the shapes have read: values become objects, contradictions reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ddsrta.base.shapes import Context
from ddsrta.models.build_callbacks import callbacks, executors, service_topics
from ddsrta.models.build_processes import listening, processes
from ddsrta.models.build_threads import middleware, threads
from ddsrta.models.supplies import Machine
from ddsrta.models.system import Core, Delays, Link, System, Topic

if TYPE_CHECKING:
    from ddsrta.models.media import Medium


def build_system(raw: dict[str, Any], context: Context, folder: str) -> System:
    """The system; what the file leaves out of `raw` is taken to be empty."""
    found_executors = executors(raw.get("executors", {}), context)
    found_processes = processes(raw.get("processes", {}), context)
    found_threads = threads(raw.get("threads", {}), context, folder)
    found_callbacks = callbacks(raw, found_executors, context, folder)
    found_threads |= _unlike(found_threads, found_callbacks, "callbacks", context)
    top = context.tree.root.value
    if isinstance(top, dict) and not top.keys() & {"threads", "callbacks", "links"}:
        context.report_at("'threads' is missing", advice="application threads, or 'callbacks'")
    return System(
        name=raw.get("name", "system"),
        cores=_cores(raw.get("machines", {})),
        links=_links(raw.get("network", []), context),
        delays=raw.get("delays", Delays()),
        topics=_topics(raw, context),
        flow_controllers=middleware(raw, "flow_controllers", context),
        listeners=middleware(raw, "listeners", context),
        threads=listening(found_threads, found_processes, context),
        executors=found_executors,
        processes=found_processes,
        chains=raw.get("chains", {}),
        orders=raw.get("orders", {}),
        fastdds=raw.get("middleware"),
        media=_media(raw.get("links", {}), context),
        tree=context.tree,
    )


def _media(raw: dict[str, Any], context: Context) -> dict[str, Medium]:
    if not raw:
        return {}
    from ddsrta.models.build_links import media

    return media(raw, context)


def _topics(raw: dict[str, Any], context: Context) -> dict[str, Topic]:
    topics: dict[str, Topic] = raw.get("topics", {})
    return topics | _unlike(topics, service_topics(raw.get("services", {})), "topics", context)


def _unlike(
    known: Mapping[str, Any], new: dict[str, Any], kind: str, context: Context
) -> dict[str, Any]:
    """New things, none of which may have the name of a known one."""
    for name in known.keys() & new.keys():
        context.report_at(f"'{name}' is defined twice", kind, name)
    return new


def _cores(machines: dict[str, Machine]) -> dict[str, Core]:
    return {core.path: core for name, machine in machines.items() for core in machine.named(name)}


def _links(network: list[Link], context: Context) -> dict[tuple[str, str], Link]:
    links: dict[tuple[str, str], Link] = {}
    for index, link in enumerate(network):
        if (link.source, link.target) in links:
            context.report_at("this direction is already given", "network", index)
        links[link.source, link.target] = link
    return links
