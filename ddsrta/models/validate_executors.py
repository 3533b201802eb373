"""What is refused of executors, as their kinds do not know it."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, did_you_mean, shown
from ddsrta.models.executors import Executor
from ddsrta.models.groups import has_timers_thread
from ddsrta.models.system import System
from ddsrta.models.validate_pools import pool_problems
from ddsrta.ros2 import KINDS
from ddsrta.ros2.kind import Kind


def executor_problems(system: System) -> Iterator[Diagnostic]:
    """Kinds that there are not, threads that a kind does not have, and what is not modelled."""
    for executor in system.executors.values():
        kind = KINDS.get(executor.kind)
        if kind is None:  # of a system made in Python: the grammar knows the names
            yield Diagnostic(
                system.where("executors", executor.name, "kind"),
                f"there is no kind of executors {shown(executor.kind)}",
                did_you_mean(executor.kind, KINDS),
            )
        elif not kind.several_threads and (executor.threads > 1 or executor.is_pool):
            wrong = "cores" if executor.is_pool else "threads"
            where = system.where("executors", executor.name, wrong)
            yield Diagnostic(where, *kind.has_one_thread(wrong))
        else:
            yield from _problems(system, executor, kind)


def _problems(system: System, executor: Executor, kind: Kind) -> Iterator[Diagnostic]:
    if executor.release is not None and executor.release not in kind.releases:
        there = (n for n, k in KINDS.items() if k.of_rclcpp and executor.release in k.releases)
        yield Diagnostic(
            system.where("executors", executor.name, "release"),
            f"rclcpp of {executor.release} has no {kind.name} executor",
            f"it has: {', '.join(there)}",
        )
    process = system.processes.get(executor.process or "")
    if process is not None and process.intra_process and not kind.intra_process:
        yield Diagnostic(
            system.where("executors", executor.name, "process"),
            f"{kind.name} executor '{executor.name}' has no messages without middleware, "
            f"as process '{process.name}' has",
            "give it another process",
        )
    if executor.reservation is not None and has_timers_thread(system, executor):
        yield Diagnostic(  # Linux lets a SCHED_DEADLINE thread make none of its own policy
            system.where("executors", executor.name, "reservation"),
            f"{kind.name} executor '{executor.name}' has timers, and under SCHED_DEADLINE it "
            "cannot make its timers thread",
            "this is not modelled: give it a priority, or its timers another executor",
        )
    if executor.reservation is not None and kind.several_threads:
        where = system.where("executors", executor.name, "reservation")
        message = "each thread would have a reservation of its own"
        yield Diagnostic(where, message, "give the executor a priority")
    if executor.is_pool:
        yield from pool_problems(system, executor)
