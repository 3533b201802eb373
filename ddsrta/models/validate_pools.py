"""What an executor over several cores asks of them, and of its callbacks."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.executors import Executor
from ddsrta.models.system import System


def pool_problems(system: System) -> Iterator[Diagnostic]:
    """Cores that are unknown, shared out, or used by others at the same priority."""
    for executor in system.executors.values():
        if executor.is_pool:
            yield from _cores(system, executor)
            yield from _callbacks(system, executor)


def _cores(system: System, executor: Executor) -> Iterator[Diagnostic]:
    for index, path in enumerate(executor.cores):
        where = system.where("executors", executor.name, "cores", index)
        if path not in system.cores:
            continue  # said where references are checked
        core, first = system.cores[path], system.cores.get(executor.core)
        if core.reservation or core.partitions:
            yield Diagnostic(
                where,
                f"core {path} has a reservation or partitions",
                "threads on several cores are modelled on whole cores only",
            )
        if first is not None and core.machine != first.machine:
            yield Diagnostic(
                where,
                f"core {path} is on another machine than {executor.core}",
                "the threads of an executor are in one process",
            )
        for kind, name in _equals(system, executor, path):
            yield Diagnostic(
                where,
                f"{kind} '{name}' has the priority of executor '{executor.name}' on {path}",
                "this is not modelled: give one of them another priority",
            )


def _equals(system: System, executor: Executor, path: str) -> Iterator[tuple[str, str]]:
    """What has the same priority on a core."""
    for kind in ("threads", "flow_controllers", "listeners", "executors"):
        for name, thing in getattr(system, kind).items():
            if getattr(thing, "executor", None) or thing is executor or thing.reservation:
                continue
            here = path in (getattr(thing, "cores", ()) or (thing.core,))
            if here and thing.priority == executor.priority:
                yield kind.removesuffix("s").replace("_", " "), name


def _callbacks(system: System, executor: Executor) -> Iterator[Diagnostic]:
    for thread in system.threads.values():
        if thread.executor == executor.name and thread.entity == "inline":
            yield Diagnostic(
                system.where("threads", thread.name, "subscribes"),
                "a callback that waits for several topics, in an executor over several cores",
                "this is not modelled: give it an executor on one core",
            )
