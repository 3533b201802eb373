"""Systems whose executors and processes are a little simpler, or gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ddsrta.models.system import System

USUAL = {"kind": "single_threaded", "threads": 1, "order": "unknown", "release": None}


def simpler_executors(system: System) -> Iterator[System]:
    """Callbacks as threads, no process, and what goes without saying."""
    for name, thread in system.threads.items():
        if thread.executor and "/" not in name and thread.entity != "inline":
            alone = replace(
                thread, executor=None, entity=None, process=None, reentrant=False, group=None,
                priority=thread.priority + 1,  # a pool shares its own with nobody
            )  # fmt: skip
            yield replace(system, threads={**system.threads, name: alone})
            if thread.group is not None:
                grouped = replace(thread, group=None)
                yield replace(system, threads={**system.threads, name: grouped})
    for name in system.processes:
        yield without_process(system, name)
    for name, process in system.processes.items():
        if process.intra_process:
            apart = replace(process, intra_process=False)
            yield replace(system, processes={**system.processes, name: apart})
        if process.intraprocess_delivery:
            silent = replace(process, intraprocess_delivery=None)
            yield replace(system, processes={**system.processes, name: silent})
    for name, executor in system.executors.items():
        changes = [{key: value} for key, value in USUAL.items() if getattr(executor, key) != value]
        if executor.kind == "multi_threaded":
            changes = [{"kind": "single_threaded", "threads": 1, "cores": ()}]
        if len(executor.cores) > 2:
            changes.append({"cores": executor.cores[:-1], "threads": executor.threads - 1})
        for change in changes:
            simpler = replace(executor, **change)
            yield replace(system, executors={**system.executors, name: simpler})


def without_process(system: System, name: str) -> System:
    """The same executors and threads, of no process."""

    def left(things):
        return {
            key: replace(thing, process=None) if thing.process == name else thing
            for key, thing in things.items()
        }

    processes = {key: value for key, value in system.processes.items() if key != name}
    return replace(
        system, processes=processes, executors=left(system.executors), threads=left(system.threads)
    )
