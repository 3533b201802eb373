"""Processes, each with one listener for all its readers, and which listener a reader has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ddsrta.base.shapes import Context
from ddsrta.models.executors import Process
from ddsrta.models.system import Thread


def processes(raw: dict[str, Any], context: Context) -> dict[str, Process]:
    """All processes; no two of them share a listener."""
    found: dict[str, Process] = {}
    owners: dict[str, str] = {}
    for name, value in raw.items():
        listener = value["listener"]
        if listener in owners:
            context.report_at(
                f"'{listener}' is the listener of process '{owners[listener]}'",
                "processes", name, "listener", advice="a participant has its own listener",
            )  # fmt: skip
        owners[listener] = name
        found[name] = Process(name, listener, value.get("intra_process", False))
    return found


def listening(
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
    section = "callbacks" if thread.executor else "threads"
    path = (section, thread.declared_as, "subscribes")
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
