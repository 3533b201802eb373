"""What an executor whose threads are on several cores asks of its cores and callbacks."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.executors import Executor
from ddsrta.models.groups import group_of
from ddsrta.models.system import System

# Releases in which messages within a process may be forgotten; None: it may be one of them.
FORGETS = ("humble", None)


def pool_problems(system: System, executor: Executor) -> Iterator[Diagnostic]:
    """Cores that are unknown, shared out, or used by others at the same priority; and callbacks
    that are not modelled."""
    yield from _cores(system, executor)
    yield from _callbacks(system, executor)
    if executor.release in FORGETS:
        yield from _forgotten(system, executor)


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
    """What has the same priority on a core; of SCHED_OTHER they may."""
    if executor.nice is not None:
        return
    for kind in ("threads", "flow_controllers", "listeners", "executors"):
        for name, thing in getattr(system, kind).items():
            if getattr(thing, "executor", None) or thing is executor or thing.reservation:
                continue
            here = path in (getattr(thing, "cores", ()) or (thing.core,))
            if here and thing.priority == executor.priority:
                yield kind.removesuffix("s").replace("_", " "), name


def _callbacks(system: System, executor: Executor) -> Iterator[Diagnostic]:
    """What waits for several topics has a group (definition sets-in-a-group)."""
    for thread in system.threads.values():
        inline = thread.executor == executor.name and thread.entity == "inline"
        if inline and thread.reentrant:
            yield Diagnostic(
                system.where("threads", thread.name, "subscribes"),
                "a reentrant callback waits for several topics in an executor over several cores",
                "messages of one topic may overtake each other before it, which is not modelled: "
                "put it in a group",
            )


def _forgotten(system: System, executor: Executor) -> Iterator[Diagnostic]:
    """In humble, what is ready in a busy group leaves the ready set, and the guard condition of a
    message within the process has been reset by then: nothing wakes a thread for it again."""
    callbacks = [one for one in system.threads.values() if one.executor == executor.name]
    groups = [group_of(one) for one in callbacks]
    for callback, group in zip(callbacks, groups, strict=True):
        if group is not None and groups.count(group) > 1 and system.direct_writers(callback):
            yield Diagnostic(
                system.where("threads", callback.name, "subscribes"),
                f"in rclcpp of humble, messages within the process are forgotten that come to "
                f"'{callback.name}' while another callback of its group runs, if its executor is "
                "over several cores",
                f"say 'release: iron' or a later one of '{executor.name}' where that is so, make "
                "it reentrant, or give it a group of its own",
            )
