"""What is refused of executors, as their kinds do not know it."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, did_you_mean, shown
from ddsrta.models.system import System
from ddsrta.ros2 import KINDS


def executor_problems(system: System) -> Iterator[Diagnostic]:
    """Kinds that there are not, threads that a kind does not have, and what a kind refuses."""
    for executor in system.executors.values():
        kind = KINDS.get(executor.kind)
        if kind is None:  # of a system made in Python: the grammar knows the names
            yield Diagnostic(
                system.where("executors", executor.name, "kind"),
                f"there is no kind of executors {shown(executor.kind)}",
                did_you_mean(executor.kind, KINDS),
            )
        elif not kind.several_threads and (executor.threads > 1 or executor.is_pool):
            yield Diagnostic(
                system.where("executors", executor.name, "kind"),
                f"a {kind.name} executor has one thread",
            )
        else:
            process = system.processes.get(executor.process or "")
            if process is not None and process.intra_process and not kind.intra_process:
                yield Diagnostic(
                    system.where("executors", executor.name, "process"),
                    f"{kind.name} executor '{executor.name}' has no messages without middleware, "
                    f"as process '{process.name}' has",
                    "give it another process",
                )
            yield from kind.problems(system, executor)
