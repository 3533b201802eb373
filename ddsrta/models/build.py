"""Makes a System of what a file says: declarations become things, contradictions reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.models.callbacks import callbacks
from ddsrta.models.executors import Process
from ddsrta.models.grammar import RUNNING, SystemDeclaration
from ddsrta.models.system import Link, System, Thread
from ddsrta.models.threads import declared_at


def build_system(said: SystemDeclaration, context: Context, folder: str) -> System:
    """The system."""
    executors = {
        name: executor for name, each in said.executors.items() if (executor := each.executor())
    }
    _check_listeners(said.processes, context)
    threads = {
        name: thread
        for name, each in said.threads.items()
        if (thread := each.thread(context, folder))
    }
    declared = dict(said.callbacks)
    _check_groups(said, context)
    for node in said.nodes.values():
        declared |= _unlike(declared, node.declared(), "callbacks", context)
    found = callbacks(declared, executors, said.executors, context, folder)
    threads |= _unlike(threads, found, "callbacks", context)
    top = context.tree.root.value
    if isinstance(top, dict) and top.keys().isdisjoint(RUNNING):
        advice = "application threads, or 'callbacks', or 'nodes'"
        context.report_at("'threads' is missing", advice=advice)
    services = {name: topic for s in said.services.values() for name, topic in s.topics().items()}
    system = System(
        name=said.name,
        cores={c.path: c for name, machine in said.machines.items() for c in machine.named(name)},
        links=_links(said.network, context),
        delays=said.delays,
        topics={**said.topics, **_unlike(said.topics, services, "topics", context)},
        flow_controllers=said.flow_controllers,
        listeners=said.listeners,
        threads=_with_listeners(threads, said.processes, context),
        executors=executors,
        processes=said.processes,
        chains=said.chains,
        orders=said.orders,
        fastdds=said.middleware,
        media=said.links,
        tree=context.tree,
    )
    if all(chain.samples is None or chain.deadline is None for chain in said.chains.values()):
        return system
    from ddsrta.models.open_constraints import settled

    return replace(system, chains=settled(system))


def _check_groups(said: SystemDeclaration, context: Context) -> None:
    """A group of callbacks that stand alone has no name that one of a node has: 'n', or 'n/…'."""
    for name, callback in said.callbacks.items():
        node = (callback.group or "").partition("/")[0]
        if node in said.nodes:
            message = f"group '{callback.group}' has the name of a group of node '{node}'"
            context.report_at(message, "callbacks", name, "group", advice="call it otherwise")


def _unlike(
    known: Mapping[str, Any], new: dict[str, Any], kind: str, context: Context
) -> dict[str, Any]:
    """New things, none of which may have the name of a known one."""
    for name in known.keys() & new.keys():
        context.report_at(f"'{name}' is defined twice", kind, name)
    return new


def _links(network: tuple[Link, ...], context: Context) -> dict[tuple[str, str], Link]:
    links: dict[tuple[str, str], Link] = {}
    for index, link in enumerate(network):
        if (link.source, link.target) in links:
            context.report_at("this direction is already given", "network", index)
        links[link.source, link.target] = link
    return links


def _check_listeners(processes: Mapping[str, Process], context: Context) -> None:
    """No two processes share a listener."""
    owners: dict[str, str] = {}
    for name, process in processes.items():
        if process.listener in owners:
            context.report_at(
                f"'{process.listener}' is the listener of process '{owners[process.listener]}'",
                "processes", name, "listener", advice="a participant has its own listener",
            )  # fmt: skip
        owners[process.listener] = name


def _with_listeners(
    threads: Mapping[str, Thread], processes: Mapping[str, Process], context: Context
) -> dict[str, Thread]:
    """The same threads, each subscription with its listener."""
    return {
        name: _listening(thread, processes.get(thread.process or ""), context)
        for name, thread in threads.items()
    }


def _listening(thread: Thread, process: Process | None, context: Context) -> Thread:
    subscribes = thread.subscribes
    if subscribes is None:
        return thread
    path = (*declared_at(thread, context.tree), "subscribes")
    if process is None:
        if not subscribes.listener and not thread.process:
            context.report_at(
                "'listener' is missing", *path, advice="the thread that receives, or a process"
            )  # fmt: skip
        return thread
    if subscribes.listener and subscribes.listener != process.listener:
        context.report_at(
            f"the listener of process '{process.name}' is '{process.listener}'",
            *path, "listener", advice="all readers of a process share one listener: leave it out",
        )  # fmt: skip
    return replace(thread, subscribes=replace(subscribes, listener=process.listener))
