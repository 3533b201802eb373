"""SCHED_OTHER of Linux (definition fair-level): weights of nice values, slices, what is refused."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.executors import Executor
from ddsrta.models.groups import excludes
from ddsrta.models.system import System, Thread
from ddsrta.ros2 import KINDS, kind_of

SLICE = 3_000_000  # base_slice_ns of eight cores and more

_WEIGHTS = (  # sched_prio_to_weight
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
    9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
    1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
    110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
)  # fmt: skip


def weight_of(nice: int) -> int:
    """The weight of a thread that is so nice.

    >>> weight_of(-20), weight_of(0), weight_of(19)
    (88761, 1024, 15)
    """
    return _WEIGHTS[nice + 20]


def fair_things(system: System) -> Iterator[tuple[str, Thread | Executor]]:
    """All of SCHED_OTHER, with the key of the file."""
    for thread in system.threads.values():
        if thread.nice is not None:
            yield "threads", thread
    for executor in system.executors.values():
        if executor.nice is not None:
            yield "executors", executor


def fair_problems(system: System) -> Iterator[Diagnostic]:
    """Supplies that are no whole core, several threads, locks, and limits that sleep."""
    for kind, thing in fair_things(system):
        where = system.where(kind, thing.name, "policy")
        if system.fastdds:
            message = "locks of Fast DDS with threads of SCHED_OTHER are not modelled"
            yield Diagnostic(where, message)
        if isinstance(thing, Executor):
            for message, advice in _of_executor(system, thing):
                yield Diagnostic(where, message, advice)
        core = system.cores.get(thing.core)
        if core is not None and core.reservation:
            message = f"{thing.core} supplies a reservation: SCHED_OTHER there is not modelled"
            yield Diagnostic(where, message, "give it a priority")
        for name, controller in system.flow_controllers.items():
            if controller.limit and controller.core in (thing.cores or (thing.core,)):
                message = f"flow controller '{name}' sleeps for its limit on a core of SCHED_OTHER"
                yield Diagnostic(where, f"{message}, which is not modelled", "separate them")


def _of_executor(system: System, executor: Executor) -> Iterator[tuple[str, str]]:
    """Of several threads each has a core of its own, on which none spins beside others (definition
    fair-pool)."""
    several = KINDS[executor.kind].several_threads and not executor.is_pool
    if several or KINDS[executor.kind].timers_thread:
        message = f"{executor.kind} executors have several threads: under SCHED_OTHER they are not"
        advice = "'cores', one for each" if several else "give it a priority"
        yield f"{message} modelled on one core", advice
    if executor.moves:
        yield "threads of SCHED_OTHER that move between cores are not modelled", "pin them"
    if not executor.is_pool or not kind_of(executor).spins(executor):
        return
    if excludes(system, executor):
        for other in _beside(system, executor):
            yield (
                f"while a callback of a group runs, rclcpp since jazzy lets an idle thread of "
                f"'{executor.name}' spin, which takes time from '{other}' on its core",
                "say 'release: humble' or 'iron' where it is that one, or put them on other cores",
            )


def _beside(system: System, executor: Executor) -> Iterator[str]:
    """What else of SCHED_OTHER is on its cores."""
    for _, thing in fair_things(system):
        own = thing is executor or getattr(thing, "executor", None) == executor.name
        if not own and {*executor.cores} & {*(thing.cores or (thing.core,))}:
            yield thing.name
