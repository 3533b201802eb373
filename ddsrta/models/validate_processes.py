"""What a process asks of its threads and callbacks."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.system import System, Thread

_NOT_MODELLED = "this is not modelled: set 'intraprocess_delivery: OFF', in Fast DDS too"


def process_problems(system: System) -> Iterator[Diagnostic]:
    """Processes on several machines, and messages that go in two ways."""
    for thread in system.threads.values():
        process = system.processes.get(thread.process or "")
        if process is None or thread.core not in system.cores:
            continue
        listener = system.listeners.get(process.listener)
        if listener is not None and listener.core in system.cores:
            here, there = system.machine_of(thread.core), system.machine_of(listener.core)
            if here != there:
                yield Diagnostic(
                    system.where("threads", thread.name),
                    f"process '{process.name}' is on machine '{there}', this thread on '{here}'",
                    "a process and its listener are on one machine",
                )
        if thread.executor is not None and thread.arrival is None:
            yield from _two_ways(system, thread)
        if process.senders_read:
            yield from _local_readers(system, thread)
        if thread.executor is not None:
            yield from _sent_twice(system, thread)


def _two_ways(system: System, callback: Thread) -> Iterator[Diagnostic]:
    """rclcpp has an entity for each way: which of two messages is served first, is not known."""
    direct = {writer.name for writer in system.direct_writers(callback)}
    for topic in callback.subscribes.topics if callback.subscribes else ():
        others = [w.name for w in system.writers(topic) if w.name not in direct]
        if direct and others:
            yield Diagnostic(
                system.where("threads", callback.name, "subscribes"),
                f"'{topic}' comes from within the process ('{min(direct)}') and from outside "
                f"('{others[0]}')",
                "this is not modelled: give one of them another topic and callback",
            )


def _local_readers(system: System, thread: Thread) -> Iterator[Diagnostic]:
    """Where whoever sends does the work of readers: not where threads sleep."""
    for index, publication in enumerate(thread.publishes):
        local = system.local_readers(thread, publication.topic)
        name = publication.flow_controller if publication.mode == "async" else None
        controller = system.flow_controllers.get(name or "")
        where = system.where("threads", thread.name, "publishes", index)
        if local and system.fastdds is not None:
            yield Diagnostic(
                where,
                f"'{name or thread.name}' would do the work of '{local[0].name}' under the lock of "
                "that reader, where threads may wait for locks of Fast DDS",
                _NOT_MODELLED,
            )
        elif local and controller is not None and controller.limit is not None:
            yield Diagnostic(
                where,
                f"flow controller '{name}' with its limit would do the work of '{local[0].name}', "
                f"which reads '{publication.topic}' in the same process",
                _NOT_MODELLED,
            )


def _sent_twice(system: System, callback: Thread) -> Iterator[Diagnostic]:
    """A writer of DDS sends to all its readers, or to none: where one is outside, those within the
    process get each message once more, and their executor takes it and drops it."""
    for topic in callback.subscribes.topics if callback.subscribes else ():
        inside = (one for one in system.writers(topic) if system.is_direct(one, callback))
        outside = next((r for one in inside for r in system.receivers(one, topic)), None)
        if outside is not None:
            yield Diagnostic(
                system.where("threads", callback.name, "subscribes"),
                f"'{topic}' reaches it within the process, and '{outside.name}' by the "
                "middleware: rclcpp sends it there to both, and the executor takes a copy more",
                "this is not modelled: publish what leaves the process on another topic",
            )
            return
