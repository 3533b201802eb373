"""What bounds rest on in executors of ROS 2."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.models.assumptions import Assumption
from ddsrta.models.system import System
from ddsrta.ros2 import kind_of
from ddsrta.ros2.callbacks import excludes, has_timers_thread


def of_executors(system: System) -> Iterator[Assumption]:
    """All of it.

    >>> from ddsrta.examples import two_threads
    >>> list(of_executors(two_threads()))
    []
    """
    yield from _registered(system)
    yield from _timers_made_early(system)
    yield from _told(system)


def _registered(system: System) -> Iterator[Assumption]:
    """Turns of callbacks in the order of the file, where an executor takes them in rounds."""
    turns: dict[str, list[int]] = {}
    for thread in system.threads.values():
        if thread.executor is not None and thread.entity not in (None, "inline"):
            turn = kind_of(system.executors[thread.executor]).turn(thread.entity)
            turns.setdefault(thread.executor, []).append(turn)
    for name, executor in system.executors.items():
        found, kind = turns.get(name, []), kind_of(executor)
        if executor.order != "registered" or not kind.service(executor).in_rounds:
            continue
        if len(set(found)) < len(found):
            alike = " of one kind" if kind.entities else ""
            yield Assumption(
                "registration",
                f"executor {name!r} has its callbacks{alike} registered in the order of the "
                "file ('order: unknown' if that is not certain)",
                system.where("executors", name, "order"),
            )


def _timers_made_early(system: System) -> Iterator[Assumption]:
    """What has timers that threads watch which spin() does not make."""
    for name, executor in system.executors.items():
        if kind_of(executor).timers_made_early and has_timers_thread(system, executor):
            yield Assumption(
                "timers-threads",
                f"the thread that constructs executor {name!r} has its policy, priority and core, "
                "which the threads that watch its timers inherit",
                system.where("executors", name, "kind"),
            )


def _told(system: System) -> Iterator[Assumption]:
    """That a group which was left out of a wait set comes back (definition pinned-pool)."""
    for name, executor in system.executors.items():
        if kind_of(executor).keeps_wait_set(executor) and excludes(system, executor):
            yield Assumption(
                "free-groups",
                f"a thread of executor {name!r} that waits hears of each group that becomes free: "
                "no trigger is lost (rmw_fastrtps may lose one without its pull request 895)",
                system.where("executors", name, "kind"),
            )
            return
