"""Whether executors, their callbacks and processes are those of definition callback-stages."""

from __future__ import annotations

from ddsrta.checker.executors import INLINE
from ddsrta.checker.kinds import INTRA_PROCESS, SEVERAL_THREADS, TIMERS_THREAD
from ddsrta.checker.pools import check_pool
from ddsrta.checker.reading import CertificateError, shown
from ddsrta.checker.things import System, Thread


def check_executors(system: System) -> None:
    """Raises where a callback is none of its executor, or a process is none; or where threads move
    between cores as is not known."""
    moves = any(thread.place.cores for thread in system.threads.values())
    if moves or any(executor.moving for executor in system.executors.values()):
        from ddsrta.checker.sets import check_sets

        check_sets(system)
    _processes(system)
    listed: dict[str, str] = {}
    for name, executor in system.executors.items():
        if executor.is_pool:
            check_pool(system, executor, f"executors.{shown(name)}")
        elif executor.kind in SEVERAL_THREADS and executor.place.reservation:
            where = f"executors.{shown(name)}"
            raise CertificateError(f"{where}: its threads have a reservation each")
        for callback in executor.callbacks:
            thread = system.threads.get(callback)
            if thread is None or thread.executor != name:
                where = f"executors.{shown(name)}"
                raise CertificateError(f"{where}: {shown(callback)} is no callback of it")
            listed[callback] = name
    for name, thread in system.threads.items():
        where = f"threads.{shown(name)}"
        if thread.executor is None:
            if thread.entity is not None:
                raise CertificateError(f"{where}: is an entity of no executor")
        elif name not in listed:
            raise CertificateError(f"{where}: its executor does not list it")
        else:
            _callback(system, name, thread, where)
            _sent_once(system, name, thread, where)


def _processes(system: System) -> None:
    owners: dict[str, str] = {}
    for name, process in system.processes.items():
        where = f"processes.{shown(name)}"
        if process.listener not in system.listeners:
            raise CertificateError(f"{where}: there is no listener {shown(process.listener)}")
        if process.listener in owners:
            raise CertificateError(f"{where}: its listener is that of another process")
        owners[process.listener] = name
    for name, thread in system.threads.items():
        if thread.process is None:
            continue
        where = f"threads.{shown(name)}"
        if thread.process not in system.processes:
            raise CertificateError(f"{where}: there is no process {shown(thread.process)}")
        listener = system.processes[thread.process].listener
        if thread.listener not in (None, listener):
            raise CertificateError(f"{where}: its listener is not that of its process")
        if thread.place.machine != system.listeners[listener].place.machine:
            raise CertificateError(f"{where}: is on another machine than its process")
        if system.processes[thread.process].delivery:
            _local(system, name, thread, where)


def _local(system: System, name: str, thread: Thread, where: str) -> None:
    """Nobody does the work of readers where threads sleep (definition local-readers)."""
    for topic, publication in thread.publishes.items():
        if not system.local_readers(name, topic):
            continue
        if system.fastdds is not None:
            raise CertificateError(f"{where}: would do the work of readers under their locks")
        by = publication.controller
        if by is not None and by in system.controllers and system.controllers[by].limit:
            what = "its limited flow controller would do the work of readers"
            raise CertificateError(f"{where}: {what}")


def _callback(system: System, name: str, thread: Thread, where: str) -> None:
    executor = system.executors[str(thread.executor)]
    if thread.place[:5] != executor.place[:5]:  # callbacks have no nice value of their own
        raise CertificateError(f"{where}: is not where its executor is")
    if thread.entity == "timer" and executor.kind in TIMERS_THREAD and executor.place.reservation:
        raise CertificateError(f"{where}: a timers thread under SCHED_DEADLINE is not modelled")
    process = system.processes[thread.process] if thread.process is not None else None
    if process is not None and process.intra_process and executor.kind not in INTRA_PROCESS:
        raise CertificateError(f"{where}: its executor has no messages without middleware")
    if thread.entity == INLINE:
        _inline(system, thread, where)
    elif thread.arrival is None:
        _one_way(system, name, thread, where)
    elif thread.entity not in (None, "timer"):
        raise CertificateError(f"{where}: no {thread.entity} is released by time")


def _sent_once(system: System, name: str, thread: Thread, where: str) -> None:
    """What reaches a callback directly leaves its process for nobody: rclcpp would send it to the
    callback by the middleware, too."""
    for topic in thread.topics:
        for writer in system.writers.get(topic, ()):
            if system.is_direct(writer, name) and system.receivers(writer, topic):
                raise CertificateError(
                    f"{where}: messages on {shown(topic)} reach it directly, and others by the "
                    "middleware, which is not modelled"
                )


def _one_way(system: System, name: str, thread: Thread, where: str) -> None:
    """What releases a callback is of one kind: the executor sees one entity."""
    if thread.entity in (None, "timer"):
        raise CertificateError(f"{where}: a timer is released by time")
    ways = (len(thread.topics), bool(thread.follows))
    if ways != ((0, True) if thread.entity == "waitable" else (1, False)):
        raise CertificateError(f"{where}: no {thread.entity} is released like this")
    for topic in thread.topics:
        direct = [system.is_direct(writer, name) for writer in system.writers.get(topic, ())]
        if any(direct) and not all(direct):
            raise CertificateError(
                f"{where}: messages on {shown(topic)} reach it directly and by its listener, "
                "which is not modelled"
            )


def _inline(system: System, thread: Thread, where: str) -> None:
    """It follows subscriptions of its own executor, and waits for all of them."""
    others = [system.threads.get(other) for other in thread.follows]
    if thread.arrival or thread.topics or thread.listener is not None or not thread.joins:
        raise CertificateError(f"{where}: an inline callback waits for its subscriptions")
    for other in others:
        if other is None or (other.executor, other.entity) != (thread.executor, "subscription"):
            raise CertificateError(f"{where}: an inline callback follows subscriptions beside it")
    if not others or thread.delay.worst:
        raise CertificateError(f"{where}: an inline callback follows its subscriptions at once")
